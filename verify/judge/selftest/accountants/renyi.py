"""A loose accountant in plain Python: Rényi divergence of each step, added up, converted by
Canonne, Kamath and Steinke.

Standard library only. Where the run can hardly tell anybody anything, the total variation of its
steps is the better bound of delta.
"""

from __future__ import annotations

import math
from functools import lru_cache

from verify.judge.selftest.healthy import rdp

Phases = list[tuple[float, float, int]]
ORDERS = tuple(1 + 0.02 * 1.28**k for k in range(54))  # 1.02 to about 10000


@lru_cache(maxsize=100_000)
def _rdp(q: float, sigma: float, alpha: float) -> float:
    try:
        return rdp(q, sigma, alpha)
    except ArithmeticError:
        return math.inf


def _curve(phases: Phases) -> list[tuple[float, float]]:
    found = [(a, sum(n * _rdp(q, s, a) for q, s, n in phases)) for a in ORDERS]
    return [(a, x) for a, x in found if math.isfinite(x)]


def _variation(phases: Phases) -> float:
    return sum(n * q * math.erf(1 / (s * math.sqrt(8))) for q, s, n in phases)


def epsilon(phases: Phases, delta: float) -> float:
    """The least over the orders; 0 where delta is above the total variation."""
    if _variation(phases) <= delta:
        return 0.0
    found = [
        x + math.log1p(-1 / a) - (math.log(delta) + math.log(a)) / (a - 1)
        for a, x in _curve(phases)
    ]
    return max(0.0, min(found)) * (1 + 1e-12)


def delta(phases: Phases, eps: float) -> float:
    """The least over the orders, at most the total variation."""
    found = [(a - 1) * (x - eps + math.log1p(-1 / a)) - math.log(a) for a, x in _curve(phases)]
    best = min(found)
    return min(1.0, _variation(phases), math.exp(min(0.0, best))) * (1 + 1e-9)


def sigma(q: float, steps: int, eps: float, target: float) -> float:
    """The least noise by halving."""
    low, high = 0.2, 1.0
    while epsilon([(q, high, steps)], target) > eps:
        low, high = high, 2 * high
    for _ in range(24):
        middle = (low + high) / 2
        if epsilon([(q, middle, steps)], target) > eps:
            low = middle
        else:
            high = middle
    return high
