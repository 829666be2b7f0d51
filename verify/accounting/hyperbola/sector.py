"""Moments of one step at orders in a sector right of an imaginary line, and bounds on them, in balls.

With g = p + X as in ``line``, G = g/p = 1 + Y, Y = (q/p) e^{t/s - 1/(2 s^2)}: M(w) = p^w H(w),
H(w) = int phi G^w, w = a + iy, y >= 0. On Im t = eta, b = eta/s in [0, pi): |phi G^w| = phi(x)
e^{eta^2/2} e^{a l - y A}, l = ln|G|, A = arg G in [0, b], and

    (i)    A increases with x; |G|^2 = 1 + 2 Y cos b + Y^2 is convex in Y: on a cell l is at most
           its larger value at the two ends, A at least its value at the left end. If b <= pi/2,
           l >= 0 increases with x. l falls with b; A rises with b if b <= pi/2 or Y >= 1.
    (ii)   dl/dA = (Y + cos b)/sin b increases with Y, and l = A = 0 at Y = 0: so does l/A (monotone
           form of l'Hopital's rule), and tau l - A has no maximum inside a cell.

**A ramp.** With many steps a line must run low where most outcomes are, or e^{T eta^2/2} swamps
all, and high where Y is about 1, where a l must not outgrow y A. It may do both: at height eta1,
straight up to eta2 > eta1 between two points, and on to the right (b2 <= pi/2). On a cell of it,
from x at the height h to x' at h' >= h, |phi| <= phi(x) e^{h'^2/2}, |dt| <= sqrt(1 + slope^2) dx,
and by (i) l is at most, and by (ii) tau l - A too, the larger of its values at x and x', both at h;
A is at least that of x at h, l at least that of x at h'. What follows is about the points of a
path, whatever their heights.

Orders with a < 0 are asked for only with b <= pi/2, where G^a is at most 1 and least l stands at
the left end of a cell.

**The right end.** Let x1 > eta, Y1 = Y(x1) > 1, r = 1/Y1. Right of x1, |Y| > 1: there ln G = ln Y +
ln(1 + 1/Y) is analytic at every height, and the line from x1 + i eta to the right may be turned up
by pi/4 (between, -Re t^2/2 + Re w t/s goes to -inf: on the ray itself because a <= y). Along the
ray d ln|phi G^w| = -(x1 - eta)/sqrt 2 + Re(w e^{i pi/4} Y/G)/s, |arg(Y/G)| <= arcsin r, and w
e^{i pi/4} has the argument 3 pi/4 - arctan(a/y): the second part is <= 0 if max(0, arctan(a/y)) +
arcsin r <= pi/4. (For a < 0 the argument is at most 5 pi/4, and 5 pi/4 + pi/4 is still 3 pi/2.)
Then the rest is at most

    |phi G^w|(x1 + i eta) sqrt 2/(x1 - eta).                                                                            (ray)

Without turning it is at most, because G e^{-x/s} falls and A rises (a >= 0), or because l and A rise (a < 0),

    e^{eta^2/2} e^{-y A(x1)} [G(x1) e^{-x1/s}]^a e^{a^2/(2 s^2)} Phi(a/s - x1),   e^{eta^2/2} e^{-y A(x1) + a l(x1)} Phi(-x1).        (straight)

**Trapezoidal rule** of step v on x0 < x < x1, both ends in the middle between two nodes. In the
rectangle of heights eta - d .. eta + d, with E = e^{2 pi i (t - i eta)/v}, the sum is the integral
of F/(E - 1) around it; above the line 1/(E - 1) = -1 - 1/(1/E - 1), and the -1 gives the integral.
What is left is at most 1/(e^{2 pi d/v} - 1) times the integrals of |F| over the sides eta -+ d,
plus d times the largest |F| on each of the two ends, as E is negative there. On the right end, by
(i), |F| is at most phi e^{(eta+d)^2/2} e^{a l - y A}, A at eta - d and l there too (a >= 0) or at
eta + d (a < 0); on the left end at most phi e^{(eta+d)^2/2} G(x0)^{max(a,0)}. Left of x0 the
integral is at most e^{eta^2/2} G(x0)^{max(a,0)} Phi(x0). (0 < d <= eta, eta + d < pi s; eta + d <=
pi s/2 or Y1 > 1.)

**An arc** w = c + kappa (sin theta cosh u + i cos theta sinh u), u1 <= u <= u2, u1 >= 0, kappa > 0,
0 < theta < pi/2. At a point of a line, or at a point for each of several steps, with r >= 0,

    a (l - r) - y A = c (l - r) + P cosh u - Q sinh u,    P = kappa sin theta (l - r), Q = kappa cos theta A >= 0,

has no maximum between u1 and u2: its derivative P sinh u - Q cosh u vanishes only if P > Q, and
there the second one, P cosh u - Q sinh u, is positive. So |phi G^w|, and the product of several
such with e^{-r a}, is nowhere larger than at one of the two ends, and what it integrates to is at
most the sum of the two integrals there, on one path: a line that is turned up for both ends, or for
neither. (Along the ray A grows from A >= 0, as |arg(Y/G)| <= pi/4.) Neither has a/y a maximum
between them (its derivative has the sign of -(kappa sin theta + c cosh u), which can only change to
plus), so that a line that may be turned for both ends may be turned for all. All errors of the
trapezoidal rule are made of such: those of all nodes on an arc are at most the sum of the bounds at
its ends.

**A whole sector.** For all w with y >= y1 and c <= a <= c + tau y, where tau l <= A along the path
(it is left of a point of one height if it is there):

    a l - y A <= max(c,0) l + y1 (tau max(l,0) - A),

whose largest value on a cell comes from the ends, by (i) and (ii). Left of x0 it is at most
max(c,0) max(0, l(x0)); right of x1 the ray, with (tau + max(c,0)/y1) for a/y.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flint import acb, acb_mat, arb

from verify.accounting.contour.line import Line, Step, need, normal
from verify.accounting.history import Phase
from verify.numbers.balls import precision

ROUGH = 64  # bits of bounds
_NEAR = 5  # outcomes whose mass must be sharp if it is to be raised to a high power


@dataclass(frozen=True, slots=True)
class Ramp:
    """Height ``low`` left of ``start``, ``high`` right of ``end``, a straight line between."""

    low: float
    high: float
    start: float
    end: float

    def heights(self, x0: arb, x1: arb, count: int) -> Iterator[tuple[arb, arb]]:
        """(x, eta) at the ends of the cells."""
        low, high, start, end = map(arb, (self.low, self.high, self.start, self.end))
        slope, width = (high - low) / (end - start), (x1 - x0) / count
        for i in range(count + 1):
            x = x0 + width * i if i < count else x1
            yield x, (low + slope * (x - start)).max(low).min(high)


@dataclass(frozen=True, slots=True)
class WallCell:
    """A cell of a path: its mass, the least and the largest ln|G|, the least arg G; ln G at both ends,
    at the height of the left.
    """

    mass: arb
    low: arb
    high: arb
    turn: arb
    ends: tuple[acb, acb]


class WallCells:
    """A path from the left end x0 to the right end x1, in cells; bounds of what |phi G^w| integrates to."""

    def __init__(
        self, step: Step, ramp: Ramp, x0: arb, x1: arb, count: int, sharp: bool = False
    ) -> None:
        self.step, self.x0, self.x1 = step, x0, x1
        low, self.eta = arb(ramp.low), arb(ramp.high)
        top = self.eta * step.inverse
        need(low >= 0 and low <= self.eta and top < arb.pi(), "the path leaves the strip")
        need(x0 < x1 and count >= 1 and ramp.start < ramp.end, "the ends of the path")
        self.steep = bool(top <= arb.pi() / 2)
        flat = ramp.low == ramp.high
        inside = x0 <= ramp.start and x1 >= ramp.end
        need(
            flat or (self.steep and inside), "a ramp must lie between the ends, and not be too high"
        )
        longer = (1 + ((self.eta - low) / (arb(ramp.end) - arb(ramp.start))) ** 2).sqrt()
        self.lift, self.left_lift = (self.eta**2 / 2).exp(), (low**2 / 2).exp()
        self.cells: list[WallCell] = []
        before: tuple[arb, arb, acb, arb] | None = None
        for x, eta in ramp.heights(x0, x1, count):
            here, phi = self._log(x, eta), density(x)
            if before is None:
                self.first = here.real.max(arb(0)).upper()
            else:
                start, height, log, phi_start = before
                last, least, mass = here, log, arb(1)
                if not flat and not (eta <= height):  # not surely level
                    last, least, mass = self._log(x, height), self._log(start, eta), longer
                mass *= (eta**2 / 2).exp() * (
                    normal(x) - normal(start)
                    if sharp and x > -_NEAR and start < _NEAR
                    else mass_above(start, x, phi_start, phi)
                )
                high = log.real.max(last.real).upper()
                turn = log.imag.lower().max(arb(0))
                self.cells.append(
                    WallCell(mass.upper(), least.real.lower(), high, turn, (log, last))
                )
            before = x, eta, here, phi
        self.end = here

    def _log(self, x: arb, eta: arb) -> acb:
        turn = (acb(0, 1) * eta * self.step.inverse).exp()
        return (self.step.x_part(x) / self.step.p * turn).log1p()

    def inside(self, a: arb, y: arb) -> arb:
        """int |phi G^w| between the ends, at most."""
        total = arb(0)
        if a >= 0:
            for cell in self.cells:
                total += cell.mass * (a * cell.high - y * cell.turn).exp()
        else:
            need(a < 0 and self.steep, "a negative order needs b <= pi/2")
            for cell in self.cells:
                total += cell.mass * (a * cell.low.max(arb(0)) - y * cell.turn).exp()
        return total.upper()

    def at_end(self, a: arb, y: arb) -> arb:
        """|phi G^w| at the right end."""
        size = (a * self.end.real - y * self.end.imag).exp()
        return (size * density(self.x1) * self.lift).upper()

    def left(self, a: arb) -> arb:
        """What lies left of the left end, at most."""
        return (normal(self.x0) * self.left_lift * self.at_start(a)).upper()

    def at_start(self, a: arb) -> arb:
        """G(x0)^max(a, 0)."""
        part = self.step.x_part(self.x0) / self.step.p
        return (1 + part) ** a.max(arb(0))

    def may_turn_up(self, ratio: arb) -> bool:
        """Whether the hypotheses of the ray hold for all a <= ratio y."""
        part = self.step.x_part(self.x1) / self.step.p
        if not (part > 1 and self.x1 > self.eta):
            return False
        return bool(ratio.max(arb(0)).atan() + (1 / part).asin() <= arb.pi() / 4)

    def beyond(self, *ends: tuple[arb, arb]) -> list[arb]:
        """What lies right of the right end, at most, for the ends (a, y) of an arc: turned for both, or for neither."""
        straight = [self._straight(a, y) for a, y in ends]
        if all(y > 0 and self.may_turn_up(a / y) for a, y in ends):
            rays = [self._ray(a, y) for a, y in ends]
            if sum(rays, arb(0)) < sum(straight, arb(0)):
                return rays
        return straight

    def _straight(self, a: arb, y: arb) -> arb:
        if not a >= 0:
            need(a < 0 and self.steep, "a negative order needs b <= pi/2")
            log = a * self.end.real - y * self.end.imag
            return (log.exp() * self.lift * normal(-self.x1)).upper()
        s = self.step.inverse
        part = (self.step.x_part(self.x1) / self.step.p + 1) * (-self.x1 * s).exp()
        log = -y * self.end.imag + a * part.log() + (a * s) ** 2 / 2
        return (log.exp() * self.lift * normal(a * s - self.x1)).upper()

    def _ray(self, a: arb, y: arb) -> arb:
        return (self.at_end(a, y) * arb(2).sqrt() / (self.x1 - self.eta)).upper()

    def arc(self, *ends: tuple[arb, arb]) -> list[arb]:
        """int |phi G^w| at the ends (a, y) of an arc, on one path: their sum is at least |H(w)| on it."""
        need(all(y >= 0 for _, y in ends), "orders in the upper half-plane")
        rest = self.beyond(*ends)
        return [
            (self.left(a) + self.inside(a, y) + r).upper()
            for (a, y), r in zip(ends, rest, strict=True)
        ]

    def sector(self, c: arb, tau: arb, y: arb) -> arb:
        """At least |H(w)| for all w with Im w >= y and c <= Re w <= c + tau Im w."""
        need(y > 0 and tau >= 0, "the sector")
        need(c >= 0 or self.steep, "a negative order needs b <= pi/2")
        c = c.max(arb(0))
        need(self.may_turn_up(tau + c / y), "the right end cannot be turned")
        total = normal(self.x0) * self.left_lift * (c * self.first).exp()
        for cell in self.cells:
            fall = _fall(tau, cell.ends[0]).max(_fall(tau, cell.ends[1]))
            need(fall <= 0, "the sector is too wide for this path")
            total += cell.mass * (c * cell.high + y * fall).exp()
        end = c * self.end.real + y * _fall(tau, self.end) - self.x1**2 / 2
        total += end.exp() * self.lift / (arb.pi().sqrt() * (self.x1 - self.eta))
        return total.upper()


def _fall(tau: arb, log: acb) -> arb:
    """tau max(l, 0) - A."""
    return tau * log.real.max(arb(0)) - log.imag


def density(x: arb) -> arb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def mass_above(x: arb, y: arb, at_x: arb, at_y: arb) -> arb:
    """At least Phi(y) - Phi(x), from phi at both: it is convex beyond 1 and concave within, and erfc is dear."""
    if x >= 1 or y <= -1:
        return (at_x + at_y) * (y - x) / 2
    if x >= -1 and y <= 1:
        return density((x + y) / 2) * (y - x)
    return normal(y) - normal(x)


def _level(eta: float) -> Ramp:
    return Ramp(eta, eta, 0.0, 1.0)


class Moments:
    """H(w) by one line of nodes; the line's ``high`` is the last node that may be used, its ``shift`` is d."""

    def __init__(self, phase: Phase, line: Line, cells: int) -> None:
        with precision(ROUGH):
            step = Step(phase)
            eta, v, d = arb(line.eta), arb(line.step), arb(line.shift)
            need(v > 0 and d > 0 and d <= eta, "step and d")
            top = (eta + d) * step.inverse
            need(top < arb.pi(), "the line's neighbour leaves the strip")
            self.x0, self.x1 = v * (2 * line.low - 1) / 2, v * (2 * line.high + 1) / 2
            far = step.x_part(self.x1) > step.p
            need(top <= arb.pi() / 2 or far, "the right end is not far enough right")
            need(all(e == float(e) for e in (eta - d, eta + d)), "heights that no double holds")
            self.middle, *self.sides = (
                WallCells(step, _level(float(e)), self.x0, self.x1, count)
                for e, count in ((eta, 1), (eta - d, cells), (eta + d, cells))
            )
            self.damping = 1 / (2 * arb.pi() * d / v).expm1()
            self.high_lift = ((eta + d) ** 2 / 2).exp()
            self.d = d
        step, eta, v = Step(phase), arb(line.eta), arb(line.step)
        base = step.p.log()
        logs, weights = [], []
        for x, log in step.logs(line):
            logs.append(log - base)
            weights.append(acb((eta * eta - x * x) / 2, -x * eta))
        self.exponents = acb_mat(2, len(logs), logs + weights)
        self.scale = v / (2 * arb.pi()).sqrt()

    def error(self, first: acb, last: acb) -> arb:
        """At least |sum - H(w)| for all w on the arc between these two."""
        with precision(ROUGH):
            ends = [(w.real, w.imag) for w in (first, last)]
            need(all(y >= 0 for _, y in ends), "orders in the upper half-plane")
            found = sum(self.middle.beyond(*ends), arb(0))
            for a, y in ends:
                found += self._neighbours(a, y) + self._ends(a, y)
            need(math.isfinite(float(found)), "no bound")
            return found.upper()

    def _neighbours(self, a: arb, y: arb) -> arb:
        """By the lines eta -+ d."""
        return sum((side.inside(a, y) for side in self.sides), arb(0)) * self.damping

    def _ends(self, a: arb, y: arb) -> arb:
        """By the two ends, and left of the left one."""
        lower, upper = self.sides
        size = (lower if a >= 0 else upper).end.real
        ends = (a * size - y * lower.end.imag).exp() * density(self.x1)
        ends += density(self.x0) * self.middle.at_start(a)
        return ends * self.d * self.high_lift + self.middle.left(a)

    def at(self, orders: list[acb], radius: arb) -> list[acb]:
        """H(w) for some w, whose error is at most this."""
        factors = acb_mat(len(orders), 2, [x for w in orders for x in (w, acb(1))])
        box = acb(arb(0, radius), arb(0, radius))
        found = []
        for row in (factors * self.exponents).tolist():
            total = acb(0)
            for exponent in row:
                total += exponent.exp()
            found.append(total * self.scale + box)
        return found
