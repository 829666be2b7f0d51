"""Orders on the boundary of a condition: where the paper's theorem stops to apply, or to be true.

>>> q, sigma = Coordinate.of(Fraction(1, 5)), Coordinate.of(Fraction(4))
>>> Edge("bound", "inside").resolve(q, sigma, doubles=False).double
56.28...
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from verify.errors import OutOfDomain
from verify.sweeps.axes import Coordinate

CURVES = {"first-condition": 2, "second-condition": 3, "bound": -1}
SIDES = ("inside", "outside")


@lru_cache(maxsize=64)
def largest(curve: str, q: Fraction, sigma: Fraction) -> tuple[Fraction, Fraction] | None:
    """Orders lo < hi, close together: true at lo, false at hi, both certified.

    None if it is false already next to order 1.
    """
    # The search belongs to the figures of the report; loaded only by those who need it.
    from verify.report.curves import largest_order

    return largest_order(CURVES[curve], q, sigma)


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

    def resolve(self, q: Coordinate, sigma: Coordinate, doubles: bool) -> Coordinate | None:
        """The order at this rate and noise; None if the condition fails already next to order 1."""
        bracket = largest(self.curve, q.finite(), sigma.finite())
        if bracket is None:
            return None
        lo, hi = bracket
        if self.side in SIDES:
            alpha = lo if self.side == "inside" else hi
        else:
            alpha = 1 + Fraction(self.side) * (lo - 1)
        return Coordinate.of(alpha, doubles)
