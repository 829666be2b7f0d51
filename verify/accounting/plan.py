"""Where to integrate, how finely and how far: decided in doubles.

Every number here is a proposal. The balls of ``line`` and ``contour`` check the hypotheses of their bounds
and carry every error, so that a bad plan gives BadPlan or a wide interval, never a false one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from verify.accounting.history import History
from verify.accounting.line import Line
from verify.accounting.nodes import amplification, best_eta, height_line, table_line
from verify.accounting.sketch import Sketch, dyadic
from verify.budget import Deadline
from verify.errors import OutOfReach

Direction = Literal["remove", "add"]

MAX_TERMS = 2_000_000  # of the outer sum
MAX_WORK = 60_000_000  # outer terms times inner nodes

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

    @property
    def work(self) -> int:
        return self.terms * sum(len(i.table) for i in self.inner)


class Planner:
    """The sketches of a history in one direction."""

    def __init__(self, history: History, direction: Direction) -> None:
        self.remove = direction == "remove"
        self.parts = [(Sketch(float(p.q), float(p.sigma)), p.steps) for p in history]
        self.steps = sum(p.steps for p in history)
        self.end = sum(-n * s.log_p for s, n in self.parts)
        self.flip = 1.0 if self.remove else -1.0

    def order(self, c: float) -> float:
        """psi(c) = M(order(c))."""
        return c if self.remove else 1 - c

    def log_psi(self, c: float) -> float:
        return sum(n * s.log_moment(self.order(c)) for s, n in self.parts)

    def saddle(self, c: float) -> tuple[float, float, float]:
        """The epsilon whose saddle point is c, an estimate of ln delta there, the curvature."""
        k = k1 = k2 = 0.0
        for s, n in self.parts:
            one = s.cumulants(self.order(c))
            k, k1, k2 = k + n * one[0], k1 + n * one[1] * self.flip, k2 + n * one[2]
        epsilon = k1 - 1 / c - 1 / (c - 1)
        curvature = k2 + c**-2 + (c - 1) ** -2
        log_delta = k - epsilon * (c - 1) - math.log(c * (c - 1) * math.sqrt(_TAU * curvature))
        return epsilon, log_delta, curvature

    def solve(self, value: Callable[[float], float]) -> float:
        """The c > 1 at which an increasing function of c vanishes."""
        x = 0.0
        sign = 1 if value(1 + math.exp(x)) < 0 else -1
        while -30 < x < 30:
            x += sign
            if (value(1 + math.exp(x)) < 0) != (sign > 0):
                break
        low, high = sorted((x - sign, x))
        while high - low > 0.02:
            x = (low + high) / 2
            if value(1 + math.exp(x)) < 0:
                low = x
            else:
                high = x
        return 1 + math.exp((low + high) / 2)

    def c_of_epsilon(self, epsilon: float) -> float:
        return self.solve(lambda c: self.saddle(c)[0] - epsilon)

    def c_of_delta(self, log_delta: float) -> float:
        return self.solve(lambda c: log_delta - self.saddle(c)[1])

    def guess(self, log_delta: float) -> float:
        """epsilon at that delta: the saddle point estimate, least over some orders.

        With many steps the first order is the right one; with few, and tiny q, ln psi has a kink, the
        estimate at the saddle point is useless, and a smaller order serves better. With tiny q it can
        still be hundreds of times too large; then the losses are a bulk and rare jumps.
        """
        saddle, best = self.c_of_delta(log_delta) - 1, math.inf
        for factor in (1, 0.97, 0.9, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0.05):
            c = 1 + saddle * factor
            epsilon, estimate, _ = self.saddle(c)
            value = epsilon + (estimate - log_delta) / (c - 1)
            if value > best:
                break
            best = value
        simple = self._bulk_and_jumps(log_delta)
        if simple < 0.5 * best:
            best = simple
        return best if self.remove else min(best, 0.999 * self.end)

    def _bulk_and_jumps(self, log_delta: float) -> float:
        """epsilon if the total loss were normal, or one step's: whichever is more likely to exceed it."""
        first = [s.cumulants(self.order(1.0)) for s, _ in self.parts]
        mean = sum(n * k[1] * self.flip for (_, n), k in zip(self.parts, first, strict=True))
        deviation = math.sqrt(sum(n * k[2] for (_, n), k in zip(self.parts, first, strict=True)))

        def exceeds(epsilon: float) -> bool:
            bulk = _upper(-(mean - epsilon) / deviation)
            jumps = sum(n * s.rare(epsilon) for s, n in self.parts) if self.remove else 0.0
            return bulk + jumps > math.exp(log_delta)

        low, high = 1e-12, 1e6
        while high > 1.01 * low:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if exceeds(middle) else (low, middle)
        return low

    def chernoff(self, epsilon: float) -> float:
        """A c at which kappa(c) psi(c) e^{-(c-1) eps} is small."""
        best, where, distance = math.inf, 2.0, 0.05
        while distance < 1e6:
            c = 1 + dyadic(distance, 10)
            value = _log_kappa(c) + self.log_psi(c) - (c - 1) * epsilon
            if value > best:
                break
            best, where, distance = value, c, distance * 1.5
        return where

    def plan(
        self,
        epsilon: float,
        digits: float,
        log_delta: float = 0.0,
        deadline: Deadline | None = None,
    ) -> Plan:
        """A contour for so many digits of delta(epsilon), or of a delta given by its logarithm."""
        try:
            return _Contour(self, epsilon, digits, log_delta, deadline or Deadline()).plan()
        except (OverflowError, ValueError, ZeroDivisionError) as error:
            raise OutOfReach(f"no contour could be planned at epsilon = {epsilon:.6g}") from error


class _Contour:
    """One plan in the making."""

    def __init__(
        self, planner: Planner, epsilon: float, digits: float, log_delta: float, deadline: Deadline
    ) -> None:
        self.p, self.epsilon, self.deadline = planner, epsilon, deadline
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
        self.right = [(c, f + math.log(c * (c - 1)) + _log_kappa(c)) for c, f in self.orders]
        self.left = []
        for u in _spread_out(self.saddle):
            size = planner.log_psi(1 - u) + u * epsilon
            self.left.append((u, size + (_log_kappa(u) if u > 1 else 0.0)))

    def log_f(self, c: float) -> float:
        """ln |f(c)|."""
        return self.p.log_psi(c) - self.epsilon * (c - 1) - math.log(c * (c - 1))

    def alias(self, period: float, c: float) -> tuple[float, float, float]:
        """ln of what aliases at that period, with the best c' and c''."""
        right = min((a - (v - c) * period, v) for v, a in self.right if v > c)
        left = min((a - (c + v - 1) * period, v) for v, a in self.left)
        worst = max(
            -math.inf if not self.p.remove and self._beyond(self.epsilon + period) else right[0],
            -math.inf if self.p.remove and self._beyond(period - self.epsilon) else left[0],
        )
        if self.p.remove and self._beyond(period - self.epsilon) and left[1] <= 1:
            return worst, right[1], 2.0
        return worst, right[1], left[1]

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

    def plan(self) -> Plan:
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
        plan = Plan(c, h, terms, c_right, c_left, tuple(inner), bits, self.epsilon)
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
            best = [best_eta(s, a, y, reach) for s, _ in self.p.parts]
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


def _upper(x: float) -> float:
    """P(N(0, 1) > x)."""
    return 0.5 * math.erfc(x / math.sqrt(2))


def _log_kappa(c: float) -> float:
    return (c - 1) * math.log(c - 1) - c * math.log(c)
