"""Where to cut the steps of a run with rare, large jumps (``jumps``): decided in doubles, checked in balls."""

from __future__ import annotations

import math
from dataclasses import dataclass

from verify.accounting.contour.jumps import Cells, Jumps
from verify.accounting.contour.planner import Planner, log_kappa
from verify.accounting.contour.sketch import Sketch, dyadic
from verify.numbers.budget import Deadline

_RISES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)  # c' - 1
_FARTHEST = 30.0  # c'/sigma
_SETTLING = 4
_LEFT = -9.0
_FINE, _MOST_CELLS = 0.1, 4000
_BEYOND_MODES = 12.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A contour and a period for which aliasing on the right is small by the bound of ``jumps``."""

    c: float
    c_right: float
    period: float
    jumps: Jumps


def proposals(planner: Planner, epsilon: float, want: float, deadline: Deadline) -> list[Proposal]:
    """One for each c' that serves: ln of what aliases on the right is about ``want``."""
    found = []
    for rise in _RISES:
        c_right = 1 + rise
        if all(c_right / s.sigma <= _FARTHEST for s, _ in planner.parts):
            one = _settle_period(planner, epsilon, want, c_right, deadline)
            if one is not None:
                found.append(one)
    return found


def _settle_period(
    planner: Planner, epsilon: float, want: float, c_right: float, deadline: Deadline
) -> Proposal | None:
    """A long period helps its own bound: the longest that is assumed and needed."""
    low = max(epsilon, 1e-12)
    best = _propose(planner, epsilon, want, c_right, low, deadline)
    if best is None or best.period <= low:
        return best
    high = best.period
    for _ in range(_SETTLING):
        middle = math.sqrt(low * high)
        one = _propose(planner, epsilon, want, c_right, middle, deadline)
        if one is not None and one.period >= middle:
            best, low, high = one, middle, min(high, one.period)
        else:
            high = middle
    return best


def _propose(
    planner: Planner,
    epsilon: float,
    want: float,
    c_right: float,
    period: float,
    deadline: Deadline,
) -> Proposal | None:
    """For this c', sound only if the period found is not below the one given."""
    deadline.check()
    c = 1 + (c_right - 1) / 2
    size = planner.log_psi(c_right)
    # R+ = kappa V e^{-(c'-1) eps}/(e^{(c'-c)P} - 1)
    front = log_kappa(c_right) - (c_right - 1) * epsilon
    front -= math.log(math.expm1(min((c_right - c) * period, 600.0)))
    want -= front + 1
    level = _level(planner, c_right, want - size - math.log(planner.steps) - 1)
    if level is None:
        return None
    cuts = [_t_at_level(s, level) for s, _ in planner.parts]
    best, theta = math.inf, 0.0
    trial = 1 / level
    for _ in range(60):
        deadline.check()
        log_size = sum(
            n * _log_below(s, c_right + trial, cut)
            for (s, n), cut in zip(planner.parts, cuts, strict=True)
        )
        x = (log_size - want) / trial
        if x < best:
            best, theta = x, trial
        elif x > 1.5 * best:
            break
        trial *= 1.25
    if not epsilon < best < math.inf:
        best = max(best, 2 * epsilon)
    theta = dyadic(theta, 20)
    cells = tuple(
        _cells(s, n, cut, c_right, theta) for (s, n), cut in zip(planner.parts, cuts, strict=True)
    )
    return Proposal(c, c_right, 1.02 * (best - epsilon), Jumps(theta, cells))


def _level(planner: Planner, c_right: float, want: float) -> float | None:
    """The least loss b beyond which all steps together have no more than e^want of the moment."""

    def above(b: float) -> bool:
        return any(_log_beyond(s, c_right, _t_at_level(s, b)) > want for s, _ in planner.parts)

    low, high = -30.0, 7.0  # of ln b
    if above(math.exp(high)):
        return None
    while high - low > 0.01:
        middle = (low + high) / 2
        if above(math.exp(middle)):
            low = middle
        else:
            high = middle
    return math.exp(high)


def _t_at_level(sketch: Sketch, level: float) -> float:
    """The t at which ln g is this level."""
    excess = math.log(math.expm1(level) + sketch.q) if level < 600 else level
    t = sketch.sigma * (excess - sketch.log_q) + 0.5 / sketch.sigma
    return math.copysign(dyadic(abs(t), 14), t) if t else 0.0


def _log_beyond(sketch: Sketch, a: float, cut: float) -> float:
    end = max(cut, a / sketch.sigma) + 9.0
    return _log_sum(sketch, a, cut, end)


def _log_below(sketch: Sketch, a: float, cut: float) -> float:
    return _log_sum(sketch, a, min(_LEFT, cut - 1), cut)


def _log_sum(sketch: Sketch, a: float, start: float, end: float) -> float:
    """ln int phi g^a from start to end, by the midpoint rule.

    Beyond max(0, a/sigma), which no mode exceeds, phi g^a falls like phi: there the nodes of a far
    end would add nothing.
    """
    end = min(end, max(start + 1, a / sketch.sigma + _BEYOND_MODES, _BEYOND_MODES))
    count = max(8, math.ceil((end - start) / _FINE))
    v = (end - start) / count
    points = [start + (k + 0.5) * v for k in range(count)]
    exponents = [a * sketch.log_g(x) - x * x / 2 for x in points]
    top = max(exponents)
    total = sum(math.exp(e - top) for e in exponents)
    return top + math.log(total * v / math.sqrt(2 * math.pi))


def _cells(sketch: Sketch, steps: int, cut: float, c_right: float, theta: float) -> Cells:
    """Cells that cost a factor of about e below the cut, over all steps, and less beyond."""
    weight = max(1e-9, steps * (c_right + theta) * sketch.q)
    width = dyadic(min(0.25, sketch.sigma * math.sqrt(12 / weight)), 8)
    count = math.ceil((cut - min(_LEFT, cut - 1)) / width)
    if count > _MOST_CELLS:
        width, count = width * count / _MOST_CELLS, _MOST_CELLS
    wide = dyadic(min(0.2, sketch.sigma * math.sqrt(2 / c_right)), 8)
    goal = _log_beyond(sketch, c_right, cut) - 3
    far = max(cut, c_right / sketch.sigma) + 1
    while _log_rest(sketch, c_right, far) > goal and far < 1e4:
        far += 1
    return Cells(cut, width, count, wide, math.ceil((far - cut) / wide))


def _log_rest(sketch: Sketch, a: float, x: float) -> float:
    """ln of what ``jumps`` adds right of the last cell."""
    over = x - a / sketch.sigma
    gaussian = math.log(0.5 * math.erfc(over / math.sqrt(2))) if over < 35 else -over * over / 2
    return a * (sketch.log_g(x) - x / sketch.sigma) + a * a / (2 * sketch.sigma**2) + gaussian
