"""Sizes of the transform of one phase at complex orders, by the cells of ``sector``: in doubles, to plan with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from verify.accounting.contour.sketch import Sketch, dyadic
from verify.accounting.hyperbola.bent import Walls
from verify.accounting.hyperbola.sector import Ramp
from verify.numbers.errors import OutOfReach

_TAU = 2 * math.pi
# b left of the ramp
_LOW, _MID = (0.003, 0.01, 0.02, 0.04, 0.07), (0.12, 0.18, 0.25, 0.4, 0.55, 0.75)
_TURNS = (*_LOW, *_MID, 1.0, 1.3, 1.57, 2.0, 2.4)
_STEEP = 13  # the last of them that serves negative orders
_HIGH = 1.5  # b right of the ramp, at least
_FAR_RIGHT = 2.4  # ln Y at the right end of walls
_SLOPE = 0.05  # a ramp begins where so large a part of all outcomes is 1
_PLANNED = 90  # cells of a wall, while planning
_CAP = 700.0


_Polar = tuple[float, float]  # ln|G|, arg G


@dataclass(frozen=True, slots=True)
class _Cell:
    """As ``WallCell``."""

    mass: float
    low: float
    high: float
    turn: float
    ends: tuple[_Polar, _Polar]


def may_turn_up(a: float, y: float) -> bool:
    """Whether a path may be turned up at its end."""
    return y > 0 and math.atan(max(a, 0.0) / y) + math.asin(math.exp(-_FAR_RIGHT)) < 0.785


class BendWalls:
    """Bounds of |H(w)| for one phase, and the paths they need."""

    def __init__(self, sketch: Sketch, steps: int, reach: float) -> None:
        if sketch.q >= 1:
            raise OutOfReach("full batches need no hyperbola")
        self.sketch, self.steps, self.s = sketch, steps, sketch.sigma
        self.zero = self.s * (sketch.log_p - sketch.log_q) + 0.5 / self.s  # where Y = 1
        x0, x1 = -dyadic(reach, 10), self.zero + _FAR_RIGHT * self.s
        if x1 <= 0:
            raise OutOfReach("no tiny q")
        x1 = dyadic(x1, 20)
        count = min(600, math.ceil((x1 - x0) / (0.12 * min(1.0, self.s))))
        self.walls = Walls(x0, x1, count)
        self._walls: dict[int, list[_Cell]] = {}
        self._best = {"sector": _STEEP // 2, "arc": 1}

    def polar(self, x: float, b: float) -> tuple[float, float]:
        """ln|G| and arg G."""
        log = self.sketch.log_x(x) - self.sketch.log_p
        if log > 30:
            return log, b
        part = math.exp(log)
        return (
            0.5 * math.log1p(part * (2 * math.cos(b) + part)),
            math.atan2(part * math.sin(b), 1 + part * math.cos(b)),
        )

    def log_real(self, a: float) -> float:
        """T ln H(a)."""
        if abs(a) / self.s > 1e7:
            return math.inf
        return self.steps * (self.sketch.log_moment(a) - a * self.sketch.log_p)

    # -- bounds of arcs and sectors

    def ramp(self, turn: int) -> Ramp:
        """Up where the outcomes of all steps together are rare."""
        low = dyadic(_TURNS[turn] * self.s, 14)
        high = max(low, dyadic(min(_HIGH * self.s, self.walls.x1 / 2), 14))
        start = math.sqrt(2 * math.log(max(1.0, _SLOPE * self.steps)))
        start = min(start, self.walls.x1 - 1.5)
        end = min(max(start + 1, self.zero), self.walls.x1 - 0.25)
        return Ramp(low, high, round(start, 3), round(end, 3))

    def wall(self, turn: int) -> list[_Cell]:
        if turn not in self._walls:
            ramp, (x0, x1) = self.ramp(turn), (self.walls.x0, self.walls.x1)
            slope = (ramp.high - ramp.low) / (ramp.end - ramp.start)
            count = min(self.walls.cells, _PLANNED)
            width = (x1 - x0) / count

            def height(x: float) -> float:
                return min(ramp.high, max(ramp.low, ramp.low + slope * (x - ramp.start)))

            cells = []
            for i in range(count):
                x, after = x0 + width * i, x0 + width * (i + 1)
                eta, eta_after = height(x), height(after)
                first, last = (self.polar(z, eta / self.s) for z in (x, after))
                least = self.polar(x, eta_after / self.s)[0]
                mass = math.exp((eta_after**2 - (x + width / 2) ** 2) / 2) * width / math.sqrt(_TAU)
                mass *= math.hypot(1, slope) if eta_after > eta else 1.0
                high = max(first[0], last[0])
                cells.append(_Cell(mass, max(0.0, least), high, first[1], (first, last)))
            self._walls[turn] = cells
        return self._walls[turn]

    def _downhill(self, kind: str, value: Callable[[int], float], last: int) -> tuple[float, int]:
        """The least value over the turns, from the last best one, and where."""
        seen: dict[int, float] = {}

        def at(i: int) -> float:
            if not 0 <= i <= last or self.walls.x1 <= _TURNS[i] * self.s:
                return math.inf
            if i not in seen:
                seen[i] = value(i)
            return seen[i]

        i = min(self._best[kind], last)
        while at(i) == math.inf and i < last:
            i += 1
        while at(i - 1) < at(i):
            i -= 1
        while at(i + 1) < at(i):
            i += 1
        if at(i) < math.inf:
            self._best[kind] = i
        return at(i), i

    def log_sector(self, c: float, tau: float, y: float) -> tuple[float, int]:
        """T ln of the best sector bound, and its turn; infinity where there is none."""
        low = max(c, 0.0)
        if math.atan(tau + low / y) + math.asin(math.exp(-_FAR_RIGHT)) > math.pi / 4 - 1e-6:
            return math.inf, 0

        def value(turn: int) -> float:
            total = 0.5 * math.erfc(-self.walls.x0 / math.sqrt(2))
            for cell in self.wall(turn):
                fall = max(tau * max(0.0, size) - angle for size, angle in cell.ends)
                exponent = low * cell.high + y * fall
                if fall > -1e-9 * cell.turn or exponent > _CAP:
                    return math.inf
                total += cell.mass * math.exp(exponent)
            total += math.exp(exponent - self.walls.x1**2 / 2)
            return self.steps * math.log(total)

        return self._downhill("sector", value, len(_TURNS) - 1 if c >= 0 else _STEEP)

    def log_arc(self, *orders: tuple[float, float]) -> tuple[list[float], int]:
        """T ln of the bounds at these orders, on the path that is best for them, and its turn."""
        sizes: dict[int, list[float]] = {}

        def value(turn: int) -> float:
            sizes[turn] = [self.steps * self._log_at(turn, a, y, ray) for a, y in orders]
            return max(sizes[turn])

        low = min(a for a, _ in orders)
        ray = all(may_turn_up(a, y) for a, y in orders)
        best, turn = self._downhill("arc", value, len(_TURNS) - 1 if low >= 0 else _STEEP)
        return ([math.inf] * len(orders) if best == math.inf else sizes[turn]), turn

    def _log_at(self, turn: int, a: float, y: float, ray: bool) -> float:
        cells, x1 = self.wall(turn), self.walls.x1
        total = 0.5 * math.erfc(-self.walls.x0 / math.sqrt(2))
        for cell in cells:
            exponent = a * (cell.high if a >= 0 else cell.low) - y * cell.turn
            if exponent > _CAP:
                return math.inf
            total += cell.mass * math.exp(exponent)
        size, angle = cells[-1].ends[1]
        end = a * size - y * angle - x1 * x1 / 2
        if a > 0 and not ray:
            over = x1 - a / self.s
            end = a * (self.polar(x1, 0.0)[0] - x1 / self.s) + (a / self.s) ** 2 / 2
            end -= y * angle + (over * over / 2 if over > 0 else 0.0)
        return math.log(total + math.exp(end)) if end < _CAP else math.inf
