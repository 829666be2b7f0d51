"""Where the inner lines run and which nodes they have: decided in doubles, checked by the balls of ``line``."""

from __future__ import annotations

import math
from collections.abc import Callable

from verify.accounting.contour.line import SPLITS, BadPlan, Line
from verify.accounting.contour.sketch import Sketch, dyadic
from verify.numbers.errors import OutOfReach

MAX_NODES = 2_000_000
_TAU = 2 * math.pi


def best_eta(
    sketch: Sketch, a: float, y: float, reach: float, near: float = 0.0
) -> tuple[float, float]:
    """The least ln B(eta, y) over eta, and that eta; ``near`` is where to look first, if that is known."""
    if sketch.q == 1:
        return sketch.log_height(a, 0.0, y, reach), 0.0
    top = 0.97 * min(math.pi * sketch.sigma, 14.0)
    # for small y the best shift is about y E[X/g]/sigma; from there downhill by factors
    start = near or min(0.5 * top, y * max(sketch.share(sketch.near(a)), sketch.q) / sketch.sigma)
    seen: dict[int, tuple[float, float]] = {}

    def value(i: int) -> tuple[float, float]:
        if i not in seen:
            eta = dyadic(min(top, start * 1.5**i), 12)
            seen[i] = sketch.log_height(a, eta, y, reach), eta
        return seen[i]

    i = 0
    while value(i + 1) < value(i) and value(i)[1] < 0.999 * top:
        i += 1
    # by height alone: where eta has no effect in doubles, a smaller one is no better, and there is
    # no end to smaller ones
    while i <= 0 and value(i - 1)[0] < value(i)[0]:
        i -= 1
    (f0, x0), (f1, x1), (f2, x2) = value(i - 1), value(i), value(i + 1)
    num = (x1 - x0) ** 2 * (f1 - f2) - (x1 - x2) ** 2 * (f1 - f0)
    den = (x1 - x0) * (f1 - f2) - (x1 - x2) * (f1 - f0)
    if den and x0 < x1 - num / (2 * den) < x2:  # the parabola's lowest point
        eta = dyadic(x1 - num / (2 * den), 12)
        return min(value(i), (sketch.log_height(a, eta, y, reach), eta))
    return value(i)


def amplification(sketch: Sketch, a: float, eta: float) -> float:
    """ln(e^{eta^2/2} C(eta/sigma))."""
    return eta * eta / 2 + _log_spread(sketch, a, eta / sketch.sigma)


def _log_spread(sketch: Sketch, a: float, b: float) -> float:
    """ln C(b), see ``line``."""
    if a >= 0:
        return 0.0
    best = a * math.log(math.cos(b / 2))
    if best > 2 and b <= math.pi / 2:
        turn = 2 * (1 - math.cos(b))
        for x in SPLITS:
            share = sketch.share(x)
            if share > 0.5:
                break
            left = 0.5 * a * math.log1p(-turn * share * (1 - share))
            right = a * sketch.log_p + math.log(0.5 * math.erfc(x / math.sqrt(2)))
            best = min(best, max(left, right) + 0.7)
    return best


def table_line(sketch: Sketch, a: float, goal: float) -> Line:
    """The fewest nodes for a relative error e^-goal."""
    if sketch.q == 1:
        return Line(0.0, 1.0, 0, 0)
    best: tuple[float, float, float] | None = None
    for part in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 0.999):
        for cap in (1.0, 0.7, 0.5, 0.25):
            eta = min(part * math.pi * sketch.sigma / 2, cap * math.sqrt(goal / 2))
            cost = 2 * eta * eta + _log_spread(sketch, a, 2 * eta / sketch.sigma)
            step = _TAU * eta / (goal + cost)
            nodes = math.sqrt(2 * (goal + cost)) / step
            if best is None or nodes < best[0]:
                best = nodes, step, eta
    assert best is not None
    step, eta = dyadic(best[1], 16), dyadic(best[2], 16)
    return _line(sketch, a, eta, step, goal + amplification(sketch, a, eta) + 2, 0.0)


def height_line(sketch: Sketch, a: float, eta: float, goal: float) -> Line:
    """Nodes for B(eta, .) (for M(a) if eta = 0) with a relative error e^-goal."""
    if sketch.q == 1:
        return Line(0.0, 1.0, 0, 0, 1.0)
    width = math.pi * sketch.sigma
    if eta == 0:
        free = (0.999 if a >= 0 else 0.5) * width
    else:
        free = max(width / 2 - eta, min(eta, 0.95 * (width - eta))) * 0.999
    limit = math.sqrt(goal)
    best: tuple[float, float] = (0.0, 0.0)
    for part in (1.0,) if a >= 0 else (1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02, 0.005):
        shift = dyadic(part * min(free, limit), 12)
        cost = shift**2 / 2 + eta**2 / 2 + _log_spread(sketch, a, (eta + shift) / sketch.sigma)
        best = max(best, (_TAU * shift / (goal + cost + 2), shift))
    step, shift = dyadic(best[0], 14), best[1]
    return _line(sketch, a, eta, step, goal + amplification(sketch, a, eta) + 3, shift)


def _line(sketch: Sketch, a: float, eta: float, step: float, drop: float, shift: float) -> Line:
    """All nodes whose term is above e^-drop M(a)."""
    level = sketch.log_moment(a) - drop
    turned = a * math.log(math.cos(eta / sketch.sigma / 2)) if a < 0 else 0.0

    def log_term(x: float) -> float:
        size = a * sketch.log_g(x)
        if a < 0 and x > 0:  # two bounds off the real line: |g| >= p, and |g| >= g cos(b/2)
            size = min(a * sketch.log_p, size + turned)
        return size - x * x / 2

    right = near = sketch.near(a)
    if a > 0 and log_term(sketch.far(a)) > level:
        right = sketch.far(a)
    high = _edge(log_term, right, 1.0, level)
    low = _edge(log_term, min(near, 0.0) if a < 0 else near, -1.0, level)
    first, last = math.floor(low / step), math.ceil(high / step)
    if last - first > MAX_NODES:
        raise OutOfReach("too many nodes")
    return Line(eta, step, min(first, 0), max(last, 1), shift)  # the tails start beyond 0


def _edge(log_term: Callable[[float], float], start: float, sign: float, level: float) -> float:
    width = 1.0
    while log_term(start + sign * width) > level:
        width *= 1.5
        if width > 1e9:
            raise BadPlan("no edge")
    low, high = width / 1.5, width
    for _ in range(5):
        middle = (low + high) / 2
        if log_term(start + sign * middle) > level:
            low = middle
        else:
            high = middle
    return start + sign * high
