"""Do certified intervals contain the truth?

Two numbers that agree to every digit asked can both be right while the interval printed around one of
them is false: it may exclude the truth by a thousandth of its own width. Only containment sees that. So
an audit draws points (``kinds``), asks the reference engine for an interval, and tests that it contains
the narrower interval of the same engine with 25 digits more, and that of the other certified route
(``containment``). ``campaign`` spreads this over processes and adds it up.
"""
