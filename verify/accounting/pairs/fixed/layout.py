"""Where the total loss of a run is put on a grid: decided in doubles, whatever is decided is accounted for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from verify.accounting.contour.sketch import dyadic
from verify.accounting.exact.loss import Grid, Tails

Steps = Sequence[tuple[Tails, int]]
"""One step of each phase, and how many there are."""

_FIRST, _FACTOR, _LAST = 1e-7, 1.06, 680.0
_BELOW = -14.0  # ln of what may lie below the grid: it is put up to its first point
_COARSE = 8192  # buckets of one step are at most a window / so many wide


def sketch_losses(loss: Tails) -> list[tuple[float, float]]:
    """Losses and their P-weights, about."""
    ends, x = [0.0], _FIRST
    while x < _LAST:
        ends = [-x, *ends, x]
        x *= _FACTOR
    before, found = 1.0, []
    for low, high in itertools.pairwise(ends):
        here = loss.tails(high)[0]
        if before > here:
            found.append(((low + high) / 2 if high else 0.0, before - here))
        before = here
    return found


def _log_moment(sketch: list[tuple[float, float]], theta: float) -> float:
    """ln E e^{theta L}."""
    top = max(theta * x + math.log(w) for x, w in sketch)
    return top + math.log(sum(math.exp(theta * x + math.log(w) - top) for x, w in sketch))


_THETAS = [0.02 * 1.3**i for i in range(40)]


def log_delta(steps: Steps, epsilon: float) -> float:
    """ln delta at epsilon, about: a little less than Chernoff's bound."""
    sketches = [(sketch_losses(loss), times) for loss, times in steps]
    bounds = (sum(n * _log_moment(s, t) for s, n in sketches) - t * epsilon for t in _THETAS)
    return max(-5000.0, min(0.0, *bounds)) - 4.0


def window(steps: Steps, log_delta: float, points: int, margin: float = 12.0) -> Grid:
    """A grid of that many points, beyond whose ends lies less than matters at this delta (Chernoff)."""
    sketches = [(sketch_losses(loss), times) for loss, times in steps]
    ends = []
    for sign, least in ((1.0, log_delta - margin), (-1.0, _BELOW)):
        moments = [(t, sum(n * _log_moment(s, sign * t) for s, n in sketches)) for t in _THETAS]
        ends.append(max(1e-6, min((moment - least) / t for t, moment in moments)))
    mesh = dyadic(sum(ends) / points, 10)
    count = sum(times for _, times in steps)
    bits = 64 + math.ceil((-log_delta + math.log(count)) / math.log(2))
    return Grid(mesh, -math.ceil(ends[1] / mesh) - 1, math.ceil(ends[0] / mesh) + 1, bits)


def places(loss: Tails, grid: Grid) -> list[int]:
    """Ends of the buckets of one step, counted from the first point of the grid: wide where losses are rare.

    A bucket of width w and weight a adds about a w^2 to the variance; a w^2 is kept below that of a bucket of one mesh.
    The point 0 of the loss is always an end.
    """
    size, zero = grid.high - grid.low, -grid.low
    widest = max(1, size // _COARSE)

    def outwards(sign: int, last: int) -> list[int]:
        found, place = [], 0
        while place < last:
            above = loss.tails(sign * place * grid.mesh)[0]
            rare = above if sign > 0 else 1 - above
            wide = widest if rare <= 0 else min(widest, int(0.5 * rare**-0.5))
            place = min(last, place + max(1, wide))
            found.append(zero + sign * place)
        return found

    return [*reversed(outwards(-1, zero)), zero, *outwards(1, size - zero)]
