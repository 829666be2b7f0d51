"""The sampled Gaussian mechanism for arbitrary functions of a subset, on small universes.

Values are doubles by the trapezoidal rule, which is exact to rounding for such bells: sampling, not
proof. Subsets are bit masks.

>>> f = random_lipschitz(random.Random(1), 2, 1.0)
>>> all(abs(f[s] - f[s ^ b]) <= 1 for s in range(4) for b in (1, 2))
True
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

Mixture = Sequence[tuple[float, float]]


def random_lipschitz(generator: random.Random, size: int, sensitivity: float) -> list[float]:
    """A function on the subsets of ``size`` elements that one element moves by at most that much.

    The greatest function with that property below random values (McShane); corners are frequent.
    """
    free = [generator.choice((0.0, sensitivity, generator.uniform(-3, 3))) for _ in range(2**size)]
    return [
        min(free[b] + sensitivity * (a ^ b).bit_count() for b in range(2**size))
        for a in range(2**size)
    ]


def weights(size: int, q: Fraction) -> list[Fraction]:
    """The probability of each subset, element by element: an independent coin for each."""
    law = [Fraction(1)]
    for _ in range(size):
        law = [w * (1 - q) for w in law] + [w * q for w in law]
    return law


def mechanism(values: Sequence[float], size: int, q: Fraction) -> Mixture:
    """The weights and means of the mixture the mechanism draws from on the first elements."""
    return [(float(w), values[s]) for s, w in enumerate(weights(size, q))]


def log_moment(p: Mixture, q: Mixture, sigma: float, order: float) -> float:
    """ln of the integral of p^order q^(1-order), mixtures of bells of width sigma."""
    low = min(m for _, m in (*p, *q)) - (10 + order) * sigma - order
    high = max(m for _, m in (*p, *q)) + (10 + order) * sigma + order
    step = min(sigma, 1.0) / 6
    count = math.ceil((high - low) / step)
    logs = []
    for i in range(count + 1):
        x = low + i * step
        logs.append(order * _log(p, x, sigma) + (1 - order) * _log(q, x, sigma))
    top = max(logs)
    total = math.fsum(math.exp(value - top) for value in logs)
    return top + math.log(total * step / (sigma * math.sqrt(2 * math.pi)))


def _log(mixture: Mixture, x: float, sigma: float) -> float:
    """ln of the mixture's density without the factor of the bell; no underflow far out."""
    exponents = [math.log(w) - (x - m) ** 2 / (2 * sigma**2) for w, m in mixture if w > 0]
    top = max(exponents)
    return top + math.log(sum(math.exp(e - top) for e in exponents))
