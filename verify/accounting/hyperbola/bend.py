"""Which hyperbola, how fine and how far, and on which lines its moments: proposed in doubles, checked
by the balls of ``hyperbola``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from verify.accounting.contour.line import Line
from verify.accounting.contour.nodes import height_line
from verify.accounting.contour.planner import Planner
from verify.accounting.contour.sketch import dyadic
from verify.accounting.hyperbola.bend_lines import BendPhase
from verify.accounting.hyperbola.bend_walls import may_turn_up
from verify.accounting.hyperbola.bent import Bend, BendEdge, NodeGroup
from verify.accounting.hyperbola.sector import Ramp
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

MAX_WORK = 1_500_000  # outer terms times inner nodes
_TAU = 2 * math.pi
_EXTRA = 6.0  # nats above delta at the outer vertex
_START = (
    0.05  # distance of the one end of the vertices from its pole, in parts of that of the other
)
# the farther distance, in parts of the largest that serves, with gamma
_REMOVING = ((1.0, 0.4), (0.7, 0.5), (0.7, 0.4), (0.45, 0.5), (1.0, 0.25))
_ADDING = ((1.0, 0.58), (0.7, 0.5), (1.0, 0.4))
_STEP_U, _LEAST_U = 0.25, 2**-8
_GROUPS, _STRAIGHT = 13, 5  # of nodes; of them, those whose lines cannot be turned up
_TRIED, _CHEAP = 2, 300_000


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


@dataclass(frozen=True, slots=True)
class _Edge:
    """u, whether Psi(Re w) is a bound worth having, and the turns of the arc that begins there."""

    u: float
    real: bool
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    terms: int
    shape: BendShape
    h: float
    cut: tuple[int, ...]  # of the sectors where the sum is cut
    edges: list[_Edge]


@dataclass(frozen=True, slots=True)
class BendFault:
    """For the audit: a step so many times too long, an alpha too large, a sum so much too short, moments so many
    nats too rough. One of the errors is then large, and must be inside its bound."""

    step: float = 1.0
    alpha: float = 1.0
    length: float = 1.0
    inner: float = 0.0


def bend(
    planner: Planner,
    epsilon: float,
    digits: float,
    log_delta: float,
    deadline: Deadline,
    fault: BendFault | None = None,
) -> Bend:
    """A hyperbola for so many digits of delta(epsilon), whose logarithm is about this."""
    try:
        maker = _Maker(planner, epsilon, digits, log_delta, deadline)
        maker.fault = fault or BendFault()
        return maker.make_cheapest()
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        raise OutOfReach(f"no hyperbola could be planned at epsilon = {epsilon:.6g}") from error


class _Maker:
    fault = BendFault()

    def __init__(
        self, planner: Planner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
    ) -> None:
        self.remove, self.steps, self.deadline = planner.remove, planner.steps, deadline
        self.goal, self.log_delta = digits * math.log(10) + 3, log_delta
        self.rho = planner.end + epsilon * planner.flip
        self.shift = epsilon if self.remove else 0.0
        if not self.rho > 0:
            raise OutOfReach("epsilon is beyond the end of the loss")
        reach = math.sqrt(2 * (self.goal - log_delta + 40) / self.steps) + 6
        self.phases = [BendPhase(sketch, n, reach) for sketch, n in planner.parts]

    # -- sizes

    def log_real(self, a: float) -> float:
        return sum(p.log_real(a) for p in self.phases)

    def drift(self, a: float) -> float:
        return self.shift - self.rho * a

    def log_sector(self, c: float, tau: float, y: float) -> tuple[float, tuple[int, ...]]:
        found = [p.log_sector(c, tau, y) for p in self.phases]
        return sum(f[0] for f in found), tuple(f[1] for f in found)

    def log_arc(self, *orders: tuple[float, float]) -> tuple[list[float], tuple[int, ...]]:
        """ln of the bounds at these orders, on common lines."""
        found = [p.log_arc(*orders) for p in self.phases]
        return [sum(f[0][i] for f in found) for i in range(len(orders))], tuple(f[1] for f in found)

    # -- the hyperbola

    def shapes(self) -> Iterator[BendShape]:
        """Between the order c and the vertex on the right; all distances from the pole next to them."""
        most = self.farthest()
        for part, gamma in _REMOVING if self.remove else _ADDING:
            far, near = most * part, dyadic(most * part * _START, 14)
            kappa = dyadic((far - near) / math.sin(gamma), 14)
            yield BendShape(1 + near if self.remove else -dyadic(far, 14), kappa, gamma / 2, gamma)

    def farthest(self) -> float:
        """The largest distance from the pole at which ln f is neither far above delta nor far above its least."""
        distances = [0.01 * 1.15**i for i in range(80 if self.remove else 240)]
        sizes = []
        for x in distances:
            a = 1 + x if self.remove else -x
            sizes.append(self.log_real(a) + self.drift(a) - (0.0 if self.remove else math.log(x)))
        most = max(self.log_delta, min(sizes)) + _EXTRA
        return max(x for x, size in zip(distances, sizes, strict=True) if size <= most)

    def right(self, shape: BendShape) -> tuple[float, list[_Edge]]:
        """ln of the integral over the right hyperbola, and its edges."""
        edges: list[_Edge] = []
        u, top, before = 0.0, -math.inf, math.inf
        while u < 40:
            step = self.stretch(shape, u)
            (a, y), after = (shape.at(x, shape.gamma) for x in (u, u + step))
            weight = math.log(shape.kappa * math.cosh(u + step / 2) * step)
            weight += self.shift - 0.5 * math.log((y * y + a * a) * (y * y + (a - 1) ** 2))
            real = math.inf
            if abs(after[0]) < 1000 or after[0] < 0:
                real = max(self.log_real(x) - self.rho * x for x in (a, after[0]))
            arc = math.inf
            turns: tuple[int, ...] = ()
            if u > 0 and real + weight > self.log_delta - 5:
                both, turns = self.log_arc((a, y), after)
                arc = max(both[0] - self.rho * a, both[1] - self.rho * after[0])
            best = min(real, arc) + weight
            if best < before and best < top:
                tau = math.tan(shape.gamma) / math.tanh(u)
                far, sector = self.log_sector(shape.c, tau, y)
                if far - self.rho * a + self.shift - math.log(shape.kappa) - u < top - 2:
                    edges.append(_Edge(u, False, sector))
                    return top + 1.5, edges
            top, before = max(top, best), best
            if top > self.log_delta + 200:
                break
            edges.append(_Edge(u, real < arc + 5, turns if arc < math.inf else ()))
            u += step
        raise OutOfReach("the right hyperbola has no end")

    def stretch(self, shape: BendShape, u: float) -> float:
        """How long a stretch is: none has orders for which a path may be turned up and others for which not."""
        low, high = u, u + _STEP_U
        if may_turn_up(*shape.at(low, shape.gamma)) == may_turn_up(*shape.at(high, shape.gamma)):
            return _STEP_U
        while high - low > _LEAST_U:
            middle = (low + high) / 2
            if may_turn_up(*shape.at(middle, shape.gamma)):
                high = middle
            else:
                low = middle
        return round((high - u) / _LEAST_U + 0.5) * _LEAST_U

    def make_cheapest(self) -> Bend:
        """The cheapest of the shapes with the fewest nodes."""
        found = sorted(self.candidates(), key=lambda one: one.terms)
        best: Bend | None = None
        for one in found[:_TRIED]:
            self.deadline.check()
            with suppress(OutOfReach):
                bend = self.with_lines(one)
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
            distance = shape.c - 1 if self.remove else -shape.c
            left = self.log_real(shape.c) + self.drift(shape.c) - math.log(distance)
            try:
                right, edges = self.right(shape)
            except OutOfReach:
                continue
            both = max(left - want + 2, 5.0), max(right - want + 3, 5.0)
            alpha = shape.gamma * both[0] / sum(both)
            h = self.fault.step * _TAU * min(alpha / both[0], (shape.gamma - alpha) / both[1])
            alpha = dyadic(min(alpha * self.fault.alpha, 0.95 * shape.gamma), 14)
            bent = BendShape(shape.c, shape.kappa, alpha, shape.gamma)
            found = self.cut(bent, want)
            if found is not None:
                terms = math.ceil(self.fault.length * found[0] / h)
                yield _Candidate(terms, bent, h, found[1], edges)

    def cut(self, shape: BendShape, want: float) -> tuple[float, tuple[int, ...]] | None:
        """Where the sum may end, and the turns of the sectors there."""

        def rest(u: float) -> tuple[float, tuple[int, ...]]:
            a, y = shape.at(u, shape.alpha)
            size = self.drift(a) - math.log(shape.kappa * math.sinh(u))
            far, turns = self.log_sector(shape.c, math.tan(shape.alpha) / math.tanh(u), y)
            return far + size, turns

        low, high = 0.2, 1.0
        while rest(high)[0] > want:
            low, high = high, high * 1.5
            if high > 50:
                return None
        while high - low > 0.04 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if rest(middle)[0] > want else (low, middle)
        return high, rest(high)[1]

    # -- its lines

    def with_lines(self, one: _Candidate) -> Bend:
        """The lines that belong to a shape."""
        shape, edges, h = one.shape, one.edges, dyadic(one.h, 20)
        wanted = [e.real for e in edges]

        def edge(i: int, e: _Edge) -> BendEdge:
            used = e.real or (i > 0 and wanted[i - 1])
            real = self.real_lines(shape.at(e.u, shape.gamma)[0]) if used else ()
            return BendEdge(e.u, real, self.paths(e.turns))

        groups = tuple(self.groups(shape, h, one.terms))
        return Bend(
            shape.c, shape.kappa, shape.alpha, shape.gamma, h, one.terms, groups,
            tuple(edge(i, e) for i, e in enumerate(edges)), self.real_lines(shape.c), self.paths(one.cut),
            tuple(p.walls for p in self.phases), max(g.bits for g in groups) + 10,
        )  # fmt: skip

    def real_lines(self, a: float) -> tuple[Line, ...]:
        return tuple(height_line(p.sketch, a, 0.0, math.log(p.steps) + 8) for p in self.phases)

    def paths(self, turns: tuple[int, ...]) -> tuple[Ramp, ...]:
        return tuple(p.ramp(t) for t, p in zip(turns, self.phases, strict=bool(turns)))

    def groups(self, shape: BendShape, h: float, terms: int) -> Iterator[NodeGroup]:
        first, work = 0, 0
        for last in self.lasts(shape, h, terms):
            self.deadline.check()
            nodes = [shape.at(h * k, shape.alpha) for k in {first, last}]
            goals = [self.inner_goal(shape, h * terms, a, y) for a, y in nodes]
            goal = max(12.0, *goals) - self.fault.inner
            found = [p.line(nodes, goal) for p in self.phases]
            work += sum(len(f[0]) for f in found) * (last - first + 1)
            if work > MAX_WORK:
                raise OutOfReach("the hyperbola is too dear")
            lines, cells, bits = zip(*found, strict=True)
            yield NodeGroup(last, lines, cells, max(bits))
            first = last + 1

    def lasts(self, shape: BendShape, h: float, terms: int) -> list[int]:
        """Where groups end: none has orders on both sides of 0, or some for which a line can be turned
        and some for which not.
        """
        if self.remove:
            first, high = 0, terms
            while first < high - 1:
                k = (first + high) // 2
                first, high = (first, k) if self.turns(shape, h * k, h * terms) else (k, high)
            many = _STRAIGHT
        else:
            zero = math.acosh(-shape.c / (shape.kappa * math.sin(shape.alpha))) / h
            first, many = min(terms, math.floor(zero)), _GROUPS // 2
        lasts = {first * (i + 1) // many for i in range(many)}
        many = _GROUPS - many
        return sorted(lasts | {first + (terms - first) * (i + 1) // many for i in range(many)})

    def turns(self, shape: BendShape, u: float, length: float) -> bool:
        """Whether the lines for this node may all be turned up."""
        a, y = shape.at(u, shape.alpha)
        goal = max(12.0, self.inner_goal(shape, length, a, y))
        return all(p.turns(a, y, goal) for p in self.phases)

    def inner_goal(self, shape: BendShape, length: float, a: float, y: float) -> float:
        """Nats below 1 for the error of each H."""
        real = self.log_real(a) if abs(a) < 1000 or a < 0 else math.inf
        size = min(real, self.log_arc((a, y))[0][0])
        slope = shape.kappa * math.hypot(1, y / shape.kappa)
        weight = math.log(slope * length / (math.hypot(a, y) * math.hypot(a - 1, y)))
        return self.goal - self.log_delta + math.log(self.steps) + size + self.drift(a) + weight + 2
