"""Moments of one step at orders in a sector right of the imaginary axis, and bounds on them, in balls.

M(w) = int phi g^w, g = p + X, X = q e^{t/s - 1/(2 s^2)} as in ``line``; w = a + iy with a, y >= 0. On Im t = eta, b = eta/s in [0, pi):
|phi g^w| = phi(x) e^{eta^2/2} e^{a l - y A}, l = ln|g|, A = arg g >= 0, A increasing in x; |g|^2 is convex in X, so on a cell of the line
l is at most its larger value at the two ends, and A at least its value at the left end.

**The right end.** Let x1 > eta, X1 = X(x1) > p, r = p/X1. Right of x1, |X| > p: there ln g = ln X + ln(1 + p/X) is analytic at every
height, and the line from x1 + i eta to the right may be turned up by pi/4 (between, -Re t^2/2 + Re w t/s goes to -inf: on the ray itself
because a <= y). Along the ray d ln|phi g^w| = -(x1 - eta)/sqrt 2 + Re(w e^{i pi/4} X/g)/s, |arg(X/g)| <= arcsin r, and w e^{i pi/4} has
the argument 3 pi/4 - arctan(a/y): the second part is <= 0 if arctan(a/y) + arcsin r <= pi/4. Then the rest is at most

    |phi g^w|(x1 + i eta) sqrt 2/(x1 - eta).                                                                            (ray)

Without turning it is at most, because g e^{-x/s} falls and A rises,

    e^{eta^2/2} e^{-y A(x1)} [g(x1) e^{-x1/s}]^a e^{a^2/(2 s^2)} Phi(a/s - x1).                                       (straight)

**Trapezoidal rule** of step v on x0 < x < x1, both ends in the middle between two nodes. In the rectangle of heights eta - d .. eta + d,
with E = e^{2 pi i (t - i eta)/v}, the sum is the integral of F/(E - 1) around it; above the line 1/(E - 1) = -1 - 1/(1/E - 1), and the
-1 gives the integral. What is left is at most 1/(e^{2 pi d/v} - 1) times the integrals of |F| over the sides eta -+ d, plus d times the
largest |F| on each of the two ends, as E is negative there. On the right end |g| falls and A rises with the height (X1 > p), so |F| is at
most its value at eta - d with e^{(eta+d)^2/2}; on the left end at most phi e^{(eta+d)^2/2} g(x0)^a. Left of x0 the integral is at most
e^{eta^2/2} g(x0)^a Phi(x0). (0 < d <= eta, eta + d < pi s.)

**A whole sector.** For all w with y >= y1 and c <= a <= c + tau y, on a cell with l <= m and A >= A1:

    a l - y A <= c m + y1 (tau m - A1) if m >= 0 and tau m <= A1,        <= c m - y1 A1 if m < 0,

which sums over the cells to a bound of |M| in the whole sector; left of x0 with X(x0) <= q, g <= 1 and the integrand is at most phi e^{eta^2/2};
right of x1 the ray, with (tau + c/y1) for a/y.

**A box** a0 <= a <= a1, y >= y1. On a line the integral of |phi g^w| is log-convex in a and falls in y, so up to x1 (and, not turned,
beyond it) it is at most the larger of its values at a0 + i y1 and a1 + i y1; |phi g^w| at the right end, for the ray, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import acb, arb

from verify.accounting.history import Phase
from verify.accounting.line import Line, Step, need, normal


@dataclass(frozen=True, slots=True)
class WallCell:
    """A cell of a line: its normal mass, the largest ln|g|, the least arg g."""

    mass: arb
    size: arb
    turn: arb


class WallCells:
    """The line Im t = eta from the left end x0 to the right end x1, in cells; bounds of what |phi g^w| integrates to."""

    def __init__(self, step: Step, eta: arb, x0: arb, x1: arb, count: int) -> None:
        self.step, self.eta, self.x0, self.x1 = step, eta, x0, x1
        b = eta * step.inverse
        need(eta >= 0 and b < arb.pi(), "the line leaves the strip")
        need(x0 < x1 and count >= 1, "the ends of the line")
        turn = (acb(0, 1) * b).exp()
        width = (x1 - x0) / count
        self.cells: list[WallCell] = []
        before: tuple[arb, acb] | None = None
        for i in range(count + 1):
            x = x0 + width * i if i < count else x1
            here = normal(x), (step.p + step.x_part(x) * turn).log()
            if before is not None:
                size = before[1].real.max(here[1].real)
                angle = before[1].imag.lower().max(arb(0))
                self.cells.append(
                    WallCell((here[0] - before[0]).upper(), size.upper(), angle.lower())
                )
            before = here
        assert before is not None
        self.end = before[1]
        self.lift = (eta * eta / 2).exp()

    def inside(self, a: arb, y: arb) -> arb:
        """int |phi g^w| between the ends, at most."""
        total = arb(0)
        for cell in self.cells:
            total += cell.mass * (a * cell.size - y * cell.turn).exp()
        return (total * self.lift).upper()

    def at_end(self, a: arb, y: arb) -> arb:
        """|phi g^w| at the right end."""
        size = (a * self.end.real - y * self.end.imag - self.x1**2 / 2).exp()
        return (size * self.lift / (2 * arb.pi()).sqrt()).upper()

    def turned(self, ratio: arb) -> bool:
        """Whether the hypotheses of the ray hold for all a <= ratio y."""
        part = self.step.x_part(self.x1)
        if not (part > self.step.p and self.x1 > self.eta):
            return False
        r = self.step.p / part
        return bool(ratio.atan() + r.asin() <= arb.pi() / 4)

    def beyond(self, a: arb, y: arb) -> arb:
        """What lies right of the right end, at most."""
        straight = self._straight(a, y)
        if not (y > 0 and self.turned(a / y)):
            return straight
        return straight.min(self._ray(a, y))

    def _straight(self, a: arb, y: arb) -> arb:
        s = self.step.inverse
        part = (self.step.x_part(self.x1) + self.step.p) * (-self.x1 * s).exp()
        log = -y * self.end.imag + a * part.log() + (a * s) ** 2 / 2
        return (log.exp() * self.lift * normal(a * s - self.x1)).upper()

    def _ray(self, a: arb, y: arb) -> arb:
        return (self.at_end(a, y) * arb(2).sqrt() / (self.x1 - self.eta)).upper()

    def box(self, low: arb, high: arb, y: arb) -> arb:
        """At least |M(w)| for all w with Im w >= y and low <= Re w <= high."""
        need(y >= 0 and low >= 0 and high >= low, "the box")
        left = normal(self.x0) * self.lift
        part = self.step.x_part(self.x0) + self.step.p
        line = [(left * part**a + self.inside(a, y)).upper() for a in (low, high)]
        end = [self._straight(a, y) for a in (low, high)]
        if y > 0 and self.turned(high / y):
            turned = [self._ray(a, y) for a in (low, high)]
            end = [end[0].max(end[1]).min(turned[0].max(turned[1]))] * 2
        return (line[0].max(line[1]) + end[0].max(end[1])).upper()

    def sector(self, c: arb, tau: arb, y: arb) -> arb:
        """At least |M(w)| for all w with Im w >= y and c <= Re w <= c + tau Im w."""
        need(y > 0 and c >= 0 and tau >= 0, "the sector")
        need(self.step.x_part(self.x0) <= self.step.q, "the left end is not far enough left")
        need(self.turned(tau + c / y), "the right end cannot be turned")
        total = normal(self.x0)
        for cell in self.cells:
            total += cell.mass * _largest(c, tau, y, cell.size, cell.turn).exp()
        end = _largest(c, tau, y, self.end.real, self.end.imag) - self.x1**2 / 2
        total += end.exp() / (arb.pi().sqrt() * (self.x1 - self.eta))
        return (total * self.lift).upper()


def _largest(c: arb, tau: arb, y: arb, size: arb, turn: arb) -> arb:
    """At least a l - y A in the sector."""
    if size < 0:
        return c * size - y * turn
    need(tau * size <= turn, "the sector is too wide for this line")
    return c * size.max(arb(0)) + y * (tau * size - turn)


class Moments:
    """M(w) by one line of nodes; the line's ``high`` is the last node that may be used, its ``shift`` is d."""

    def __init__(self, phase: Phase, line: Line, cells: int) -> None:
        step = self.step = Step(phase)
        eta, v, d = arb(line.eta), arb(line.step), arb(line.shift)
        need(v > 0 and d > 0 and d <= eta, "step and d")
        need((eta + d) * step.inverse < arb.pi(), "the line's neighbour leaves the strip")
        self.x0, self.x1 = v * (2 * line.low - 1) / 2, v * (2 * line.high + 1) / 2
        need(step.x_part(self.x1) > step.p, "the right end is not far enough right")
        self.middle = WallCells(step, eta, self.x0, self.x1, 1)
        self.sides = [WallCells(step, e, self.x0, self.x1, cells) for e in (eta - d, eta + d)]
        self.logs, self.weights = [], []
        for x, log in step.logs(line):
            self.logs.append(log)
            self.weights.append(acb((eta * eta - x * x) / 2, -x * eta))
        self.scale = v / (2 * arb.pi()).sqrt()
        self.damping = 1 / (2 * arb.pi() * d / v).expm1()
        self.high_lift = ((eta + d) ** 2 / 2).exp()
        self.d = d

    def error(self, a: arb, y: arb) -> arb:
        """At least |sum - M(w)|."""
        need(a >= 0 and y >= 0, "a and y must not be negative")
        low, high = self.sides
        sides = (low.inside(a, y) + high.inside(a, y)) * self.damping
        left_size = (self.step.x_part(self.x0) + self.step.p) ** a
        left = (-(self.x0**2) / 2).exp() / (2 * arb.pi()).sqrt() * self.d * self.high_lift
        left = (left + normal(self.x0) * self.middle.lift) * left_size
        right = low.at_end(a, y) / low.lift * self.high_lift * self.d + self.middle.beyond(a, y)
        return (sides + left + right).upper()

    def at(self, w: acb) -> acb:
        """M(w)."""
        total = acb(0)
        for log, weight in zip(self.logs, self.weights, strict=True):
            total += (weight + w * log).exp()
        radius = self.error(w.real, w.imag)
        need(math.isfinite(float(radius)), "no bound")
        return total * self.scale + acb(arb(0, radius), arb(0, radius))
