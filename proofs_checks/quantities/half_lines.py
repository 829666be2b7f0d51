"""The paper's two half-line series in balls: terms, plain sums and accelerated sums.

Nothing here comes from the engines: it is the series as the paper writes it, in ball arithmetic.

>>> series = HalfLines(Fraction(1, 2), Fraction(1), Fraction(3, 2))
>>> with precision(200):
...     print(series.accelerated_sum(20).str(12))
[1.12477050269 +/- ...]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import evaluated
from verify.numbers.balls import precision

__all__ = ["HalfLines", "acceleration_weights", "precision", "reduction"]

_Z1, _LEFT, _RIGHT, _LEFT_WEIGHT, _RIGHT_WEIGHT = (
    evaluated(expr, paper.NAMES)
    for expr in (
        paper.z1, paper.LEFT_MOMENT, paper.RIGHT_MOMENT, paper.LEFT_WEIGHT, paper.RIGHT_WEIGHT,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HalfLines:
    """The series of A at 0 < q < 1 and a real order; values are balls at the precision in force."""

    q: Fraction
    sigma: Fraction
    alpha: Fraction

    def _at(self, expr: sympy.Expr, k: Fraction) -> arb:
        return ball(expr, {**paper.point(self.q, self.sigma, self.alpha), paper.k: rational(k)})

    @property
    def z1(self) -> arb:
        return self._at(_Z1, Fraction(0))

    def left(self, k: Fraction) -> arb:
        """int_{-oo}^{z1} mu0 (mu1/mu0)^k."""
        return self._at(_LEFT, k)

    def right(self, k: Fraction) -> arb:
        """int_{z1}^{oo} mu0 (mu1/mu0)^k."""
        return self._at(_RIGHT, k)

    def binomials(self) -> Iterator[Fraction]:
        """C(alpha, k) for real alpha and k = 0, 1, 2, ..., exactly."""
        value = Fraction(1)
        for k in itertools.count():
            yield value
            value *= (self.alpha - k) / Fraction(k + 1)

    def binomial(self, k: int) -> arb:
        """C(alpha, k), exactly rational."""
        return rational(next(itertools.islice(self.binomials(), k, None)))

    def factor(self, k: int) -> arb:
        """Both half-line moments that multiply C(alpha, k)."""
        first = self._at(_LEFT_WEIGHT, Fraction(k)) * self.left(Fraction(k))
        return first + self._at(_RIGHT_WEIGHT, Fraction(k)) * self.right(self.alpha - k)

    def term(self, k: int) -> arb:
        return self.binomial(k) * self.factor(k)

    def terms(self) -> Iterator[arb]:
        """All terms in their order, without end."""
        for k, binomial in enumerate(self.binomials()):
            yield rational(binomial) * self.factor(k)

    def partial(self, count: int) -> arb:
        """The first ``count`` terms, as the paper sums them."""
        return sum((self.term(k) for k in range(count)), arb(0))

    def accelerated_sum(self, steps: int) -> arb:
        """Terms up to ceil(alpha), then ``steps`` accelerated ones (no error added)."""
        start = math.ceil(self.alpha)
        weights = acceleration_weights(steps)
        tail = sum((w * abs(self.term(start + k)) for k, w in enumerate(weights)), arb(0))
        return self.partial(start) + tail / reduction(steps)

    def error_bound(self, steps: int) -> arb:
        """a_0/d_n."""
        return abs(self.term(math.ceil(self.alpha))) / reduction(steps)


def reduction(steps: int) -> int:
    """d_n = T_n(3) = ((3+sqrt8)^n + (3-sqrt8)^n)/2, a whole number.

    >>> [reduction(n) for n in range(4)]
    [1, 3, 17, 99]
    """
    before, now = 1, 3
    for _ in range(steps):
        before, now = now, 6 * now - before
    return before


def acceleration_weights(steps: int) -> list[int]:
    """Whole c_k with S_n = sum c_k a_k/d_n, by the published recurrence (signs of (-1)^k included).

    Cohen, Villegas, Zagier, Experimental Mathematics 9 (2000), algorithm 1.
    """
    weights = []
    b, c = Fraction(-1), Fraction(-reduction(steps))
    for k in range(steps):
        c = b - c
        weights.append(int(c))
        b = b * 2 * (k + steps) * (k - steps) / ((2 * k + 1) * (k + 1))
    return weights
