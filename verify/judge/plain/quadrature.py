"""Adaptive quadrature, Gauss against Kronrod, between the places where the integrand bends.

The same integrand as in ``trapezoid``, in logarithms and divided by its top; the interval is cut at the peaks and
at the point where g changes over, and halved until 7 and 15 nodes agree.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

_GOAL = 1e-13
Function = Callable[[float], float]

# Kronrod's 15 nodes with their weights, and Gauss's weights at every second of them.
_NODES = (
    (0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0),
    (0.949107912342758524526189684047851, 0.063092092629978553290700663189204, 0.129484966168869693270611432679082),
    (0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0),
    (0.741531185599394439863864773280788, 0.140653259715525918745189590510238, 0.279705391489276667901467771423780),
    (0.586087235467691130294144691693013, 0.169004726639267902826583426598550, 0.0),
    (0.405845151377397166906606412076961, 0.190350578064785409913256402421014, 0.381830050505118944950369775488975),
    (0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0),
    (0.0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327),
)  # fmt: skip


def rdp(q: float, sigma: float, alpha: float) -> float:
    if q == 0 or alpha == math.inf:
        return 0.0 if q == 0 else math.inf
    if q == 1:
        return alpha / (2 * sigma**2)
    delta, log_q, log_p = alpha - 1, math.log(q), math.log1p(-q)
    bend = sigma * (log_p - log_q) + 0.5 / sigma

    def log_g(t: float) -> float:
        x = t / sigma - 0.5 / sigma**2
        if x + log_q > log_p:
            return x + log_q + math.log1p(math.exp(log_p - log_q - x))
        return (
            math.log1p(q * math.expm1(x))
            if q * math.exp(x) < 0.5
            else log_p + math.log1p(math.exp(x + log_q - log_p))
        )

    def log_f(t: float) -> float:
        return alpha * log_g(t) - 0.5 * t * t

    cuts = sorted(
        {0.0, bend, *(_peak(bend, sigma, alpha, start) for start in (0.0, alpha / sigma))}
    )
    top = max(map(log_f, cuts))
    parts = _parts(log_f, cuts, top)
    total = sum(_integral(lambda t: math.exp(log_f(t) - top), a, b) for a, b in parts)
    log_a = top + math.log(total) - 0.5 * math.log(2 * math.pi)
    if log_a > 0.5:
        return log_a / delta

    def grown(t: float) -> float:
        log = log_g(t)
        if delta * log > 1:
            return (math.exp(log_f(t)) - math.exp(log - 0.5 * t * t)) / delta
        more = math.expm1(delta * log) / delta if delta else log
        return math.exp(log - 0.5 * t * t) * more

    slope = sum(_integral(grown, a, b) for a, b in parts) / math.sqrt(2 * math.pi)
    return math.log1p(delta * slope) / delta if delta else slope


def _peak(bend: float, sigma: float, alpha: float, t: float) -> float:
    """A peak: t = (alpha/sigma) p(t), p = 1/(1 + e^{(bend - t)/sigma})."""
    for _ in range(300):
        z = (bend - t) / sigma
        following = alpha / sigma / (1 + math.exp(z)) if z < 700 else 0.0
        if abs(following - t) < 1e-3:
            break
        t = following
    return t


def _parts(log_f: Function, cuts: list[float], top: float) -> list[tuple[float, float]]:
    """Between the cuts and beyond the outer ones in strips of 1, as far as the integrand matters."""
    first, last = cuts[0], cuts[-1]
    while log_f(first) > top - 45 or first > -10:
        first -= 1.0
    while log_f(last) > top - 45 or last < cuts[-1] + 10:
        last += 1.0
    parts = []
    for a, b in zip([first, *cuts], [*cuts, last], strict=True):
        near = [x for c in (a, b) for x in (c - 10, c - 3, c + 3, c + 10) if a < x < b]
        ends = [a, *sorted(near), b]
        parts += [(x, y) for x, y in itertools.pairwise(ends) if x < y]
    return parts


def _integral(f: Function, a: float, b: float, size: float = 0.0, depth: int = 0) -> float:
    """Halved until the rules agree to the rounding of the integrand, relative to the largest piece."""
    middle, half = 0.5 * (a + b), 0.5 * (b - a)
    kronrod = gauss = absolute = 0.0
    for node, weight, coarse in _NODES:
        values = [f(middle + half * node), f(middle - half * node)] if node else [f(middle)]
        kronrod += weight * sum(values)
        gauss += coarse * sum(values)
        absolute += weight * sum(map(abs, values))
    size = max(size, absolute * half)
    if depth >= 9 or abs(kronrod - gauss) * half <= _GOAL * size:
        return kronrod * half
    left = _integral(f, a, middle, size, depth + 1)
    return left + _integral(f, middle, b, size, depth + 1)
