"""The independent route: the loss of one step put on a grid, once from above and once from below,
and convolved.

It shares nothing with the contour but the definition of the loss. It gives few digits, but it
always gives a bracket, and every rounding in it has a direction: weights are integers in units of
2^-bits, rounded up in the upper and down in the lower distribution; products of the polynomials
they form are exact; what is shifted out rounds the same way.

Let L be the loss of a step, a = P1(bucket), b = P2(bucket) for the first and second of the pair: a/b is the mean
of e^L under P2 on the bucket. delta(eps) = E_1[(1 - e^{eps-L})_+] grows with every weight and every loss, and, as
E_2[(e^L - e^eps)_+], it is convex in e^L. The same is true of every factor of a product, others fixed. Hence

* **above**: spread a bucket (x_{i-1}, x_i] onto its two ends so that a and b stay the same: the
  upper end gets the P1-weight (a - b e^{x_{i-1}})/(1 - e^{-m}), the lower the rest (m the mesh). A
  spread that keeps the mean of e^L does not lower a convex function. What lies above the grid gets
  loss +inf, what lies below is put on its first point.
* **below**: merge a bucket (y_{i-1}, y_i] into one outcome with loss ln(a/b) (data processing),
  then put its weight on the grid point at or below that loss. Edges y_i are chosen so that ln(a/b)
  is just above x_i: both brackets are then of second order in the mesh. What lies above the grid is
  put on its last point, what lies below is dropped.

Weights of products beyond the window are treated in the same way. The grid of a step may be
shifted; the shifts add up exactly. Buckets of one step may be wider than a mesh (``places``): above
holds for buckets of any width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpz_poly

from verify.accounting.contour.planner import Direction
from verify.accounting.exact.loss import Grid, Loss, Tails, offset, window
from verify.accounting.history import History
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline

POINTS = 8192  # of the window, unless told
_LOOK = 8  # points between two looks at the clock


@dataclass(frozen=True, slots=True)
class Weights:
    """Integer weights at low, low+1, ..., and the weight at +inf (upper distribution only)."""

    low: int
    values: list[int]
    infinite: int


def from_above(
    loss: Tails,
    grid: Grid,
    shift: float = 0.0,
    deadline: Deadline | None = None,
    places: Sequence[int] | None = None,
) -> Weights:
    """The upper distribution of one step, on the grid shifted so far, or on some places of it."""
    size = grid.high - grid.low + 1
    places = range(size) if places is None else places
    weights = [0] * size
    with precision(grid.bits + 64):
        mesh = arb(grid.mesh)
        before, last = loss.above(mesh * (grid.low + places[0]) + shift), places[0]
        weights[last] += _up(1 - before[0], grid.bits)
        for i, place in enumerate(places[1:]):
            _look(i, deadline)
            here = loss.above(mesh * (grid.low + place) + shift)
            a, b = before[0] - here[0], before[1] - here[1]
            shrink = -(-mesh * (place - last)).expm1()
            upper = (a - b * (mesh * (grid.low + last) + shift).exp()) / shrink
            upper = upper.max(arb(0)).min(a.max(arb(0)))
            weights[place] += _up(upper, grid.bits)
            weights[last] += _up(a - upper, grid.bits)
            before, last = here, place
        return Weights(grid.low, weights, _up(before[0], grid.bits))


def from_below(
    loss: Tails, grid: Grid, shift: float = 0.0, deadline: Deadline | None = None
) -> Weights:
    """The lower distribution of one step, on the grid shifted so far."""
    size = grid.high - grid.low + 1
    weights = [0] * size
    edges = _edges(loss, grid, shift, deadline)
    with precision(grid.bits + 64):
        mesh = arb(grid.mesh)
        before = loss.above(arb(edges[0]))
        for i, edge in enumerate(edges[1:]):
            _look(i, deadline)
            here = loss.above(arb(edge))
            a, b = before[0] - here[0], before[1] - here[1]
            if a > 0 and b > 0:
                level = (a / b).log() - shift
                place = math.floor(float((level / mesh).mid()))
                while place >= grid.low and not level >= mesh * place:
                    place -= 1
                if place >= grid.low:
                    weights[min(place, grid.high) - grid.low] += _down(a, grid.bits)
            before = here
        weights[-1] += _down(before[0], grid.bits)
    return Weights(grid.low, weights, 0)


def _look(i: int, deadline: Deadline | None) -> None:
    if deadline is not None and i % _LOOK == 0:
        deadline.check()


def _edges(loss: Tails, grid: Grid, shift: float, deadline: Deadline | None) -> list[float]:
    """Edges y that make the mean of e^L on a bucket (last, y] just above some e^{x_i}, last < x_i < y."""
    m = grid.mesh
    edges = [grid.low * m + shift]
    top = grid.high * m + shift
    if shift:  # the outcome to which the grid was shifted
        edges.append(m / 2)
    while True:
        _look(len(edges), deadline)
        last = edges[-1]
        x = (math.floor((last - shift) / m) + 1) * m + shift
        low, high = x + 1e-4 * m, x + 3 * m
        while high < top and _excess(loss, last, high, x) <= 0:
            low, high = high, high + 2 * (high - x)
        if (
            high >= top and x + m < top
        ):  # a steep fall: no bucket has that mean, one of a mesh is put down
            edges.append(x + m / 2)
            continue
        if high >= top:
            return [*edges, top]
        for _ in range(22):
            middle = (low + high) / 2
            if _excess(loss, last, middle, x) > 0:
                high = middle
            else:
                low = middle
        # edges increase, also if the doubles are wrong: no weight is counted twice
        edges.append(max(high + 1e-6 * m, math.nextafter(last, math.inf)))


def _excess(loss: Tails, low: float, high: float, x: float) -> float:
    """a - e^x b of the bucket (low, high], in doubles: its sign says on which side ln(a/b) is."""
    (a, b), (c, d) = loss.tails(low), loss.tails(high)
    if b <= d:
        return a - c
    return (a - c) - math.exp(min(x + math.log(b - d), 0.0))  # e^x alone may overflow


def _up(x: arb, bits: int) -> int:
    scaled = (x * arb(2) ** bits).upper()
    if scaled <= 1:  # a fraction could be too small for the memory
        return 1 if scaled > 0 else 0
    return math.ceil(fraction(scaled))


def _down(x: arb, bits: int) -> int:
    scaled = (x * arb(2) ** bits).lower()
    return math.floor(fraction(scaled)) if scaled >= 1 else 0


def convolve(x: Weights, y: Weights, grid: Grid, up: bool) -> Weights:
    """The distribution of a sum of independent losses, put back into the window."""
    product = [int(v) for v in (fmpz_poly(x.values) * fmpz_poly(y.values)).coeffs()]
    first = grid.low - x.low - y.low  # of the window, in the product
    size = grid.high - grid.low + 1
    start, stop = max(first, 0), max(first + size, 0)
    exact = ([0] * (start - first) + product[start:stop])[:size]
    exact += [0] * (size - len(exact))
    under, over = sum(product[:start]), sum(product[stop:])
    if up:
        exact[0] += under
        over += x.infinite * (sum(y.values) + y.infinite) + y.infinite * sum(x.values)
        return Weights(grid.low, [-(-v >> grid.bits) for v in exact], -(-over >> grid.bits))
    exact[-1] += over
    return Weights(grid.low, [v >> grid.bits for v in exact], 0)


def compose(x: Weights, times: int, grid: Grid, up: bool, deadline: Deadline) -> Weights:
    """The sum of so many independent losses, by squaring."""
    result: Weights | None = None
    while True:
        deadline.check()
        if times & 1:
            result = x if result is None else convolve(result, x, grid, up)
        times >>= 1
        if not times:
            assert result is not None
            return result
        x = convolve(x, x, grid, up)


@dataclass(frozen=True, slots=True)
class Total:
    """The distribution of the total loss of a run, from above or from below: a bound of delta and of epsilon."""

    weights: Weights
    grid: Grid
    shift: Fraction
    up: bool

    @classmethod
    def of(
        cls, steps: Sequence[tuple[Weights, int, float]], grid: Grid, up: bool, deadline: Deadline
    ) -> Total:
        """The sum over phases: the distribution of a step, how many steps, the shift of its grid."""
        total: Weights | None = None
        for step, times, _ in steps:
            many = compose(step, times, grid, up, deadline)
            total = many if total is None else convolve(total, many, grid, up)
        assert total is not None
        shift = sum((times * Fraction(shift) for _, times, shift in steps), Fraction(0))
        return cls(total, grid, shift, up)

    def delta(self, epsilon: Fraction) -> Fraction:
        """A number that delta(epsilon) is not above, or not below."""
        with precision(self.grid.bits + 32):
            epsilon -= self.shift
            eps, mesh = ball(epsilon), ball(Fraction(self.grid.mesh))
            start = max(self.weights.low, math.floor(epsilon / Fraction(self.grid.mesh)))
            heavy, light = self._sums(start)
            end = (heavy - (eps - mesh * start).exp() * light) / arb(2) ** self.grid.bits
            return max(Fraction(0), fraction(end.upper() if self.up else end.lower()))

    def _sums(self, start: int) -> tuple[arb, arb]:
        """Sums over places > start of w and of w e^{-(place - start) mesh}."""
        inside = self.weights.values[start + 1 - self.weights.low :]
        ratio = (-arb(self.grid.mesh)).exp()
        light = arb(0)
        for w in reversed(inside):
            light = (light + w) * ratio
        return arb(sum(inside) + self.weights.infinite), light

    def epsilon(self, delta: Fraction) -> Fraction | None:
        """The epsilon >= 0 at which this distribution has that delta, rounded outwards; None beyond the grid."""
        weights, up = self.weights, self.up
        with precision(self.grid.bits + 32):
            target = ball(delta) * arb(2) ** self.grid.bits
            ratio = (-arb(self.grid.mesh)).exp()
            heavy, light = arb(weights.infinite), arb(0)
            if up and not heavy < target:
                return None
            place = weights.low + len(weights.values) - 1
            # delta at epsilon = place * mesh + shift is (heavy - light), in units of the weights
            zero = -self.shift / Fraction(self.grid.mesh)

            def further() -> bool:
                """The upper curve is surely below the target here, or the lower not surely above."""
                return bool(heavy - light < target) if up else not heavy - light > target

            while place > zero and further():
                w = weights.values[place - weights.low]
                heavy, light, place = heavy + w, (light + w) * ratio, place - 1
            if place <= zero and further():
                return Fraction(0)
            # between place and place + 1: heavy - e^{eps - shift - place mesh} light = target
            mesh = Fraction(self.grid.mesh)
            root = ball(mesh) * place + ((heavy - target) / light).log() + ball(self.shift)
            end = fraction(root.upper() if up else root.lower()) if root.is_finite() else None
            if end is None:  # the next point of the grid is safe above, this one below
                end = mesh * (place + 1 if up else place) + self.shift
            return max(Fraction(0), min(end, mesh * (place + 1) + self.shift))


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
        self.grid = grid = window(history, direction, log_delta, points, margin)
        shifts = [offset(p, direction, grid) for p in history]
        self.upper, self.lower = (
            Total.of(
                [
                    (side(Loss(p, direction), grid, shift, deadline), p.steps, shift)
                    for p, shift in zip(history, shifts, strict=True)
                ],
                grid,
                up,
                deadline,
            )
            for side, up in ((from_above, True), (from_below, False))
        )
        self.shift = self.upper.shift

    def delta(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """delta(epsilon) lies between these."""
        return self.lower.delta(epsilon), self.upper.delta(epsilon)

    def epsilon(self, delta: Fraction) -> tuple[Fraction, Fraction | None]:
        """epsilon(delta) lies between these; None where the upper one is beyond the grid."""
        low = self.lower.epsilon(delta)
        return low if low is not None else Fraction(0), self.upper.epsilon(delta)
