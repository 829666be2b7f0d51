"""Which hyperbola, how fine and how far, and on which lines its moments: proposed in doubles, checked by the balls of ``hyperbola``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from verify.accounting.bend_lines import BendLines, BendShape
from verify.accounting.hyperbola import Bend, BendEdge, Walls
from verify.accounting.nodes import height_line
from verify.accounting.planner import Planner
from verify.accounting.sketch import dyadic
from verify.budget import Deadline
from verify.errors import OutOfReach

_TAU, _LN2 = 2 * math.pi, math.log(2)
_TURNS = (0.25, 0.4, 0.55, 0.75, 1.0, 1.3, 1.6, 2.0, 2.4)  # b of sector bounds
_ANGLES = (0.18, 0.25, 0.32, 0.4)  # gamma
_EXTRA = 6.0  # nats above delta at the right vertex
_PARTS, _START = (1.0, 0.7, 0.45), 0.05
_FAR_RIGHT = 2.0  # ln(X/p) at the right end of the lines of sector bounds
_STEP_U = 0.1
_MOST_CELLS = 110  # of a wall, while planning
_TRIED, _CHEAP = 2, 600_000


_Edge = tuple[float, bool, float, float]  # u, real bound or not, b of sector and box


@dataclass(frozen=True, slots=True)
class _Candidate:
    terms: int
    shape: BendShape
    h: float
    b: float  # of the sector where the sum is cut
    edges: list[_Edge]


def bend(
    planner: Planner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
) -> Bend:
    """A hyperbola for so many digits of delta(epsilon), whose logarithm is about this."""
    try:
        return _Maker(planner, epsilon, digits, log_delta, deadline).made()
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        raise OutOfReach(f"no hyperbola could be planned at epsilon = {epsilon:.6g}") from error


class _Maker(BendLines):
    def __init__(
        self, planner: Planner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
    ) -> None:
        super().__init__(planner, epsilon, digits, log_delta, deadline)
        reach = math.sqrt(2 * (self.goal - log_delta + 40) / self.steps) + 6
        x0 = -dyadic(reach, 10)
        x1 = dyadic(self.zero + _FAR_RIGHT * self.s, 20)
        count = min(600, math.ceil((x1 - x0) / (0.12 * min(1.0, self.s))))
        self.walls = Walls(x0, x1, count)
        self.lines: dict[float, list[tuple[float, float, float]]] = {}

    # -- bounds of a sector

    def wall(self, b: float) -> list[tuple[float, float, float]]:
        if b not in self.lines:
            x0, x1 = self.walls.x0, self.walls.x1
            count = min(self.walls.cells, _MOST_CELLS)
            width = (x1 - x0) / count
            cells, before = [], self.polar(x0, b)
            for i in range(1, count + 1):
                x = x0 + width * i
                here = self.polar(x, b)
                mass = math.exp(-((x - width / 2) ** 2) / 2) * width / math.sqrt(_TAU)
                cells.append((mass, max(before[0], here[0]), max(0.0, before[1])))
                before = here
            cells.append((math.exp(-x1 * x1 / 2), *before))
            self.lines[b] = cells
        return self.lines[b]

    def log_sector(self, c: float, tau: float, y: float) -> tuple[float, float]:
        """T ln of the best sector bound, and its b; infinity where there is none."""
        turned = math.atan(tau + c / y) + math.asin(math.exp(-_FAR_RIGHT)) <= math.pi / 4 - 1e-6
        best = math.inf, 0.0
        for b in _TURNS if turned else ():
            cells = self.wall(b)
            if self.walls.x1 <= b * self.s or tau * cells[-1][1] > cells[-1][2]:
                continue
            total = 0.0
            for mass, size, turn in cells:
                if size < 0:
                    total += mass * math.exp(c * size - y * turn)
                elif tau * size <= turn * (1 - 1e-9):
                    total += mass * math.exp(min(700.0, c * size + y * (tau * size - turn)))
                else:
                    break
            else:
                value = self.steps * (math.log(total) + (b * self.s) ** 2 / 2)
                if value > best[0]:
                    break
                best = value, b
        return best

    def log_real(self, a: float) -> float:
        return self.steps * self.sketch.log_moment(a)

    # -- the hyperbola

    def shapes(self) -> Iterator[BendShape]:
        most = self.vertex()
        for part in _PARTS:
            vertex = 1 + (most - 1) * part
            c = 1 + dyadic((vertex - 1) * _START, 14)
            for gamma in _ANGLES:
                kappa = dyadic((vertex - c) / math.sin(gamma), 14)
                yield BendShape(c, kappa, gamma / 2, gamma)

    def vertex(self) -> float:
        """The largest order at which T ln M - eps (a-1) is neither far above delta nor far above its least."""
        distances = [0.01 * 1.15**i for i in range(80)]
        sizes = [self.log_real(1 + x) - self.epsilon * x for x in distances]
        most = max(self.log_delta, min(sizes)) + _EXTRA
        return 1 + max(x for x, size in zip(distances, sizes, strict=True) if size <= most)

    def log_box(self, low: float, high: float, y: float) -> tuple[float, float]:
        """T ln of the best bound of a box, and its b."""
        x1, best = self.walls.x1, (math.inf, 0.0)
        turned = y > 0 and math.atan(high / y) + math.asin(math.exp(-_FAR_RIGHT)) < math.pi / 4
        for b in _TURNS:
            lift = (b * self.s) ** 2 / 2
            if x1 <= b * self.s:
                break
            value = -math.inf
            for a in (low, high):
                cells = self.wall(b)
                total = sum(
                    m * math.exp(min(600.0, a * size - y * turn)) for m, size, turn in cells
                )
                if not turned:
                    share = a * (self.sketch.log_g(x1) - x1 / self.s) + (a / self.s) ** 2 / 2
                    over = x1 - a / self.s
                    share -= y * cells[-1][2] + (over * over / 2 if over > 0 else 0.0)
                    total += math.exp(min(600.0, share))
                value = max(value, self.steps * (math.log(total) + lift))
            if value > best[0]:
                break
            best = value, b
        return best

    def right(self, shape: BendShape) -> tuple[float, list[_Edge]]:
        """ln of the integral over the right hyperbola, and its edges."""
        edges, u, top = [], 0.0, -math.inf
        while u < 40:
            a, y = shape.at(u, shape.gamma)
            after = shape.at(u + _STEP_U, shape.gamma)[0]
            drift = -self.epsilon * (a - 1) - math.log(shape.kappa)
            far, b = math.inf, 0.0
            if u > 0:
                far, b = self.log_sector(shape.c, math.tan(shape.gamma) / math.tanh(u), y)
            if far < math.inf and (far + drift < top - 2 or far + drift - u < top - 1):
                edges.append((u, False, b, 0.0))
                return max(top, far + drift - u), edges
            real = self.log_real(after) if after < 1000 else math.inf
            box, turn = math.inf, 0.0
            if u > 0 and real + drift > self.log_delta + 5:
                box, turn = self.log_box(a, after, y)
            top = max(top, min(real, far, box) + drift)
            if top > self.log_delta + 200:
                break
            edges.append((u, real < min(far, box) + 5, b, turn))
            u += _STEP_U
        raise OutOfReach("the right hyperbola has no end")

    def made(self) -> Bend:
        """The cheapest of the shapes with the fewest nodes."""
        found = sorted(self.candidates(), key=lambda one: one.terms)
        best: Bend | None = None
        for one in found[:_TRIED]:
            self.deadline.check()
            with suppress(OutOfReach):
                bend = self.dressed(one)
                if best is None or bend.work < best.work:
                    best = bend
            if best is not None and best.work < _CHEAP:
                break
        if best is None:
            raise OutOfReach("no hyperbola")
        return best

    def candidates(self) -> Iterator[_Candidate]:
        want = self.log_delta - self.goal
        for shape in self.shapes():
            self.deadline.check()
            left = self.log_real(shape.c) - self.epsilon * (shape.c - 1) - math.log(shape.c - 1)
            try:
                right, edges = self.right(shape)
            except OutOfReach:
                continue
            both = left - want + 2, right - want + 3
            alpha = dyadic(shape.gamma * both[0] / sum(both), 14)
            h = _TAU * min(alpha / both[0], (shape.gamma - alpha) / both[1])
            bent = BendShape(shape.c, shape.kappa, alpha, shape.gamma)
            found = self.cut(bent, h, want)
            if found is not None:
                yield _Candidate(found[0], bent, h, found[1], edges)

    def cut(self, shape: BendShape, h: float, want: float) -> tuple[int, float] | None:
        """K, and the b of the sector there."""

        def rest(u: float) -> tuple[float, float]:
            a, y = shape.at(u, shape.alpha)
            size = -self.epsilon * (a - 1) - math.log(shape.kappa * math.sinh(u))
            far, b = self.log_sector(shape.c, math.tan(shape.alpha) / math.tanh(u), y)
            return far + size, b

        low, high = 0.2, 1.0
        while rest(high)[0] > want:
            low, high = high, high * 1.5
            if high > 50:
                return None
        while high - low > 0.04 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if rest(middle)[0] > want else (low, middle)
        return math.ceil(high / h), rest(high)[1]

    def dressed(self, one: _Candidate) -> Bend:
        """The lines that belong to a shape."""
        shape, edges, h = one.shape, one.edges, dyadic(one.h, 20)
        s, rough = self.s, math.log(self.steps) + 8
        sketch = self.sketch
        real = [e[1] for e in edges]

        def edge(i: int, u: float, b: float, turn: float) -> BendEdge:
            a = shape.at(u, shape.gamma)[0]
            used = real[i] or (i > 0 and real[i - 1])
            line = height_line(sketch, a, 0.0, rough) if used else None
            return BendEdge(u, line, _height(b, s), _height(turn, s))

        groups = tuple(self.groups(shape, h, one.terms))
        return Bend(
            shape.c, shape.kappa, shape.alpha, shape.gamma, h, one.terms, groups,
            tuple(edge(i, u, b, turn) for i, (u, _, b, turn) in enumerate(edges)), height_line(sketch, shape.c, 0.0, rough),
            dyadic(one.b * s, 14), self.walls, max(g.bits for g in groups) + 10,
        )  # fmt: skip


def _height(b: float, sigma: float) -> float | None:
    return dyadic(b * sigma, 14) if b else None
