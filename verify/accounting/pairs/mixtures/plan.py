"""Where to integrate for a mixture pair, how finely and how far: decided in doubles.

The contour's order, period and aliasing are chosen as for the Poisson pair
(``verify.accounting.contour.plan``); the lines of a step are those of ``transform``. Every number
is a proposal: the balls check the hypotheses of their bounds, so that a bad plan gives BadPlan or a
wide interval, never a false one.
"""

from __future__ import annotations

import math

from verify.accounting.contour.line import Line
from verify.accounting.contour.plan import MAX_TERMS, MAX_WORK, Inner, Plan, _Contour
from verify.accounting.contour.planner import Planner
from verify.accounting.contour.sketch import dyadic
from verify.accounting.history import History
from verify.accounting.pairs.mixtures.sketch import MixtureSketch
from verify.accounting.pairs.mixtures.step import STRAIGHT
from verify.accounting.pairs.mixtures.transform import Degrees
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

MAX_NODES = 400_000
_LN2, _TAU = math.log(2), 2 * math.pi
_RATIO = 1.4  # of neighbouring lines that are tried
_PARTS = (1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.13, 0.08, 0.05, 0.03, 0.015, 0.007, 0.003)


class MixturePlanner(Planner):
    """The sketches of a run of one mixture pair; psi is that of the first against the second, and
    its order is its own."""

    def __init__(self, history: History, degrees: Degrees) -> None:
        self.remove = False  # no bound for rare jumps here
        self.degrees = degrees
        self.sketches = [MixtureSketch(float(p.q), float(p.sigma), degrees) for p in history]
        self.counts = [p.steps for p in history]
        self.parts = [*zip(self.sketches, self.counts, strict=True)]
        self.steps = sum(p.steps for p in history)
        self.end = math.inf
        if degrees[0] == 0:  # the loss has an upper end
            self.end = sum(
                -p.steps * s.k * s.log_p for s, p in zip(self.sketches, history, strict=True)
            )
        self.flip = 1.0

    def order(self, c: float) -> float:
        return c

    def watch(self, deadline: Deadline) -> None:
        """Keep to this time from now on."""
        for sketch in self.sketches:
            if sketch.q < 1:
                sketch.deadline = sketch.swapped.deadline = deadline


def plan(
    planner: MixturePlanner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
) -> Plan:
    """A contour for so many digits of delta(epsilon), or of a delta given by its logarithm."""
    planner.watch(deadline)
    try:
        return _Mixed(planner, epsilon, digits, log_delta, deadline).make_plan()
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        raise OutOfReach(f"no contour could be planned at epsilon = {epsilon:.6g}") from error


class _Mixed(_Contour):
    """One plan in the making."""

    p: MixturePlanner

    def make_plan(self) -> Plan:
        c, period = self._choose()
        h = dyadic(_TAU / period, 20)
        _, c_right, c_left = self.alias(_TAU / h, c)
        y, tails = self._cut(c, h)
        terms = max(1, math.ceil(y / h))
        if terms > MAX_TERMS:
            raise OutOfReach(f"{terms} terms of the outer sum")
        low = -math.log(-math.expm1(-(c - 1) * _TAU / h)) - (c - 1) * _TAU / h
        loss = max(0.0, self.log_f(c) - self.log_delta, low - self.log_delta)
        goal = self.goal + loss + math.log(self.p.steps) + 1
        c_right, c_left = c + dyadic(c_right - c, 20), dyadic(c_left, 20)
        inner = []
        sketches = zip(self.p.sketches, self.p.counts, tails, strict=True)
        for sketch, steps, (log_height, eta) in sketches:
            self.deadline.check()
            rough = math.log(steps) + 8
            fall = max(0.0, sketch.log_moment(c) - log_height)
            inner.append(
                Inner(
                    table_line(sketch, c, goal),
                    height_line(sketch, c, eta, rough + fall),
                    moment_line(sketch, c_right, rough),
                    moment_line(sketch, 1 - c_left, rough),
                )
            )
        bits = self._mixed_bits(goal, c, inner, h, terms)
        found = Plan(c, h, terms, c_right, c_left, tuple(inner), bits, self.epsilon)
        if found.work > MAX_WORK:
            raise OutOfReach(f"{terms} outer terms times {found.work // terms} nodes")
        return found

    def _mixed_bits(self, goal: float, c: float, inner: list[Inner], h: float, terms: int) -> int:
        """Working precision: the goal, what the shifted lines amplify, cancellation in G, and long arguments."""
        lift, logs = 0.0, 0.0
        for sketch, lines in zip(self.p.sketches, inner, strict=True):
            if sketch.q == 1:
                continue
            eta = lines.table.eta
            lost = -sketch.k * math.log(math.cos(min(3.0, eta / sketch.sigma) / 2))
            lift = max(lift, eta * eta / 2 + sketch.log_spread(c, eta / sketch.sigma) + lost)
            for j in (lines.table.low, lines.table.high):
                logs = max(logs, *map(abs, sketch.logs(round(lines.table.step * j / sketch.step))))
        long = terms * (1 + h * (logs + abs(self.epsilon))) + abs(self.p.log_psi(c)) + c * logs
        return int((goal + lift) / _LN2 + math.log2(2 + long)) + 28

    def _cut(self, c: float, h: float) -> tuple[float, list[tuple[float, float]]]:
        """Y such that all terms beyond are below the goal; ln B and its eta for each phase there."""
        want = self.log_delta - self.goal + self.epsilon * (c - 1)
        over_all = self.goal + max(0.0, self.log_f(c) - self.log_delta)
        reach = 42.0 + 2 * over_all / self.p.steps

        def excess(y: float) -> tuple[float, list[tuple[float, float]]]:
            self.deadline.check()
            best = [best_height(s, c, y, reach) for s in self.p.sketches]
            total = sum(n * b[0] for (_, n), b in zip(self.p.parts, best, strict=True))
            return total - math.log(math.pi * y) - want, best

        y, factor = 4 * h, 2.0
        over, etas = excess(y)
        while over > 0:
            y *= factor
            if y / h > MAX_TERMS:
                raise OutOfReach("the transform decays too slowly")
            over, etas = excess(y)
        low = y / factor
        for _ in range(5):
            middle = math.sqrt(low * y)
            over, better = excess(middle)
            if over <= 0:
                y, etas = middle, better
            else:
                low = middle
        return y * 1.01, etas


def best_height(sketch: MixtureSketch, a: float, y: float, reach: float) -> tuple[float, float]:
    """The least ln B(eta, y) over lines in geometric progression, and that eta."""
    if sketch.q == 1:
        return sketch.log_height(a, 0.0, y, reach), 0.0

    def value(i: int) -> tuple[float, float]:
        eta = dyadic(sketch.tallest / _RATIO**i, 12)
        return sketch.log_height(a, eta, y, reach), eta

    about = y * math.sqrt(sketch.cumulants(a)[2])
    i = max(
        0, round(math.log(sketch.tallest / max(about, 1e-12 * sketch.tallest)) / math.log(_RATIO))
    )
    best = value(i)
    for way in (1, -1):
        while i + way >= 0 and (other := value(i + way)) < best:
            best, i = other, i + way
    return best


def table_line(sketch: MixtureSketch, a: float, goal: float) -> Line:
    """The fewest nodes for a relative error e^-goal of the transform."""
    if sketch.q == 1:
        return Line(0.0, 1.0, 0, 0)
    best = (0.0, 0.0)
    for part in _PARTS:
        for cap in (1.0, 0.7, 0.5):
            eta = min(0.999 * part * math.pi * sketch.sigma / 2, cap * math.sqrt(goal / 2))
            cost = 2 * eta * eta + sketch.log_spread(a, 2 * eta / sketch.sigma)
            step = min(_TAU * eta / (goal + cost + 1), _straight(sketch, eta))
            best = max(best, (step / math.sqrt(goal + cost), eta))
    eta = dyadic(best[1], 16)
    cost = 2 * eta * eta + sketch.log_spread(a, 2 * eta / sketch.sigma)
    step = dyadic(min(_TAU * eta / (goal + cost + 1), _straight(sketch, eta)), 16)
    lift = eta * eta / 2 + sketch.log_spread(a, eta / sketch.sigma)
    return _window(sketch, a, eta, step, goal + lift + 2, 0.0)


def height_line(sketch: MixtureSketch, a: float, eta: float, goal: float) -> Line:
    """Nodes for B(eta, .), for psi(a) if eta = 0, with a relative error e^-goal; a >= 1/2."""
    if sketch.q == 1:
        return Line(0.0, 1.0, 0, 0, 1.0)
    width = math.pi * sketch.sigma
    free = 0.999 * width
    if eta:
        free = max(width / 2 - eta, min(eta, 0.95 * (width - eta))) * 0.999
    best = (0.0, 0.0)
    for part in _PARTS:
        shift = dyadic(part * min(free, math.sqrt(2 * goal)), 12)
        cost = shift**2 / 2 + eta**2 / 2 + sketch.log_spread(a, (eta + shift) / sketch.sigma)
        best = max(best, (min(_TAU * shift / (goal + cost + 2), _straight(sketch, eta)), shift))
    lift = eta * eta / 2 + sketch.log_spread(a, eta / sketch.sigma)
    return _window(sketch, a, eta, dyadic(best[0], 14), goal + lift + 3, best[1])


def moment_line(sketch: MixtureSketch, order: float, goal: float) -> Line:
    """Nodes for psi at a real order; those of the swapped pair for an order below 1/2."""
    if order < 0.5:
        return height_line(sketch.swapped, 1 - order, 0.0, goal)
    return height_line(sketch, order, 0.0, goal)


def _straight(sketch: MixtureSketch, eta: float) -> float:
    """The longest step along which the argument of G keeps its branch."""
    b = eta / sketch.sigma
    if sketch.k * b < 0.999 * math.pi:
        return math.inf
    return 0.97 * STRAIGHT * 2 * sketch.sigma / (sketch.k * math.tan(b / 2))


def _window(
    sketch: MixtureSketch, a: float, eta: float, step: float, drop: float, shift: float
) -> Line:
    """All nodes whose term is within drop of the largest."""
    _, low, high = sketch.profile(a, drop)
    left = max(0.0, 1 - a) * sketch.down / sketch.sigma
    first = math.floor(min(low * sketch.step, -left) / step) - 1
    last = math.ceil(high * sketch.step / step)
    if last - first > MAX_NODES:
        raise OutOfReach("too many nodes")
    return Line(eta, step, min(first, 0), max(last, 1), shift)  # the tails start beyond 0
