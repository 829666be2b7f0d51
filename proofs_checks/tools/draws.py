"""Parameters drawn for checks at many points: exact rationals, log-uniform, reproducible.

>>> at_many({"x": (1, 100)}, 50, lambda x: x > 2, lambda x: x * x > 2 * x, "squares").effective
44
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction

from verify.claims import Evidence, Level, Rejected, Undecided

Number = int | Fraction | float
LEAST_EFFECTIVE = 0.2


def draw(generator: random.Random, low: Number, high: Number) -> Fraction:
    """Log-uniform in [low, high] (both positive), with the ends drawn one time in twenty each."""
    if (u := generator.random()) < 0.1:
        return Fraction(low if u < 0.05 else high)
    x = math.exp(generator.uniform(math.log(low), math.log(high)))
    return min(max(Fraction(x).limit_denominator(10**9), Fraction(low)), Fraction(high))


def at_many(
    ranges: Mapping[str, tuple[Number, Number]],
    count: int,
    condition: Callable[..., bool],
    holds: Callable[..., bool],
    detail: str,
    *,
    level: Level = Level.POINTS,
    seed: int = 0,
) -> Evidence:
    """``holds`` at many points where ``condition`` does; the rest is counted as vacuous.

    ``holds`` returns whether the statement surely holds there; it may raise Undecided itself.
    """
    generator = random.Random(seed)
    effective = vacuous = 0
    for _ in range(count):
        point = {name: draw(generator, *ends) for name, ends in ranges.items()}
        if not condition(**point):
            vacuous += 1
            continue
        effective += 1
        if not holds(**point):
            where = ", ".join(f"{name} = {value}" for name, value in point.items())
            raise Rejected(f"{detail}: fails at {where}")
    if effective < LEAST_EFFECTIVE * count:
        raise Undecided(f"{detail}: only {effective} of {count} draws say anything")
    return Evidence(level, effective, vacuous, detail)
