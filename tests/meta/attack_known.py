"""What is known of numbers that stand in no formula: which way a claim gets weaker, and where it is false."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from proofs_checks.paper import bound
from verify import rdp

CLOSEST = Fraction(27, 200), Fraction(4), Fraction(51, 10)
"""q, sigma, alpha of the main theorem's region where epsilon is largest against the bound."""


def _share() -> Fraction:
    """epsilon sigma^2/(q^2 alpha) at that point, from below: no smaller constant is true."""
    return Fraction(rdp(*CLOSEST, digits=20).lo) * 2 / bound(*CLOSEST)


def _bun() -> Fraction:
    """The same for the earlier row, next to the end of its orders."""
    q, sigma = Fraction(1, 10), Fraction(2237, 1000)
    order = (sigma**2 * Fraction(math.log(10)) / 2).limit_denominator(1000)
    return Fraction(rdp(q, sigma, order, digits=20).lo) * sigma**2 / (q**2 * order)


Edge = Callable[[], Fraction]
EDGES: dict[tuple[str, str], Edge] = {
    ("main-theorem/statement", "constant"): _share,
    ("table-1/this-work/closed-form", "constant"): _share,
    ("table-1/bun", "constant"): _bun,
    ("discussion/sgm-and-zcdp", "share"): lambda: Fraction(1),
    ("discussion/sgm-and-rdp", "share"): lambda: Fraction(1),
    ("beyond/zcdp/exact-constant", "rho"): lambda: Fraction(1, 2),
}
"""By claim and parameter: every number below is false, by a certified value or by the supremum."""

EXACT: dict[tuple[str, str], Fraction] = {
    ("discussion/sgm-and-zcdp", "limit"): Fraction(1),
    ("beyond/zcdp/exact-constant", "rho"): Fraction(1, 2),
    ("a-geq-b/theorem-5/average-a", "weight"): Fraction(1, 2),
    ("a-geq-b/theorem-5/average-b", "weight"): Fraction(1, 2),
    ("a-geq-b/corollary-7/exponent", "shift"): Fraction(1),
    ("discussion/definitions/zcdp", "extra"): Fraction(1),
    ("discussion/definitions/rho-zcdp", "factor"): Fraction(2),
    ("discussion/definitions/going-down", "factor"): Fraction(2),
    ("numerical/whole/moments-suffice", "linear"): Fraction(1),
    ("table-1/caption", "changes"): Fraction(2),
}
"""Numbers of equations: every other one is false."""


def false_number(claim: str, parameter: str, new: Fraction) -> bool:
    """Whether that number in that place is known to be false."""
    key = claim, parameter
    if key in EXACT:
        return new != EXACT[key]
    return key in EDGES and new < EDGES[key]()


WEAKER: dict[tuple[str, str], tuple[str, str]] = {
    ("introduction/relaxed", "order"): ("both", "an example: any fractional order near it is one"),
    ("table-1/abadi/asymptotic", "sigma"): ("both", "a counterexample, as are those next to it"),
    ("table-1/abadi/asymptotic", "least"): (
        "both",
        "h is computed at the end; it is positive to 0.9",
    ),
    ("table-1/abadi/asymptotic", "constant"): ("both", "at points: 0.06 is enough there"),
    ("table-1/bun", "constant"): ("both", "at points: 4.7 is enough there"),
    ("table-1/this-work/numerical", "order"): ("both", "an example of an order"),
    ("reduction/theorem-4/quasi-convexity", "order"): ("larger", "fewer orders"),
    ("one-dimensional/roadmap", "factor"): ("larger", "a weaker bound"),
    ("one-dimensional/roadmap", "sign"): ("both", "a sign, not a number"),
    ("main-theorem/exponential", "noise"): ("both", "true from 2.31 on; the slope is proved anew"),
    ("figure-1/left", "factor"): ("both", "the crossing is computed for that bound"),
    ("figure-1/right", "factor"): ("larger", "a higher line"),
    ("a-geq-b/corollary-7/statement", "orders"): ("both", "the range of drawn orders"),
    ("closed-form/lemma-10/tail-applies", "t"): (
        "both",
        "a counterexample, as are those next to it",
    ),
    ("reduction/theorem-4/added-noise", "c"): ("both", "a counterexample, as are those next to it"),
    ("discussion/moment-and-divergence", "second"): (
        "both",
        "a counterexample, as those next to it",
    ),
    ("discussion/definitions/tcdp", "order"): ("larger", "infinite from order 1 on"),
    ("discussion/definitions/tcdp", "rate"): ("both", "1/2 is not the least rho: 0.4621 is"),
    ("beyond/excess/below-two", "factor"): ("larger", "a weaker bound"),
    ("beyond/excess/below-two", "largest"): ("both", "the inequality is proved anew on that box"),
    ("beyond/excess/rising", "largest"): ("both", "the inequality is proved anew on that box"),
    ("beyond/conditions/second-interval", "threshold"): ("both", "proved anew: true below 7.17"),
    ("beyond/conditions/monotone", "rate"): ("smaller", "a smaller rate"),
    ("beyond/conditions/monotone", "noise"): ("larger", "more noise"),
    ("discussion/accountant", "factor"): ("larger", "a weaker bound"),
    ("a-geq-b/theorem-5/statement", "order"): ("larger", "fewer orders"),
    ("beyond/order-half/theorem", "smallest"): ("larger", "fewer orders"),
    ("beyond/order-half/reversed", "largest"): ("smaller", "fewer orders"),
}
"""Which way the claim still follows (larger, smaller, both), and why."""
