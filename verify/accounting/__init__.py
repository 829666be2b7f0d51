"""(epsilon, delta) of whole runs: the exact privacy curve, certified.

T steps of the Poisson-subsampled Gaussian, neighbours by adding or removing one record. See docs/accounting.md.

    account      epsilon, delta, privacy_curve: the questions
    tight        exact cases, one direction of a run
    routes       which way to delta(epsilon) serves a run; root finds epsilon
    contour      the contour integral over the transform, with its aliasing and its cut
    line         moments at complex orders, and bounds on them
    jumps        what aliases when the loss comes in rare, large jumps (tiny q)
    closed, pair q = 1, a single step, two steps
    convolution  the independent route: a bracket from integer weights
    brute        two or three steps by sums over their outcomes, for the audit
    conversions  from RDP to (epsilon, delta); rdp minimises over lists of orders, best_order over all
    calibrate    the least noise, most steps or largest rate for a target
    audit, bench containment tests, and time as ratios
    plan, sketch where to integrate, in doubles (proposals only)
    history      phases (q, sigma, steps), and what is refused
"""

from verify.accounting.account import (
    Account,
    CurvePoint,
    account,
    delta,
    epsilon,
    history_delta,
    history_epsilon,
    privacy_curve,
)
from verify.accounting.tight import Bracketed

__all__ = [
    "Account",
    "Bracketed",
    "CurvePoint",
    "account",
    "delta",
    "epsilon",
    "history_delta",
    "history_epsilon",
    "privacy_curve",
]
