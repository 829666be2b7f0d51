"""Where to integrate, how finely and how far: decided in doubles.

Every number here is a proposal. The balls of ``line`` and ``contour`` check the hypotheses of their bounds
and carry every error, so that a bad plan gives BadPlan or a wide interval, never a false one.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

from verify.accounting.contour.jump_plan import Proposal, proposals
from verify.accounting.contour.jumps import Jumps
from verify.accounting.contour.line import Line
from verify.accounting.contour.nodes import amplification, best_eta, height_line, table_line
from verify.accounting.contour.planner import Planner, log_kappa
from verify.accounting.contour.sketch import dyadic
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

MAX_TERMS = 2_000_000  # of the outer sum
MAX_WORK = 60_000_000  # outer terms times inner nodes
_DEAR = 400_000  # above this another contour is looked for

_LN2, _TAU = math.log(2), 2 * math.pi
_BELOW = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.28, 0.4, 0.55, 0.7, 0.85, 0.95)
_ABOVE = (1.0, 1.05, 1.15, 1.3, 1.5, 1.8, 2.3, 3.0, 4.5, 8.0, 20.0, 60.0)


@dataclass(frozen=True, slots=True)
class Inner:
    """The lines of one phase: for the transform, the tail, and the two bounds M(c'), M(1-c'')."""

    table: Line
    tail: Line
    right: Line
    left: Line


@dataclass(frozen=True, slots=True)
class Plan:
    """The vertical contour Re z = c, step h, terms up to K; c' and c'' bound what aliases."""

    c: float
    h: float
    terms: int
    c_right: float
    c_left: float
    inner: tuple[Inner, ...]
    bits: int
    epsilon: float
    jumps: Jumps | None = None

    @property
    def work(self) -> int:
        return self.terms * sum(len(i.table) for i in self.inner)


def plan(
    planner: Planner,
    epsilon: float,
    digits: float,
    log_delta: float = 0.0,
    deadline: Deadline | None = None,
    jumps: bool = True,
) -> Plan:
    """A contour for so many digits of delta(epsilon), or of a delta given by its logarithm; with
    ``jumps``, one for rare jumps where the usual one is dear."""
    try:
        return _Contour(planner, epsilon, digits, log_delta, deadline or Deadline()).plan(jumps)
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        raise OutOfReach(f"no contour could be planned at epsilon = {epsilon:.6g}") from error


class _Contour:
    """One plan in the making."""

    def __init__(
        self, planner: Planner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
    ) -> None:
        self.p, self.epsilon, self.deadline = planner, epsilon, deadline
        self.etas = [0.0 for _ in planner.parts]  # the best so far
        saddle = planner.c_of_epsilon(epsilon)
        self.goal = digits * math.log(10) + 3  # nats below delta for each error
        # orders around the saddle point, each with ln |f| there
        self.orders = [
            (c, self.log_f(c)) for c in (1 + dyadic((saddle - 1) * r, 14) for r in _BELOW + _ABOVE)
        ]
        least, self.saddle = min((f, c) for c, f in self.orders)
        curvature = planner.saddle(self.saddle)[2]
        estimate = least - 0.5 * math.log(_TAU * curvature)
        self.log_delta = min(-0.7, log_delta if log_delta else estimate)
        self.right = [(c, f + math.log(c * (c - 1)) + log_kappa(c)) for c, f in self.orders]
        self.left = []
        for u in _spread_out(self.saddle):
            size = planner.log_psi(1 - u) + u * epsilon
            self.left.append((u, size + (log_kappa(u) if u > 1 else 0.0)))

    def log_f(self, c: float) -> float:
        """ln |f(c)|."""
        return self.p.log_psi(c) - self.epsilon * (c - 1) - math.log(c * (c - 1))

    def alias(self, period: float, c: float) -> tuple[float, float, float]:
        """ln of what aliases at that period, with the best c' and c''."""
        right = min((a - (v - c) * period, v) for v, a in self.right if v > c)
        if not self.p.remove and self._beyond(self.epsilon + period):
            right = -math.inf, right[1]
        left = self.left_alias(period, c)
        return max(right[0], left[0]), right[1], left[1]

    def left_alias(self, period: float, c: float) -> tuple[float, float]:
        """ln of what aliases on the left, with the best c''."""
        size, best = min((a - (c + v - 1) * period, v) for v, a in self.left)
        if self.p.remove and self._beyond(period - self.epsilon):
            return -math.inf, max(best, 2.0)
        return size, best

    def _beyond(self, x: float) -> bool:
        return x > self.p.end * (1 + 1e-9) + 1e-12

    def period(self, c: float) -> float:
        """The least period at which aliasing is below the goal."""
        want = self.log_delta - self.goal
        high = 4.0 / (self.saddle + 1)
        while self.alias(high, c)[0] > want:
            high *= 2
            if high > 1e15:
                raise OutOfReach("no period")
        low = high / 2
        while low > 1e-12 * high and self.alias(low, c)[0] <= want:
            low, high = low / 2, low
        for _ in range(7):
            middle = (low + high) / 2
            if self.alias(middle, c)[0] > want:
                low = middle
            else:
                high = middle
        return high * 1.03

    def _choose(self) -> tuple[float, float]:
        """c and the period, the cheapest of some: left of the saddle psi^T grows more slowly."""
        best: tuple[float, float, float] | None = None
        for c, log_f in reversed(self.orders):
            loss = max(0.0, log_f - self.log_delta)
            if c > self.saddle or (best is None and loss > 4 * self.goal + 60):
                continue
            self.deadline.check()
            period = self.period(c)
            cost = period * (self.goal + loss) ** 1.5
            if best is None or cost < best[0]:
                best = cost, c, period
            elif cost > 1.7 * best[0]:
                break
        if best is None:
            raise OutOfReach("no contour")
        return best[1:]

    def plan(self, jumps: bool) -> Plan:
        """The usual plan; if it is dear, the one for rare jumps, if that is cheaper."""
        usual: Plan | OutOfReach
        try:
            usual = self._make(*self._choose(), None)
        except OutOfReach as error:
            usual = error
        if isinstance(usual, Plan) and (not self.p.remove or usual.work < _DEAR):
            return usual
        if self.p.remove and jumps:
            for one in self._for_jumps():
                if isinstance(usual, Plan) and one.period * usual.h > 0.8 * _TAU:
                    break
                with suppress(OutOfReach):
                    return self._make(one.c, one.period, one)
        if isinstance(usual, OutOfReach):
            raise usual
        return usual

    def _for_jumps(self) -> list[Proposal]:
        """Contours for rare jumps, the shortest period first."""
        want = self.log_delta - self.goal
        found = []
        for one in proposals(self.p, self.epsilon, want, self.deadline):
            self.deadline.check()
            period = one.period
            while self.left_alias(period, one.c)[0] > want and period < 1e15:
                period *= 1.1
            found.append(replace(one, period=period))
        return sorted(found, key=lambda one: one.period)

    def _make(self, c: float, period: float, jumps: Proposal | None) -> Plan:
        h = dyadic(_TAU / period, 20)
        if jumps is None:
            _, c_right, c_left = self.alias(_TAU / h, c)
        else:
            c_right, c_left = jumps.c_right, self.left_alias(_TAU / h, c)[1]
        y, tails = self._cut(c, h)
        terms = max(1, math.ceil(y / h))
        if terms > MAX_TERMS:
            raise OutOfReach(f"{terms} terms of the outer sum")
        low = -math.log(-math.expm1(-(c - 1) * _TAU / h)) - (c - 1) * _TAU / h
        loss = max(0.0, self.log_f(c) - self.log_delta, low - self.log_delta)
        goal = self.goal + loss + math.log(self.p.steps) + 1
        a = self.p.order(c)
        c_right, c_left = c + dyadic(c_right - c, 20), dyadic(c_left, 20)
        inner = []
        for (sketch, steps), (log_height, eta) in zip(self.p.parts, tails, strict=True):
            rough = math.log(steps) + 8
            fall = max(0.0, sketch.log_moment(a) - log_height)
            inner.append(
                Inner(
                    table_line(sketch, a, goal),
                    height_line(sketch, a, eta, rough + fall),
                    height_line(sketch, self.p.order(c_right), 0.0, rough),
                    height_line(sketch, self.p.order(1 - c_left), 0.0, rough),
                )
            )
        bits = self._bits(goal, a, inner, h, terms)
        cuts = None if jumps is None else jumps.jumps
        plan = Plan(c, h, terms, c_right, c_left, tuple(inner), bits, self.epsilon, cuts)
        if plan.work > MAX_WORK:
            raise OutOfReach(f"{plan.terms} outer terms times {plan.work // plan.terms} nodes")
        return plan

    def _bits(self, goal: float, a: float, inner: list[Inner], h: float, terms: int) -> int:
        """Working precision: the goal, what the shifted lines amplify, and long arguments."""
        lift = max(
            amplification(s, a, i.table.eta) for (s, _), i in zip(self.p.parts, inner, strict=True)
        )
        logs = max(
            abs(s.log_g(i.table.step * j))
            for (s, _), i in zip(self.p.parts, inner, strict=True)
            for j in (i.table.low, i.table.high)
        )
        long = terms * (1 + h * (logs + self.epsilon)) + abs(self.p.log_psi(self.p.order(a)))
        return int((goal + lift) / _LN2 + math.log2(2 + long)) + 24

    # -- where to cut the outer sum

    def _cut(self, c: float, h: float) -> tuple[float, list[tuple[float, float]]]:
        """Y such that all terms beyond are below the goal; ln B and its eta for each phase there."""
        a = self.p.order(c)
        want = self.log_delta - self.goal + self.epsilon * (c - 1)
        reach = 9 + math.sqrt(
            2 * (self.goal + max(0.0, self.log_f(c) - self.log_delta)) / self.p.steps
        )

        def excess(y: float) -> tuple[float, list[tuple[float, float]]]:
            self.deadline.check()
            near = zip(self.p.parts, self.etas, strict=True)
            best = [best_eta(s, a, y, reach, eta) for (s, _), eta in near]
            self.etas = [b[1] for b in best]
            total = sum(n * b[0] for (_, n), b in zip(self.p.parts, best, strict=True))
            return total - math.log(math.pi * y) - want, best

        y, factor = 4 * h, 2.0
        while True:
            over, etas = excess(y)
            if over <= 0:
                break
            y *= factor
            if y / h > MAX_TERMS:
                raise OutOfReach("the transform decays too slowly")
        low = y / factor
        for _ in range(5):
            middle = math.sqrt(low * y)
            over, better = excess(middle)
            if over <= 0:
                y, etas = middle, better
            else:
                low = middle
        return y * 1.01, etas


def _spread_out(c: float) -> list[float]:
    """Distances from the contour: from a fraction of c - 1 (of 1, if c is huge) to a multiple of c."""
    low, high = min(0.002 * (c - 1), 0.5), 40 * c
    ratio = (high / low) ** (1 / 27)
    return [low * ratio**i for i in range(28)]
