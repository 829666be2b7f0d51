"""Do certified intervals contain the truth?

Two numbers that agree to every digit asked can both be right while the interval printed around one of
them is false: it may exclude the truth by a thousandth of its own width. Only containment sees that. So
an audit draws points (``kinds``), asks the reference engine for an interval, and tests that it contains
the narrower interval of the same engine with 25 digits more, and that of the other certified route
(``containment``). ``campaign`` spreads this over processes and adds it up.

    kinds         kinds of points for the engines
    containment   one test of one interval
    campaign      many tests over processes
    runs          kinds of tests for whole runs
    runs_bend     those of the hyperbola
    runs_calls    those of what people call: accounts, calibration, the best order
    runs_case     what a test of a run is given, and what it finds
    pairs         those of other samplings and relations
    ground_truth  the checks of the engines that every report runs
"""
