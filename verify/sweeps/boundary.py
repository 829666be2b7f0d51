"""Orders on the boundary of a condition: where the paper's theorem stops to apply, or to be true.

>>> q, sigma = Coordinate.of(Fraction(1, 5)), Coordinate.of(Fraction(4))
>>> Edge("bound", "inside").resolve(q, sigma, doubles=False).double
56.28...
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verify.bounds.largest_order import Ending, largest_order
from verify.numbers.budget import DEFAULT_SECONDS, Deadline
from verify.numbers.errors import OutOfDomain
from verify.sweeps.axes import Coordinate
from verify.sweeps.given import quote

CURVES = tuple(str(curve) for curve in Ending)
SIDES = ("inside", "outside")


def checked_curve(name: str, given: Any) -> str:
    """The name of a curve, or one clear error."""
    if not isinstance(given, str) or given not in CURVES:
        raise OutOfDomain(f"{name} = {quote(given)}: must be one of {', '.join(CURVES)}")
    return given


@lru_cache(maxsize=64)
def largest(
    curve: str, q: Fraction, sigma: Fraction, max_seconds: float = DEFAULT_SECONDS
) -> tuple[Fraction, Fraction] | None:
    """Orders lo < hi, close together: true at lo, false at hi, both certified.

    None if it is false already next to order 1. The time is for the whole search.
    """
    return largest_order(Ending(curve), q, sigma, Deadline(max_seconds))


def check_rate(q: Fraction | None) -> None:
    """Rates at which every curve ends somewhere.

    For q >= 1/2 the bound 2 q^2 alpha/sigma^2 is at least alpha/(2 sigma^2), which is never exceeded.
    """
    if q is None or not 0 < q < Fraction(1, 2):
        raise OutOfDomain(f"q = {'inf' if q is None else q}: a boundary needs 0 < q < 1/2")


@dataclass(frozen=True, slots=True)
class Edge:
    """An order on a curve: its last certified order inside, the first outside, or a multiple.

    A multiple f stands for 1 + f (alpha - 1), alpha being the last order inside.
    """

    curve: str
    side: str

    def resolve(
        self,
        q: Coordinate,
        sigma: Coordinate,
        doubles: bool,
        max_seconds: float = DEFAULT_SECONDS,
    ) -> Coordinate | None:
        """The order at this rate and noise; None if the condition fails already next to order 1.

        Doubles are rounded away from the boundary: what is inside stays inside.
        """
        bracket = largest(self.curve, q.finite(), sigma.finite(), max_seconds)
        if bracket is None:
            return None
        lo, hi = bracket
        if self.side in SIDES:
            outside = self.side == "outside"
            return Coordinate.rounded(hi if outside else lo, outside, doubles)
        factor = Fraction(self.side)
        return Coordinate.rounded(1 + factor * (lo - 1), factor > 1, doubles)
