"""Any order by FLINT's own rigorous quadrature, ``acb.integral``: the second certified route.

Everything the trapezoid proves is proved again here from other formulas: no strip of analyticity, no
nodes of ours, no sketch, other tails.

**One convex function.** Let k be the function with k(1) = k'(1) = 0 and k''(g) = g^{s-2}. Since
E[g] = 1,

    E[g^s] - 1   = s (s-1) E[k(g)]        f = g^s - 1 - s (g-1)
    E[g ln g]    = E[k(g)]   (s = 1)      f = g ln g - (g-1)
    E[-ln g]     = E[k(g)]   (s = 0)      f = (g-1) - ln g

with k >= 0 everywhere. The integral has no cancellation, so ln E[g^s] = ln(1 + (E[g^s] - 1)) has its
relative accuracy even at 1 + 1e-24. Write f = c k, u = g - 1 and x = t/sigma - 1/(2 sigma^2), so that
u = q (e^x - 1).

**Tails.** P = 1 - (1-q)/g is the logarithmic slope of g in x, increasing and below 1.

* Left of t = -L, where x <= 0: k <= (u^2/2) g^r with r = min(s-2, 0), |u| <= q, and y further to the
  left g^r has grown by at most e^{-r P(-L) y/sigma}. So the tail of e^{-t^2/2} k is at most
  (q^2/2) g(-L)^r e^{-L^2/2} / a,  a = L + r P(-L)/sigma, if a > 0.
* Right of t = R, where x >= 0: k(g) = int_1^g (g-v) v^{s-2} dv <= g^r ln g with r = max(s, 1);
  ln g <= x <= t/sigma <= (R/sigma) e^{(t-R)/R}, and g^r grows by at most e^{r y/sigma}. So the tail is at
  most (R/sigma) g(R)^r e^{-R^2/2} / a,  a = R - r/sigma - 1/R, if a > 0.

**Boxes.** ``acb.integral`` needs enclosures on rectangles around stretches of the real line, and a
non-finite one where the function is not known to be analytic: the logarithm of g below is taken as
ln(1-q) + ln(1+w) or ln q + x + ln(1+1/w), with w = q e^x/(1-q), and with its ``analytic`` flag; both
continue the real logarithm, so the smaller enclosure may be used. Where u is small,
f = c u^2 int_0^1 (1-v) (1+uv)^{s-2} dv, which lies in (c/2) u^2 times the hull of (1+uv)^{s-2}.
Otherwise e^{-t^2/2} moves into the exponents, so that a far mode is a Gaussian around s/sigma.

python-flint drops the integrator's report of non-convergence. That is no loss: a result counts by the
radius of its ball alone, and a ball that is too wide is computed again with more effort or refused.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from flint import acb, arb

from verify.moments.engines import Moment
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach, PrecisionExhausted

_LN2 = math.log(2)
_TRIES = 5
_MAX_EVALUATIONS = 200_000
_BETWEEN_LOOKS = 64  # evaluations between two looks at the clock


def evaluate(moment: Moment, digits: int, deadline: Deadline) -> Enclosure:
    """ln E[g^s] or E[g^s ln g], certified to the digits asked.

    >>> from fractions import Fraction as Q
    >>> x = evaluate(Moment(Q(1, 100), Q(2), Q(17, 2)), 20, Deadline())
    >>> float(x.lo), x.proved
    (0.0009239004703432..., True)
    """
    s = moment.order
    if moment.q == 0 or (not moment.log and s in (0, 1)):
        return Enclosure(Fraction(0), Fraction(0), proved=True)
    if moment.q == 1:
        exact = (2 * s - 1 if moment.log else s * (s - 1)) / (2 * moment.sigma**2)
        return Enclosure(exact, exact, proved=True)
    if moment.log and s not in (0, 1):
        raise OutOfReach(f"{moment}: logarithmic moments at orders 0 and 1 only")
    try:
        return _enclosed(moment, digits, deadline)
    except (OverflowError, ZeroDivisionError) as error:
        raise OutOfReach(f"{moment}: parameters beyond the engine's range") from error


def _enclosed(moment: Moment, digits: int, deadline: Deadline) -> Enclosure:
    wanted = math.ceil(digits * math.log2(10)) + 3
    plan = Plan(moment)
    effort = wanted + 9
    for _ in range(_TRIES):
        with precision(effort + plan.lost_bits + 16, deadline):
            result = integral(moment, plan, effort, deadline)
            if not moment.log:
                result = result.log1p()
            elif moment.order == 0:
                result = -result
            accuracy = result.rel_accuracy_bits()
            if result.is_finite() and accuracy >= wanted:
                return enclosure(result)
        effort += max(wanted - accuracy, 0) + 8 if accuracy > 0 else effort
    raise PrecisionExhausted(f"{moment}: {digits} digits not reached by quadrature")


class Plan:
    """What doubles can foresee: how large the integral is, and where to cut it. Nothing is proved."""

    def __init__(self, moment: Moment) -> None:
        self.s, self.sigma = float(moment.order), float(moment.sigma)
        with precision(64):
            self.ln_q, self.ln_p = (float(ball(x).log()) for x in (moment.q, 1 - moment.q))
            c = abs(moment.order * (moment.order - 1))
            self.ln_c = 0.0 if moment.log else float(ball(c).log())
        if not (0 < self.sigma < math.inf and math.isfinite(self.s)):
            raise OutOfReach(f"{moment}: parameters beyond doubles")
        self.half = 0.5 / self.sigma
        self.t1 = self.half + self.sigma * (self.ln_p - self.ln_q)
        far = self.s / self.sigma
        self.modes = sorted({0.0, self._climb(0.0), self._climb(far), 1 / self.sigma})
        near = [*self.modes, 2 / self.sigma, -1.0, 1.0, self.half + 1, self.half - 1]
        self.top = max(self.height(t) for t in near)
        exponents = far * far + abs(self.s) * (abs(self.ln_q) + self.sigma**-2) + 100
        cancelled = 2 * max(0.0, math.log(self.sigma)) - self.ln_q
        self.lost_bits = math.frexp(exponents)[1] + int(cancelled / _LN2)

    def ln_g(self, t: float) -> float:
        x = (t - self.half) / self.sigma + self.ln_q
        high, low = max(x, self.ln_p), min(x, self.ln_p)
        return high + math.log1p(math.exp(low - high))

    def _climb(self, t: float) -> float:
        """A mode of e^{-t^2/2} g^s, or nearly: where t = (s/sigma) P(t)."""
        for _ in range(40):
            share = math.exp(min(0.0, (t - self.half) / self.sigma + self.ln_q - self.ln_g(t)))
            t = (t + self.s / self.sigma * share) / 2 if self.s < 0 else self.s / self.sigma * share
        return t

    def height(self, t: float) -> float:
        """ln of e^{-t^2/2} k c, roughly."""
        x = (t - self.half) / self.sigma
        ln_g = self.ln_g(t)
        ln_square = 2 * (self.ln_q + (x if x > 30 else math.log(abs(math.expm1(x)) + 1e-300)))
        second_order = self.ln_c - _LN2 + ln_square
        power = self.s * ln_g
        if (x > 0 and self.s > 2) or (x < 0 and self.s < 0):
            return (max(second_order, power) if power > 2 else second_order) - t * t / 2
        return min(second_order, self.ln_c + max(self.s, 1.0) * abs(ln_g)) - t * t / 2

    def left_end(self, floor: float) -> float:
        """L such that what lies left of -L is below e^floor."""
        r = min(self.s - 2, 0.0)
        end = max(1.0, -self.modes[0])
        while self.ln_c + 2 * self.ln_q + r * self.ln_g(-end) - end * end / 2 > floor - 2:
            end = 1.1 * end + 0.1
        return end

    def right_end(self, floor: float) -> float:
        """R such that what lies right of R is below e^floor."""
        r = max(self.s, 1.0)
        start = max(r / self.sigma, self.half) + 2
        more = 0.0
        while True:
            end = start + more
            size = self.ln_c + math.log(end / self.sigma) + r * self.ln_g(end) - end * end / 2
            if size <= floor - 2:
                return end
            more = 1.1 * more + 0.25


def integral(moment: Moment, plan: Plan, effort: int, deadline: Deadline) -> arb:
    """E[c k(g)] to a relative accuracy of about 2^-effort, at the precision in force."""
    top = arb(round(plan.top))
    function = Integrand(moment, top, deadline)
    floor = plan.top - effort * _LN2
    left, right = plan.left_end(floor), plan.right_end(floor)
    tolerance = arb(2) ** -effort
    cuts = [-left, *(t for t in sorted({*plan.modes, plan.t1}) if -left < t < right), right]
    total = acb(0)
    for a, b in itertools.pairwise(cuts):
        try:
            total += acb.integral(
                function, acb(a), acb(b), abs_tol=tolerance, rel_tol=tolerance,
                eval_limit=_MAX_EVALUATIONS,
            )  # fmt: skip
        except Interrupted as error:
            raise error.cause from None
    tails = function.left_tail(arb(left)) + function.right_tail(arb(right))
    upper = tails.abs_upper() / 2
    whole = total.real + function.c * arb(upper, upper)
    return whole * top.exp() / (2 * arb.pi()).sqrt()


class Interrupted(ValueError):
    """Carries any error out of the callback: python-flint passes on TypeError and ValueError only."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__()
        self.cause = cause


class Integrand:
    """t -> e^{-t^2/2 - top} f(g(t)) on points and boxes; constants at the precision in force.

    The factor e^{-top} keeps exponents small: FLINT bounds e^x on a wide ball to 30 bits of x.
    """

    def __init__(self, moment: Moment, top: arb, deadline: Deadline) -> None:
        s, self.top = moment.order, top
        self.deadline, self.calls = deadline, 0
        self.rare = 2 * moment.q <= 1
        self.log, self.at_one = moment.log, moment.order > Fraction(1, 2)
        self.q, self.p = ball(moment.q), ball(1 - moment.q)
        self.inverse = 1 / ball(moment.sigma)
        self.half = self.inverse / 2
        self.s, self.near = ball(s), ball(s - 1 if self.at_one else s)
        self.c = arb(1) if moment.log else ball(s * (s - 1))
        self.ln_p, self.ln_q = self.p.log(), self.q.log()
        self.t1 = self.half + (self.ln_p - self.ln_q) / self.inverse
        self.far = self.s * self.inverse
        self.scale = self.s * self.ln_q + ball(s * (s - 1)) * self.inverse * self.half - top
        self.one, self.wide = arb(1), arb(2) ** -20
        self.growth = abs(self.s - 2) + 1

    def __call__(self, t: acb, analytic: bool) -> acb:
        try:
            self.calls += 1
            if self.calls % _BETWEEN_LOOKS == 0:
                self.deadline.check()
            if not analytic and t.imag == 0 and t.real.rad() < self.wide:
                return acb(self.point(t.real))
            return self.box(t, analytic)
        except BaseException as error:  # noqa: BLE001  # also Ctrl-C: foreign code would lose it
            raise Interrupted(error) from None

    def point(self, t: arb) -> arb:
        x = (t - self.half) * self.inverse
        if self.rare:  # then g >= 1/2, and u may be tiny
            u = self.q * x.expm1()
            g, ln_g = self.one + u, u.log1p()
        else:  # then u >= -q may be next to -1
            e = x.exp()
            g, u = self.p + self.q * e, self.q * (e - self.one)
            ln_g = g.log()
        exponent = -t * t / 2 - self.top
        gauss = exponent.exp()
        if self.log:
            return gauss * (g * ln_g - u if self.at_one else u - ln_g)
        # Next to s = 1 and s = 0 the forms with expm1 do not cancel.
        growth = self.near * ln_g
        if not abs(growth) < self.one:
            return (self.s * ln_g + exponent).exp() - gauss * (self.one + self.s * u)
        grown = growth.expm1() * g if self.at_one else growth.expm1()
        return gauss * (grown - self.near * u)

    def box(self, t: acb, analytic: bool) -> acb:
        x = (t - self.half) * self.inverse
        exponent = -t * t / 2 - self.top
        gauss = exponent.exp()
        u = self.q * (x.exp() - 1)
        if u.abs_upper() * self.growth < 1:
            between = (1 + acb(0).union(u)).log(analytic=analytic)
            return gauss * u * u * ((self.s - 2) * between).exp() * self.c / 2
        rest = t - self.inverse
        shifted = (-rest * rest / 2 - self.top).exp()  # gauss e^x
        left = t.real.mid() < self.t1
        w = ((t - self.t1) * self.inverse * (1 if left else -1)).exp()
        excess = (1 + w).log(analytic=analytic)
        ln_g = excess + (self.ln_p if left else self.ln_q + x)
        linear = self.q * (shifted - gauss)  # e^{-t^2/2} u
        if self.log and self.at_one:
            return (self.p * gauss + self.q * shifted) * ln_g - linear
        if self.log:
            return linear - gauss * ln_g
        growth = self.near * ln_g
        if growth.abs_upper() < 1:
            density = self.p * gauss + self.q * shifted if self.at_one else gauss
            return density * growth.expm1() - self.near * linear
        if left:
            power = (self.s * (self.ln_p + excess) + exponent).exp()
        else:
            rest = t - self.far
            power = (self.scale + self.s * excess - rest * rest / 2).exp()
        return power - gauss - self.s * linear

    def left_tail(self, end: arb) -> arb:
        """A bound of the integral of e^{-t^2/2} k over t < -end (see the module's head)."""
        x = (-end - self.half) * self.inverse
        g = self.p + self.q * x.exp()
        r = (self.s - 2).min(arb(0))
        a = end + r * self.inverse * (1 - self.p / g)
        if not (a > 0 and x <= 0):
            raise PrecisionExhausted("the left tail could not be bounded")
        return self.q**2 / 2 * (r * g.log() - end**2 / 2 - self.top).exp() / a

    def right_tail(self, end: arb) -> arb:
        """A bound of the integral of e^{-t^2/2} k over t > end."""
        x = (end - self.half) * self.inverse
        r = self.s.max(self.one)
        a = end - r * self.inverse - 1 / end
        if not (a > 0 and x >= 0):
            raise PrecisionExhausted("the right tail could not be bounded")
        g = self.p + self.q * x.exp()
        return end * self.inverse * (r * g.log() - end**2 / 2 - self.top).exp() / a
