"""Closed forms and Table 1 of the paper at a point, decided in balls.

They stand here because ``sgm-verify bounds``, sweeps and the audit answer with them, also where no package of
claims is installed. ``proofs_checks.paper`` has the same conditions as expressions; a test compares the two.

table          the rows of Table 1 at a point: conditions, value, true or not
tightness      how far a bound lies above the truth
closed_form    closed forms beyond the paper, at a point and for whole runs
largest_order  up to which order a condition holds
"""
