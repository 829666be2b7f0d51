"""The half-line series in doubles, with switches: each turns on a mistake that implementations in the wild make.

    A = sum_k C(alpha, k) [ (1-q)^{alpha-k} q^k e^{(k^2-k)/(2 sigma^2)} P(left) + the same with k, alpha-k exchanged ]

With all switches as they are by default the sum is right where doubles suffice for it. A library's answers
are matched against the answers of the wrong settings (``causes``), so a match is a demonstration.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from verify.judge.selftest.healthy import rdp

Rdp = Callable[[float, float, float], float]
_LN2 = math.log(2)
_OVERFLOW = math.log(1.7976931348623157e308)


class Terms(NamedTuple):
    """What a stopping rule may look at: logarithms of the last two pairs of terms and of the sum."""

    now: tuple[float, float]
    before: tuple[float, float]
    total: float


Stop = Callable[[Terms], bool]


def relative(terms: Terms) -> bool:
    """Both terms are below the last bit of the sum."""
    return max(terms.now) < terms.total - 40


def relative_and_falling(terms: Terms) -> bool:
    """Both terms fall, and are below e^-30 of the sum."""
    falling = terms.now[0] < terms.before[0] and terms.now[1] < terms.before[1]
    return falling and max(terms.now) < terms.total - 30


def absolute(terms: Terms) -> bool:
    """Both terms are below e^-30, whatever the sum is."""
    return max(terms.now) < -30


def loose(terms: Terms) -> bool:
    return max(terms.now) < terms.total - 12


@dataclass(frozen=True, slots=True)
class Series:
    """The switches. ``beyond`` is the answer if ``most`` terms do not suffice; None: the sum so far."""

    signed: bool = True
    stop: Stop = relative
    most: int = 2000
    beyond: float | None = None
    double_binomials: bool = False  # the coefficient itself is a double, and overflows
    rounded_binomials: bool = False  # its factors are rounded, and may become 0

    def log_a(self, q: float, sigma: float, alpha: float) -> float:
        split = sigma**2 * math.log(1 / q - 1) + 0.5
        log_q, log_p, width = math.log(q), math.log1p(-q), math.sqrt(2) * sigma
        sums, before = (_Sum(), _Sum()), (-math.inf, -math.inf)
        log_binomial, sign, total, half = 0.0, 1, -math.inf, 0.5 / sigma**2
        for k in range(self.most):
            j = alpha - k
            left = log_binomial + k * log_q + j * log_p + (k * k - k) * half
            right = log_binomial + j * log_q + k * log_p + (j * j - j) * half
            now = (
                left + log_erfc((k - split) / width) - _LN2,
                right + log_erfc((split - j) / width) - _LN2,
            )
            if self.rounded_binomials and any(i + alpha - k == 0 for i in range(k + 1)):
                raise ValueError("the logarithm of zero")
            if self.double_binomials and log_binomial > _OVERFLOW:
                return math.nan
            for part, term in zip(sums, now, strict=True):
                part.add(term, sign if self.signed else 1)
            total = _log_add(sums[0].log(), sums[1].log())
            if self.stop(Terms(now, before, total)):
                return total
            log_binomial += math.log(abs(j) / (k + 1))
            sign = -sign if alpha < k else sign
            before = now
        return total if self.beyond is None else self.beyond

    def rdp(self, q: float, sigma: float, alpha: float) -> float:
        """Fractional orders by the series, everything else healthy."""
        if not (inside(q, alpha) and fractional(alpha)):
            return rdp(q, sigma, alpha)
        return self.log_a(q, sigma, alpha) / (alpha - 1)

    def but(self, **switches: object) -> Series:
        return replace(self, **switches)  # type: ignore[arg-type]  # checked by the dataclass


class _Sum:
    """A sum of signed terms given by their logarithms, scaled by the largest."""

    def __init__(self) -> None:
        self.top, self.total = -math.inf, 0.0

    def add(self, term: float, sign: int) -> None:
        if term > self.top:
            self.total = self.total * math.exp(self.top - term) if self.total else 0.0
            self.top = term
        if term > -math.inf:
            self.total += sign * math.exp(term - self.top)

    def log(self) -> float:
        return self.top + math.log(self.total) if self.total > 0 else -math.inf


def _log_add(x: float, y: float) -> float:
    low, high = min(x, y), max(x, y)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def log_erfc(x: float) -> float:
    if x < 25:
        return math.log(math.erfc(x))
    r = 1 / (2 * x * x)
    tail = -r + 3 * r * r - 15 * r**3 + 105 * r**4
    return -x * x - math.log(x * math.sqrt(math.pi)) + math.log1p(tail)


def fractional(alpha: float) -> bool:
    return math.isfinite(alpha) and not alpha.is_integer()


def inside(q: float, alpha: float) -> bool:
    """Where the general formulas apply."""
    return 0 < q < 1 and 1 < alpha < math.inf
