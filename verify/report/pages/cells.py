"""The ranges of sigma, q and alpha in which the points of a check are counted, and how they are spaced on a map."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Sequence

SIGMA = (0.0, 1.0, 10.0)
Q = (0.0, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
ALPHA = (
    1.0,
    1.0001,
    1.01,
    1.1,
    1.5,
    2.0,
    4.0,
    8.0,
    16.0,
    32.0,
    64.0,
    128.0,
    256.0,
    1024.0,
    32768.0,
)
"""Where ranges begin; each ends where the next begins, the last one has no end."""

_LEAST_Q = -330.0
_LEAST_ORDER = -17.0  # log10 of alpha - 1 below the double next to 1
_Q_KNOTS = ((_LEAST_Q, 0.0), (-10.0, 0.08), (0.0, 1.0))
_ALPHA_KNOTS = ((_LEAST_ORDER, 0.0), (-4.0, 0.16), (-2.0, 0.24), (3.0, 0.86), (6.0, 0.95))


def index(edges: tuple[float, ...], value: float) -> int:
    """The range a number is in.

    >>> index(SIGMA, 0.5), index(SIGMA, 1.0), index(ALPHA, math.inf)
    (0, 1, 14)
    """
    return bisect.bisect_right(edges, value) - 1


def span(edges: tuple[float, ...], number: int) -> str:
    """A range in words.

    >>> span(SIGMA, 0), span(SIGMA, 1), span(SIGMA, 2)
    ('below 1', '1 to 10', '10 and above')
    """
    if number == len(edges) - 1:
        return f"{edges[number]:g} and above"
    if edges[number] == 0:
        return f"below {edges[1]:g}"
    return f"{edges[number]:g} to {edges[number + 1]:g}"


def along_q(q: float) -> float:
    """How far a rate stands along its axis, from 0 to 1: logarithmic from 1e-10 on, what is below squeezed.

    >>> along_q(0.0), round(along_q(1e-10), 2), along_q(1.0)
    (0.0, 0.08, 1.0)
    """
    return _along(_Q_KNOTS, math.log10(q) if q > 0 else _LEAST_Q)


def along_alpha(alpha: float) -> float:
    """The same for an order, by the logarithm of alpha - 1; 1 stands at the bottom, infinity at the top.

    >>> along_alpha(1.0), along_alpha(math.inf), along_alpha(1.01) < along_alpha(1.1)
    (0.0, 1.0, True)
    """
    if math.isinf(alpha):
        return 1.0
    return _along(_ALPHA_KNOTS, math.log10(alpha - 1) if alpha > 1 else _LEAST_ORDER)


def _along(knots: Sequence[tuple[float, float]], x: float) -> float:
    """Linear between the knots, flat outside."""
    for (x0, y0), (x1, y1) in itertools.pairwise(knots):
        if x < x1:
            return y0 + (y1 - y0) * max(0.0, x - x0) / (x1 - x0)
    return knots[-1][1]
