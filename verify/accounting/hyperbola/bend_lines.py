"""On which lines the moments at the nodes of a hyperbola are computed: proposed in doubles, checked by
the balls of ``sector``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.accounting.contour.line import Line
from verify.accounting.contour.sketch import Sketch, dyadic
from verify.accounting.hyperbola.bend_walls import BendWalls
from verify.numbers.errors import OutOfReach

_TAU, _LN2 = 2 * math.pi, math.log(2)
# b of neighbouring lines
_LOWER, _UPPER = (0.1, 0.25, 0.5, 0.8, 1.2, 1.6, 2.0), (1.0, 1.55, 2.2, 2.8)
_RAYS = (0.8, 1.2, 1.7, 2.3, 3.0, 4.0)  # ln Y where a ray may begin
_NARROW = 0.25  # of sigma: cells of a line, while planning
_BASE = 200.0  # an exponential of so many bits costs twice one of few


class BendPhase(BendWalls):
    """Sizes and lines for one phase."""

    def __init__(self, sketch: Sketch, steps: int, reach: float) -> None:
        super().__init__(sketch, steps, reach)
        self._grids: dict[float, list[tuple[float, float, float]]] = {}

    def line(self, nodes: list[tuple[float, float]], goal: float) -> tuple[Line, int, int]:
        """The cheapest line for these nodes, the number of cells, and the bits."""
        best: tuple[float, float, float, float, float, float, float] | None = None
        for eta, d in self._heights(nodes):
            x0 = -math.sqrt(2 * (goal + 4) + (eta + d) ** 2)
            x1 = self._right(nodes, goal, eta, d)
            if x1 is None:
                continue
            lift = max(self._log_line(e, a, y, x1) for e in (eta - d, eta + d) for a, y in nodes)
            lift = max(0.0, lift)
            v = _TAU * d / (goal + lift + 4)
            cost = (x1 - x0) / v * (_BASE + (goal + lift) / _LN2)
            if best is None or cost < best[0]:
                best = cost, eta, d, v, x0, x1, lift
        if best is None:
            raise OutOfReach("no line for a node")
        _, eta, d, v, x0, x1, lift = best
        eta = dyadic(eta, 14)
        d, v = dyadic(min(d, eta), 14), dyadic(v, 14)
        size = max(math.hypot(*n) for n in nodes)
        bits = int((goal + lift) / _LN2 + math.log2(2 + size * (3 + x1 / self.s))) + 24
        line = Line(eta, v, math.floor(x0 / v), math.ceil(x1 / v - 0.5), d)
        return line, self._count(nodes, x0, x1), bits

    def turns(self, a: float, y: float, goal: float) -> bool:
        """Whether some line for this order may be turned up at its end."""
        return any(
            self._turned_end([(a, y)], goal, eta, d) is not None
            for eta, d in self._heights([(a, y)])
        )

    def _heights(self, nodes: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
        """eta and d of lines."""
        negative = min(a for a, _ in nodes) < 0
        for high in _UPPER:
            if negative and high > math.pi / 2:
                continue
            scale = min(self.s, 6.0 / high)
            for low in _LOWER:
                if high > low + 0.2:
                    yield (low + high) / 2 * scale, (high - low) / 2 * scale

    def _right(
        self, nodes: list[tuple[float, float]], goal: float, eta: float, d: float
    ) -> float | None:
        """A right end at which all that is cut off is below the goal."""
        top = max(a for a, _ in nodes)
        if top <= 0 and (eta + d) / self.s < math.pi / 2:
            ends = [1 + 0.5 * i for i in range(80)]
        elif (found := self._turned_end(nodes, goal, eta, d)) is not None:
            return found
        else:
            first = max(self.zero + 0.2 * self.s, top / self.s)
            ends = [first + i for i in range(40)] if first < 400 else []
        for x1 in ends:
            if self._small(nodes, goal, eta, d, x1) and all(
                self._straight(eta, x1, a, y) < -goal - 1 for a, y in nodes
            ):
                return x1
        return None

    def _turned_end(
        self, nodes: list[tuple[float, float]], goal: float, eta: float, d: float
    ) -> float | None:
        """A right end at which the line may be turned up."""
        angle = max(math.atan(max(a, 0.0) / y) if y > 0 else math.pi / 2 for a, y in nodes)
        for m in _RAYS:
            x1 = self.zero + m * self.s
            if x1 <= eta or angle + math.asin(math.exp(-m)) > math.pi / 4 - 1e-6:
                continue
            if self._small(nodes, goal, eta, d, x1):
                return x1
        return None

    def _small(
        self, nodes: list[tuple[float, float]], goal: float, eta: float, d: float, x1: float
    ) -> bool:
        """Whether the integrand is below the goal at the right end."""
        size, turn = self.polar(x1, (eta - d) / self.s)
        high = (eta + d) ** 2 / 2 - x1 * x1 / 2
        return all(high + max(a, 0.0) * size - y * turn < -goal - 1 for a, y in nodes)

    def _straight(self, eta: float, x1: float, a: float, y: float) -> float:
        """ln of what lies right of a right end, at most."""
        turn = self.polar(x1, eta / self.s)[1]
        if a <= 0:
            return eta * eta / 2 - x1 * x1 / 2 - y * turn
        over = x1 - a / self.s
        gauss = 0.0 if over <= 0 else -over * over / 2
        size = self.sketch.log_g(x1) - self.sketch.log_p - x1 / self.s
        return a * size + (a / self.s) ** 2 / 2 + gauss - y * turn + eta * eta / 2

    def _count(self, nodes: list[tuple[float, float]], x0: float, x1: float) -> int:
        """Cells of the neighbouring lines."""
        order = max(abs(a) for a, _ in nodes)
        width = min(0.25, 0.3 * self.s, max(2 * self.s / order, 0.12 * self.s))
        return math.ceil((x1 - x0) / width)

    def _log_line(self, eta: float, a: float, y: float, x1: float) -> float:
        """About ln of the cells' bound of int |phi G^w| on the line."""
        b = eta / self.s
        if b not in self._grids:
            reach = max(self.zero, 1.0) + 3 * self.s + 3
            count = min(400, math.ceil((reach + 6) / (_NARROW * min(1.0, self.s))))
            points = [(reach + 6) * i / count - 6 for i in range(count + 1)]
            self._grids[b] = [(x, *self.polar(x, b)) for x in points]
        top, before, angle = -math.inf, 0.0, 0.0
        for x, size, turn in self._grids[b]:
            largest = max(before, size) if a >= 0 else max(0.0, before)
            value = a * largest - y * angle - x * x / 2
            if value > top:
                top = value
            if x > x1 + _NARROW:  # the line ends up to a step farther
                break
            before, angle = size, turn
        if x1 > self._grids[b][-1][0]:  # a straight line far to the right: the second hump
            far = min(x1, max(a, 0.0) / self.s)
            size, turn = self.polar(far, b)
            top = max(top, a * size - y * turn - far * far / 2)
        return top + eta * eta / 2
