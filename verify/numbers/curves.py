"""Points of a privacy curve: a list of them, which can become a table and a drawing.

>>> from fractions import Fraction
>>> point = CurvePoint(Certified.exactly(Fraction(1)), Certified(Fraction(1, 3), Fraction(1, 2)))
>>> PrivacyCurve([point]).rows()
[(1.0, 1.0, 0.3333333333333333, 0.5)]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verify.numbers.certified import Bound, Certified, double_above
from verify.numbers.errors import OutOfDomain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = ("epsilon_lower", "epsilon_upper", "delta_lower", "delta_upper")
_SEEN = 1e-3  # relative distance of two ends that a drawing shows


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a privacy curve: the number given, exactly, and the one found.

    Added in version 0.2.0.
    """

    epsilon: Certified
    delta: Certified


class PrivacyCurve(list[CurvePoint]):
    """What :func:`verify.privacy_curve` returns: a list of points that can become a table and a drawing.

    Added in version 0.2.0.
    """

    def rows(self) -> list[tuple[float, float, float, float]]:
        """Lower and upper end of epsilon, lower and upper end of delta, as doubles rounded outwards.

        Each exact number lies between its two doubles; they are one double where it is one.
        """
        return [
            (
                double_below(point.epsilon.lo),
                double_above(point.epsilon.hi),
                double_below(point.delta.lo),
                double_above(point.delta.hi),
            )
            for point in self
        ]

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each point: epsilon_lower, epsilon_upper, delta_lower, delta_upper.

        Lower ends are rounded down and upper ends up: each exact number lies between its two doubles.

        >>> from verify import privacy_curve
        >>> frame = privacy_curve("0.01", 1, 1000, epsilons=[1, 2]).to_frame()
        >>> list(frame.columns)
        ['epsilon_lower', 'epsilon_upper', 'delta_lower', 'delta_upper']
        >>> list(frame["delta_upper"])
        [0.002612420578626924, 2.6655719247617903e-06]

        Returns:
            The DataFrame, with four columns of doubles.

        Raises:
            OutOfDomain: pandas is not installed; the message says how to get it.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise OutOfDomain(
                "to_frame needs pandas: pip install '.[pandas]' in a checkout"
            ) from error
        return pd.DataFrame(self.rows(), columns=list(COLUMNS), dtype=float)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw delta over epsilon with matplotlib, delta on a logarithmic axis.

        Dots are upper ends, which may be promised; the line between them guides the eye and proves
        nothing. Where the exact number is only known to lie in a bracket, a dashed line joins the
        lower ends. Points with an infinite epsilon or with delta = 0 have no place and are left
        out.

        >>> from matplotlib.figure import Figure
        >>> from verify import privacy_curve
        >>> ax = privacy_curve("0.01", 1, 1000, epsilons=[1, 2]).plot(Figure().subplots())
        >>> ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()
        ('epsilon', 'delta', 'log')

        Args:
            ax: Axes to draw on; the current ones of pyplot if nothing is said.

        Returns:
            The axes.

        Raises:
            OutOfDomain: matplotlib is not installed; the message says how to get it.
        """
        if ax is None:
            try:
                from matplotlib import pyplot as plt
            except ImportError as error:
                raise OutOfDomain(
                    "plot needs matplotlib: pip install '.[report]' in a checkout"
                ) from error
            ax = plt.gca()
        rows = self.rows()
        above = _drawable([(epsilon, delta) for _, epsilon, _, delta in rows])
        below = _drawable([(epsilon, delta) for epsilon, _, delta, _ in rows])
        (line,) = ax.plot(*above, marker=".", label="at most")
        if any(_apart(*row[:2]) or _apart(*row[2:]) for row in rows):
            ax.plot(*below, marker=".", linestyle="--", color=line.get_color(), label="at least")
            ax.legend()
        ax.set(xlabel="epsilon", ylabel="delta", yscale="log")
        return ax


def double_below(x: Bound) -> float:
    """The largest double <= x.

    >>> from fractions import Fraction
    >>> double_below(Fraction(1, 10)), double_below(Fraction(1, 2)), double_below(math.inf)
    (0.09999999999999999, 0.5, inf)
    """
    return x if isinstance(x, float) else 0.0 - double_above(-x)  # of 0 it is 0.0, not -0.0


def _drawable(points: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Abscissas and ordinates of the points that a logarithmic axis has a place for, from left to right."""
    seen = sorted((x, y) for x, y in points if math.isfinite(x) and y > 0)
    return [x for x, _ in seen], [y for _, y in seen]


def _apart(low: float, high: float) -> bool:
    """Whether the eye tells two ends apart."""
    return low < (1 - _SEEN) * high
