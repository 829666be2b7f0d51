"""Table 1: the row of Bun et al. for samples of fixed size (lines 145-148)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks import paper
from proofs_checks.beyond.central_moments import nonnegative
from proofs_checks.beyond.excess import log_convex, remainder
from proofs_checks.beyond.monotone import monotone
from proofs_checks.paper import constant_of_bound
from proofs_checks.quantities import majorant, much_noise, whole_multiples
from proofs_checks.quantities.order_boxes import order_boxes
from proofs_checks.quantities.order_strips import Most, at_zero, beyond, growing, strips
from proofs_checks.quantities.order_tail import moments_below, tail
from proofs_checks.sections.a_geq_b_corollary import corollary
from proofs_checks.sections.reduction import quasi_convexity, rotation
from proofs_checks.sections.reduction_to_a_line import with_the_person, without_the_person
from proofs_checks.sections.table_1 import integer_orders
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.formula import evaluated
from verify import rdp
from verify.claims import (
    Evidence,
    Rejected,
    StepFails,
    Undecided,
    all_of,
    certified_region,
    claim,
    rests_on,
)
from verify.numbers.balls import enclosure, precision

BITS = 80
DIGITS = 25
LOW, HIGH = Fraction(73, 100), Fraction(122, 100)
START = Fraction(5, 3)
TENTH, FIFTIETH = Fraction(1, 10), Fraction(1, 50)
FIFTH, HUNDREDTH = Fraction(1, 5), Fraction(1, 100)  # of 1/sigma^2
MUCH_NOISE = Fraction(1, 900)  # the 1/sigma^2 up to which one bound serves
LEAST_MEAN, PART = Fraction(4), Fraction(99, 100)


@claim(
    "table-1/bun",
    lines="145-148",
    kind="table",
    domain=r"q \le 1/10,\ \sigma \ge \sqrt5,\ \alpha \le \tfrac12\sigma^2\ln(1/q)",
    statement=r"(\alpha, 6 q^2\alpha/\sigma^2)\text{-RDP for samples of fixed size}",
    broken={
        "constant 1/2": {"constant": Fraction(1, 2)},
        "constant smaller by a millionth than one half": {"constant": Fraction(499_999, 10**6)},
    },
)
def fixed_size_samples(constant: Fraction = Fraction(6)) -> Iterator[Evidence]:
    """The earlier bound for samples of fixed size, where one person's value is replaced. The sample without that
    person is the middle: both neighbours are mixtures of it, so D_alpha <= (alpha - 1/2)/(alpha - 1) D_{2 alpha} +
    D_{2 alpha - 1}, by the Cauchy-Schwarz inequality, each against the plain Gaussian, where the reduction to a
    line and A >= B apply. So 6 follows from epsilon <= 0.73 q^2 beta/sigma^2 up to order 10/3 and epsilon <= 1.22
    q^2 beta/sigma^2 up to sigma^2 ln(1/q); below alpha = 5/3 the divergence is at most that at 5/3. That is proved in
    strips and boxes up to sigma = 10. Beyond, where beta q <= 8, in strips and boxes up to sigma = 30 and by the
    majorant of the central moments from there on; larger orders are multiples of such ones, with less noise."""
    _attained_in_part(constant)
    row = constant_of_bound(paper.BOUND_BUN)
    if constant != row and constant == 6:
        raise StepFails(f"the row has the constant {row}")
    ends = identity(
        evaluated(paper.ORDER_BUN, {}),
        paper.sigma**2 * sympy.log(1 / paper.q) / 2,
        "the last order of the row",
    )
    little, much = list(_little_noise()), list(_much_noise())
    count = len(little) + len(much)
    told = (
        f"{len(little)} strips and boxes of q, sigma and alpha up to sigma = 10, {len(much)} for all larger sigma, "
        "one bound for very large orders and one for very much noise"
    )
    yield all_of(
        certified_region(count, detail=told, boxes=count),
        ends,
        *_through_the_middle(),
        *_constants(constant),
        *tail(),
        *moments_below(),
        *majorant.steps(),
        *much_noise.steps(),
        *whole_multiples.steps(),
        rests_on(remainder, log_convex, nonnegative, monotone, corollary, integer_orders),
        rests_on(quasi_convexity, rotation, with_the_person, without_the_person),
    )


def _little_noise() -> Iterator[object]:
    """sqrt 5 <= sigma <= 10, all orders up to sigma^2 ln(1/q)."""

    def largest(n: int, a: Fraction, _: Fraction) -> Fraction:
        return min(FIFTIETH, _exp_above(-n * a))

    top = 3000
    if at_zero(FIFTH) + beyond(top, HUNDREDTH) > HIGH or at_zero(FIFTH) / (1 - TENTH) > LOW:
        raise Undecided("the ends are not below the constants")
    yield from strips(HUNDREDTH, FIFTH, [2, 3, 4], lambda *_: TENTH, _flat(LOW))
    yield from strips(HUNDREDTH, FIFTH, growing(top, Fraction(11, 10)), largest, _flat(HIGH))
    yield from order_boxes((FIFTIETH, TENTH, HUNDREDTH, FIFTH), Fraction(3), _last_order, HIGH)


def _much_noise() -> Iterator[object]:
    """sigma >= 10: orders beta up to 8/q, and parts of larger ones; see whole_multiples."""
    base = whole_multiples.base(TENTH, LEAST_MEAN, Fraction(6, 100), PART)
    last = base.variance
    one_bound = much_noise.excess_at_mean(MUCH_NOISE, base.mean, base.rate)
    if base.constant > HIGH or one_bound > min(LOW, PART):
        raise Undecided(f"much noise: {float(base.constant)}, {float(one_bound)}")

    def largest(n: int, a: Fraction, _: Fraction) -> Fraction:
        return min(FIFTIETH, base.mean / n, _exp_above(-(n - Fraction(3, 2)) * a))

    def last_order(q1: Fraction, a: Fraction) -> Fraction:
        return min(base.mean / q1, _last_order(q1, a) + Fraction(3, 2))

    top = 27_000
    if at_zero(last) + beyond(top, MUCH_NOISE) > PART:
        raise Undecided(f"orders beyond {top}")
    orders = growing(top, Fraction(11, 10))
    yield from strips(MUCH_NOISE, HUNDREDTH, [2, 3, 4], lambda *_: TENTH, _flat(LOW))
    yield from strips(MUCH_NOISE, last, orders, largest, _flat(PART), later=0)
    yield from order_boxes((FIFTIETH, base.rate, MUCH_NOISE, last), Fraction(3), last_order, PART)


def _last_order(q1: Fraction, a: Fraction) -> Fraction:
    with precision(BITS):
        return Fraction(enclosure(-rational(q1).log() / rational(a)).hi)


def _exp_above(x: Fraction) -> Fraction:
    with precision(BITS):
        return Fraction(enclosure(rational(x).exp()).hi)


def _flat(value: Fraction) -> Most:
    return lambda _n, _rate, _a: value


def _through_the_middle() -> Iterator[Evidence]:
    """The weak triangle inequality: D_alpha <= (alpha-1/2)/(alpha-1) D_{2 alpha} + D_{2 alpha-1}, by the sample
    without the person."""
    p, q, r, a = sympy.symbols("p q r a", positive=True)
    product = sympy.sqrt(p ** (2 * a) * r ** (1 - 2 * a)) * sympy.sqrt(
        r ** (2 * a - 1) * q ** (2 - 2 * a)
    )
    yield identity(product, p**a * q ** (1 - a), "Cauchy-Schwarz: D_alpha through the middle law")
    # Taking a random member out of a random sample of k of n others leaves a random sample of k - 1.
    n, k = sympy.symbols("n k", positive=True, integer=True)
    ratio = sympy.combsimp(sympy.binomial(n, k) / sympy.binomial(n, k - 1))
    yield identity(ratio, (n - k + 1) / k, "samples of k and of k - 1 are coupled uniformly")


def _constants(constant: Fraction) -> Iterator[Evidence]:
    """What the weak triangle inequality makes of the two constants."""
    # with epsilon(beta) <= K beta: K alpha (4 + 1/(alpha (alpha-1))), which falls when divided by alpha
    a, c = sympy.symbols("a c", positive=True)
    share = (a - sympy.Rational(1, 2)) / (a - 1) * 2 * a + (2 * a - 1)
    yield identity(share, a * (4 + 1 / (a * (a - 1))), "both terms, in units of q^2/sigma^2")
    start = sympy.Rational(START.numerator, START.denominator)
    four = 4 + 1 / (a * (a - 1))
    falls = sympy.together(four.subs(a, start) - four.subs(a, start + c))
    yield positive(sympy.factor(falls), "divided by alpha it falls from alpha = 5/3 on")
    at_start = Fraction(str(four.subs(a, start)))
    if HIGH * at_start > constant or LOW * START * at_start > constant:
        raise Undecided(f"6 follows; {constant} does not")


def _attained_in_part(constant: Fraction) -> None:
    """Rejected if the row fails where one of the two values is that of the rest."""
    rate, noise, order = Fraction(1, 10), Fraction(9), Fraction(11, 10)
    cost = rdp(rate, noise, order, digits=DIGITS)
    if cost.lo > constant * rate**2 * order / noise**2:
        raise Rejected(f"q = {rate}, sigma = {noise}, alpha = {order}: epsilon = {cost:.12}")
