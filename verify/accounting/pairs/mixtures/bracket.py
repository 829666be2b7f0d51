"""The independent route for mixture pairs: ``verify.accounting.exact.convolution`` with another loss of a step.

That route uses of the pair only P1(L > x) and P2(L > x) of a step, in balls: S1(t*) and S2(t*) with
L(t*) = x (``exact``). If records are added, L < -k ln(1-q): both are 0 beyond. If they are removed,
L > k ln(1-q): both are 1 below. Where the side is not decided, both are the interval [0, 1].
"""

from __future__ import annotations

import bisect
import math
from fractions import Fraction
from functools import lru_cache

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.sketch import dyadic, upper
from verify.accounting.exact.convolution import (
    POINTS,
    Bracket,
    Total,
    from_above,
    from_below,
)
from verify.accounting.exact.loss import Grid, Loss
from verify.accounting.history import History, Phase
from verify.accounting.pairs.mixtures.exact import OneStep
from verify.accounting.pairs.mixtures.plan import MixturePlanner
from verify.accounting.pairs.mixtures.sketch import MixtureSketch
from verify.accounting.pairs.mixtures.transform import Degrees
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach, PrecisionExhausted

_THETAS = [0.02 * 1.45**i for i in range(40)]


class MixtureLoss(Loss):
    """P1(L > x) and P2(L > x) of one step, in balls and in doubles."""

    def __init__(self, phase: Phase, degrees: Degrees, sketch: MixtureSketch) -> None:
        self.phase, self.degrees, self.sketch = phase, degrees, sketch
        self.tails_of = lru_cache(maxsize=8)(self._tails)
        self._steps: dict[int, OneStep] = {}
        self._table: tuple[list[float], list[float]] | None = None

    def above(self, x: arb) -> tuple[arb, arb]:
        if self.phase.q == 1:
            mu = sum(self.degrees) / ball(self.phase.sigma)
            return normal(mu / 2 - x / mu), normal(-mu / 2 - x / mu)
        one, (up, down) = self._one(), self.degrees
        end = -max(up, down) * one.step.p.log()
        if not up and not x < end:
            return (arb(0), arb(0)) if x >= end else (_UNKNOWN, _UNKNOWN)
        if not down and not x > -end:
            return (arb(1), arb(1)) if x <= -end else (_UNKNOWN, _UNKNOWN)
        try:
            found = one.above(one.root(x))
        except PrecisionExhausted:
            return _UNKNOWN, _UNKNOWN
        return found if all(f.is_finite() for f in found) else (_UNKNOWN, _UNKNOWN)

    def _one(self) -> OneStep:
        bits = arb.pi().rel_accuracy_bits()
        if bits not in self._steps:
            self._steps[bits] = OneStep(self.phase, self.degrees)
        return self._steps[bits]

    def tails(self, x: float) -> tuple[float, float]:
        return self.tails_of(x)

    def _tails(self, x: float) -> tuple[float, float]:
        s = self.sketch
        if s.q == 1:
            mu = s.distance / s.sigma
            return upper(x / mu - mu / 2), upper(x / mu + mu / 2)
        end = -s.k * s.log_p
        if not s.up and x >= end * (1 - 1e-15):
            return 0.0, 0.0
        if not s.down and x <= -end * (1 - 1e-15):
            return 1.0, 1.0
        t = self._root(x)
        weights = [math.exp(c + 0.5 * (j / s.sigma) ** 2) for j, c in enumerate(s.coefficients)]
        one = sum(w * upper(t - j / s.sigma) for j, w in enumerate(weights)) if s.up else upper(t)
        two = sum(w * upper(t + j / s.sigma) for j, w in enumerate(weights)) if s.down else upper(t)
        return one, two

    def _root(self, x: float) -> float:
        """t with L(t) = x, from a table and two steps of Newton."""
        s = self.sketch
        if self._table is None:
            reach = 12 + s.k / s.sigma
            width = min(s.step, reach / 500) / 2
            ts = [i * width for i in range(-int(reach / width), int(reach / width) + 1)]
            self._table = ts, [self._loss(t)[0] for t in ts]
        ts, losses = self._table
        i = min(max(bisect.bisect_left(losses, x), 1), len(ts) - 1)
        gap = losses[i] - losses[i - 1]
        part = (x - losses[i - 1]) / gap if gap > 0 else 0.5
        t = ts[i - 1] + min(max(part, 0.0), 1.0) * (ts[i] - ts[i - 1])
        for _ in range(2):
            value, slope = self._loss(t)
            t += min(max((x - value) / slope, -1.0), 1.0) if slope > 0 else 0.0
        return t

    def _loss(self, t: float) -> tuple[float, float]:
        """L and L', in doubles."""
        s, total, slope = self.sketch, 0.0, 0.0
        for degree, sign in ((s.up, 1), (s.down, -1)):
            if degree:
                terms = [c + sign * j * t / s.sigma for j, c in enumerate(s.coefficients)]
                top = max(terms)
                weights = [math.exp(e - top) for e in terms]
                size = sum(weights)
                total += sign * (top + math.log(size))
                slope += sum(j * w for j, w in enumerate(weights)) / size / s.sigma
        return total, slope


_UNKNOWN = arb(0).union(arb(1))


def window(planner: MixturePlanner, log_delta: float, points: int, margin: float) -> Grid:
    """Where the total loss matters at this delta, decided in doubles; what is outside is accounted for."""

    def edge(sign: int, small: float) -> float:
        """Where a Chernoff bound of P1(sign L > value) falls below e^small."""
        sizes = []
        for theta in _THETAS:
            try:
                sizes.append((theta, planner.log_psi(1 + sign * theta)))
            except OutOfReach:
                break
        end = 1e-7
        while min((z - t * end for t, z in sizes), default=0.0) > small and end < 1e12:
            end *= 1.2
        return end

    up, down = planner.degrees
    right, left = edge(1, log_delta - margin), edge(-1, -14.0)
    least = sum(-n * s.k * s.log_p for s, n in zip(planner.sketches, planner.counts, strict=True))
    right = min(right, least * 1.0001) if not up else right
    left = min(left, least * 1.0001) if not down else left
    mesh = dyadic((right + left) / points, 10)
    bits = 64 + math.ceil((-log_delta + math.log(planner.steps)) / math.log(2))
    return Grid(mesh, -math.ceil(left / mesh) - 1, math.ceil(right / mesh) + 1, bits)


class MixtureBracket(Bracket):
    """delta and epsilon of a run, between two distributions on a grid."""

    def __init__(
        self,
        history: History,
        degrees: Degrees,
        log_delta: float,
        deadline: Deadline,
        points: int = POINTS,
        margin: float = 16.0,
    ) -> None:
        planner = MixturePlanner(history, degrees)
        planner.watch(deadline)
        self.grid = window(planner, log_delta, points, margin)
        losses = [
            MixtureLoss(p, degrees, s) for p, s in zip(history, planner.sketches, strict=True)
        ]
        shifts = [self._offset(loss) for loss in losses]
        self.upper, self.lower = (
            Total.of(
                [
                    (side(loss, self.grid, shift, deadline), loss.phase.steps, shift)
                    for loss, shift in zip(losses, shifts, strict=True)
                ],
                self.grid,
                up,
                deadline,
            )
            for side, up in ((from_above, True), (from_below, False))
        )
        self.shift = self.upper.shift

    def _offset(self, loss: MixtureLoss) -> float:
        """As ``loss.offset``: for tiny q to the loss of the outcome "nothing much", where almost all steps lie."""
        phase, mesh = loss.phase, self.grid.mesh
        if loss.sketch.k * phase.q > Fraction(mesh) / 4 or mesh > 1 or not loss.degrees[0]:
            return 0.0
        more, less = loss.tails(mesh / 2)
        shift = (math.log1p(-more) - math.log1p(-less)) * (1 + 1e-9) - 1e-12 * mesh
        reach = (self.grid.high - self.grid.low) * mesh
        return shift if -reach / 8 < shift * phase.steps < 0 else 0.0
