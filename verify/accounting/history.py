"""Phases of (q, sigma, steps) with Poisson sampling, validated; ``pairs.run`` has runs of any sampling.

>>> history([("0.01", 1, 100), ("0.01", 1, 50)])
(Phase(q=Fraction(1, 100), sigma=Fraction(1, 1), steps=150),)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Number, Point, exact, out_of_domain, shown

# Beyond these the doubles that plan a computation lose their meaning. The double 1e-12 is a little
# less than the decimal.
_LEAST_Q, _SIGMAS, _MOST_STEPS = Fraction(1e-12), (Fraction(1, 20), Fraction(10**6)), 10**12
_LARGEST_EPSILON = 10**15

History = tuple["Phase", ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Phase:
    """So many steps with one sampling rate and one noise multiplier."""

    q: Fraction
    sigma: Fraction
    steps: int

    def __str__(self) -> str:
        return f"q = {shown(self.q)}, sigma = {shown(self.sigma)}, steps = {self.steps}"


def phase(q: Number, sigma: Number, steps: Number) -> Phase:
    """Three numbers of any supported kind, validated.

    >>> phase("0.01", 1, 0)
    Traceback (most recent call last):
    ...
    verify.numbers.errors.OutOfDomain: steps = 0: must be a whole number from 1 to 1000000000000
    """
    point = Point.of(q, sigma, 2)
    if 0 < point.q < _LEAST_Q:
        raise out_of_domain("q", q, "0, or a number from 1e-12 to 1")
    if not _SIGMAS[0] <= point.sigma <= _SIGMAS[1]:
        raise out_of_domain("sigma", sigma, "a number from 0.05 to 1e6")
    return Phase(point.q, point.sigma, checked_steps(steps))


def checked_steps(steps: Number) -> int:
    allowed = f"a whole number from 1 to {_MOST_STEPS}"
    count = exact("steps", steps, allowed)
    if count is None or count.denominator != 1 or not 1 <= count <= _MOST_STEPS:
        raise out_of_domain("steps", steps, allowed)
    return count.numerator


def history(phases: Iterable[tuple[Number, Number, Number]]) -> History:
    """Phases in any order: composition commutes, so equal ones are joined and idle ones dropped.

    >>> history([(0, 1, 5)])
    ()
    """
    count: dict[tuple[Fraction, Fraction], int] = {}
    listed = several("phases", phases)
    given = [
        _name_phase(i, one) if len(listed) > 1 else phase(*_triple(one))
        for i, one in enumerate(listed)
    ]
    if not given:
        raise OutOfDomain("a history needs at least one phase (q, sigma, steps)")
    for one in given:
        if one.q > 0:
            count[one.q, one.sigma] = count.get((one.q, one.sigma), 0) + one.steps
    return tuple(Phase(q, sigma, steps) for (q, sigma), steps in sorted(count.items()))


def several(name: str, given: Iterable[T]) -> list[T]:
    """What was given as a list, a tuple, an array or another iterable.

    >>> several("deltas", 0.1)
    Traceback (most recent call last):
    ...
    verify.numbers.errors.OutOfDomain: deltas: must be a list, a tuple or an array
    """
    refused = OutOfDomain(f"{name}: must be a list, a tuple or an array")
    if isinstance(given, (str, bytes, dict)):
        raise refused
    try:
        return list(given)
    except TypeError:  # no iterable, or an array without dimensions
        raise refused from None


def _triple(one: tuple[Number, Number, Number]) -> tuple[Number, Number, Number]:
    """The three numbers of a phase, in any sequence; not the keys of a dictionary, nor the characters of a text."""
    try:
        q, sigma, steps = several("a phase", one)
    except (OutOfDomain, ValueError):
        raise OutOfDomain("a phase has three numbers: (q, sigma, steps)") from None
    return q, sigma, steps


def _name_phase(i: int, one: tuple[Number, Number, Number]) -> Phase:
    """One of several phases; an error says which."""
    try:
        return phase(*_triple(one))
    except OutOfDomain as error:
        raise OutOfDomain(f"phase {i + 1}: {error}") from None


def checked_delta(delta: Number) -> Fraction:
    """delta in [0, 1], exactly."""
    found = exact("delta", delta, "a number in [0, 1]")
    if found is None or not 0 <= found <= 1:
        raise out_of_domain("delta", delta, "a number in [0, 1]")
    return found


def checked_epsilon(epsilon: Number) -> Fraction | None:
    """epsilon >= 0, exactly; None for infinity."""
    allowed = "a number from 0 to 1e15, or inf"
    found = exact("epsilon", epsilon, allowed)
    if found is not None and not 0 <= found <= _LARGEST_EPSILON:
        raise out_of_domain("epsilon", epsilon, allowed)
    return found
