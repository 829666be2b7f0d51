"""Distributions on finitely many points, in exact rationals.

>>> half, quarter = bernoulli(Fraction(1, 2)), bernoulli(Fraction(1, 4))
>>> moment(half, quarter, 2), moment(quarter, half, 2)
(Fraction(4, 3), Fraction(5, 4))
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

Law = Sequence[Fraction]


def bernoulli(p: Fraction) -> tuple[Fraction, Fraction]:
    """The law that puts p on 1."""
    return p, 1 - p


def moment(p: Law, q: Law, order: int) -> Fraction:
    """E_q[(p/q)^order], which is exp((order-1) D_order(p||q)); all weights positive."""
    return sum((y * (x / y) ** order for x, y in zip(p, q, strict=True)), Fraction(0))


def mix(weight: Fraction, p: Law, q: Law) -> tuple[Fraction, ...]:
    """(1-weight) p + weight q."""
    return tuple((1 - weight) * x + weight * y for x, y in zip(p, q, strict=True))


def random_law(generator: random.Random, size: int) -> tuple[Fraction, ...]:
    """Positive rational weights, now and then very uneven."""
    raw = [Fraction(generator.choice((1, 1, 20)) * generator.randint(1, 30)) for _ in range(size)]
    return tuple(w / sum(raw) for w in raw)
