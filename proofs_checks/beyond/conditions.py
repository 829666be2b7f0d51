"""The two conditions on alpha: an interval of orders, which always contains (1, 4]."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.paper import (
    ABOVE_ONE,
    ALPHA,
    CONDITION_1,
    LOG,
    NAMES,
    SLACK_1,
    SLACK_2,
    a1,
    alpha,
    conditions_hold,
    point,
    q,
    sigma,
    slacks,
)
from proofs_checks.quantities.engine import Ranges
from proofs_checks.quantities.maximal_alpha import (
    decimals,
    first_condition,
    second_condition,
)
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.counterexample import surely
from proofs_checks.tools.draws import at_many, surely_below
from proofs_checks.tools.formula import Formula, written
from proofs_checks.tools.monotone import sign_of_constant
from verify.claims import (
    Evidence,
    Rejected,
    Sign,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    certified_region,
    claim,
    rests_on,
)
from verify.numbers.balls import precision

length = sympy.Symbol("L", positive=True)
AT_CORNER = Fraction(1, 5), Fraction(4), Fraction(4)


FIRST_INTERVAL = written(lambda: (sympy.Derivative(CONDITION_1.sides[1] - alpha, alpha), "<", 0))


@claim(
    "beyond/conditions/first-interval",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q,\ \sigma > 0,\ \alpha > 1",
    statement=FIRST_INTERVAL,
    broken={
        "increasing": {"formula": FIRST_INTERVAL.exchanged()},
        "slope without the factor q(alpha-1)+1": {"drop": True},
    },
)
def first_interval(formula: Formula = FIRST_INTERVAL, drop: bool = False) -> Iterator[Evidence]:
    """The slack of the first condition falls with alpha, from +oo next to order 1: the orders it
    allows form an interval that starts at 1."""
    small, large = (side.doit().subs(ABOVE_ONE) for side in formula.ascending().expanded(NAMES))
    slope = sigma**2 / (2 * a1 * (1 if drop else q * a1 + 1)) + 1
    yield identity(large - small, slope, "derivative")
    yield positive(slope, "sum of positive terms")


@claim(
    "beyond/conditions/second-interval",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q,\ \sigma \ge 4,\ \alpha > 1",
    statement=r"h(\alpha) = \tfrac12\sigma^2L^2 - \ln 5 - 2\ln\sigma - \alpha\ln\!\left(q\alpha "
    r"+ \tfrac{\alpha}{\alpha-1}\right)"
    r" - \tfrac{\alpha}{2\sigma^2}:\quad h' < 0\ \text{where}\ \sigma^2 L \ge 1,\ h < 0\ "
    r"\text{where}\ \sigma^2 L < 1",
    broken={
        "h' with +q(alpha-1)/(q(alpha-1)+1)": {"sign": 1},
        "threshold sigma^2 L < 16": {"threshold": 16},
    },
)
def second_interval(sign: Sign = -1, threshold: Fraction | int = 1) -> Iterator[Evidence]:
    """The second condition too allows an interval of orders starting at 1. Its denominator is
    positive, so it says h >= 0; where sigma^2 L >= 1 all four terms of h' are negative, and where
    sigma^2 L < 1 h itself is negative, because sigma^2 L^2/2 < 1/(2 sigma^2) < ln 5."""
    common = a1 * (q * a1 + 1)
    terms = (
        -(sigma**2 * LOG - 1) / common
        - sympy.log(q * ALPHA + ALPHA / a1)
        + sign * q * a1 / (q * a1 + 1)
        - 1 / (2 * sigma**2)
    )
    with precision(100):
        corner_length = 16 * ball(LOG, point(*AT_CORNER))
        if corner_length < rational(Fraction(threshold)) and slacks(*AT_CORNER)[1] > 0:
            raise Rejected(f"q = 1/5, sigma = 4, alpha = 4: h > 0 and sigma^2 L < {threshold}")
    if threshold < 1:
        raise Undecided(f"the first term of h' is positive where {threshold} <= sigma^2 L < 1")
    # sigma^2 L < threshold and sigma >= 4: sigma^2 L^2/2 < threshold^2/(2 sigma^2) <= threshold^2/32
    most = sympy.Rational(threshold) ** 2 / 32
    if not most < sympy.log(5):
        raise Undecided(f"sigma^2 L^2/2 may be {most}, above ln 5; the other terms are not used")
    last = sign_of_constant(
        sympy.log(5) - most, ">", "ln 5 is above sigma^2 L^2/2 where sigma^2 L < 1"
    )
    yield all_of(
        identity(LOG + sympy.log(q * ALPHA), sympy.log(q * ALPHA + ALPHA / a1), "L + ln(q alpha)"),
        positive(q * ALPHA + 1 / a1, "q alpha + alpha/(alpha-1) > 1: the denominator is positive"),
        identity(sympy.diff(SLACK_2, a1), terms, "h'"),
        positive(q * a1 / (q * a1 + 1) + 1 / (2 * sigma**2), "the last two terms"),
        last,
    )


@claim(
    "beyond/conditions/monotone",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ \alpha > 1",
    statement=r"\text{an order that is allowed at}\ (q, \sigma)\ \text{is allowed at every}\ "
    r"(q', \sigma'),"
    r"\ q' \le q,\ \sigma' \ge \sigma",
    broken={"less noise": {"noise": Fraction(9, 10)}, "larger rate": {"rate": Fraction(11, 10)}},
)
def monotone(
    rate: Fraction = Fraction(9, 10), noise: Fraction = Fraction(11, 10)
) -> Iterator[Evidence]:
    """Less sampling or more noise never shrinks the set of allowed orders. Both slacks fall with
    q, as L does. In sigma their derivatives are (sigma^2 L - 2)/sigma and (sigma^2 L^2 - 2)/sigma
    + alpha/sigma^3; a slack that is not negative forces sigma^2 L >= 2 alpha + 4 ln sigma > 2,
    respectively sigma^2 L^2 >= 2 ln 5 > 2."""
    yield all_of(
        identity(sympy.diff(LOG, q), -1 / (q * (q * a1 + 1)), "dL/dq"),
        identity(
            sympy.diff(SLACK_1.subs(LOG, length), sigma),
            (sigma**2 * length - 2) / sigma,
            "first, d/dsigma",
        ),
        identity(
            sympy.diff(SLACK_2.subs(LOG, length), sigma),
            (sigma**2 * length**2 - 2) / sigma + ALPHA / sigma**3,
            "second, d/dsigma",
        ),
        identity(
            sympy.diff(SLACK_2, q),
            -(sigma**2 * LOG) / (q * (q * a1 + 1)) - ALPHA * a1 / (q * a1 + 1),
            "second, d/dq",
        ),
        sign_of_constant(2 * sympy.log(5) - 2, ">", "2 ln 5 is above 2"),
    )

    def allowed(q: Fraction, sigma: Fraction, alpha: Fraction) -> bool:
        return conditions_hold(q, sigma, alpha)

    def holds(q: Fraction, sigma: Fraction, alpha: Fraction) -> bool:
        with precision(200):
            found = [*slacks(q * rate, sigma, alpha), *slacks(q, sigma * noise, alpha)]
            return all(surely_below(arb(0), slack_) for slack_ in found)

    ranges: Ranges = {"q": (1e-5, Fraction(1, 5)), "sigma": (4, 60), "alpha": (1.01, 30)}
    yield at_many(ranges, 300, allowed, holds, "allowed orders stay allowed")
    if rate > 1 or noise < 1:
        raise Undecided("the slopes speak for smaller rates and more noise")


@claim(
    "beyond/conditions/orders-to-4",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ 1 < \alpha \le 4",
    statement=r"\text{both conditions on}\ \alpha\ \text{hold}",
    broken={
        "orders to 5": {"last": Fraction(5)},
        "q up to 1/4": {"rate": Fraction(1, 4)},
        "sigma from 3": {"noise": Fraction(3)},
    },
)
def orders_to_4(
    last: Fraction = Fraction(4), rate: Fraction = Fraction(1, 5), noise: Fraction = Fraction(4)
) -> Iterator[Evidence]:
    """The theorem is never empty: every order up to 4 is allowed for all q <= 1/5 and sigma >= 4.
    By the monotony of the slacks it is enough at the corner q = 1/5, sigma = 4, alpha = 4, where
    they are 1.0740 and 0.1584 by balls. (At fixed alpha <= 4 the derivatives in sigma are
    positive at once, as L >= ln(8/3).)"""
    with precision(150):
        corner_slacks = slacks(rate, noise, last)
        for name, value in zip(("first", "second"), corner_slacks, strict=True):
            surely(value, ">", arb(0), f"{name} slack {value.str(8)} at the corner")
        least = ball(LOG, point(rate, noise, last))
        surely(rational(noise) ** 2 * least**2, ">", arb(2), "sigma^2 L^2 > 2 up to order 4")
        shown = ", ".join(value.str(8, radius=False) for value in corner_slacks)
    everywhere = certified_region(
        2,
        detail="all of q <= 1/5, sigma >= 4, 1 < alpha <= 4 by monotony; slacks at the corner "
        f"{shown}",
    )
    yield all_of(everywhere, rests_on(first_interval, second_interval, monotone))


@claim(
    "beyond/conditions/corner",
    lines="beyond",
    kind="assertion",
    domain=r"(q, \sigma) = (1/5, 4)",
    statement=r"\text{largest allowed order at the corner: } 4.0378307297\ldots,\ \text{from "
    r"the second condition}",
    broken={"by the first condition": {"swapped": True}},
)
def corner(swapped: bool = False) -> Iterator[Evidence]:
    """The smallest of all largest allowed orders, at q = 1/5 and sigma = 4, is 4.0378..., and it
    is the second condition that sets it; the first would allow 4.4263...: certified sign changes
    to 30 digits."""
    first = first_condition(Fraction(1, 5), Fraction(4), 30)
    second = second_condition(Fraction(1, 5), Fraction(4), 30)
    if swapped:
        first, second = second, first
    expected = Fraction("4.0378307297")
    if not (
        expected <= second[0]
        and second[1] <= expected + Fraction(1, 10**10)
        and second[1] < first[0]
    ):
        raise StepFails(f"first {decimals(*first)}, second {decimals(*second)}")
    yield certified_points(2, detail=f"first {decimals(*first)}, second {decimals(*second)}")
