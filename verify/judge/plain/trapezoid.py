"""Log-sum-exp over equidistant nodes, in numpy.

A = E[g^alpha] with g = (1-q) + q e^x, x = t/sigma - 1/(2 sigma^2), t standard normal. Where ln A is small,
(A - 1)/(alpha - 1) = E[g (g^(alpha-1) - 1)]/(alpha - 1), since E[g] = 1.
"""

from __future__ import annotations

import math
from typing import Any

_BLOCK = 512
_DEPTH = 45.0


def rdp(q: float, sigma: float, alpha: float) -> float:
    import numpy as np

    if q == 0 or alpha == math.inf:
        return 0.0 if q == 0 else math.inf
    if q == 1:
        return alpha / (2 * sigma**2)

    def log_g(t: Any) -> Any:
        return np.logaddexp(math.log1p(-q), math.log(q) + t / sigma - 0.5 / sigma**2)

    def log_f(t: Any) -> Any:
        return alpha * log_g(t) - 0.5 * t * t

    d = min(9.0, 3.0 * sigma)
    h = 2 * math.pi * d / (_DEPTH + d * d / 2)
    reach = 60 + 8 * sigma  # farther than any one peak
    nodes = [
        _window(lambda t, order=order: order * log_g(t) - 0.5 * t * t, peak, h, reach)
        for order, peak in _peaks(q, sigma, alpha)
    ]
    t = h * np.unique(np.concatenate(nodes))
    logs = log_f(t) + math.log(h / math.sqrt(2 * math.pi))
    log_a = float(np.logaddexp.reduce(logs))
    if log_a > 0.5:
        return log_a / (alpha - 1)
    delta = alpha - 1
    log = log_g(t)
    grown = np.expm1(np.minimum(delta * log, 1.0)) / delta if delta else log
    weights = np.exp(log - 0.5 * t * t) * grown
    if delta:  # where g^delta is large, in one exponent: there is nothing to cancel
        weights = np.where(
            delta * log < 1, weights, (np.exp(log_f(t)) - np.exp(log - 0.5 * t * t)) / delta
        )
    slope = float(np.sum(weights)) * h / math.sqrt(2 * math.pi)
    return math.log1p(delta * slope) / delta if delta else slope


def _peaks(q: float, sigma: float, alpha: float) -> list[tuple[float, float]]:
    """Where g^alpha and g have their peaks, with the order: t = (order/sigma) p(t), from either end."""
    found = []
    for order in (alpha, 1.0):
        for t in (0.0, order / sigma):
            for _ in range(200):
                z = math.log(q) - math.log1p(-q) + t / sigma - 0.5 / sigma**2
                p = 1 / (1 + math.exp(-z)) if z > -700 else 0.0
                t, last = order / sigma * p, t
                if abs(t - last) < 0.01:
                    break
            found.append((order, t))
    return found


def _window(log_f: Any, peak: float, h: float, reach: float) -> Any:
    """Numbers of the nodes around a peak, until the integrand is e^-45 of it on either side."""
    import numpy as np

    centre = round(peak / h)
    top = float(log_f(np.float64(centre * h)))

    def beyond(side: int) -> int:
        steps = math.ceil(10 / h)
        while steps * h < reach and float(log_f((centre + side * steps) * h)) > top - _DEPTH:
            steps += _BLOCK
        return steps

    return np.arange(centre - beyond(-1), centre + beyond(1) + 1)
