"""One epoch of two or three batches by sums over the outcomes of all batches but the last: no transform, for the audit.

delta is E h, removing h = (S' - e^x)_+, adding h = (1 - e^x S')_+, a convex function of
(X_1, ..., X_T) that is known in closed form once averaged over the last variable: with y = c X_T,
c = (1-r)/T, and b = what S' lacks to the threshold, E (y - b)_+ = c Phi(1/s - t) - b Phi(-t) and
E (b - y)_+ = b Phi(t) - c Phi(t - 1/s), t = s ln(b/c) + 1/(2 s), for b > 0 (b <= 0: c - b, and 0).
The other variables run over cells of t with exact probabilities and exact means of
X (E[X; t < v] = Phi(v - 1/s)), independent of each other. Jensen: the value at the means of a cell
is at most its average. A convex function is at most the chord of its values at the corners,
variable by variable: the corners with the weights that keep the means are at least its average.
Beyond the last cells: on the left a cell of its own from X = 0; on the right h <= S', whose part
with t_i beyond is known.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.planner import Direction
from verify.accounting.pairs.allocation.parts import Allotted
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.errors import OutOfReach

_BITS = 256
_CELLS = {2: 3000, 3: 150}
Cell = tuple[arb, arb, arb, arb]  # probability, mean, least and largest X


def by_outcomes(
    part: Allotted, direction: Direction, epsilon: Fraction
) -> tuple[Fraction, Fraction]:
    """delta(epsilon) of one epoch of two or three batches lies between these."""
    if part.batches not in _CELLS or part.epochs != 1:
        raise OutOfReach("one epoch of two or three batches")
    with precision(_BITS):
        s, level = ball(part.sigma), ball(epsilon).exp()
        cells, rest = _cells(s, _CELLS[part.batches])
        scale = ball((1 - part.idle) / part.batches)
        front = arb(1) if direction == "remove" else level
        threshold = level if direction == "remove" else 1 / level
        low, high = arb(0), arb(0)
        known: dict[tuple[int, ...], arb] = {}

        def value(xs: tuple[arb, ...]) -> arb:
            lacking = threshold - ball(part.idle) - scale * sum(xs, arb(0))
            return front * _last(lacking, scale, s, direction)

        ends = [cells[0][2], *(cell[3] for cell in cells)]
        for places in itertools.product(range(len(cells)), repeat=part.batches - 1):
            if list(places) != sorted(places):
                continue  # the same as its permutation in order
            times = math.factorial(len(places)) // math.prod(
                math.factorial(places.count(i)) for i in set(places)
            )
            here = [cells[i] for i in places]
            weight = arb(times)
            for probability, *_ in here:
                weight *= probability
            low += weight * value(tuple(mean for _, mean, *_ in here))
            for corner in itertools.product((0, 1), repeat=len(here)):
                share = arb(1)
                for side, (_, mean, least, most) in zip(corner, here, strict=True):
                    upper = (mean - least) / (most - least)
                    share *= upper if side else 1 - upper
                at = tuple(sorted(i + side for i, side in zip(places, corner, strict=True)))
                if at not in known:
                    known[at] = value(tuple(ends[i] for i in at))
                high += weight * share * known[at]
        # some t_i is beyond the cells: h <= S' when removing (and its mean there), h <= 1 when adding
        others = part.batches - 1
        mass, first = rest
        beyond = (
            others * mass
            if direction == "add"
            else others * (ball(part.idle) * mass + scale * (first + (part.batches - 1) * mass))
        )
        return max(Fraction(0), fraction(low.lower())), fraction((high + beyond).upper())


def _last(lacking: arb, scale: arb, s: arb, direction: Direction) -> arb:
    """The mean over the last variable."""
    if not lacking > 0:
        at_zero = lacking.max(arb(0)) if direction == "add" else scale - lacking.min(arb(0))
        if lacking <= 0:
            return at_zero
        raise OutOfReach("a threshold on the edge of a cell")
    t = s * (lacking / scale).log() + 1 / (2 * s)
    if direction == "remove":
        return scale * normal(1 / s - t) - lacking * normal(-t)
    return lacking * normal(t) - scale * normal(t - 1 / s)


def _cells(s: arb, count: int) -> tuple[list[Cell], tuple[arb, arb]]:
    """Cells of t, the first from -inf (X = 0) on; and P and E[X; .] beyond the last."""
    edges = [arb(-9.0 + (18.0 + 1 / float(s)) * i / count) for i in range(count + 1)]
    below = [(normal(t), normal(t - 1 / s), (t / s - 1 / (2 * s * s)).exp()) for t in edges]
    cells = [(below[0][0], below[0][1] / below[0][0], arb(0), below[0][2])]
    for (p, m, x), (q, n, y) in itertools.pairwise(below):
        cells.append((q - p, (n - m) / (q - p), x, y))
    return cells, (normal(-edges[-1]), normal(1 / s - edges[-1]))
