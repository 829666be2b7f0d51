"""The series, with signed terms and relative stopping; the standard library suffices.

Whole orders: A - 1 = sum_{k>=2} C(n,k) q^k (1-q)^(n-k) (e^{(k^2-k)/(2 sigma^2)} - 1), all terms positive. Other
orders: the two half-line series, terms with the sign of C(alpha, k), until they are small relative to the sum,
and the mean of the last two partial sums, between which an alternating sum lies. Next to order 1, and where the
series is too slow, E[g (g^(alpha-1) - 1)]/(alpha-1) by a few hundred equidistant nodes.
"""

from __future__ import annotations

import math

_NEAR = 1.05
_MOST = 3000


def rdp(q: float, sigma: float, alpha: float) -> float:
    if q == 0 or alpha == math.inf:
        return 0.0 if q == 0 else math.inf
    if q == 1:
        return alpha / (2 * sigma**2)
    if alpha == int(alpha) and alpha > 1:
        return _whole(q, sigma, int(alpha)) / (alpha - 1)
    if alpha > _NEAR:
        log_a = _half_lines(q, sigma, alpha)
        if log_a is not None:
            return log_a / (alpha - 1)
    return _nodes(q, sigma, alpha)


def _whole(q: float, sigma: float, n: int) -> float:
    """ln A at a whole order."""
    log_q, log_p, half = math.log(q), math.log1p(-q), 0.5 / sigma**2
    top, total = -math.inf, 0.0
    log_binomial = math.log(n)
    for k in range(2, n + 1):
        log_binomial += math.log((n - k + 1) / k)
        y = (k * k - k) * half
        growth = y + math.log(-math.expm1(-y))
        term = log_binomial + k * log_q + (n - k) * log_p + growth
        if term > top:
            total, top = total * math.exp(top - term), term
        total += math.exp(term - top)
    log_less_one = top + math.log(total)
    if log_less_one > 30:
        return log_less_one
    return math.log1p(math.exp(log_less_one))


def _half_lines(q: float, sigma: float, alpha: float) -> float | None:
    """ln A by the two half-line series; None if they have not settled in time."""
    split = sigma**2 * math.log(1 / q - 1) + 0.5
    log_q, log_p, half = math.log(q), math.log1p(-q), 0.5 / sigma**2
    log_binomial, sign = 0.0, 1
    top, total, before = -math.inf, 0.0, 0.0
    for k in range(max(_MOST, 2 * int(alpha))):
        j = alpha - k
        largest = -math.inf
        for a, b, side in ((k, j, k - split), (j, k, split - j)):
            term = log_binomial + a * log_q + b * log_p + (a * a - a) * half
            term += _log_erfc(side / (math.sqrt(2) * sigma)) - math.log(2)
            if term > top:
                scale = math.exp(top - term)
                total, before, top = total * scale, before * scale, term
            total += sign * math.exp(term - top)
            largest = max(term, largest)
        mean = 0.5 * (total + before)
        if k > alpha + 1 and largest < top + math.log(abs(total)) - 37:
            return top + math.log(total)
        if k > alpha + 1 and largest < top + math.log(abs(total)) - 30 and k > 1000:
            return top + math.log(mean)
        before = total
        log_binomial += math.log(abs(j) / (k + 1))
        sign = -sign if alpha < k else sign
    return None


def _log_erfc(x: float) -> float:
    if x < 25:
        return math.log(math.erfc(x))
    r = 1 / (2 * x * x)
    return (
        -x * x
        - math.log(x * math.sqrt(math.pi))
        + math.log1p(r * (-1 + r * (3 - r * (15 - r * 105))))
    )


def _nodes(q: float, sigma: float, alpha: float) -> float:
    """ln(1 + delta S)/delta with S = E[g (g^delta - 1)]/delta, delta = alpha - 1."""
    delta, d = alpha - 1, min(9.0, 3.0 * sigma)
    h = 2 * math.pi * d / (45 + d * d / 2)
    slope = 0.0
    for centre in (0.0, alpha / sigma):
        low = -10.0 if centre == 0 else max(10.0, centre - 10.0)
        high = min(10.0, max(10.0, centre - 10.0)) if centre == 0 else centre + 10.0
        for i in range(math.ceil(low / h), math.ceil(high / h)):
            slope += _term(q, sigma, delta, i * h) * h
    return math.log1p(delta * slope) / delta if delta else slope


def _term(q: float, sigma: float, delta: float, t: float) -> float:
    x = t / sigma - 0.5 / sigma**2
    if x > 30:
        log_g = math.log(q) + x + math.log1p((1 - q) / q * math.exp(-x))
    else:
        log_g = math.log1p(q * math.expm1(x)) if q < 0.5 else math.log((1 - q) + q * math.exp(x))
    phi = -0.5 * t * t - 0.5 * math.log(2 * math.pi)
    if delta * log_g > 30:
        return math.exp(phi + (1 + delta) * log_g) / delta
    grown = math.expm1(delta * log_g) / delta if delta else log_g
    return math.exp(phi + log_g) * grown
