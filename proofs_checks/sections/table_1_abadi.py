"""Table 1: the first row, mended, with every real order up to its limit (lines 139-143)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.beyond.central_moments import nonnegative
from proofs_checks.beyond.excess import log_convex, remainder
from proofs_checks.beyond.monotone import monotone
from proofs_checks.quantities import majorant, much_noise
from proofs_checks.quantities.order_strips import at_zero, beyond, growing, strips
from proofs_checks.quantities.order_tail import moments_below, tail
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import rational
from proofs_checks.tools.formula import evaluated
from verify import rdp
from verify.claims import (
    Evidence,
    Rejected,
    Undecided,
    all_of,
    certified_region,
    claim,
    rests_on,
)
from verify.numbers.balls import enclosure, precision

BITS = 80
DIGITS = 25
MUCH_NOISE = 15  # the sigma from which on one bound serves


def _above(x: arb) -> Fraction:
    return Fraction(enclosure(x).hi)


def _below(x: arb) -> Fraction:
    return Fraction(enclosure(x).lo)


@claim(
    "table-1/abadi/uniform",
    lines="139-143",
    kind="table",
    domain=r"\sigma \ge 1,\ 0 < q < 1/(16\sigma),\ 1 < \alpha \le 1 + \sigma^2 \ln(1/(q\sigma)),\ "
    r"\alpha \in \mathbb{R}",
    statement=r"\varepsilon \le \frac{q^2\alpha}{(1-q)\sigma^2} + \frac{q^3\alpha^3}{\sigma^3}",
    broken={
        "no remainder": {"constant": Fraction(0)},
        "a twentieth of the remainder": {"constant": Fraction(1, 20)},
        "noise from 0.8921, where e^v - 1 = 2 v": {"least": Fraction(8921, 10_000)},
    },
)
def uniform(constant: Fraction = Fraction(1), least: Fraction = Fraction(1)) -> Iterator[Evidence]:
    """The first row of the table, mended, with a remainder whose constant is 1 for all orders at once, whole or
    not, and all small sampling rates. Up to order 2, epsilon is at most q^2 alpha (e^v - 1)/(2 (1-q)), v =
    1/sigma^2, and e^v - 1 <= 2v. From 2 on, (A_n - 1)/q^2 at a whole order is convex in q, so its value at the
    largest rate that the row allows decides; between whole orders it is log-convex; for very large orders, where
    that rate is tiny, one bound serves them all. From sigma = 15 on the central moments of the density ratio have a
    generating function that serves all orders, rates and sigmas at once, with no remainder."""
    not_above_the_row(constant, least)
    row = [
        identity(
            evaluated(paper.BOUND_ABADI, {}), paper.q**2 * paper.alpha / ((1 - paper.q) * paper.sigma**2),
            "the leading term of the row", nonzero=[1 - paper.q],
        ),
        identity(
            evaluated(paper.ORDER_ABADI, {}), 1 + paper.sigma**2 * sympy.log(1 / (paper.q * paper.sigma)),
            "the last order of the row",
        ),
    ]  # fmt: skip
    first, last = Fraction(1, MUCH_NOISE**2), 1 / least**2
    if last > 1:
        raise Undecided("the bound for large orders is for sigma >= 1")

    def largest(n: int, a: Fraction, b: Fraction) -> Fraction:
        with precision(BITS):
            root = rational(b).sqrt()
            return min(_above(root / 16), _above(root * (-rational((n - 1) * a)).exp()))

    def most(n: int, rate: Fraction, a: Fraction) -> Fraction:
        with precision(BITS):
            return 1 + constant * rate * n * n * _below(rational(a).sqrt())

    top = 32 * MUCH_NOISE**2
    found = list(strips(first, last, growing(top, Fraction(6, 5)), largest, most))
    ends = at_zero(last) + beyond(top, first)
    rest = much_noise.excess(first, Fraction(1, 16))
    if max(ends, rest) > 1:
        raise Undecided(f"orders beyond {top}: {float(ends)}; much noise: {float(rest)}")
    w, a = sympy.symbols("w a", positive=True)
    told = (
        f"{len(found)} strips of 1/sigma^2 and alpha up to order {top} and sigma = {MUCH_NOISE}, one bound for all "
        "larger orders, one for all larger sigma"
    )
    yield all_of(
        certified_region(len(found), detail=told, boxes=len(found)),
        *row,
        identity(
            1 / (1 + w) ** (2 - a), (1 + w) ** (a - 2), "up to order 2: (1+vw)^(alpha-2) <= 1/(1-q)"
        ),
        *tail(),
        *moments_below(),
        *majorant.steps(),
        *much_noise.steps(),
        rests_on(remainder, log_convex, nonnegative, monotone),
    )


def not_above_the_row(constant: Fraction, least: Fraction) -> None:
    """Rejected if epsilon is above the row where it is sharpest."""
    for rate, noise, order in (
        (Fraction(1, 25), Fraction(1), Fraction(4)),
        (Fraction(1, 10**8), least, Fraction(2)),
    ):
        lead = rate**2 * order / ((1 - rate) * noise**2)
        cost = rdp(rate, noise, order, digits=DIGITS)
        if cost.lo > lead + constant * (rate * order / noise) ** 3:
            raise Rejected(f"q = {rate}, sigma = {noise}, alpha = {order}: epsilon = {cost:.12}")
