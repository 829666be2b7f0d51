"""(epsilon, delta) of whole runs: the exact privacy curve, certified.

Poisson sampling with one record added or removed here, other samplings and relations in ``pairs``.
See docs/accounting.md.

    questions    epsilon, delta, privacy_curve: what people ask
    calibration  the least noise, most steps or largest rate for a target
    growing      a run that is asked about after every step
    history      phases (q, sigma, steps), and what is refused
    published    runs as they were published
    tight        exact cases, one direction of a run
    routes       which way to delta(epsilon) serves a run
    root         epsilon at a delta
    contour      the contour integral over a vertical line
    pairs        samplings and relations: which two distributions a run compares
    hyperbola    the same over a hyperbola
    exact        closed forms, two steps, convolution, sums over outcomes
    conversions  from RDP to (epsilon, delta)
    renyi        the RDP curve of a run
    rdp          the best of a list of orders
    best_order   the best of all orders
"""

from verify.accounting.questions import (
    Account,
    account,
    delta,
    epsilon,
    history_delta,
    history_epsilon,
    privacy_curve,
)
from verify.accounting.tight import Bracketed
from verify.numbers.curves import CurvePoint, PrivacyCurve

__all__ = [
    "Account",
    "Bracketed",
    "CurvePoint",
    "PrivacyCurve",
    "account",
    "delta",
    "epsilon",
    "history_delta",
    "history_epsilon",
    "privacy_curve",
]
