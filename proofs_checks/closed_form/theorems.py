"""Closed forms for epsilon on regions that users meet: one to remember, one in the place of Theorem 11, two more, and their walls.

Throughout v = 1/sigma^2, t = e^v - 1, 0 < q <= 1. Each is proved in the same way. Up to order 2: the claim for these orders. Large
rates: epsilon <= alpha v/2 is enough once q^2 is at least half of the inverse of the constant. sigma >= 10: Kearns and Saul
(:mod:`kearns_saul`), intervals of q. The rest is compact: strips and boxes (:mod:`covering`). Everything is about removing, which is the
dearer direction (A >= B), and lifts to the mechanism by the reduction to a line.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.beyond.central_moments import nonnegative
from proofs_checks.beyond.excess import below_two, log_convex, remainder, rising
from proofs_checks.beyond.monotone import monotone
from proofs_checks.beyond.unconditional import raw_moment
from proofs_checks.closed_form import steps
from proofs_checks.closed_form.covering import Bound, large_rates, small_rates
from proofs_checks.closed_form.kearns_saul import NoisePlan, settle
from proofs_checks.paper import ALPHA, alpha, epsilon, exp, ordered, q, sigma
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.quantities.order_tail import moments_below, tail
from proofs_checks.sections.a_geq_b_corollary import corollary
from proofs_checks.sections.reduction_to_a_line import theorem_4
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.formula import Formula, written
from proofs_checks.tools.prover import prove
from proofs_checks.tools.signs import rises, slack
from verify.claims import (
    Evidence,
    Rejected,
    Undecided,
    all_of,
    certified_region,
    claim,
    rests_on,
)
from verify.numbers.balls import precision

ONE, HALF, HUNDREDTH = Fraction(1), Fraction(1, 2), Fraction(1, 100)
TWO_HUNDREDTH = Fraction(1, 200)
Box = tuple[Fraction, Fraction, Fraction, Fraction]

REMEMBER = Bound(ONE, ONE, "t")
FACTOR_ONE = Bound(Fraction(6, 5), ONE, "v")
REPLACEMENT = Bound(Fraction(2), Fraction(3, 2), "v")
EVERY_SIGMA = Bound(Fraction(7, 10), HALF, "t")

NEAR = tuple(
    tuple(map(Fraction, at.split()))
    for at in (
        "43/25000 1/2 2591/1000", "3/40 1 3590/1000", "69/1000 1 5009/1000", "1/10000 1 194/10", "1/100000 20 2000",
        "1/12000000000 1/4 245/100", "1e-64 1/10 2166/1000", "7/100 9/10 3153/1000", "7/100 9/10 41/10", "3/20 20 380", "1/5 20 322", "1/4 40 1100",
    )
)  # fmt: skip
"""q, sigma, alpha next to which the bounds are sharpest, or false on a larger region."""


@functools.cache
def compact(bound: Bound, box: Box, rate: Fraction, after: Bound | None = None) -> tuple[int, int]:
    """How many strips (q up to ``rate``) and boxes settle 1/sigma^2 in [box[2], box[3]] and q up to box[1]."""
    strips = small_rates(bound, box[2], box[3], rate)
    boxes = large_rates(bound, (rate, *box[1:]), after)
    return len(strips), len(boxes)


@functools.cache
def much_noise(plan: NoisePlan) -> tuple[int, Fraction]:
    found = settle(plan)
    return len(found), max(s.value for s in found)


def _plan(bound: Bound, largest: str, share: str, lower: str, higher: str, ratio: str) -> NoisePlan:
    return NoisePlan(
        bound.constant,
        bound.reach,
        HUNDREDTH,
        *map(Fraction, (largest, share, lower, higher, ratio)),
    )


def _shared_evidence(
    bound: Bound, plan: NoisePlan, boxes: tuple[tuple[int, int], ...]
) -> Iterator[Evidence]:
    """What all of them share."""
    count, value = much_noise(plan)
    yield certified_region(
        count,
        detail=f"sigma >= 10: {count} intervals of q, the bound for the lower orders comes to {float(value):.4f}",
        boxes=count,
    )
    strips, found = (sum(numbers) for numbers in zip(*boxes, strict=True))
    yield certified_region(
        strips + found,
        detail=f"the compact rest: {strips} strips of small rates, {found} boxes",
        boxes=strips + found,
    )
    room = 2 * bound.constant * plan.largest**2 - 1
    yield positive(
        sympy.Rational(room.numerator, room.denominator),
        "larger rates: alpha v/2 is enough",
        strict=False,
    )
    yield from steps.kearns_saul()
    yield from steps.gaussian_integrals()
    yield from tail(max(bound.reach, ONE))
    yield from moments_below()
    (v,) = slack("v")
    yield rises(sympy.exp(v) - 1 - v, v, 2, "t >= v")
    yield rests_on(
        remainder.given(), log_convex.given(), nonnegative.given(), monotone.given(), raw_moment.given(),
        below_two.given(), rising.given(), corollary.given(), theorem_4.given(),
    )  # fmt: skip


def reject_at_near_points(formula: Formula, reach: Fraction, least: Fraction) -> None:
    """Rejected if the formula surely fails at a point of the region that has this reach and this least noise."""
    for rate, noise, order in NEAR:
        with precision(200):
            end = 1 - rational(reach * noise**2) * rational(rate).log()
            inside = noise >= least and bool(rational(order) <= end)
        if inside and not holds(formula, Place(rate, noise, order)):
            raise Rejected(f"q = {rate}, sigma = {noise}, alpha = {order}")


def no_more_than_proved(
    formula: Formula, reach: Fraction, least: Fraction, own: Bound, noise: Fraction
) -> None:
    """Undecided where less is proved than the formula says: a smaller constant, a longer reach, less noise, strictness."""
    if formula.strict:
        raise Undecided(f"{formula.latex()}: the weak inequality is proved")
    small, large = ordered(formula)
    identity(small, epsilon)
    price = exp(1 / sigma**2) - 1 if own.price == "t" else 1 / sigma**2
    share = sympy.simplify(large / (q**2 * ALPHA * price))
    if not share.is_Rational or share < sympy.Rational(
        own.constant.numerator, own.constant.denominator
    ):
        raise Undecided(f"{formula.latex()}: the constant {own.constant} is proved")
    if reach > own.reach or least < noise:
        raise Undecided(
            f"proved for orders up to 1 + {own.reach} sigma^2 ln(1/q) and sigma >= {noise}"
        )


ONE_TO_REMEMBER = written(lambda: (epsilon, "<=", q**2 * alpha * (exp(1 / sigma**2) - 1)))


@claim(
    "beyond/closed-form/remember",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma \ge 1/2,\ 1 < \alpha \le 1 + \sigma^2 \ln(1/q)",
    statement=ONE_TO_REMEMBER,
    broken={
        "0.7 of it": {"formula": ONE_TO_REMEMBER.put({q**2: sympy.Rational(7, 10) * q**2})},
        "twice the reach": {"reach": Fraction(2)},
        "sigma from 1/4": {"least": Fraction(1, 4)},
    },
)
def remember(
    formula: Formula = ONE_TO_REMEMBER, reach: Fraction = ONE, least: Fraction = HALF
) -> Iterator[Evidence]:
    """The bound to remember: the cost of one step is at most q^2 alpha (e^{1/sigma^2} - 1), for every noise from 1/2 on and orders up
    to 1 + sigma^2 ln(1/q), in both directions and for every function of sensitivity 1. The true epsilon comes to at most about 3/4 of
    it. Up to order 2 half of it is enough; the constant e^{1/sigma^2} - 1 is that of the second moment."""
    reject_at_near_points(formula, reach, least)
    no_more_than_proved(formula, reach, least, REMEMBER, HALF)
    yield all_of(
        *_shared_evidence(
            REMEMBER, _plan(REMEMBER, "71/100", "3/4", "3/10", "1/8", "503/500"),
            (
                compact(REMEMBER, (Fraction(0), Fraction(71, 100), HUNDREDTH, ONE), TWO_HUNDREDTH),
                compact(REMEMBER, (Fraction(0), Fraction(71, 100), ONE, Fraction(4)), Fraction(1, 10**7)),
            ),
        )
    )  # fmt: skip


IN_PLACE_OF_11 = written(lambda: (epsilon, "<=", 2 * q**2 * alpha / sigma**2))


@claim(
    "beyond/closed-form/in-place-of-theorem-11",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma \ge 1,\ 1 < \alpha \le 1 + 3/2 \sigma^2 \ln(1/q)",
    statement=IN_PLACE_OF_11,
    broken={
        "1.9": {
            "formula": IN_PLACE_OF_11.put({sympy.Integer(2) * q**2: sympy.Rational(19, 10) * q**2})
        },
        "reach 2": {"reach": Fraction(2)},
        "sigma from 9/10": {"least": Fraction(9, 10)},
    },
)
def in_place_of_11(
    formula: Formula = IN_PLACE_OF_11, reach: Fraction = Fraction(3, 2), least: Fraction = ONE
) -> Iterator[Evidence]:
    """The constant of Theorem 11 on a region that contains the theorem's: any rate, sigma >= 1 for sigma >= 4, one condition on the
    order for two. Up to 1 + sigma^2 ln(1/q) it follows from the bound to remember, as t <= 2v for v <= 1. The first condition of Theorem
    11 gives alpha <= sigma^2 L/2 with L = ln(1 + 1/(q(alpha-1))), which is at most ln(1/q) once (alpha-1)(1-q) >= 1; smaller orders,
    below 9/4 for q <= 1/5, are inside as 5/4 <= (3/2) 16 ln 5."""
    reject_at_near_points(formula, reach, least)
    no_more_than_proved(formula, reach, least, REPLACEMENT, ONE)
    v, c, d = sympy.symbols("v c d", positive=True)
    ratio = sympy.Symbol("ratio", positive=True)
    yield all_of(
        *_shared_evidence(
            REPLACEMENT, _plan(REPLACEMENT, "1/2", "3/4", "1/5", "1/50", "103/100"),
            (compact(REPLACEMENT, (Fraction(0), HALF, HUNDREDTH, ONE), Fraction(1, 10**5), REMEMBER),),
        ),
        prove(2 - (sympy.exp(v) - 1) / v > 0, {v: (Fraction(1, 100), ONE)}).evidence("t <= 2v for 1/100 <= v <= 1"),
        rests_on(remember.given()),
        # 1 + 1/(q a) <= 1/q for a (1-q) >= 1, q = 1/(1+c), a = (1+d)(1+c)/c
        positive(
            sympy.factor((1 / ratio - 1 - 1 / (ratio * (1 + d) * (1 + c) / c)).subs(ratio, 1 / (1 + c))),
            "(alpha-1)(1-q) >= 1: L <= ln(1/q)", strict=False,
        ),
        positive(24 * sympy.log(5) - sympy.Rational(5, 4), "smaller orders are inside"),
    )  # fmt: skip


WITH_FACTOR_ONE = written(lambda: (epsilon, "<=", sympy.Rational(6, 5) * q**2 * alpha / sigma**2))


@claim(
    "beyond/closed-form/six-fifths",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma \ge 1,\ 1 < \alpha \le 1 + \sigma^2 \ln(1/q)",
    statement=WITH_FACTOR_ONE,
    broken={
        "1.16": {"formula": WITH_FACTOR_ONE.put({sympy.Rational(6, 5): sympy.Rational(116, 100)})},
        "reach 3/2": {"reach": Fraction(3, 2)},
        "sigma from 9/10": {"least": Fraction(9, 10)},
    },
)
def six_fifths(
    formula: Formula = WITH_FACTOR_ONE, reach: Fraction = ONE, least: Fraction = ONE
) -> Iterator[Evidence]:
    """A smaller constant with half the paper's order condition dropped: 1.2 q^2 alpha/sigma^2 for sigma >= 1. From 1/sigma^2 <= 7/20 on
    it follows from the bound to remember, as t <= 1.2 v there. The proof of the row of Bun et al. in Table 1 gives 1.22 for q <= 1/10,
    sigma >= sqrt 5 and orders up to sigma^2 ln(1/q), for the sampled Gaussian; this is better, on a larger region."""
    reject_at_near_points(formula, reach, least)
    no_more_than_proved(formula, reach, least, FACTOR_ONE, ONE)
    v = sympy.Symbol("v")
    share = Fraction(7, 20)
    near = prove(sympy.Rational(6, 5) - sympy.exp(v) > 0, {v: (0, Fraction(9, 50))}).evidence(
        "the slope of 1.2 v - t is positive up to v = 9/50"
    )
    yield all_of(
        *_shared_evidence(
            FACTOR_ONE, _plan(FACTOR_ONE, "13/20", "1", "3/20", "3/20", "103/100"),
            (compact(FACTOR_ONE, (Fraction(0), Fraction(13, 20), share, ONE), TWO_HUNDREDTH),),
        ),
        near,
        prove(sympy.Rational(6, 5) * v + 1 - sympy.exp(v) > 0, {v: (Fraction(9, 50), share)}).evidence("and 1.2 v > t on to 7/20"),
        rests_on(remember.given()),
    )  # fmt: skip


FOR_EVERY_SIGMA = written(
    lambda: (epsilon, "<=", sympy.Rational(7, 10) * q**2 * alpha * (exp(1 / sigma**2) - 1))
)


@claim(
    "beyond/closed-form/every-sigma",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 1 + 1/2 \sigma^2 \ln(1/q)",
    statement=FOR_EVERY_SIGMA,
    broken={
        "0.55": {"formula": FOR_EVERY_SIGMA.put({sympy.Rational(7, 10): sympy.Rational(55, 100)})},
        "reach 1": {"reach": ONE},
    },
)
def every_sigma(formula: Formula = FOR_EVERY_SIGMA, reach: Fraction = HALF) -> Iterator[Evidence]:
    """For every noise, however little: 0.7 q^2 alpha (e^{1/sigma^2} - 1) for orders up to 1 + sigma^2 ln(1/q)/2; for sigma <= 1 even 7/12
    in the place of 0.7, by hand."""
    reject_at_near_points(formula, reach, Fraction(0))
    no_more_than_proved(formula, reach, ONE, EVERY_SIGMA, Fraction(0))
    yield all_of(
        *_shared_evidence(
            EVERY_SIGMA, _plan(EVERY_SIGMA, "17/20", "3/4", "1/3", "1/20", "251/250"),
            (compact(EVERY_SIGMA, (Fraction(0), Fraction(17, 20), HUNDREDTH, ONE), TWO_HUNDREDTH),),
        ),
        *steps.little_noise(),
    )  # fmt: skip
