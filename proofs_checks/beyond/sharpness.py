"""How sharp the bound of the main theorem is: epsilon/(2 q^2 alpha/sigma^2), limits and certified
range."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks import paper
from proofs_checks.beyond.conditions import monotone as conditions_monotone
from proofs_checks.beyond.excess import (
    below_two,
    relative_excess,
    rising,
)
from proofs_checks.beyond.graph_expansion import monotone
from proofs_checks.paper import BOUND, conditions_hold, slacks
from proofs_checks.quantities.engine import divergence
from proofs_checks.quantities.small_rate import second_order
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import Formula, written
from proofs_checks.tools.signs import rises
from verify.claims import (
    Evidence,
    Profile,
    Rejected,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    certified_region,
    claim,
    rests_on,
)
from verify.numbers.balls import precision

FIFTH = Fraction(1, 5)
rational_ = sympy.Rational
q, t, x, y = sympy.symbols("q t x y")


def share(rate: Fraction, noise: Fraction, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """epsilon/(2 q^2 alpha/sigma^2), certified ends."""
    epsilon = divergence(rate, noise, alpha)
    bound = paper.bound(rate, noise, alpha)
    return Fraction(epsilon.lo) / bound, Fraction(epsilon.hi) / bound


def in_region(rate: Fraction, noise: Fraction, alpha: Fraction) -> bool:
    """Whether both conditions on alpha surely hold."""
    return conditions_hold(rate, noise, alpha)


LIMIT = written(
    lambda: (
        sympy.Limit(paper.epsilon / BOUND, paper.q, 0),
        "=",
        paper.sigma**2 * (paper.exp(1 / paper.sigma**2) - 1) / 4,
        ">",
        sympy.Rational(1, 4),
    )
)


@claim(
    "beyond/sharpness/limit",
    lines="beyond",
    kind="limit",
    domain=r"\sigma > 0,\ \alpha > 1\ \text{fixed},\ q \to 0",
    statement=LIMIT,
    kernel="quadratic_in_q",
    broken={
        "limit 1/2": {"formula": LIMIT.put({LIMIT.sides[1]: LIMIT.sides[1] * 2})},
        "limit 1/4 exactly": {"formula": LIMIT.put({LIMIT.sides[1]: sympy.Rational(1, 4)})},
    },
)
def limit(formula: Formula = LIMIT) -> Iterator[Evidence]:
    """As the sampling rate vanishes the bound is too large by the factor
    4/(sigma^2 (e^{1/sigma^2}-1)): 3.876 at sigma = 4, 4 for large sigma. By Taylor's formula and
    dominated convergence (A - 1)/q^2 tends to alpha (alpha-1) (e^{1/sigma^2}-1)/2 at every real order
    above 1. Certified values at real orders agree."""
    vanishing, closed, quarter_ = formula.values({}, "=", ">")
    if vanishing != LIMIT.expanded()[0]:
        raise StepFails(f"{vanishing} is not the limit of epsilon over the bound")
    identity(quarter_, sympy.Rational(1, 4))
    second, steps = second_order()
    over_bound = second / (paper.a1 * paper.value(BOUND) / paper.q**2)
    yield all_of(steps, identity(over_bound, closed, "(A - 1)/q^2 over the bound, as q -> 0"))
    v = sympy.Symbol("v", positive=True)
    by_v = closed.subs(paper.sigma, 1 / sympy.sqrt(v))
    yield identity(sympy.limit(by_v, v, 0), quarter_, "sigma -> oo")
    rises(sympy.expand((by_v - quarter_) * v), v, 2)  # (e^v - 1)/4 - v/4 > 0
    for noise, alpha in ((4, "1.5"), (4, "7.3"), (10, "20.5"), (1, "3.25")):
        low, high = share(Fraction(1, 10**9), Fraction(noise), Fraction(alpha))
        with precision(200):
            wanted = ball(closed, {paper.sigma: rational(noise)})
            near = abs(rational((low + high) / 2) / wanted - 1) < rational(Fraction(1, 10**6))
        if not near:
            raise StepFails(f"sigma = {noise}, alpha = {alpha}: ratio {float(low)}")
    yield certified_points(4, detail="within 1e-6 of the limit at q = 1e-9, real orders")


@claim(
    "beyond/bound/four-is-needed",
    lines="beyond",
    kind="assertion",
    domain=r"\text{the region of Theorem 11}",
    statement=r"c < 4 \implies c\,\varepsilon < 2q^2\alpha/\sigma^2\ \text{somewhere in it}",
    kernel="factor_4_optimal",
    broken={"a factor larger by a millionth": {"factor": 4 + Fraction(4, 10**6)}},
)
def four_is_needed(factor: int | Fraction = 4) -> Iterator[Evidence]:
    """No factor below 4 can replace it: for small q and much noise the closed form is as near to four times the true
    epsilon as one likes, inside the region of the theorem. As q -> 0 the quotient tends to 4/(sigma^2
    (e^{1/sigma^2} - 1)), which tends to 4 as sigma grows; an order is allowed at all small rates once it is at one."""
    v = sympy.Symbol("v", positive=True)
    quotient = 4 * v / (sympy.exp(v) - 1)
    found = sympy.limit(quotient, v, 0)
    if factor != found:
        raise StepFails(f"the quotient tends to {found}, and is below it everywhere")
    low, _ = share(Fraction(1, 10**6), Fraction(2000), Fraction(2))
    if not (
        in_region(Fraction(1, 10**6), Fraction(2000), Fraction(2)) and 1 / low > rational_(399, 100)
    ):
        raise StepFails("q = 1e-6, sigma = 2000, alpha = 2: the factor is not near 4")
    yield all_of(
        identity(
            1 / LIMIT.values({}, "=", ">")[1], quotient.subs(v, 1 / paper.sigma**2), "as q -> 0"
        ),
        identity(found, sympy.Rational(factor), "as sigma grows"),
        rests_on(limit.given(), conditions_monotone.given()),
    )


UPPER = written(lambda: (paper.epsilon / BOUND, "<=", sympy.Rational(2723, 10_000)))


def claimed_share(formula: Formula) -> Fraction:
    """The number with which a formula compares epsilon over the bound."""
    (quotient, number), (known, _) = formula.expanded(), UPPER.expanded()
    if quotient != known or not number.is_Rational:
        raise StepFails(f"{formula.latex()} compares something else")
    return Fraction(int(number.p), int(number.q))


@claim(
    "beyond/sharpness/upper",
    lines="beyond",
    kind="inequality",
    domain=r"\text{the region of the main theorem with}\ \alpha \le 64\ (\text{full: } 300)",
    statement=UPPER,
    broken={
        "at most 0.264": {"formula": written(lambda: (UPPER.sides[0], "<=", rational_(264, 1000)))},
        "without the conditions on alpha": {"conditions": False},
    },
)
def upper(
    formula: Formula = UPPER,
    conditions: bool = True,
    profile: Profile = Profile.QUICK,
) -> Iterator[Evidence]:
    """Where the theorem applies with alpha <= 64 (300 in the full profile), epsilon is at most
    0.2723 of the bound: the constant 2 could be 0.545 there. R_alpha <= R_n for n-1 < alpha <= n
    (R rises from order 2 on, and is at most R_2 below), R_n grows with q and falls with sigma; so
    a strip q' <= q <= q'' is settled by R_n at q'' and at the least sigma for which order n-1 is
    allowed at q'. The strips reach down to q = 0. For larger orders only the theorem itself
    (ratio <= 0.966) is proved here."""
    most = claimed_share(formula)
    if formula.relation != "<=":
        raise StepFails(f"{formula.latex()}: what is proved is <=")
    last = 64 if profile is Profile.QUICK else 300
    if not conditions:
        last = 12
    strips = 0
    worst, where = 0.0, ""
    for n in range(2, last + 1):
        high = FIFTH
        while high:
            low = _strip_end(high, n, conditions)
            noise = _least_noise(low, Fraction(n - 1)) if conditions and low else Fraction(4)
            value = relative_excess(high, noise, Fraction(n), 20) / 2
            if not value <= rational(most):
                _witness(high, noise, Fraction(n), most, conditions)
                raise Undecided(
                    f"n = {n}, q <= {float(high)}, sigma >= {float(noise)}: {value.str(6)}"
                )
            if float(value.mid()) > worst:
                worst, where = float(value.mid()), f"n = {n}, q = {float(high):.3g}"
            strips += 1
            high = low
    found = certified_region(
        strips, detail=f"{strips} strips of q, orders 2..{last}: at most {worst:.5f} ({where})"
    )
    yield all_of(found, rests_on(monotone, below_two, rising, conditions_monotone))
    # How much of that is real: the ratio at a point of the region.
    low_share, _ = share(Fraction(27, 200), Fraction(4), Fraction(51, 10))
    if not (
        in_region(Fraction(27, 200), Fraction(4), Fraction(51, 10))
        and low_share > Fraction(264, 1000)
    ):
        raise StepFails("the ratio 0.264 is not reached at q = 0.135, sigma = 4, alpha = 5.1")
    yield certified_points(detail="0.264 is exceeded at q = 0.135, sigma = 4, alpha = 5.1")


def _strip_end(high: Fraction, n: int, conditions: bool) -> Fraction:
    """The lower end of the strip: 0 as soon as R_n there is that of the limit q -> 0."""
    if not conditions or high * n < Fraction(1, 1000):
        return Fraction(0)
    return high * Fraction(10, 13)


def _least_noise(rate: Fraction, alpha: Fraction) -> Fraction:
    """A sigma >= 4 below which the order is surely not allowed (4 if it is allowed there)."""
    if alpha <= 1:
        return Fraction(4)
    # Guess in floating point, certify with balls: the slack, once positive, rises with sigma.
    below, above = 4.0, 4.0
    while not _allowed(float(rate), above, float(alpha)):
        below, above = above, above * 1.5
    if above == 4.0:
        return Fraction(4)
    for _ in range(30):
        middle = (below + above) / 2
        below, above = (
            (below, middle) if _allowed(float(rate), middle, float(alpha)) else (middle, above)
        )
    guess = Fraction(below).limit_denominator(10**5) - Fraction(1, 10**4)
    if guess <= 4:
        return Fraction(4)
    with precision(100):
        if any(slack < 0 for slack in slacks(rate, guess, alpha)):
            return guess
    raise Undecided(f"q = {float(rate)}, alpha = {alpha}: no certain least sigma")


_float_slacks = sympy.lambdify(
    (paper.q, paper.sigma, paper.a1), (paper.SLACK_1, paper.SLACK_2), "math"
)


def _allowed(rate: float, noise: float, alpha: float) -> bool:
    first, second = _float_slacks(rate, noise, alpha - 1)
    return bool(first >= 0 and second >= 0)


def _witness(
    rate: Fraction, noise: Fraction, alpha: Fraction, most: Fraction, conditions: bool
) -> None:
    """Rejected if the statement fails at a point of the strip, or at one known to be bad."""
    known = [(Fraction(27, 200), Fraction(4), Fraction(51, 10)), (FIFTH, Fraction(4), Fraction(30))]
    for point in [(rate, noise, alpha), *known]:
        if share(*point)[0] > most and (not conditions or in_region(*point)):
            raise Rejected(f"ratio {float(share(*point)[0]):.5f} at q, sigma, alpha = {point}")
