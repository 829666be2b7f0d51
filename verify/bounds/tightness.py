"""How tight a closed-form bound of Table 1 is: the certified epsilon over it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.bounds.table import Truth, table
from verify.moments.divergence import evaluate
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point


@dataclass(frozen=True, slots=True)
class Tightness:
    """The true epsilon, the bound, their ratio; whether the bound's conditions hold, and itself."""

    epsilon: Certified
    bound: Certified
    ratio: Certified
    applies: Truth
    holds: Truth


def tightness(
    point: Point, digits: int, *, row: str = "this-work", max_seconds: float = DEFAULT_SECONDS
) -> Tightness:
    """A row of the table beside the truth, at a point.

    >>> found = tightness(Point.of("0.01", 4, 8), 10)
    >>> found.ratio.lo_str(5), found.applies, found.holds
    ('0.25899', <Truth.TRUE: 'true'>, <Truth.TRUE: 'true'>)
    """
    found = table(point, [row], max_seconds)[0]
    if found.epsilon is None or found.holds is None:
        raise OutOfDomain(f"{row} gives no number at a point")
    epsilon = evaluate("rdp", point, digits, False, max_seconds)
    ratio = epsilon.scaled(1 / Fraction(found.epsilon.lo))
    return Tightness(epsilon, found.epsilon, ratio, found.applies, found.holds)
