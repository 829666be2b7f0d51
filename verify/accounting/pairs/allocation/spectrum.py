"""delta(epsilon) from the moments of a run on one vertical line, in balls.

R = dP/dQ of the whole run, psi(z) = E_Q R^z = prod (moments of the epochs)^epochs prod
(moments of Poisson steps)^steps, finite for every complex z. B(x) = E_Q (R - e^x)_+ is delta when
removing, A(x) = E_Q (1 - e^x R)_+ when adding, both for every real x, and
R - e^x = (R - e^x)_+ - (e^x - R)_+ gives B(x) = 1 - e^x + e^x A(-x). For a other than 0 and 1

    D(x) := B(x) - [a < 1] + e^x [a < 0] = (1/2 pi) int f(a + iy) dy,        f(z) = psi(z) e^{-x(z-1)}/(z (z-1)).

Proof. int B(x) e^{x(z-1)} dx = E R^z (1/(z-1) - 1/z) for Re z > 1. D is -E_Q min(R, e^x) for
0 < a < 1, and e^x A(-x) for a < 0; int min(R, e^x) e^{x(z-1)} dx = R^z (1/z - 1/(z-1)),
int (e^x - R)_+ e^{x(z-1)} dx = R^z (-1/z + 1/(z-1)): in each case D has the transform
psi(z)/(z(z-1)) on Re z = a, absolutely integrable in y. Invert. QED. Adding: A(-x) = e^{-x}
D(x) + [a > 0] for a < 1. So a < 0 loses no digits when adding, a > 1 none when removing, and
0 < a < 1 none where delta is almost 1.

**Aliasing.** D(x) e^{(a-1)x} is continuous, falls exponentially on both sides, and its transform is
O(y^-2). Poisson's formula for
S = (h/2 pi) sum_k f(a + ikh), period P = 2 pi/h:  S = sum_m D(x + mP) e^{(a-1)mP}. For m >= 1 write D = B - [a<1] + e^x [a<0], for m <= -1
D = [a>1] - e^x [a>0] + e^x A(-x), and sum the explicit parts:

    S = D(x) + sign(a-1)/(e^{|a-1|P} - 1) - sign(a) e^x/(e^{|a|P} - 1) + rest,     0 <= rest <= R+ + R-,
    R+ = k(q) psi(q) e^{-(q-1)x}/(e^{(q-a)P} - 1),              q >= 1, q > a,      k(q) = (q-1)^{q-1}/q^q, k(1) = 1,
    R- = kappa(u) psi(-u) e^{(1+u)x}/(e^{(a+u)P} - 1),          u > 0, u > -a,      kappa(u) = u^u/(1+u)^{1+u},

because B(x) <= k(q) psi(q) e^{-(q-1)x} (the largest (r - 1) r^{-q} over r >= 1 is k(q)) and
A(x) <= kappa(u) psi(-u) e^{-ux} (the largest (1 - r) r^u).

**Cut** at Y = Kh: |psi(a+iy)| <= H for y >= Y (``idle`` for epochs, ``line`` for Poisson steps) and
|z(z-1)| >= y^2, sum_{k>K} h/(kh)^2 <= 1/Y: at most e^{-x(a-1)} H/(pi Y) on both sides together. The
f_k do not depend on x but for e^{-x(z-1)}: one table serves a stretch of the curve.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import acb, arb

from verify.accounting.contour.line import height, log_moment_above, need, transform
from verify.accounting.contour.nodes import best_eta, height_line, table_line
from verify.accounting.contour.vertical import Value, fold_row, power, power_series
from verify.accounting.history import History
from verify.accounting.pairs.allocation.forecast import Forecast
from verify.accounting.pairs.allocation.idle import best_fall, fall_below
from verify.accounting.pairs.allocation.mellin import moment_above, moments
from verify.accounting.pairs.allocation.scheme import Scheme
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline

_LOOK = 1024


class Spectrum:
    """f_k for k = 0..K and the bounds, ready for any epsilon near the planned one."""

    def __init__(
        self, forecast: Forecast, poisson: History, plan: Scheme, deadline: Deadline
    ) -> None:
        self.forecast, self.poisson, self.plan, self.remove = (
            forecast,
            poisson,
            plan,
            forecast.remove,
        )
        self.log_tops: list[arb] = []
        with precision(plan.bits, deadline):
            self.a, self.h, y = arb(plan.a), arb(plan.h), arb(plan.h) * plan.terms
            need(self.h > 0 and plan.terms >= 1, "h > 0 and K >= 1")
            need(abs(self.a) > 0 and abs(self.a - 1) > 0, "the line runs through a pole")
            need(self.remove or self.a < 1, "adding is computed left of 1")
            self.terms = fold_row(self._row(deadline))
            self.log_cut = self._cut(y, deadline) - (arb.pi() * y).log()
            self.q, self.u = arb(plan.q), arb(plan.u)
            need(self.q >= 1 and self.q > self.a, "q must be at least 1, and right of the line")
            need(self.u > 0 and self.u > -self.a, "-u must be below 0, and left of the line")
            self.log_right, self.log_left = self._right(), self._left(deadline)

    def _row(self, deadline: Deadline) -> list[acb]:
        """psi(z_k)/(z_k (z_k - 1)), k = 0..K; k = 0 halved."""
        plan, product = self.plan, [acb(1)] * (self.plan.terms + 1)
        spare = 2 + 0.5 * math.log(plan.terms + 1.0)
        for one, epochs in self.forecast.epochs:
            goal = plan.nats + math.log(epochs) + spare
            values, top = moments(one.outline, plan.n, plan.a, plan.h, plan.terms, goal, deadline)
            self._multiply(product, values, epochs, top, deadline)
        for phase, (sketch, steps) in zip(self.poisson, self.forecast.phases, strict=True):
            line = table_line(sketch, plan.a, plan.nats + math.log(steps) + spare)
            values, top = transform(phase, self.a, self.h, plan.terms, line, deadline)
            self._multiply(product, values, steps, top, deadline)
        row = []
        for k, value in enumerate(product):
            z = acb(self.a, self.h * k)
            row.append(value / (z * (z - 1)))
        row[0] /= 2
        return row

    def _multiply(
        self, product: list[acb], values: list[acb], times: int, top: arb, deadline: Deadline
    ) -> None:
        self.log_tops.append(top)
        for k, value in enumerate(values):
            if k % _LOOK == 0:
                deadline.check()
            product[k] *= power(value, times)

    def _cut(self, y: arb, deadline: Deadline) -> arb:
        """ln of a bound of |psi| from the height y on."""
        a, total, tops = self.plan.a, arb(0), iter(self.log_tops)
        for one, epochs in self.forecast.epochs:
            fall = best_fall(one.outline, a, float(y))[1]
            total += epochs * fall_below(one.outline, a, y, fall, next(tops), deadline)
        for phase, (sketch, steps) in zip(self.poisson, self.forecast.phases, strict=True):
            top = next(tops)
            eta = best_eta(sketch, a, float(y), 9.0)[1]
            line = height_line(sketch, a, eta, self.plan.nats / steps + 12)
            total += steps * height(phase, self.a, y, line, top).min(top).log()
        return total.upper()

    def _right(self) -> arb:
        """ln of k(q) psi(q), from above."""
        q, total = self.q, arb(0)
        if q > 1:
            total = (q - 1) * (q - 1).log() - q * q.log()
        for one, epochs in self.forecast.epochs:
            total += epochs * one.orders.above(Fraction(self.plan.q))
        if self.plan.q == 1:
            return total.upper()
        return (total + self._phases_above(self.plan.q)).upper()

    def _left(self, deadline: Deadline) -> arb:
        """ln of kappa(u) psi(-u), from above."""
        u = self.u
        total = u * u.log() - (1 + u) * (1 + u).log()
        for one, epochs in self.forecast.epochs:
            total += epochs * moment_above(one.outline, 0, -self.plan.u, epochs, deadline).log()
        return (total + self._phases_above(-self.plan.u)).upper()

    def _phases_above(self, order: float) -> arb:
        total = arb(0)
        for phase, (sketch, steps) in zip(self.poisson, self.forecast.phases, strict=True):
            line = height_line(sketch, order, 0.0, math.log(steps) + 8)
            total += steps * log_moment_above(phase, arb(order), line)
        return total

    def delta(self, epsilon: Fraction) -> Value:
        """delta(epsilon), in this run's direction."""
        with precision(self.plan.bits):
            x = ball(epsilon if self.remove else -epsilon)
            value, slope, low = self.difference(x)
            below, above = value - low, value
            if self.remove:
                shift = (1 if self.a < 1 else 0) - (x.exp() if self.a < 0 else 0)
                below, above = below + shift, above + shift
                slope -= x.exp() if self.a < 0 else 0
            else:
                front, whole = (-x).exp(), 1 if self.a > 0 else 0
                below, above = front * below + whole, front * above + whole
                slope = front * (value - slope)
            middle = (below + above) / 2
            steep = float((slope / middle).mid()) if abs(middle) > 0 else 0.0
            return Value(max(fraction(below.lower()), Fraction(0)), fraction(above.upper()), steep)

    def difference(self, x: arb) -> tuple[arb, arb, arb]:
        """D(x) lies in value - [0, rest]; value, an estimate of D'(x), rest."""
        plain, weighted = power_series(self.terms, acb(0, -x * self.h).exp())
        a, period = self.a, 2 * arb.pi() / self.h
        front = self.h / arb.pi() * (-x * (a - 1)).exp()
        total, slanted = front * plain.real, front * weighted.imag
        one = 1 / (abs(a - 1) * period).expm1()
        zero = x.exp() / (abs(a) * period).expm1()
        cut = (self.log_cut - x * (a - 1)).exp().upper()
        value = total - (one if a > 1 else -one) + (zero if a > 0 else -zero) + arb(0, cut)
        right = (self.log_right - (self.q - 1) * x).exp() / ((self.q - a) * period).expm1()
        left = (self.log_left + (1 + self.u) * x).exp() / ((a + self.u) * period).expm1()
        slope = self.h * slanted - (a - 1) * total + (zero if a > 0 else -zero)
        return value, slope, (right + left).upper()
