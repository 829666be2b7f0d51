"""The independent route: the loss of one step put on a grid, once from above and once from below, and convolved.

It shares nothing with the contour but the definition of the loss. It gives few digits, but it always gives a bracket, and
every rounding in it has a direction: weights are integers in units of 2^-bits, rounded up in the upper and down in
the lower distribution; products of the polynomials they form are exact; what is shifted out rounds the same way.

Let L be the loss of a step, a = P1(bucket), b = P2(bucket) for the first and second of the pair: a/b is the mean
of e^L under P2 on the bucket. delta(eps) = E_1[(1 - e^{eps-L})_+] grows with every weight and every loss, and, as
E_2[(e^L - e^eps)_+], it is convex in e^L. The same is true of every factor of a product, others fixed. Hence

* **above**: spread a bucket (x_{i-1}, x_i] onto its two ends so that a and b stay the same: the upper end gets the
  P1-weight (a - b e^{x_{i-1}})/(1 - e^{-m}), the lower the rest (m the mesh). A spread that keeps the mean of e^L does not
  lower a convex function. What lies above the grid gets loss +inf, what lies below is put on its first point.
* **below**: merge a bucket (y_{i-1}, y_i] into one outcome with loss ln(a/b) (data processing), then put its weight on
  the grid point at or below that loss. Edges y_i are chosen so that ln(a/b) is just above x_i: both brackets are then of
  second order in the mesh. What lies above the grid is put on its last point, what lies below is dropped.

Weights of products beyond the window are treated in the same way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpz_poly

from verify.accounting.history import History, Phase
from verify.accounting.line import normal
from verify.accounting.plan import Direction, Planner
from verify.accounting.sketch import dyadic
from verify.balls import ball, fraction, precision
from verify.budget import Deadline

POINTS = 8192  # of the window, unless told


@dataclass(frozen=True, slots=True)
class Grid:
    """Losses low*mesh .. high*mesh, weights in units of 2^-bits."""

    mesh: float
    low: int
    high: int
    bits: int


class Loss:
    """P1(L > x) and P2(L > x) of one step, in balls and in doubles."""

    def __init__(self, phase: Phase, direction: Direction) -> None:
        self.phase, self.remove = phase, direction == "remove"
        self.fq, self.fs = float(phase.q), float(phase.sigma)

    def above(self, x: arb) -> tuple[arb, arb]:
        """(P1(L > x), P2(L > x)). Removing: L = ln g under the mixture; adding: L = -ln g under Q."""
        q, p, s = ball(self.phase.q), ball(1 - self.phase.q), ball(self.phase.sigma)
        level = x.exp() if self.remove else (-x).exp()
        if not level > p:
            if not level <= p:  # undecided: the certain bounds
                return arb(0).union(arb(1)), arb(0).union(arb(1))
            return (arb(1), arb(1)) if self.remove else (arb(0), arb(0))
        t = s * ((level - p) / q).log() + 1 / (2 * s)
        if self.remove:
            plain = normal(-t)
            return p * plain + q * normal(1 / s - t), plain
        plain = normal(t)
        return plain, p * plain + q * normal(t - 1 / s)

    def excess(self, low: float, high: float, x: float) -> float:
        """a - e^x b of the bucket (low, high], in doubles: its sign says on which side ln(a/b) is."""
        one = [self._roughly(v) for v in (low, high)]
        return (one[0][0] - one[1][0]) - math.exp(x) * (one[0][1] - one[1][1])

    def rarely(self, x: float) -> float:
        """P1(L > x), in doubles."""
        return self._roughly(x)[0]

    def _roughly(self, x: float) -> tuple[float, float]:
        q, s = self.fq, self.fs
        level = math.exp(x if self.remove else -x)
        if level <= 1 - q:
            return (1.0, 1.0) if self.remove else (0.0, 0.0)
        t = s * math.log((level - (1 - q)) / q) + 0.5 / s
        sign = -1.0 if self.remove else 1.0
        plain = 0.5 * math.erfc(-sign * t / math.sqrt(2))
        mixed = (1 - q) * plain + q * 0.5 * math.erfc(-sign * (t - 1 / s) / math.sqrt(2))
        return (mixed, plain) if self.remove else (plain, mixed)


@dataclass(frozen=True, slots=True)
class Weights:
    """Integer weights at low, low+1, ..., and the weight at +inf (upper distribution only)."""

    low: int
    values: list[int]
    infinite: int


def from_above(loss: Loss, grid: Grid) -> Weights:
    """The upper distribution of one step."""
    size = grid.high - grid.low + 1
    weights = [0] * size
    with precision(grid.bits + 64):
        mesh, shrink = arb(grid.mesh), -(-arb(grid.mesh)).expm1()
        before = loss.above(mesh * grid.low)
        weights[0] += _up(1 - before[0], grid.bits)
        for i in range(1, size):
            here = loss.above(mesh * (grid.low + i))
            a, b = before[0] - here[0], before[1] - here[1]
            upper = (a - b * (mesh * (grid.low + i - 1)).exp()) / shrink
            upper = upper.max(arb(0)).min(a.max(arb(0)))
            weights[i] += _up(upper, grid.bits)
            weights[i - 1] += _up(a - upper, grid.bits)
            before = here
        return Weights(grid.low, weights, _up(before[0], grid.bits))


def from_below(loss: Loss, grid: Grid) -> Weights:
    """The lower distribution of one step."""
    size = grid.high - grid.low + 1
    weights = [0] * size
    edges = _edges(loss, grid)
    with precision(grid.bits + 64):
        mesh = arb(grid.mesh)
        before = loss.above(arb(edges[0]))
        for edge in edges[1:]:
            here = loss.above(arb(edge))
            a, b = before[0] - here[0], before[1] - here[1]
            if a > 0 and b > 0:
                place = math.floor(float(((a / b).log() / mesh).mid()))
                while place >= grid.low and not (a / b).log() >= mesh * place:
                    place -= 1
                if place >= grid.low:
                    weights[min(place, grid.high) - grid.low] += _down(a, grid.bits)
            before = here
        weights[-1] += _down(before[0], grid.bits)
    return Weights(grid.low, weights, 0)


def _edges(loss: Loss, grid: Grid) -> list[float]:
    """Edges y that make the mean of e^L on a bucket (last, y] just above some e^{x_i}, last < x_i < y."""
    m = grid.mesh
    edges = [grid.low * m]
    top = grid.high * m
    while True:
        last = edges[-1]
        x = (math.floor(last / m) + 1) * m
        low, high = x + 1e-4 * m, x + 3 * m
        while high < top and loss.excess(last, high, x) <= 0:
            low, high = high, high + 2 * (high - x)
        if high >= top:
            return [*edges, top]
        for _ in range(22):
            middle = (low + high) / 2
            if loss.excess(last, middle, x) > 0:
                high = middle
            else:
                low = middle
        edges.append(high + 1e-6 * m)


def _up(x: arb, bits: int) -> int:
    scaled = fraction((x * arb(2) ** bits).upper())
    return max(0, math.ceil(scaled))


def _down(x: arb, bits: int) -> int:
    scaled = fraction((x * arb(2) ** bits).lower())
    return max(0, math.floor(scaled))


def convolved(x: Weights, y: Weights, grid: Grid, up: bool) -> Weights:
    """The distribution of a sum of independent losses, put back into the window."""
    product = [int(v) for v in (fmpz_poly(x.values) * fmpz_poly(y.values)).coeffs()]
    one = 1 << grid.bits
    first = x.low + y.low
    size = grid.high - grid.low + 1
    exact = [0] * size
    over = 0
    for i, value in enumerate(product):
        place = first + i - grid.low
        if place < 0:
            exact[0] += value if up else 0
        elif place < size:
            exact[place] += value
        elif up:
            over += value
        else:
            exact[-1] += value
    if up:
        infinite = x.infinite * (sum(y.values) + y.infinite) + y.infinite * sum(x.values) + over
        return Weights(grid.low, [-(-v // one) for v in exact], -(-infinite // one))
    return Weights(grid.low, [v // one for v in exact], 0)


def composed(x: Weights, times: int, grid: Grid, up: bool, deadline: Deadline) -> Weights:
    """The sum of so many independent losses, by squaring."""
    result: Weights | None = None
    while True:
        deadline.check()
        if times & 1:
            result = x if result is None else convolved(result, x, grid, up)
        times >>= 1
        if not times:
            assert result is not None
            return result
        x = convolved(x, x, grid, up)


class Bracket:
    """delta and epsilon of a run, between the two distributions."""

    def __init__(
        self,
        history: History,
        direction: Direction,
        log_delta: float,
        deadline: Deadline,
        points: int = POINTS,
        margin: float = 16.0,
    ) -> None:
        self.grid = window(history, direction, log_delta, points, margin)
        self.upper = self._whole(history, direction, True, deadline)
        self.lower = self._whole(history, direction, False, deadline)

    def _whole(
        self, history: History, direction: Direction, up: bool, deadline: Deadline
    ) -> Weights:
        total: Weights | None = None
        for phase in history:
            step = (from_above if up else from_below)(Loss(phase, direction), self.grid)
            many = composed(step, phase.steps, self.grid, up, deadline)
            total = many if total is None else convolved(total, many, self.grid, up)
        assert total is not None
        return total

    def delta(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """delta(epsilon) lies between these."""
        with precision(self.grid.bits + 32):
            eps, mesh = ball(epsilon), ball(Fraction(self.grid.mesh))
            ends = []
            for weights in (self.lower, self.upper):
                start = max(weights.low, math.floor(epsilon / Fraction(self.grid.mesh)))
                heavy, light = self._sums(weights, start)
                ends.append((heavy - (eps - mesh * start).exp() * light) / arb(2) ** self.grid.bits)
            return max(Fraction(0), fraction(ends[0].lower())), fraction(ends[1].upper())

    def _sums(self, weights: Weights, start: int) -> tuple[arb, arb]:
        """Sums over places > start of w and of w e^{-(place - start) mesh}."""
        inside = weights.values[start + 1 - weights.low :]
        ratio = (-arb(self.grid.mesh)).exp()
        light = arb(0)
        for w in reversed(inside):
            light = (light + w) * ratio
        return arb(sum(inside) + weights.infinite), light

    def epsilon(self, delta: Fraction) -> tuple[Fraction, Fraction | None]:
        """epsilon(delta) lies between these; None where the upper one is beyond the grid."""
        low = self._root(self.lower, delta, False)
        return low if low is not None else Fraction(0), self._root(self.upper, delta, True)

    def _root(self, weights: Weights, delta: Fraction, up: bool) -> Fraction | None:
        """The epsilon >= 0 at which this distribution has that delta, rounded outwards."""
        with precision(self.grid.bits + 32):
            target = ball(delta) * arb(2) ** self.grid.bits
            ratio = (-arb(self.grid.mesh)).exp()
            heavy, light = arb(weights.infinite), arb(0)
            if up and not heavy < target:
                return None
            place = weights.low + len(weights.values) - 1
            # delta at epsilon = place * mesh is (heavy - light), in units of the weights

            def further() -> bool:
                """The upper curve is surely below the target here, or the lower not surely above."""
                return bool(heavy - light < target) if up else not heavy - light > target

            while place > 0 and further():
                w = weights.values[place - weights.low]
                heavy, light, place = heavy + w, (light + w) * ratio, place - 1
            if place <= 0 and further():
                return Fraction(0)
            # between place and place + 1: heavy - e^{eps - place mesh} light = target
            mesh = Fraction(self.grid.mesh)
            root = ball(mesh) * place + ((heavy - target) / light).log()
            end = fraction(root.upper() if up else root.lower()) if root.is_finite() else None
            if end is None:  # the next point of the grid is safe above, this one below
                end = mesh * (place + 1 if up else place)
            return max(Fraction(0), min(end, mesh * (place + 1)))


def window(
    history: History, direction: Direction, log_delta: float, points: int, margin: float
) -> Grid:
    """Where the total loss matters at this delta, decided in doubles; what is outside is accounted for."""
    planner = Planner(history, direction)
    smalls = {1: log_delta - margin, -1: -14.0}  # what is far below epsilon may be put up a little

    def least(value: float, sign: int) -> float:
        """ln of a Chernoff bound of P1(L > value) (sign 1) or P1(L < -value) (sign -1)."""
        best = 0.0
        for i in range(40):
            theta = 0.02 * 1.45**i
            if sign < 0 and theta > 1e4:
                break
            size = planner.log_psi(1 + theta if sign > 0 else 1 - theta)
            best = min(best, size - theta * value)
        return best

    def jump() -> float:
        """Where a heavy right tail ends: twice what one step exceeds as rarely, and the bulk."""
        losses = [(Loss(p, direction), p.steps) for p in history]
        x = 1e-9
        while x < 1e9 and sum(n * loss.rarely(x) for loss, n in losses) > math.exp(smalls[1]):
            x *= 1.3
        order = planner.order(1.0)
        parts = [(s.cumulants(order), n) for s, n in planner.parts]
        mean = sum(abs(k[1]) * n for k, n in parts)
        return 2 * x + mean + math.sqrt(-2 * smalls[1] * sum(k[2] * n for k, n in parts))

    ends = []
    for sign in (1, -1):
        end = 1e-7
        while least(end, sign) > smalls[sign] and end < 1e12:
            end *= 1.3
        end = min(end, jump()) if sign > 0 else end
        bounded = (sign < 0) == planner.remove
        # a bounded side ends there; below -end the bounded rest of the steps cannot reach 0 again
        ends.append(min(end, planner.end * (1.0001 if bounded else 1.1 if sign < 0 else math.inf)))
    mesh = dyadic((ends[0] + ends[1]) / points, 10)
    bits = 64 + math.ceil((-log_delta + math.log(planner.steps)) / math.log(2))
    return Grid(mesh, -math.ceil(ends[1] / mesh) - 1, math.ceil(ends[0] / mesh) + 1, bits)
