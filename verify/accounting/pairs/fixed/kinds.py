"""Kinds of steps that an adversary may choose from: named data sets on a line, and the outcomes they give.

Every record but one has the gradient y of norm at most 1, and the record in question x in one
world, x' in the other. A batch of fixed size is then, after centring, p N(y) + q N(x) against p
N(y) + q N(x') in one dimension: the data sets attain exactly this pair, in every step, for any y
that the adversary chooses from earlier outputs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.numbers.balls import ball


@dataclass(frozen=True, slots=True)
class SizedBatch:
    """p N(y) + q N(first) against p N(y) + q N(second), noise sigma."""

    q: Fraction
    sigma: Fraction
    others: Fraction
    first: Fraction
    second: Fraction

    def below(self, z: arb) -> tuple[arb, arb]:
        q, s = ball(self.q), ball(self.sigma)
        others = (1 - q) * normal((z - ball(self.others)) / s) if self.q < 1 else arb(0)
        one, two = (q * normal((z - ball(mean)) / s) for mean in (self.first, self.second))
        return others + one, others + two

    def loss(self, z: float) -> float:
        q, s = float(self.q), float(self.sigma)

        def log(mean: Fraction) -> float:
            y, x = (
                -((z - float(v)) ** 2) / (2 * s * s) + math.log(w) if w else -math.inf
                for v, w in ((self.others, 1 - q), (mean, q))
            )
            top = max(x, y)
            return top + math.log(math.exp(x - top) + math.exp(y - top))

        return log(self.first) - log(self.second)

    def range(self, nats: float) -> tuple[float, float]:
        reach = float(self.sigma) * math.sqrt(2 * nats)
        means = [float(v) for v in (self.others, self.first, self.second)]
        return min(means) - reach, max(means) + reach


_PLACES = ("-1", "1", "0", "-1/2", "1/2")


def replacing(q: Fraction, sigma: Fraction) -> dict[str, SizedBatch]:
    """x = 1 against x' = -1, by where the others are."""
    return {y: SizedBatch(q, sigma, Fraction(y), Fraction(1), Fraction(-1)) for y in _PLACES}


def zeroing(q: Fraction, sigma: Fraction) -> dict[str, SizedBatch]:
    """x = 1 against x' = 0, by where the others are."""
    return {y: SizedBatch(q, sigma, Fraction(y), Fraction(1), Fraction(0)) for y in _PLACES}
