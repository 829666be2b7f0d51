"""A closed form that users can remember, and what it rests on.

covering       a bound on boxes and strips of q and 1/sigma^2, for all orders of a region
kearns_saul    the same bound for much noise, all rates and orders at once
steps          the exact steps of both
theorems       the closed forms, each on its whole region, and the walls that they cannot pass
runs           a closed form for whole runs
removing       removing a record is never cheaper than adding one, for one step
"""
