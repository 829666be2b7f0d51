"""On which lines the moments at the nodes of a hyperbola are computed: proposed in doubles, checked by the balls of ``sector``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verify.accounting.hyperbola import NodeGroup
from verify.accounting.line import Line
from verify.accounting.planner import Planner
from verify.accounting.sketch import dyadic
from verify.budget import Deadline
from verify.errors import OutOfReach

MAX_WORK = 1_500_000  # outer terms times inner nodes
_TAU, _LN2 = 2 * math.pi, math.log(2)
_LOWER, _UPPER = (0.15, 0.4, 0.8, 1.4), (1.5, 2.2, 2.8)  # b of the neighbouring lines
_RAYS = (0.8, 1.2, 1.7, 2.3)  # ln(X/p) where a ray may begin
_GROUPS = 8


@dataclass(frozen=True, slots=True)
class BendShape:
    """A hyperbola, and the one that bounds its strip on the right."""

    c: float
    kappa: float
    alpha: float
    gamma: float

    def at(self, u: float, angle: float) -> tuple[float, float]:
        a = self.c + self.kappa * math.cosh(u) * math.sin(angle)
        return a, self.kappa * math.sinh(u) * math.cos(angle)


class BendLines:
    """The lines for one phase at one epsilon."""

    def __init__(
        self, planner: Planner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
    ) -> None:
        (self.sketch, self.steps), self.epsilon, self.deadline = planner.parts[0], epsilon, deadline
        self.goal, self.log_delta = digits * math.log(10) + 3, log_delta
        sketch = self.sketch
        self.s = sketch.sigma
        self.zero = self.s * (sketch.log_p - sketch.log_q) + 0.5 / self.s  # where X = p

    def polar(self, x: float, b: float) -> tuple[float, float]:
        """ln|g| and arg g."""
        log = self.sketch.log_x(x)
        if log > 30:
            return log, b
        part = math.exp(log)
        re, im = 1 - self.sketch.q + part * math.cos(b), part * math.sin(b)
        return 0.5 * math.log(re * re + im * im), math.atan2(im, re)

    def groups(self, shape: BendShape, h: float, terms: int) -> Iterator[NodeGroup]:
        first, work = 0, 0
        for i in range(_GROUPS):
            last = terms * (i + 1) // _GROUPS
            if last < first:
                continue
            self.deadline.check()
            nodes = [shape.at(h * k, shape.alpha) for k in {first, last}]
            goals = [self.inner_goal(shape, h, terms, a, y) for a, y in nodes]
            found = self.line(nodes, max(12.0, *goals))
            work += (len(found[0]) + 2 * found[1]) * (last - first + 1)
            if work > MAX_WORK:
                raise OutOfReach("the hyperbola is too dear")
            yield NodeGroup(last, *found)
            first = last + 1

    def inner_goal(self, shape: BendShape, h: float, terms: int, a: float, y: float) -> float:
        angle = math.atan2(a, y)
        size = min(self.sketch.log_moment(a) if a < 1000 else math.inf, (self.s * angle) ** 2 / 2)
        weight = math.log(math.hypot(a, y) / (math.hypot(a, y) * math.hypot(a - 1, y)))
        total = (self.steps - 1) * size - self.epsilon * (a - 1) + weight + math.log(h * terms)
        return self.goal - self.log_delta + math.log(self.steps) + total + 2

    def line(self, nodes: list[tuple[float, float]], goal: float) -> tuple[Line, int, int]:
        """The cheapest line for these nodes, the number of cells, and the bits."""
        best: tuple[float, float, float, float, float, float] | None = None
        for low in _LOWER:
            for high in _UPPER:
                if high <= low + 0.2:
                    continue
                scale = min(self.s, 6.0 / high)
                eta, d = (low + high) / 2 * scale, (high - low) / 2 * scale
                x0 = -math.sqrt(2 * (goal + 4) + (eta + d) ** 2)
                for x1 in self.ends(nodes, goal, eta, d):
                    cells = self.count(nodes, x0, x1)
                    lift = max(
                        self.log_line(e, a, y, x0, x1, cells)
                        for e in (eta - d, eta + d)
                        for a, y in nodes
                    )
                    v = _TAU * d / (goal + max(0.0, lift) + 4)
                    cost = (x1 - x0) / v
                    if best is None or cost < best[0]:
                        best = cost, eta, d, v, x0, x1
        if best is None:
            raise OutOfReach("no line for a node")
        _, eta, d, v, x0, x1 = best
        eta = dyadic(eta, 14)
        d, v = dyadic(min(d, eta), 14), dyadic(v, 14)
        size = max(math.hypot(*n) for n in nodes)
        lift = max(self.log_line(eta, a, y, x0, x1, 200) for a, y in nodes)
        bits = int((goal + max(0.0, lift)) / _LN2 + math.log2(2 + size * (3 + x1 / self.s))) + 24
        line = Line(eta, v, math.floor(x0 / v), math.ceil(x1 / v), d)
        return line, self.count(nodes, x0, x1), bits

    def ends(
        self, nodes: list[tuple[float, float]], goal: float, eta: float, d: float
    ) -> Iterator[float]:
        """Right ends at which all that is cut off is below the goal."""

        def small(x1: float, beyond: Callable[[float, float, float], float]) -> bool:
            for a, y in nodes:
                size, turn = self.polar(x1, (eta - d) / self.s)
                edge = (eta + d) ** 2 / 2 - x1 * x1 / 2 + a * size - y * turn
                if edge > -goal - 1 or beyond(x1, a, y) > -goal - 1:
                    return False
            return True

        def straight(x1: float, a: float, y: float) -> float:
            over = x1 - a / self.s
            gauss = 0.0 if over <= 0 else -over * over / 2
            size = a * (self.sketch.log_g(x1) - x1 / self.s) + (a / self.s) ** 2 / 2
            return size + gauss - y * self.polar(x1, eta / self.s)[1] + eta * eta / 2

        def ray(x1: float, a: float, y: float) -> float:
            ratio = math.exp(self.zero / self.s - x1 / self.s)
            if y <= 0 or x1 <= eta or math.atan(a / y) + math.asin(ratio) > math.pi / 4 - 1e-6:
                return math.inf
            size, turn = self.polar(x1, eta / self.s)
            return eta * eta / 2 - x1 * x1 / 2 + a * size - y * turn

        for m in _RAYS:
            if small(self.zero + m * self.s, ray):
                yield self.zero + m * self.s
                return
        x1 = max(self.zero + 0.2 * self.s, max(a for a, _ in nodes) / self.s)
        if x1 < 400:
            for _ in range(40):
                if small(x1, straight):
                    yield x1
                    return
                x1 += 1.0

    def count(self, nodes: list[tuple[float, float]], x0: float, x1: float) -> int:
        """WallCells of the neighbouring lines."""
        order = max(a for a, _ in nodes)
        width = min(0.25, 0.3 * self.s, max(2 * self.s / order, 0.12 * self.s))
        return math.ceil((x1 - x0) / width)

    def log_line(self, eta: float, a: float, y: float, x0: float, x1: float, count: int) -> float:
        """About ln of the cells' bound of int |phi g^w| on the line."""
        b, top, before = eta / self.s, -math.inf, (0.0, 0.0)
        for i in range(count + 1):
            x = x0 + (x1 - x0) * i / count
            here = self.polar(x, b)
            top = max(top, a * max(before[0], here[0]) - y * before[1] - x * x / 2)
            before = here
        return top + eta * eta / 2
