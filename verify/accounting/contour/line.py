"""Moments of one step at complex orders, and bounds on them, in balls.

M(w) = E[g(t)^w], g = p + X, p = 1-q, X = q exp(t/s - 1/(2 s^2)), t standard normal, s = sigma. In the
strip |Im t| < pi s, g avoids (-inf, 0], so ln g is principal and analytic. On Im t = eta, b = eta/s:

    (i)    |g(x+i eta)| <= g(x), and >= g(x) cos(b/2)    [|g|^2 = g^2 - 2pX(1-cos b), 2pX <= g^2/2]
    (ii)   A(x) = arg g(x+i eta) lies in [0, b] and increases with x        [0 <= eta < pi s]
    (iii)  |phi(x+i eta)| = phi(x) e^{eta^2/2},   |g^{a+iy}| = |g|^a e^{-yA}.

Hence the integral of |phi g^{a+iy}| over that line is at most e^{eta^2/2} C(b) M(a) for every y >= 0, with C = 1
for a >= 0 and C = cos(b/2)^a for a < 0. For a < 0 and b <= pi/2 there is also, for any x1 with pi(x1) <= 1/2,

    C = (1 - 2(1-cos b) pi1 (1-pi1))^{a/2} + p^a Phi(-x1),        pi1 = pi(x1), pi = X/g,

because |g|^2 = g^2 (1 - 2(1-cos b) pi(1-pi)), with pi(1-pi) increasing, left of x1; |g| >= p right
of it; and M(a) >= 1 by Jensen. The same two facts bound single terms. (For tiny q and large -a,
cos(b/2)^a would be useless.)

**Transform.** Trapezoidal rule of step v on the line eta, neighbours 0 and 2 eta (2 eta < pi s). The error
is the sum of the Fourier coefficients at the non-zero multiples of 2 pi/v; moving the line up by eta for one
sign and down by eta for the other makes it, for all y >= 0 at once, at most

    E M(a),    E = (1 + e^{2 eta^2} C(2 eta/s)) / (e^{2 pi eta/v} - 1),

and M(a) itself is at most (|sum at y = 0| + cut off)/(1 - E).

**Height.** Moving the line of integration to Im t = eta shows |M(a+iy')| <= B(eta, y) for all y' >= y >= 0,

    B(eta, y) = e^{eta^2/2} int phi |g(x+i eta)|^a e^{-yA(x)} dx,           decreasing in y because A >= 0.

Its integrand is phi(x) exp((w/2) ln g(x+i eta) + (w*/2) ln g(x-i eta)), w = a+iy, analytic in x. At
height d its modulus is phi e^{d^2/2} (|g(b1)||g(b2)|)^{a/2} e^{-(y/2)(arg g(b1) - arg g(b2))} with
b1 = (d+eta)/s, b2 = (d-eta)/s; |g| falls in |b|, so the middle factor is at most |g(b1)|^a (a < 0)
or g^a (a >= 0). The last exponent is <= 0 if y = 0 (b1 < pi), if d <= eta and b1 < pi (then arg
g(b2) <= 0), or if b1 <= pi/2 (arg g(x+isb) increases in b there). So the trapezoidal error is at
most

    2 e^{eta^2/2} e^{d^2/2} C(b1) M(a) / (e^{2 pi d/v} - 1).                     B(0, 0) is M(a).

**Cut off.** All terms are at most (constant) phi g^a. l = ln(phi g^a) has l' = -x + (a/s)
pi(x), pi = X/g increasing. On [x, x'] l' <= -x + max(0,a/s) pi(x') =: -r, so nodes there sum
to at most F(x)/(1-e^{-vr}) if r > 0; beyond x >= a/s, r = x - a/s. Where r > 0 fails, and
few nodes are left up to a/s, their terms are added one by one (two neighbours may be too far
apart to show a fall that is there, if l' almost touches 0). Where r > 0 fails for many (a >
0, a second hump): l'' = -1 + (a/s^2) pi (1-pi) changes sign at most twice, so l' has at most
three zeros; if l'(x) < 0 < l'(x'), x < x', one lies on the left of x (l' is positive far
left) and one on the right of x', so only one between, a minimum: F <= max(F(x), F(x')) on
[x, x']. From x' on, g e^{-x/s} decreases, so the rest is at most [g(x') e^{-x'/s}]^a
e^{a^2/(2 s^2)} times a sum of e^{-(x-a/s)^2/2}, which is below sqrt(2 pi)/v + 1. Left of x,
l' >= -x + min(0,a/s) pi(x).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flint import acb, acb_mat, arb

from verify.accounting.history import Phase
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline
from verify.numbers.errors import SgmError

SPLITS = (1, 2, 3, 4, 5, 6, 8, 10, 13)  # where C(b) is split
_ALONE = 256  # nodes that may be added one by one where their terms are not shown to fall
_LOOK = 1024  # nodes between two looks at the clock
_STRETCHES = (1.0, 0.4, 0.15, 0.05, 0.02)
_SUMMITS = (0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
_AFRESH = 32  # exp is called again after so many nodes reached by multiplication


class BadPlan(SgmError):
    """A hypothesis of a bound is not met by what the doubles proposed; plan again."""


def need(condition: bool, what: str) -> None:
    """A hypothesis, decided in balls: not surely true is not met."""
    if not condition:
        raise BadPlan(what)


@dataclass(frozen=True, slots=True)
class Line:
    """Nodes low..high, ``step`` apart, on the line Im t = eta; shift is d for a height."""

    eta: float
    step: float
    low: int
    high: int
    shift: float = 0.0

    def __len__(self) -> int:
        return self.high - self.low + 1


class Step:
    """q, 1-q and 1/sigma at the precision in force."""

    def __init__(self, phase: Phase) -> None:
        self.q, self.p = ball(phase.q), ball(1 - phase.q)
        self.inverse = 1 / ball(phase.sigma)

    def x_part(self, x: arb) -> arb:
        return self.q * (x * self.inverse - self.inverse**2 / 2).exp()

    def logs(self, line: Line) -> Iterator[tuple[arb, acb]]:
        """(x, ln g(x + i eta)) at the nodes."""
        v, turn = arb(line.step), (acb(0, arb(line.eta)) * self.inverse).exp()
        ratio = (v * self.inverse).exp()
        part = acb(0)
        for n, j in enumerate(range(line.low, line.high + 1)):
            x = v * j
            part = part * ratio if n % _AFRESH else self.x_part(x) * turn
            yield x, (part + self.p).log()

    def spread(self, b: arb, a: arb) -> arb:
        """C(b)."""
        if a >= 0:
            return arb(1)
        best = (b / 2).cos() ** a
        if b <= arb.pi() / 2 and self.p > 0:
            for x in map(arb, SPLITS):
                best = best.min(self.left_factor(x, b, a) + self.p**a * normal(-x))
        return best

    def left_factor(self, x: arb, b: arb, a: arb) -> arb:
        """At least |g|^a / g^a on the line b sigma, left of x (a < 0)."""
        part = self.x_part(x)
        share = part / (part + self.p)
        if not share <= 0.5:
            return (b / 2).cos() ** a
        return (1 - 2 * (1 - b.cos()) * share * (1 - share)) ** (a / 2)

    def cut_off(self, a: arb, line: Line) -> arb:
        """At least the sum of e^{-x^2/2} |g(x + i eta)|^a over all nodes outside low..high."""
        b = arb(line.eta) * self.inverse
        if a >= 0:
            return self._right(a, line) + self._left(a, line)
        left = self.left_factor(arb(line.step) * (line.low - 1), b, a) * self._left(a, line)
        right = (b / 2).cos() ** a * self._right(a, line)
        if b <= arb.pi() / 2 and self.p > 0:  # |g| >= p
            right = right.min(self.p**a * self._right(arb(0), line))
        return left + right

    def _left(self, a: arb, line: Line) -> arb:
        """The sum of e^{-x^2/2} g^a over the nodes left of low."""
        x, v = arb(line.step) * (line.low - 1), arb(line.step)
        part = self.x_part(x)
        rise = -x + (a * self.inverse).min(arb(0)) * (part / (part + self.p))
        need(rise > 0, "the left end does not rise")
        return (-x * x / 2).exp() * (part + self.p) ** a / (1 - (-v * rise).exp())

    def _right(self, a: arb, line: Line) -> arb:
        """The sum of e^{-x^2/2} g^a over the nodes right of high."""
        v, pull = arb(line.step), (a * self.inverse).max(arb(0))
        total, j, alone = arb(0), line.high + 1, 0
        need(j > 0, "the right end is not on the right")
        while True:
            x = v * j
            value = self._term(a, x)
            if x > pull:
                return total + value / (1 - (-v * (x - pull)).exp())
            after, fall = self._stretch(v, j, pull)
            if fall is None and alone < _ALONE and pull < v * (j + _ALONE):
                total, j, alone = total + value, j + 1, alone + 1
                continue
            if fall is None:
                return total + self._hump(a, v, j, pull)
            total += value / (1 - (-v * fall).exp())
            j = after

    def _hump(self, a: arb, v: arb, j: int, pull: arb) -> arb:
        """All nodes from j on when phi g^a rises once more before it falls for good."""
        best = self._beyond(a, v, j)
        for part in _SUMMITS:
            k = int(float(pull) * part / float(v))
            if k > j and self._slope(v * j, pull) < 0 and self._slope(v * k, pull) > 0:
                ends = self._term(a, v * j).max(self._term(a, v * k))
                best = best.min((k - j) * ends + self._beyond(a, v, k))
        return best

    def _slope(self, x: arb, pull: arb) -> arb:
        part = self.x_part(x)
        return pull * (part / (part + self.p)) - x

    def _term(self, a: arb, x: arb) -> arb:
        return (-x * x / 2).exp() * (self.x_part(x) + self.p) ** a

    def _beyond(self, a: arb, v: arb, j: int) -> arb:
        x = v * j
        share = ((self.x_part(x) + self.p) * (-x * self.inverse).exp()) ** a
        return share * ((a * self.inverse) ** 2 / 2).exp() * ((2 * arb.pi()).sqrt() / v + 1)

    def _stretch(self, v: arb, j: int, pull: arb) -> tuple[int, arb | None]:
        """A stretch of nodes from j on along which phi g^a surely falls, as long as may be."""
        for factor in _STRETCHES:
            after = j + max(1, int(j * factor))
            end = self.x_part(v * after)
            fall = v * j - pull * (end / (end + self.p))
            if fall > 0:
                return after, fall
        return j, None


def transform(
    phase: Phase, a: arb, h: arb, count: int, line: Line, deadline: Deadline
) -> tuple[list[acb], arb]:
    """M(a + ikh) for k = 0..count, and an upper bound of M(a)."""
    if phase.q == 1:
        return _gaussian(phase, a, h, count)
    step = Step(phase)
    eta, v = arb(line.eta), arb(line.step)
    need(eta > 0 and v > 0 and h > 0, "eta, step and h must be positive")
    need(2 * eta * step.inverse < arb.pi(), "the line's neighbour leaves the strip")
    weights: list[acb] = []
    turns: list[acb] = []
    for x, log in step.logs(line):
        if len(weights) % _LOOK == 0:
            deadline.check()
        weights.append((acb((eta * eta - x * x) / 2, -x * eta) + a * log).exp())
        turns.append((acb(0, h) * log).exp())
    deadline.check()
    scale = v / (2 * arb.pi()).sqrt()
    rest = ((eta * eta / 2).exp() * step.cut_off(a, line) * scale).upper()
    neighbours = 1 + (2 * eta * eta).exp() * step.spread(2 * eta * step.inverse, a)
    error = neighbours / ((2 * arb.pi() * eta / v).exp() - 1)
    need(error >= 0 and error < 1, "the step is too coarse")
    sums = power_sums(weights, turns, count, deadline)
    top = (((abs(sums[0]) * scale).upper() + rest) / (1 - error)).upper()
    radius = (top * error + rest).upper()
    box = acb(arb(0, radius), arb(0, radius))
    values = [s * scale + box for s in sums]
    values[0] = acb(values[0].real)
    return values, top


def _gaussian(phase: Phase, a: arb, h: arb, count: int) -> tuple[list[acb], arb]:
    """q = 1: M(w) = exp(w (w-1)/(2 sigma^2))."""
    half = 1 / (2 * ball(phase.sigma) ** 2)
    orders = [acb(a, h * k) for k in range(count + 1)]
    values = [(w * (w - 1) * half).exp() for w in orders]
    return values, values[0].real.upper()


def power_sums(weights: list[acb], turns: list[acb], count: int, deadline: Deadline) -> list[acb]:
    """sum_j weights_j turns_j^k for k = 0..count: with k = k1 + n k2 one product of two matrices."""
    n = max(1, math.isqrt(count + 1))
    rows = _powers(turns, n, deadline)
    columns = _powers(rows.pop(), -(-(count + 1) // n) - 1, deadline)
    weighted = [[u * w for u, w in zip(row, weights, strict=True)] for row in columns]
    j = len(weights)
    left = acb_mat(n, j, [u for row in rows for u in row])
    right = acb_mat(j, len(weighted), [row[i] for i in range(j) for row in weighted])
    deadline.check()
    product = left * right
    return [product[k % n, k // n] for k in range(count + 1)]


def _powers(base: list[acb], last: int, deadline: Deadline) -> list[list[acb]]:
    """Powers 0..last, by halving: a chain of products would inflate the boxes exponentially."""
    powers = [[acb(1)] * len(base), base]
    for k in range(2, last + 1):
        deadline.check()
        powers.append([u * w for u, w in zip(powers[k // 2], powers[k - k // 2], strict=True)])
    return powers[: last + 1]


def height(phase: Phase, a: arb, y: arb, line: Line, top: arb | None = None) -> arb:
    """An upper bound of B(line.eta, y), hence of |M(a + iy')| for y' >= y.

    ``top`` is an upper bound of M(a); without it, eta and y must be 0 and the bound is one of M(a).
    """
    if phase.q == 1:
        return ((a * (a - 1) - y * y) / (2 * ball(phase.sigma) ** 2)).exp().upper()
    step = Step(phase)
    eta, v, d = arb(line.eta), arb(line.step), arb(line.shift)
    b1 = (eta + d) * step.inverse
    need(eta >= 0 and d > 0 and v > 0 and y >= 0, "eta, d, step and y must not be negative")
    need(b1 < arb.pi(), "the height leaves the strip")
    need(y == 0 or d <= eta or b1 <= arb.pi() / 2, "arguments not ordered")
    total = arb(0)
    for x, log in step.logs(line):
        total += (a * log.real - y * log.imag - x * x / 2).exp()
    total += step.cut_off(a, line)
    total *= v / (2 * arb.pi()).sqrt()
    error = 2 * (d * d / 2).exp() * step.spread(b1, a) / ((2 * arb.pi() * d / v).exp() - 1)
    if top is None:
        need(line.eta == 0 and y == 0, "a bound of M(a) is needed")
        need(error >= 0 and error < 1, "the step is too coarse")
        return (total / (1 - error)).upper()
    return ((total + error * top) * (eta * eta / 2).exp()).upper()


def normal(x: arb) -> arb:
    """Phi(x), the normal distribution function."""
    return (-x / arb(2).sqrt()).erfc() / 2


def log_moment_above(phase: Phase, a: arb, line: Line) -> arb:
    """An upper bound of ln M(a)."""
    return height(phase, a, arb(0), line).log().upper()
