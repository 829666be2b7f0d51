"""A run in doubles, in one direction: what a contour, a bracket or a search for epsilon is planned from."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Literal

from verify.accounting.contour.sketch import Sketch, dyadic, upper
from verify.accounting.history import History

Direction = Literal["remove", "add"]
_TAU = 2 * math.pi
_SMALL = 0.1  # deviation of a bulk that is taken for normal
_RARE = 1.0  # huge steps expected in a run of which at most one is thought to happen


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

    def log_delta(self, epsilon: float) -> float:
        """ln delta(epsilon), about: that of the saddle point, or of a bulk and one huge step."""
        c = self.c_of_epsilon(epsilon)
        there, estimate, _ = self.saddle(c)
        # With tiny q ln psi has a kink, at which c moves ``there`` from far below epsilon to far above it.
        saddle = min(-0.7, estimate + (c - 1) * (there - epsilon))
        if not self.remove:
            return saddle
        if -self._bulk(epsilon)[0] > _RARE:
            return saddle
        bulk, jump = self._bulk_and_jump(epsilon)
        if bulk + jump <= 0 or (jump < bulk and self._bulk(epsilon)[1] > _SMALL):
            return saddle
        return min(saddle, math.log(bulk + jump))

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
        if not self.remove:
            near = self.saddle(1 + saddle)[0]  # never beyond the end, and good next to it
            return best if best < 0.999 * self.end else min(near, self.end * (1 - 1e-14))
        if best <= 0:  # delta is above the total variation
            return best
        simple, by_jump = self._simple(log_delta, best)
        small = self._bulk(simple)[1] < _SMALL  # else e^L - 1 is not about L
        return simple if by_jump or (small and simple < 0.5 * best) else best

    def _simple(self, log_delta: float, most: float) -> tuple[float, bool]:
        """epsilon at that delta if the loss is a bulk and one huge step, and whether it is the step that counts."""
        target = math.exp(log_delta)
        high = low = max(most, 1e-9)
        while sum(self._bulk_and_jump(low)) < target:
            low, high = 0.6 * low, low
            if low < 1e-15:
                return most, False
        while high > 1.003 * low:
            middle = math.sqrt(low * high)
            if sum(self._bulk_and_jump(middle)) > target:
                low = middle
            else:
                high = middle
        bulk, jump = self._bulk_and_jump(low)
        return low, jump > bulk

    def _bulk_and_jump(self, epsilon: float) -> tuple[float, float]:
        """delta(epsilon) when removing, E[(e^L - e^eps)_+], from the sum of all steps that are not
        huge as a normal variable, and from a huge one.
        """
        mean, deviation = self._bulk(epsilon)
        x = (epsilon - mean) / deviation if deviation > 0 else 40.0
        bulk = deviation * (math.exp(-x * x / 2) / math.sqrt(_TAU) - x * upper(x))
        return max(0.0, bulk), sum(n * s.rare(epsilon - mean) for s, n in self.parts)

    def _bulk(self, epsilon: float) -> tuple[float, float]:
        """Mean and deviation of the sum of all steps that are not huge; minus the mean is the
        expected number of huge ones.

        A loss of epsilon/2 is huge if it is rare: most runs have no step like it.
        """
        small = [(n, *s.below(max(epsilon / 2, s.log_g(_rare(n))))) for s, n in self.parts]
        return sum(n * k for n, k, _ in small), math.sqrt(sum(n * v for n, _, v in small))

    def chernoff(self, epsilon: float) -> float:
        """A c at which kappa(c) psi(c) e^{-(c-1) eps} is small."""
        best, where, distance = math.inf, 2.0, 0.05
        while distance < 1e6:
            c = 1 + dyadic(distance, 10)
            value = self.log_bound(c, epsilon)
            if value > best:
                break
            best, where, distance = value, c, distance * 1.5
        return where

    def log_bound(self, c: float, epsilon: float) -> float:
        """ln of kappa(c) psi(c) e^{-(c-1) eps}, which is at least delta."""
        return log_kappa(c) + self.log_psi(c) - (c - 1) * epsilon


@functools.cache
def _rare(steps: int) -> float:
    """What a standard normal number exceeds in one of twenty runs of so many steps, about."""
    return -NormalDist().inv_cdf(0.05 / steps)


def log_kappa(c: float) -> float:
    return (c - 1) * math.log(c - 1) - c * math.log(c)
