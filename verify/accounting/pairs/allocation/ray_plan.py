"""Which ray serves which heights, and where its nodes lie: decided in doubles, checked by the balls
of ``mellin`` and ``laplace``."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.accounting.contour.sketch import dyadic
from verify.accounting.pairs.allocation.laplace import Ray
from verify.accounting.pairs.allocation.outline import Outline, log_gamma
from verify.numbers.errors import OutOfReach

_TAU, _HALF_PI = 2 * math.pi, math.pi / 2
_LOST = 10.0  # nats that a ray may lose to cancellation
_TURNS = (0.0, 0.001, 0.003, 0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.3, 0.45, 0.7, 1.0)  # of s
MOST_NODES = 200_000
_MOST_PRODUCT = 1_500_000
_FINEST = 1e-7  # of a right angle: nearer to it a ray is not put
Heights = tuple[float, float]


class Lost:
    """Nats that a ray loses at a height."""

    def __init__(self, x: float) -> None:
        self.x, self.at_zero = x, math.lgamma(x)

    def __call__(self, angle: float, y: float) -> float:
        return self.at_zero - log_gamma(self.x, y) - angle * y - self.x * math.log(math.cos(angle))


def stretch(x: float, y: float, top: float) -> tuple[float, float]:
    """The angle of a ray that serves heights from y on, and the height up to which it does."""
    lost = Lost(x)
    low, high = math.atan2(y, x), min(math.atan2(max(2 * top, 1e-300), x), _HALF_PI - _FINEST)
    angle = max(low, high)
    if lost(angle, y) > _LOST:
        angle = _last(lambda a: lost(a, y) <= _LOST, low, high)
    start = max(y, x * math.tan(angle))
    if start >= top or lost(angle, top) <= _LOST:
        return angle, top
    return angle, _last(lambda b: lost(angle, b) <= _LOST, start, top)


def _last(holds, low: float, high: float) -> float:  # type: ignore[no-untyped-def]  # a predicate of one number
    for _ in range(40):
        middle = (low + high) / 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def planned_ray(
    outline: Outline, n: int, x: float, angle: float, heights: Heights, goal: float
) -> Ray:
    """The nodes on this ray for heights between these two, with errors about e^-goal E S'^(n-x)."""
    angle = dyadic(angle, 30) if angle > 1e-12 else 0.0
    gammas = [log_gamma(x, y) for y in heights]
    up, turn, down, period = _neighbours(outline, x, angle, heights, gammas, goal)
    kappa = dyadic(_TAU / period, 16)
    size = outline.log_mellin(n, x)
    level = size - goal - 3 + min(angle * y + g for y, g in zip(heights, gammas, strict=True))
    left = _end(outline, n, x, angle, 0.0, -1, level, kappa)
    right, right_turn = min(
        (_end(outline, n, x, angle, eta, 1, level, kappa), eta) for eta in _turns(outline, angle)
    )
    first = math.floor(left / kappa) - 1
    last = max(first, math.ceil(right / kappa)) + 1
    if last - first > MOST_NODES:
        raise OutOfReach("too many nodes on a ray")
    worst = max(-angle * y - g for y, g in zip(heights, gammas, strict=True)) - size
    highest = _highest(outline, x, angle, right_turn, kappa * first, kappa * last)
    tilt = outline.tilt - math.log(outline.t) if n == 2 else 0.0
    nats = goal + 4 + math.log(outline.t) + max(0.0, highest + max(0.0, tilt) + worst)
    step, eta, below, above = _t_line(outline.s, angle, nats)
    fine = max(1, math.ceil(kappa * outline.s / step))
    reach = 2 * math.sqrt(2 * nats + eta * eta) * fine / (kappa * outline.s)
    if fine * (last - first) + reach > _MOST_PRODUCT:
        raise OutOfReach("too many nodes for the Laplace transform")
    spread = x * (abs(left) + abs(right)) + math.hypot(x, heights[1]) * (abs(right) + 1) + 2
    bits = int((nats + eta * eta / 2 + _LOST) / math.log(2) + 40 + 2 * math.log2(spread))
    return Ray(
        angle, kappa, fine, first, last, up, turn, down, right_turn, eta, below, above, nats, bits
    )


def _turns(outline: Outline, angle: float) -> Iterator[float]:
    """Shifts of all t by -i eta that a bound may use; none if there is an idle part, which does not turn."""
    for share in _TURNS:
        if share == 0 or (not outline.idle and abs(angle - share) < _HALF_PI):
            yield dyadic(share * outline.s, 12) if share else 0.0


def _neighbours(
    outline: Outline,
    x: float,
    angle: float,
    heights: Heights,
    gammas: list[float],
    goal: float,
) -> tuple[float, float, float, float]:
    """(up, turn, down, 2 pi/kappa): the shifts of the ray that allow the largest step."""
    at_zero = math.lgamma(x)

    def needed(d: float, eta: float) -> float:
        turned = angle + d - eta / outline.s
        if abs(turned) >= _HALF_PI - 1e-9:
            return math.inf
        worst = max(-(angle + d) * y - g for y, g in zip(heights, gammas, strict=True))
        size = worst + at_zero - x * math.log(math.cos(turned)) + outline.t * eta * eta / 2 + goal
        return max(size, 1e-3) / abs(d)

    def best(sign: int, eta: float) -> tuple[float, float]:
        grid = [1e-5 * 1.6**i for i in range(26)]
        value, d = min((needed(sign * d, eta), d) for d in grid)
        width = 1.6
        for _ in range(5):
            width = math.sqrt(width)
            value, d = min(
                (value, d), *((needed(sign * e, eta), e) for e in (d / width, d * width))
            )
        return value, d

    low, down = best(-1, 0.0)
    (high, up), turn = min((best(1, eta), eta) for eta in _turns_up(outline))
    if not math.isfinite(max(low, high)):
        raise OutOfReach("no neighbours of a ray")
    return dyadic(up, 20), turn, dyadic(down, 20), max(low, high) * 1.002 + 1e-9


def _turns_up(outline: Outline) -> Iterator[float]:
    for share in _TURNS:
        if share == 0 or not outline.idle:
            yield dyadic(share * outline.s, 12) if share else 0.0


def _end(
    outline: Outline,
    n: int,
    x: float,
    angle: float,
    eta: float,
    sign: int,
    level: float,
    kappa: float,
) -> float:
    """Where the bound of the integrand falls below the level."""
    cos = math.log(math.cos(angle - eta / outline.s))
    direct = math.log(math.cos(angle)) - cos
    extra = outline.t * eta * eta / 2

    def size(v: float) -> float:
        return x * v + outline.log_g(n, v + cos, direct) + extra

    start = outline.peak(n, x) - cos
    width = max(kappa, 0.02 / math.sqrt(x + 1))
    while size(start + sign * width) > level:
        width *= 1.12
        if width > 1e5:
            raise OutOfReach("an integrand that does not fall")
    return start + sign * width


def _highest(
    outline: Outline, x: float, angle: float, eta: float, left: float, right: float
) -> float:
    """The largest x v + ln |F|^(T-1) on the ray, about: what an error of one factor F is multiplied by."""
    best, part = -math.inf, outline.t - 1
    for i in range(121):
        v = left + (right - left) * i / 120
        size = 0.0
        for shift in {0.0, eta}:
            cos = math.log(math.cos(angle - shift / outline.s))
            size = min(size, part * (outline.log_f(v + cos + outline.shift) + shift * shift / 2))
        best = max(best, x * v + size)
    return best


def _t_line(s: float, angle: float, nats: float) -> tuple[float, float, float, float]:
    """(step, eta, d, d') of the line in t that allows the largest step."""
    best = 0.0, 0.0, 0.0, 0.0
    for i in range(1, 21):
        above = i / 20 * min(math.sqrt(2 * nats), 1.56 * s)
        eta = max(0.0, above - 0.999 * s * (_HALF_PI - angle))
        below = min(above, 0.999 * s * (angle + _HALF_PI) - eta)
        if below > 0:
            steps = (
                below / (nats + (eta + below) ** 2 / 2),
                above / (nats + (eta - above) ** 2 / 2),
            )
            best = max(best, (_TAU * min(steps), eta, below, above))
    step, eta, below, above = best
    return step, dyadic(eta, 20) if eta else 0.0, dyadic(below, 20), dyadic(above, 20)
