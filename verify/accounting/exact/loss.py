"""The loss of one step, and the grid on which the sum of many is bracketed."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.planner import Direction, Planner
from verify.accounting.contour.sketch import dyadic
from verify.accounting.history import History, Phase
from verify.numbers.balls import ball

_HUGE = 700.0  # e to this is still a double


@dataclass(frozen=True, slots=True)
class Grid:
    """Losses low*mesh .. high*mesh, weights in units of 2^-bits."""

    mesh: float
    low: int
    high: int
    bits: int


class Tails(Protocol):
    """P1(L > x) and P2(L > x) of one step, in balls that contain them and in doubles that plan."""

    def above(self, x: arb) -> tuple[arb, arb]: ...

    def tails(self, x: float) -> tuple[float, float]: ...


class Loss:
    """P1(L > x) and P2(L > x) of one step, in balls and in doubles."""

    def __init__(self, phase: Phase, direction: Direction) -> None:
        self.phase, self.remove = phase, direction == "remove"
        self.fq, self.fs = float(phase.q), float(phase.sigma)

    def above(self, x: arb) -> tuple[arb, arb]:
        """(P1(L > x), P2(L > x)). Removing: L = ln g under the mixture; adding: L = -ln g under Q."""
        q, p, s = ball(self.phase.q), ball(1 - self.phase.q), ball(self.phase.sigma)
        level = x.exp() if self.remove else (-x).exp()
        if not level > p:
            if not level <= p:  # undecided: the certain bounds
                return arb(0).union(arb(1)), arb(0).union(arb(1))
            return (arb(1), arb(1)) if self.remove else (arb(0), arb(0))
        t = s * ((level - p) / q).log() + 1 / (2 * s)
        if self.remove:
            plain = normal(-t)
            return p * plain + q * normal(1 / s - t), plain
        plain = normal(t)
        return plain, p * plain + q * normal(t - 1 / s)

    def rarely(self, x: float) -> float:
        """P1(L > x), in doubles."""
        return self.tails(x)[0]

    def tails(self, x: float) -> tuple[float, float]:
        """P1(L > x) and P2(L > x), in doubles."""
        q, s = self.fq, self.fs
        y = x if self.remove else -x
        if y < _HUGE:
            over = math.exp(y) - (1 - q)
            if over <= 0:
                return (1.0, 1.0) if self.remove else (0.0, 0.0)
            t = s * math.log(over / q) + 0.5 / s
        else:  # e^y would overflow, and 1 - q is nothing beside it
            t = s * (y - math.log(q)) + 0.5 / s
        sign = -1.0 if self.remove else 1.0
        plain = 0.5 * math.erfc(-sign * t / math.sqrt(2))
        mixed = (1 - q) * plain + q * 0.5 * math.erfc(-sign * (t - 1 / s) / math.sqrt(2))
        return (mixed, plain) if self.remove else (plain, mixed)


def offset(phase: Phase, direction: Direction, grid: Grid) -> float:
    """How far the grid of one step is shifted.

    Removing, with tiny q: to the loss of the outcome "nothing much", L <= half a mesh, where almost
    all steps lie. On the grid itself each of them would be put down by a mesh, and many steps by
    many.
    """
    if direction == "add" or phase.q > Fraction(grid.mesh) / 4 or grid.mesh > 1:
        return 0.0
    more, less = Loss(phase, direction).tails(grid.mesh / 2)
    shift = (math.log1p(-more) - math.log1p(-less)) * (1 + 1e-9)
    reach = (grid.high - grid.low) * grid.mesh
    return shift if -reach / 8 < shift * phase.steps < 0 else 0.0


def window(
    history: History, direction: Direction, log_delta: float, points: int, margin: float
) -> Grid:
    """Where the total loss matters at this delta, decided in doubles; what is outside is accounted for."""
    planner = Planner(history, direction)
    smalls = {1: log_delta - margin, -1: -14.0}  # what is far below epsilon may be put up a little

    @functools.cache  # the same orders are asked for every value
    def log_moment(theta: float) -> float:
        return planner.log_psi(1 + theta)

    def least(value: float, sign: int) -> float:
        """ln of a Chernoff bound of P1(L > value) (sign 1) or P1(L < -value) (sign -1)."""
        best = 0.0
        for i in range(40):
            theta = 0.02 * 1.45**i
            if sign < 0 and theta > 1e4:
                break
            best = min(best, log_moment(sign * theta) - theta * value)
        return best

    def jump() -> float:
        """Where a heavy right tail ends: twice what one step exceeds as rarely, and the bulk."""
        losses = [(Loss(p, direction), p.steps) for p in history]
        x = 1e-9
        while x < 1e9 and sum(n * loss.rarely(x) for loss, n in losses) > math.exp(smalls[1]):
            x *= 1.3
        order = planner.order(1.0)
        parts = [(s.cumulants(order), n) for s, n in planner.parts]
        mean = sum(abs(k[1]) * n for k, n in parts)
        return 2 * x + mean + math.sqrt(-2 * smalls[1] * sum(k[2] * n for k, n in parts))

    ends = []
    for sign in (1, -1):
        end = 1e-7
        while least(end, sign) > smalls[sign] and end < 1e12:
            end *= 1.3
        end = min(end, jump()) if sign > 0 else end
        bounded = (sign < 0) == planner.remove
        # a bounded side ends there; below -end the bounded rest of the steps cannot reach 0 again
        ends.append(min(end, planner.end * (1.0001 if bounded else 1.1 if sign < 0 else math.inf)))
    mesh = dyadic((ends[0] + ends[1]) / points, 10)
    bits = 64 + math.ceil((-log_delta + math.log(planner.steps)) / math.log(2))
    return Grid(mesh, -math.ceil(ends[1] / mesh) - 1, math.ceil(ends[0] / mesh) + 1, bits)
