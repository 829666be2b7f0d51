"""The vertical line on which a run's moments are computed, and how finely: decided in doubles,
checked by ``spectrum``."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass

from verify.accounting.contour.nodes import best_eta
from verify.accounting.contour.sketch import dyadic
from verify.accounting.pairs.allocation.forecast import Forecast
from verify.accounting.pairs.allocation.idle import best_fall
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

_TAU, _LOG_10 = 2 * math.pi, math.log(10)
_FRACTIONS = tuple(1 + 0.02 * 1.35**i for i in range(14))  # orders between 1 and 2
_SMALL_ORDERS = (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 13.0, 20.0, 30.0, 50.0)
_MOST_NATS = 1500.0
MOST_TERMS = 40_000
_LEAST_NATS = 8.0


@dataclass(frozen=True, slots=True)
class Scheme:
    """Re of the order, n of its Mellin integral, step and number of heights, orders of the bounds, accuracy."""

    a: float
    n: int
    h: float
    terms: int
    q: float
    u: float
    nats: float  # of the moments, relative to the largest
    bits: int
    work: float  # seconds, about


def scheme(
    forecast: Forecast, epsilon: float, digits: float, hint: float, deadline: Deadline
) -> Scheme:
    """The cheapest line for delta(epsilon) to so many digits; ``hint`` is ln delta, 0 if unknown."""
    log_delta = hint or forecast.log_delta(epsilon)
    x = epsilon if forecast.remove else -epsilon
    # the sum gives delta (removing), or e^-eps delta (adding): ln of the error it may have
    most = log_delta - digits * _LOG_10 - 1 + (0.0 if forecast.remove else x)
    best: Scheme | None = None
    for n, a in _lines(forecast.remove):
        deadline.check()
        found = line_scheme(forecast, n, a, x, most)
        if found is not None and (best is None or found.work < best.work):
            best = found
        elif best is not None and (found is None or found.work > 30 * best.work) and n == 0:
            break
    if best is None:
        raise OutOfReach("no line serves")
    top = _height(forecast, best.a, best.nats + 1)
    terms = max(1, math.ceil(top / best.h))
    work = _work(forecast, best.n, best.n - best.a, top, terms, best.nats)
    best = dataclasses.replace(best, terms=terms, work=work)
    if best.terms > MOST_TERMS:
        raise OutOfReach("too many heights")
    return best


def _lines(remove: bool) -> Iterator[tuple[int, float]]:
    """(n, a) to choose from, a < n; a < 0 last."""
    yield from ((1, a) for a in (0.125, 0.25, 0.375, 0.5, 0.625))
    yield from ((2, a) for a in (0.5, 0.75, 0.875))
    if remove:
        yield from ((2, a) for a in (1.125, 1.25, 1.5))
    yield from ((0, -dyadic(0.1 * 1.28**i, 10)) for i in range(61))


def line_scheme(forecast: Forecast, n: int, a: float, x: float, most: float) -> Scheme | None:
    """What the line Re z = a takes for an error of about e^most; None if it takes too much."""
    size = forecast.log_moment(a) - (a - 1) * x - math.log(abs(a * (a - 1)) / (1 + abs(a)))
    nats = size - most
    if not nats <= _MOST_NATS:
        return None
    nats = max(nats, _LEAST_NATS)
    right, q = min(
        ((_log_k(q) + forecast.log_above(q) - (q - 1) * x - most) / (q - a), q)
        for q in _right_orders(forecast, a)
    )
    left, u = min(
        ((_log_kappa(u) + forecast.log_moment(-u) + (1 + u) * x - most) / (a + u), u)
        for u in _left_orders(a)
    )
    if not math.isfinite(left + right):
        return None
    period = max(right, left, 0.5 / min(abs(a), abs(a - 1))) * 1.01
    h = dyadic(_TAU / period, 16)
    top = _about(forecast, a, nats + 1)
    terms = max(1, math.ceil(top / h))
    bits = int((nats + abs(x) * (abs(a) + 1)) / math.log(2)) + 64 + 2 * terms.bit_length()
    return Scheme(a, n, h, terms, q, u, nats, bits, _work(forecast, n, n - a, top, terms, nats))


def sharpest_orders(forecast: Forecast, a: float, x: float, period: float) -> tuple[float, float]:
    """(q, u) at which the bounds of the aliases are least for this period."""

    def right(q: float) -> float:
        return _log_k(q) + forecast.log_above(q) - (q - 1) * x - (q - a) * period

    def left(u: float) -> float:
        return _log_kappa(u) + forecast.log_moment(-u) + (1 + u) * x - (a + u) * period

    return min(_right_orders(forecast, a), key=right), min(_left_orders(a), key=left)


def _right_orders(forecast: Forecast, a: float) -> Iterator[float]:
    for q in (1, *_FRACTIONS, *forecast.epochs[0][0].orders.known[1:]):
        if q > a + 0.05 and q <= forecast.last_order:
            yield q


def _left_orders(a: float) -> Iterator[float]:
    if a > 0:
        yield from _SMALL_ORDERS
        return
    for factor in (1.3, 1.6, 2.0, 2.5, 3.2, 4.0, 6.0, 10.0):
        yield -a * factor
    yield from (-a + more for more in (1.0, 2.0, 4.0, 8.0))


def _about(forecast: Forecast, a: float, nats: float) -> float:
    """That height, if all moments fell like those of a normal loss."""
    rate = _plain(forecast)
    rate += sum(n * one.cumulants(a)[2] for one, n in forecast.epochs if one.outline.idle)
    rate += sum(n * one.cumulants(a)[2] for one, n in forecast.phases)
    return math.sqrt(2 * nats / rate)


def _plain(forecast: Forecast) -> float:
    rates = (
        n / (one.outline.s**2 * one.outline.t) for one, n in forecast.epochs if not one.outline.idle
    )
    return sum(rates)


def _height(forecast: Forecast, a: float, nats: float) -> float:
    """The height at which all moments together have fallen by so many nats."""
    plain = _plain(forecast)
    idle = [(one, n) for one, n in forecast.epochs if one.outline.idle]
    if plain and not forecast.phases and not idle:
        return math.sqrt(2 * nats / plain)

    def fallen(y: float) -> float:
        total = plain * y * y / 2
        total -= sum(n * best_fall(one.outline, a, y)[0] for one, n in idle)
        for one, n in forecast.phases:
            size = best_eta(one, a, y, 9.0)[0] - one.log_moment(a)
            total -= n * min(0.0, size)
        return total

    high = 1.0
    while fallen(high) < nats:
        high *= 1.5
        if high > 1e7:
            raise OutOfReach("moments that do not fall")
    low = high / 1.5 if high > 1 else 0.0
    for _ in range(4):
        middle = (low + high) / 2
        if fallen(middle) < nats:
            low = middle
        else:
            high = middle
    return high


def _work(forecast: Forecast, n: int, x: float, top: float, terms: int, nats: float) -> float:
    """Seconds, about."""
    total = terms * 1.5e-4 * (1 + len(forecast.phases)) * (1 + nats / 300)
    for one, _ in forecast.epochs:
        s = one.outline.s
        rays = 1 + 0.5 * math.sqrt(x / 20) * math.asinh(top / x)
        length = (
            nats / x + math.log(top / x + 2) + 3 if x < 10 else 2 * math.sqrt(2 * nats / x) + 0.3
        )
        per = (top / rays + nats) / _TAU if x < 10 else math.sqrt(2 * x * nats) / _TAU + 1
        goal = nats + 10 + 2 * x / one.outline.t
        step = min(9.4 * s / goal, 4.4 / math.sqrt(goal))
        fine = max(1.0, _TAU / (per * _TAU) * s / step)
        nodes = length * per
        inner = (nodes * fine + math.sqrt(8 * goal) / step) * (n + 1)
        total += rays * (1.8e-5 * inner + 4e-5 * nodes + 3e-3) * (1 + goal / 150)
    return total


def _log_k(q: float) -> float:
    return (q - 1) * math.log(q - 1) - q * math.log(q) if q > 1 else 0.0


def _log_kappa(u: float) -> float:
    return u * math.log(u) - (1 + u) * math.log1p(u)
