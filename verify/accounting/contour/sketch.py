"""The shape of one step, in doubles: used for planning only.

K(a) = ln E[g^a] and its derivatives, and the height bound ln B (see ``line``), by the trapezoidal rule
on some dozens of nodes. A wrong number here costs time or digits, but never makes an answer false.

>>> Sketch(0.01, 1.0).cumulants(2.0)[0]
0.00017...
"""

from __future__ import annotations

import math
from functools import lru_cache

FAR = 3000.0  # a/sigma beyond which the second hump of phi g^a is treated by its leading term
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_CAP = 600.0  # exponents beyond this are cut off


class Sketch:
    """One sampling rate and one noise multiplier."""

    def __init__(self, q: float, sigma: float) -> None:
        self.q, self.sigma = q, sigma
        self.log_p = math.log1p(-q) if q < 1 else -math.inf
        self.log_q = math.log(q)
        self.step = 0.6 * min(1.0, sigma)
        self._log_g: dict[int, float] = {}
        self.shape = lru_cache(maxsize=64)(self._shape)

    def log_x(self, t: float) -> float:
        return self.log_q + t / self.sigma - 0.5 / self.sigma**2

    def log_g(self, t: float) -> float:
        x = self.log_x(t)
        big, small = (x, self.log_p) if x > self.log_p else (self.log_p, x)
        return big + math.log1p(math.exp(small - big))

    def share(self, t: float) -> float:
        """X / g, logistic in t."""
        d = self.log_p - self.log_x(t)
        return 1 / (1 + math.exp(d)) if d < _CAP else 0.0

    def near(self, a: float) -> float:
        """The zero of -t + (a/sigma) share(t) that is nearest to 0."""
        slope = a / self.sigma
        if slope >= 0:
            t = 0.0
            for _ in range(60):
                t, before = slope * self.share(t), t
                if abs(t - before) < 1e-3:
                    break
            return t
        low, high = slope, 0.0
        for _ in range(60):
            t = (low + high) / 2
            if slope * self.share(t) > t:
                low = t
            else:
                high = t
            if high - low < 1e-3:
                break
        return low

    def far(self, a: float) -> float:
        """The zero that is farthest to the right (a >= 0)."""
        slope = a / self.sigma
        t = slope
        for _ in range(60):
            t, before = slope * self.share(t), t
            if abs(t - before) < 1e-3:
                break
        return t

    def _indices(self, a: float, reach: float) -> list[int]:
        near, h = self.near(a), self.step
        low, high = near - reach, near + reach
        if a > 0 and (far := self.far(a)) > near:
            if far - reach <= high + 8:
                return list(range(math.floor(low / h), math.ceil((far + reach) / h) + 1))
            width = reach / math.sqrt(
                max(0.05, 1 - a / self.sigma**2 * self.share(near) * (1 - self.share(near)))
            )
            high = min(near + width, far - reach)
            first = range(math.floor(low / h), math.ceil(high / h) + 1)
            second = range(math.ceil(high / h) + 1, math.ceil((far + reach) / h) + 1)
            if len(second) > 400:
                second = range(math.floor((far - reach) / h), math.ceil((far + reach) / h) + 1)
            return [*first, *second]
        return list(range(math.floor(low / h), math.ceil(high / h) + 1))

    def _at(self, i: int) -> float:
        value = self._log_g.get(i)
        if value is None:
            value = self._log_g[i] = self.log_g(i * self.step)
        return value

    def cumulants(self, a: float) -> tuple[float, float, float]:
        """K(a), K'(a), K''(a)."""
        if self.q == 1:
            v = 1 / self.sigma**2
            return a * (a - 1) * v / 2, (a - 0.5) * v, v
        if a / self.sigma > FAR and self.far(a) > FAR / 2:
            v = 1 / self.sigma**2
            size = a * (a - 1) * v / 2 + a * self.log_q
            near = self.near(a)
            if near > FAR / 2 or size > a * self.log_g(near) - near * near / 2 + 40:
                return size, (a - 0.5) * v + self.log_q, v
        h = self.step
        logs = [(i, self._at(i)) for i in self._indices(a, 9.0)]
        exponents = [a * log - 0.5 * (h * i) ** 2 for i, log in logs]
        top = max(exponents)
        total = first = second = 0.0
        for (_, log), e in zip(logs, exponents, strict=True):
            w = math.exp(e - top)
            total += w
            first += w * log
            second += w * log * log
        mean = first / total
        spread = second / total - mean * mean
        return top + math.log(total * h) - _HALF_LOG_2PI, mean, max(spread, 1e-300)

    def level(self, loss: float) -> float:
        """The t at which ln g is this loss >= 0."""
        excess = math.expm1(min(loss, _CAP)) + self.q
        return self.sigma * (math.log(excess) - self.log_q) + 0.5 / self.sigma

    def rare(self, epsilon: float) -> float:
        """delta(epsilon) of one step, removing."""
        t = self.level(epsilon)
        weights = self.q, -(math.expm1(min(epsilon, _CAP)) + self.q)
        both = zip(weights, (t - 1 / self.sigma, t), strict=True)
        return max(0.0, sum(w * upper(x) for w, x in both))

    def below(self, loss: float) -> tuple[float, float]:
        """Mean and variance of X - q under the second of the pair, X taken as 0 where ln g is above this loss."""
        t, s = self.level(loss), self.sigma
        first, second = upper(1 / s - t), math.exp(min(_CAP, s**-2)) * upper(2 / s - t)
        return -self.q * upper(t - 1 / s), self.q**2 * max(0.0, second - first * first)

    def log_moment(self, a: float) -> float:
        return self.cumulants(a)[0]

    def _shape(self, eta: float, low: int, high: int) -> list[tuple[float, float, float]]:
        """(t, ln|g|, arg g) on the line Im t = eta."""
        b = eta / self.sigma
        cos, sin, p, h = math.cos(b), math.sin(b), 1 - self.q, self.step
        result = []
        for i in range(low, high + 1):
            x = math.exp(min(self.log_x(i * h), 300.0))
            re, im = p + x * cos, x * sin
            result.append((i * h, 0.5 * math.log(re * re + im * im), math.atan2(im, re)))
        return result

    def log_height(self, a: float, eta: float, y: float, reach: float) -> float:
        """ln of the bound on |M(a + iy)| from the line Im t = eta."""
        if self.q == 1:
            return (a * (a - 1) - y * y) / (2 * self.sigma**2)
        right = max(self.near(a), min(self.far(a), 200.0)) if a > 0 else self.near(a)
        low, high = self.near(min(a, 0.0)) - reach, right + 9.0
        nodes = self.shape(eta, math.floor(low / self.step), math.ceil(high / self.step))
        exponents = [a * log - y * arg - 0.5 * t * t for t, log, arg in nodes]
        top = max(exponents)
        total = sum(math.exp(e - top) for e in exponents)
        return top + math.log(total * self.step) - _HALF_LOG_2PI + eta * eta / 2


def upper(x: float) -> float:
    """P(N(0, 1) > x)."""
    return 0.5 * math.erfc(x / math.sqrt(2))


def dyadic(x: float, bits: int = 16) -> float:
    """A double of few bits just below x > 0: cheap to multiply with, and exact as a ball.

    >>> dyadic(0.7, 3)
    0.625
    """
    shift = bits - math.frexp(x)[1]
    return math.ldexp(math.floor(math.ldexp(x, shift)), -shift)
