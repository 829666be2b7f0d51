"""The terms of the paper's two half-line series, in balls, and the weights that accelerate their sum.

    left(k)  = 1/2 e^{(k^2-k)/(2 sigma^2)} erfc((k - z1)/(sqrt2 sigma))     over (-oo, z1]
    right(k) = 1/2 e^{(k^2-k)/(2 sigma^2)} erfc((z1 - k)/(sqrt2 sigma))     over [z1, oo)

Nothing here comes from the engines, which are what it is compared with.

>>> from verify.balls import precision
>>> series = HalfLineTerms(Fraction(1, 2), Fraction(1), Fraction(2))
>>> with precision(100):  # whole orders end: A = (1 + 2 + e)/4
...     total = sum(itertools.islice(series.terms(), 3), arb(0))
...     total.overlaps((3 + arb(1).exp()) / 4)
True
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.balls import ball


@dataclass(frozen=True, slots=True)
class HalfLineTerms:
    """The series of A at 0 < q < 1 and a real order; values are balls at the precision in force."""

    q: Fraction
    sigma: Fraction
    alpha: Fraction

    @property
    def z1(self) -> arb:
        return arb(1) / 2 + ball(self.sigma) ** 2 * ball(1 / self.q - 1).log()

    def _half(self, k: Fraction, side: int) -> arb:
        argument = side * (ball(k) - self.z1) / (arb(2).sqrt() * ball(self.sigma))
        return ball((k * k - k) / (2 * self.sigma**2)).exp() * argument.erfc() / 2

    def left(self, k: Fraction) -> arb:
        """int_{-oo}^{z1} mu0 (mu1/mu0)^k."""
        return self._half(k, 1)

    def right(self, k: Fraction) -> arb:
        """int_{z1}^{oo} mu0 (mu1/mu0)^k."""
        return self._half(k, -1)

    def binomials(self) -> Iterator[Fraction]:
        """C(alpha, k) for real alpha and k = 0, 1, 2, ..., exactly."""
        value = Fraction(1)
        for k in itertools.count():
            yield value
            value *= (self.alpha - k) / Fraction(k + 1)

    def factor(self, k: int) -> arb:
        """Both half-line moments that multiply C(alpha, k)."""
        q, one = ball(self.q), ball(1 - self.q)
        a = ball(self.alpha)
        first = one**a * (q / one) ** k * self.left(Fraction(k))
        second = q**a * (one / q) ** k * self.right(self.alpha - k)
        return first + second

    def terms(self) -> Iterator[arb]:
        """One after the other, without end."""
        for k, binomial in enumerate(self.binomials()):
            yield ball(binomial) * self.factor(k)


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
