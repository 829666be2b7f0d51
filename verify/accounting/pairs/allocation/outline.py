"""The shape of one epoch in doubles: only ever used to plan.

ln F(e^v), F(w) = E e^{-wX}, on a grid of v, by the trapezoidal rule, made where it is asked for and
interpolated between; from it ln G_n and ln E S'^a for real a < n (see ``parts``, ``mellin``). A
wrong number here costs time or digits, never truth.
"""

from __future__ import annotations

import cmath
import itertools
import math

from verify.accounting.pairs.allocation.parts import MOST_TILTED, Allotted

_MESH = 0.125
_FAR = 500.0  # no v beyond is looked at
_LINEAR, _GONE = 1e-9, math.log(40.0)  # e^-u is 1 - u below, 0 beyond
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


class Outline:
    """One epoch in doubles."""

    def __init__(self, part: Allotted) -> None:
        self.part = part
        self.t, self.s, self.idle = part.batches, float(part.sigma), float(part.idle)
        self.shift = math.log1p(-self.idle) - math.log(self.t)  # ln c
        self.tilt = 1 / self.s**2
        self.step = 0.4 * min(1.0, self.s)
        self.low = -0.5 / self.s**2 - 9 / self.s - 12  # below: F = 1 - e^v
        self.front = self.step / math.sqrt(2 * math.pi)
        self.base = math.floor(-10 / self.step)
        places = range(self.base, math.ceil((1 / self.s + 10) / self.step) + 1)
        # sums of the weights from a node on, and of weight times X before it
        below = [self._node_weight(i) for i in places]
        self.mean_below = [0.0, *itertools.accumulate(below)]
        weights = [self.front * math.exp(-((self.step * i) ** 2) / 2) for i in reversed(places)]
        self.above = [0.0, *itertools.accumulate(weights)][::-1]
        self._grid: dict[int, float] = {}
        self._moments: dict[tuple[int, float], float] = {}
        self._peaks: dict[tuple[int, float], float] = {}

    def _node_weight(self, i: int) -> float:
        """The weight of a node times X there: the normal density about 1/s."""
        return self.front * math.exp(-((self.step * i - 1 / self.s) ** 2) / 2)

    # ---- ln F

    def _at(self, i: int) -> float:
        """ln(-ln F(e^v)) at v = i * mesh."""
        found = self._grid.get(i)
        if found is None:
            found = self._grid[i] = math.log(max(-self._log_f(i * _MESH), 1e-300))
        return found

    def _log_f(self, v: float) -> float:
        """ln F(e^v) by the trapezoidal rule: 1 - F where F is not small, else the sum itself."""
        lift, base, h, s = v - 0.5 / self.s**2, self.base, self.step, self.s
        first = math.floor((math.log(_LINEAR) - lift) * s / h)  # up to here 1 - e^-u = u
        last = math.ceil((_GONE - lift) * s / h)  # from here on it is 1
        first, last = (min(max(i, base), base + len(self.above) - 1) for i in (first, last))
        missing = math.exp(min(v, 600.0)) * self.mean_below[first - base] + self.above[last - base]
        for i in range(first, last):
            t = h * i
            missing -= math.exp(-t * t / 2) * math.expm1(-math.exp(lift + t / s)) * self.front
        if missing < 0.9:
            return math.log1p(-missing)
        return self._log_small(lift)

    def _log_small(self, lift: float) -> float:
        h, s = self.step, self.s
        low, high = -s * (max(lift, 0.0) + 8) - 10, 0.0
        while high - low > 0.01:  # where -t = e^{lift + t/s}/s
            peak = (low + high) / 2
            if -peak > math.exp(min(lift + peak / s, 600.0)) / s:
                low = peak
            else:
                high = peak
        exponents = []
        for i in range(math.floor((low - 9) / h), math.ceil((low + 9) / h) + 1):
            t = h * i
            exponents.append(-t * t / 2 - math.exp(min(lift + t / s, 600.0)))
        top = max(exponents)
        total = sum(math.exp(e - top) for e in exponents if e > top - 40)
        return top + math.log(total * self.front)

    def log_f(self, v: float) -> float:
        """ln F(e^v), interpolated."""
        if v < self.low:
            return -math.exp(v) if v > -700 else 0.0
        p = min(v, _FAR) / _MESH
        i = math.floor(p)
        f = p - i
        a, b, c, d = self._at(i - 1), self._at(i), self._at(i + 1), self._at(i + 2)
        y = (
            -f * (f - 1) * (f - 2) / 6 * a
            + (f + 1) * (f - 1) * (f - 2) / 2 * b
            - (f + 1) * f * (f - 2) / 2 * c
            + (f + 1) * f * (f - 1) / 6 * d
        )
        return -math.exp(min(y, 690.0))

    # ---- G_n and the moments

    def log_g(self, n: int, v: float, direct: float = 0.0) -> float:
        """ln of about G_n(e^v), with idle e^{direct} w in the exponential of the idle part."""
        w = v + self.shift
        base = self.log_f(w)
        size = self.t * base
        if self.idle:
            size -= self.idle * math.exp(min(v + direct, 690.0))
        if n == 0:
            return size
        r, one = self.idle, self.log_f(w + self.tilt) - base
        if n == 1:
            return size + math.log(r + (1 - r) * math.exp(one)) if r else size + one
        square = self.tilt - math.log(self.t) + self.log_f(w + 2 * self.tilt) - base
        if self.t > 1:
            square = _log_sum(square, math.log1p(-1 / self.t) + 2 * one)
        if not r:
            return size + square
        mixed = _log_sum(2 * math.log(r), math.log(2 * r * (1 - r)) + one)
        return size + _log_sum(mixed, 2 * math.log1p(-r) + square)

    def peak(self, n: int, x: float) -> float:
        """The v at which x v + ln G_n(e^v) is largest."""
        key = n, x
        if key not in self._peaks:
            low, high = 2 * self.low, _FAR

            def rises(v: float) -> bool:
                return x * 0.02 + self.log_g(n, v + 0.01) - self.log_g(n, v - 0.01) > 0

            while high - low > 0.02:
                middle = (low + high) / 2
                if rises(middle):
                    low = middle
                else:
                    high = middle
            self._peaks[key] = (low + high) / 2
        return self._peaks[key]

    def log_moment(self, a: float) -> float:
        """ln E S'^a, a < 2."""
        n = 0 if a < 0 else min(MOST_TILTED, math.floor(a) + 1)
        return self.log_mellin(n, n - a)

    def log_mellin(self, n: int, x: float) -> float:
        """ln E S'^{n-x}."""
        key = n, x
        if key not in self._moments:
            peak = self.peak(n, x)
            if peak > _FAR - 20:
                return math.inf
            top = x * peak + self.log_g(n, peak)
            total, h = 1.0, min(0.25, 0.5 / math.sqrt(x + 1))
            for sign in (-1, 1):
                v, size = peak, 0.0
                while size > -25 and abs(v) < 4 * _FAR:
                    v += sign * h
                    size = x * v + self.log_g(n, v) - top
                    if size > 30:  # a peak that the doubles cannot place
                        return math.inf
                    total += math.exp(size)
                if sign < 0 and x * h < 30:
                    total += math.exp(size) / math.expm1(x * h)
            self._moments[key] = top + math.log(total * h) - math.lgamma(x)
        return self._moments[key]


def _log_sum(a: float, b: float) -> float:
    """ln(e^a + e^b)."""
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


def log_gamma(x: float, y: float) -> float:
    """ln |Gamma(x + iy)|, x > 0."""
    z, shift = complex(x, y), 0.0
    while abs(z) < 12:
        shift += math.log(abs(z))
        z += 1
    size = (z - 0.5) * cmath.log(z) - z + _HALF_LOG_2PI + 1 / (12 * z) - 1 / (360 * z**3)
    return size.real - shift
