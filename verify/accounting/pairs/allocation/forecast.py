"""A whole run in doubles: moments of all orders, and what delta and epsilon will be, about. Only ever used to plan."""

from __future__ import annotations

import math

from verify.accounting.contour.planner import Direction, Planner
from verify.accounting.contour.sketch import Sketch
from verify.accounting.history import History, Phase
from verify.accounting.pairs.allocation.outline import Outline
from verify.accounting.pairs.allocation.parts import Allotted, Orders

_SMALL = 0.3  # deviation of a bulk that is taken for normal
_NEAR = 1.75  # below, moments are computed by the outline; beyond, interpolated


class Epochs:
    """One part: its outline below order 2, its whole orders above."""

    def __init__(self, part: Allotted) -> None:
        self.part, self.outline, self.orders = part, Outline(part), Orders(part)
        known = zip(self.orders.known[1:], self.orders.doubles[1:], strict=True)
        self._curve = [(_NEAR, self.outline.log_moment(_NEAR) / (_NEAR * (_NEAR - 1)))]
        self._curve += [(q, size / (q * (q - 1))) for q, size in known]

    def log_moment(self, a: float) -> float:
        """ln E S'^a, about."""
        if a in (0, 1):
            return 0.0
        if a <= _NEAR:
            return self.outline.log_moment(a)
        for (q, size), (other, after) in zip(self._curve, self._curve[1:], strict=False):
            if a <= other:
                return a * (a - 1) * (size + (after - size) * (a - q) / (other - q))
        return a * (a - 1) * self._curve[-1][1]

    def cumulants(self, a: float) -> tuple[float, float, float]:
        """ln E S'^a and its first two derivatives."""
        d = 0.02 * (1 + abs(a)) if a <= 2 else 0.25
        low, middle, high = (self.log_moment(a + k * d) for k in (-1, 0, 1))
        return middle, (high - low) / (2 * d), max((high - 2 * middle + low) / (d * d), 1e-300)


class Forecast(Planner):
    """Epochs and Poisson phases in one direction, with the estimates of the Poisson planner at the saddle point."""

    def __init__(self, epochs: list[Epochs], poisson: History, direction: Direction) -> None:
        self.remove = direction == "remove"
        self.flip = 1.0 if self.remove else -1.0
        self.epochs = [(one, one.part.epochs) for one in epochs]
        self.phases = [(Sketch(float(p.q), float(p.sigma)), p.steps) for p in poisson]
        self.parts = [*self.epochs, *self.phases]  # type: ignore[list-item]  # both have cumulants, all that the saddle point asks for
        self.twin = Planner((*poisson, *(_poisson(one.part) for one in epochs)), direction)
        self.last_order = min(one.orders.last for one in epochs)
        self._sizes: dict[float, float] = {}

    def log_moment(self, a: float) -> float:
        """ln E R^a of the whole run, R the likelihood ratio."""
        if a not in self._sizes:
            both = [n * one.log_moment(a) for one, n in self.epochs]
            self._sizes[a] = sum(both + [n * one.log_moment(a) for one, n in self.phases])
        return self._sizes[a]

    def log_above(self, q: float) -> float:
        """The bound of ln E R^q, q >= 1, that the balls will have."""
        both = [n * one.orders.double(q) for one, n in self.epochs]
        return sum(both + [n * one.log_moment(q) for one, n in self.phases])

    def log_delta(self, epsilon: float) -> float:
        """ln delta(epsilon), about: that of the saddle point, or of a bulk and one huge step of the
        Poisson run with the same rates."""
        saddle = min(-0.7, self.saddle(self.c_of_epsilon(epsilon))[1])
        if not self.remove or epsilon <= 0:
            return saddle
        bulk, jump = self.twin._bulk_and_jump(epsilon)
        if bulk + jump <= 0 or (jump < bulk and self.twin._bulk(epsilon)[1] > _SMALL):
            return saddle
        return min(saddle, math.log(bulk + jump))

    def guess(self, log_delta: float) -> float:
        """epsilon at that delta: the estimate at the saddle point, least over some orders; or a
        bulk and one huge step."""
        distance, best = self.c_of_delta(log_delta) - 1, math.inf
        for factor in (1, 0.9, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0.05):
            c = 1 + distance * factor
            epsilon, estimate, _ = self.saddle(c)
            value = epsilon + (estimate - log_delta) / (c - 1)
            if value > best:
                break
            best = value
        if not self.remove or best <= 0:
            return best
        simple, by_jump = self.twin._simple(log_delta, best)
        small = self.twin._bulk(simple)[1] < _SMALL
        return simple if by_jump or (small and simple < 0.9 * best) else best


def _poisson(part: Allotted) -> Phase:
    """Poisson steps with the same rate of taking part."""
    return Phase((1 - part.idle) / part.batches, part.sigma, part.batches * part.epochs)
