"""Parameters drawn for checks at many points: exact rationals, log-uniform, reproducible.

>>> at_many({"x": (1, 100)}, 50, lambda x: x > 2, lambda x: x * x > 2 * x, "squares").effective
44
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import sympy
from flint import arb

from proofs_checks.tools.balls import ball, rational
from verify.claims import Evidence, Level, Rejected, Undecided
from verify.numbers.balls import precision

Number = int | Fraction | float


class WithEnds(Protocol):
    """An interval with exact ends."""

    @property
    def lo(self) -> Any: ...
    @property
    def hi(self) -> Any: ...


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

    ``holds`` returns True where the statement surely holds, False where it surely fails, and raises Undecided
    where neither is certain. What is drawn is the domain, so that a point where it fails refutes the statement.
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


def surely_at_most(value: WithEnds, most: Fraction) -> bool:
    """Whether a certified value is at most a number; Undecided if the number lies inside the interval."""
    if value.hi <= most:
        return True
    if value.lo > most:
        return False
    raise Undecided(f"{most} lies inside the certified interval")


def surely_ordered(small: WithEnds, large: WithEnds) -> bool:
    """Whether one certified value is at most another; Undecided if their intervals overlap."""
    if small.hi <= large.lo:
        return True
    if small.lo > large.hi:
        return False
    raise Undecided("the certified intervals overlap")


def surely_below(small: arb, large: arb, detail: str = "") -> bool:
    """Whether small <= large; Undecided if the balls overlap."""
    if small <= large:
        return True
    if small > large:
        return False
    raise Undecided(f"balls too wide to tell{detail and ': '}{detail}")


def ordered_at_points(
    small: sympy.Expr,
    large: sympy.Expr,
    ranges: Mapping[sympy.Symbol, tuple[Number, Number]],
    detail: str,
    *,
    count: int = 200,
    given: Sequence[sympy.Expr] = (),
    seed: int = 0,
) -> Evidence:
    """small <= large in balls at many rational points where everything in ``given`` is >= 0."""
    by_name = {symbol.name: symbol for symbol in ranges}

    def env(point: Mapping[str, Fraction]) -> dict[sympy.Symbol, arb]:
        return {by_name[name]: rational(value) for name, value in point.items()}

    def condition(**point: Fraction) -> bool:
        return all(bool(ball(g, env(point)) >= 0) for g in given)

    def holds(**point: Fraction) -> bool:
        return surely_below(ball(small, env(point)), ball(large, env(point)), detail)

    with precision(200):
        return at_many(
            {name: ranges[symbol] for name, symbol in by_name.items()},
            count,
            condition,
            holds,
            f"{detail}, at rational points",
            seed=seed,
        )
