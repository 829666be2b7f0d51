"""The paper's two half-line series in balls: terms, plain sums and accelerated sums.

Nothing here comes from the engines: it is the series as the paper writes it, in ball arithmetic.

    left(k)  = 1/2 e^{(k^2-k)/(2 sigma^2)} erfc((k - z1)/(sqrt2 sigma))     over (-oo, z1]
    right(k) = 1/2 e^{(k^2-k)/(2 sigma^2)} erfc((z1 - k)/(sqrt2 sigma))     over [z1, oo)

>>> series = HalfLines(Fraction(1, 2), Fraction(1), Fraction(3, 2))
>>> with precision(200):
...     print(series.accelerated(20).str(12))
[1.12477050269 +/- ...]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs_checks.tools.balls import rational
from verify.balls import precision
from verify.half_lines import acceleration_weights, reduction

__all__ = ["HalfLines", "acceleration_weights", "precision", "reduction"]


@dataclass(frozen=True, slots=True)
class HalfLines:
    """The series of A at 0 < q < 1 and a real order; values are balls at the precision in force."""

    q: Fraction
    sigma: Fraction
    alpha: Fraction

    @property
    def z1(self) -> arb:
        return arb(1) / 2 + rational(self.sigma) ** 2 * rational(1 / self.q - 1).log()

    def _half(self, k: Fraction, side: int) -> arb:
        k_ball, sigma = rational(k), rational(self.sigma)
        argument = side * (k_ball - self.z1) / (arb(2).sqrt() * sigma)
        return rational((k * k - k) / (2 * self.sigma**2)).exp() * argument.erfc() / 2

    def left(self, k: Fraction) -> arb:
        """int_{-oo}^{z1} mu0 (mu1/mu0)^k."""
        return self._half(k, 1)

    def right(self, k: Fraction) -> arb:
        """int_{z1}^{oo} mu0 (mu1/mu0)^k."""
        return self._half(k, -1)

    def binomial(self, k: int) -> arb:
        """C(alpha, k) for real alpha, exactly rational."""
        value = Fraction(1)
        for j in range(k):
            value *= (self.alpha - j) / Fraction(j + 1)
        return rational(value)

    def factor(self, k: int) -> arb:
        """Both half-line moments that multiply C(alpha, k)."""
        q, one = rational(self.q), rational(1 - self.q)
        a = rational(self.alpha)
        first = one**a * (q / one) ** k * self.left(Fraction(k))
        second = q**a * (one / q) ** k * self.right(self.alpha - k)
        return first + second

    def term(self, k: int) -> arb:
        return self.binomial(k) * self.factor(k)

    def partial(self, count: int) -> arb:
        """The first ``count`` terms, as the paper sums them."""
        return sum((self.term(k) for k in range(count)), arb(0))

    def accelerated(self, steps: int) -> arb:
        """Terms up to ceil(alpha), then ``steps`` accelerated ones (no error added)."""
        start = math.ceil(self.alpha)
        weights = acceleration_weights(steps)
        tail = sum((w * abs(self.term(start + k)) for k, w in enumerate(weights)), arb(0))
        return self.partial(start) + tail / reduction(steps)

    def error_bound(self, steps: int) -> arb:
        """a_0/d_n."""
        return abs(self.term(math.ceil(self.alpha))) / reduction(steps)
