"""delta(epsilon) of mixture pairs where no contour is needed: full batches, one step, two equal steps.

**q = 1 throughout.** Both densities of a step are normal, D = kp + km apart: the run is one
Gaussian with mu^2 = D^2 sum T_j/sigma_j^2, delta(eps) = Phi(mu/2 - eps/mu) - e^eps
Phi(-mu/2 - eps/mu), in all directions.

Let L = ln g+ - ln g- (words of ``step``). ln g+ does not decrease in t and ln g- does not increase,
and one of them is strict: L increases. S1(x) = P(t > x) = sum_j w_j Phi(j/s - x) under the first
density (the binomial weights; Phi(-x) if kp = 0) and S2(x) = sum_j w_j Phi(-j/s - x) under the
second.

**One step.** (e^L - e^eps)_+ lives on t > t*, L(t*) = eps: delta(eps) = S1(t*) - e^eps S2(t*), d
delta/d eps = -e^eps S2(t*). If kp = 0 there is a root only for eps < -k ln(1-q); beyond, delta = 0.
The root is proved by the signs of L - eps at two points around it. For k = 1, with E = e^eps and
kappa = q e^{-1/(2 s^2)}, it has a closed form u = e^{t*/s}: removing u = (E - p)/kappa; adding
1/u = (1/E - p)/kappa; replacing (p + kappa u) = E (p + kappa/u), hence u = [p (E-1) + sqrt(p^2
(E-1)^2 + 4 kappa^2 E)]/(2 kappa).

**Two equal steps.** On the border L(t) + L(u) = eps, u(t) decreases; let L(tau) = eps/2. *Removing
and replacing* (L has no upper end). The region L1 + L2 > eps is the square {both > tau} and twice
{t1 < tau, t2 > u(t1)}:

    delta = S1(tau)^2 - e^eps S2(tau)^2 + 2 int_{-inf}^{tau} phi(t) [g+(t) S1(u) - e^eps g-(t) S2(u)] dt.

*Adding* (g+ = 1, L has no lower end). The region is {t2 > tau, t1 > u(t2)} and the mirror image of its part {t1 < tau}:

    delta = int_{tau}^{inf} phi(t) {2 [S1(u) - e^eps g-(t) S2(u)] - [S1(tau) - e^eps g-(t) S2(tau)]} dt.

For t on that side of tau, L(u) is within the range of L: u(t) is analytic around the whole line of
integration. For boxes of complex t, u is enclosed as follows. With x the real middle of the box and
u0 a real number near u(x), let W be a disc of real centre u0; if u0 - (L(u0) + L(box) - eps)/L'(W)
lies inside W, then by the interval Newton theorem for every t of the box W has exactly one zero of
L(.) + L(t) - eps, analytic in t. For real t the conjugate of a zero is a zero in W too, so that it
is the real one. W must lie in |Im| < pi s/k, where ln g is principal; else there is no answer, and
FLINT's integrator divides the box. Its answer is accepted by its radius. Left
of -R (removing, replacing): [...] is E[(e^{L1+L2} - e^eps)_+ | t1 = t] phi g-, at most phi(t) g+(t)
S1(u(t)) <= phi(t) g+(-R) S1(u(-R)), in sum Phi(-R) g+(-R) S1(u(-R)). Right of R (adding): both
brackets are in [0, 1], in sum at most 2 Phi(-R) in modulus.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import acb, acb_poly, arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.vertical import Value
from verify.accounting.exact.closed import Closed
from verify.accounting.history import History, Phase
from verify.accounting.pairs.mixtures.step import MixtureStep
from verify.accounting.pairs.mixtures.transform import Degrees
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline
from verify.numbers.errors import PrecisionExhausted

_MOST_BITS = 1 << 12
_EVALUATIONS = 6000  # of an integrand; one that needs more takes too long
_SLOPE = 1e-6  # relative tolerance of the derivative, which only guides
_ROUNDS = 200
_NAN = acb(arb("nan"))

Integrand = Callable[[acb, bool], acb]


class OneStep:
    """The loss of one step on the real line, at the precision in force."""

    def __init__(self, phase: Phase, degrees: Degrees) -> None:
        self.step = MixtureStep(phase, degrees)
        self.up, self.down = degrees

    def loss(self, t: arb) -> arb:
        return self.step.plus(t).log() - self.step.minus(t).log()

    def slope(self, t: arb) -> arb:
        """L'."""
        s, reflected = self.step, arb(0)
        if self.up:
            u = (t * s.inverse).exp()
            reflected = s.weighted(u) / s.real(u)
        return (reflected + s.mean_minus(t)) * s.inverse

    def above(self, x: arb) -> tuple[arb, arb]:
        """S1(x), S2(x)."""
        return self._tail(x, self.up), self._tail(x, -self.down)

    def _tail(self, x: arb, side: int) -> arb:
        if not side:
            return normal(-x)
        sign = 1 if side > 0 else -1
        shifted = (
            w * normal(sign * j * self.step.inverse - x) for j, w in enumerate(self.step.weights)
        )
        return sum(shifted, arb(0))

    def root(self, level: arb) -> arb:
        """A ball that contains the t with L(t) = level, which must lie inside the range of L."""
        if self.step.k == 1:
            return self._closed_form(level)
        low, high = self._between(level)
        fine = arb(2) ** (16 - arb.pi().rel_accuracy_bits())
        point, radius = ((low + high) / 2).mid(), arb(1)
        for _ in range(_ROUNDS):  # Newton, kept between low and high
            gap = (self.loss(point) - level).mid()
            low, high = (low, point) if gap > 0 else (point, high)
            after = (point - gap / self.slope(point)).mid()
            if not (after > low and after < high):
                after = ((low + high) / 2).mid()
            point, radius = after, abs(after - point).mid()
            if radius <= fine * (1 + abs(point)):
                break
        radius = 2 * radius + fine * (1 + abs(point))
        for _ in range(_ROUNDS):  # two signs prove it
            radius = radius.mid()
            if self.loss(point - radius) < level and self.loss(point + radius) > level:
                return arb(point, radius)
            radius *= 4
        raise PrecisionExhausted("the root of the loss is not told from its neighbours")

    def _between(self, level: arb) -> tuple[arb, arb]:
        """Two exact points with the root between them, as far as doubles of their losses go."""
        ends = []
        for sign in (-1, 1):
            point, width = arb(0), arb(sign)
            for _ in range(_ROUNDS):
                if sign * (self.loss(point) - level).mid() > 0:
                    break
                point, width = point + width, 2 * width
            ends.append(point)
        return ends[0], ends[1]

    def _closed_form(self, level: arb) -> arb:
        s, p = self.step, self.step.p
        kappa, e = s.terms[1], level.exp()
        if not self.down:
            return ((e - p) / kappa).log() / s.inverse
        if not self.up:
            return -((1 / e - p) / kappa).log() / s.inverse
        gap = p * level.expm1()
        if not gap >= 0:  # u u' = E for the other root: without cancellation
            root = (gap**2 + 4 * kappa**2 * e).sqrt()
            return (2 * kappa * e / (root - gap)).log() / s.inverse
        return ((gap + (gap**2 + 4 * kappa**2 * e).sqrt()) / (2 * kappa)).log() / s.inverse


class TwoMixtureSteps:
    """Two equal steps, at the precision in force."""

    def __init__(self, phase: Phase, degrees: Degrees, eps: arb, deadline: Deadline) -> None:
        self.one, self.eps, self.deadline = OneStep(phase, degrees), eps, deadline
        self.step = self.one.step
        self.tau = self.one.root(eps / 2)
        self.strip = arb.pi() / (self.step.inverse * self.step.k)

    def remove(self, bits: int) -> tuple[arb, arb]:
        """delta and -d delta/d eps where the loss has no upper end."""
        e = self.eps.exp()
        first, second = self.one.above(self.tau)

        def integrand(t: acb, analytic: bool) -> acb:
            up, down, u = self._parts(t)
            one, two = self._above(u)
            return _phi(t) * (up * one - e * down * two)

        def beyond(t: acb, analytic: bool) -> acb:
            _, down, u = self._parts(t)
            return _phi(t) * down * self._above(u)[1]

        start = -_reach(-self.tau, bits)
        up, _, u = self._parts(acb(start))
        cut = (normal(start) * up * self._above(u)[0]).real
        inside = 2 * (_integral(integrand, start, self.tau) + cut.union(arb(0)))
        fall = second**2 + 2 * _integral(beyond, start, self.tau, _SLOPE)
        return first**2 - e * second**2 + inside, e * fall

    def add(self, bits: int) -> tuple[arb, arb]:
        """The same where it has no lower end, at an epsilon below its upper one."""
        e = self.eps.exp()
        first, second = self.one.above(self.tau)

        def integrand(t: acb, analytic: bool) -> acb:
            _, down, u = self._parts(t)
            one, two = self._above(u)
            return _phi(t) * (2 * (one - e * down * two) - (first - e * down * second))

        def beyond(t: acb, analytic: bool) -> acb:
            _, down, u = self._parts(t)
            return _phi(t) * down * (2 * self._above(u)[1] - second)

        stop = _reach(self.tau, bits)
        cut = 2 * normal(-stop)
        inside = _integral(integrand, self.tau, stop) + cut.union(-cut)
        return inside, e * _integral(beyond, self.tau, stop, _SLOPE)

    def _parts(self, t: acb) -> tuple[acb, acb, acb]:
        """g+, g- and u on a box of t; not a number where u cannot be enclosed."""
        if not abs(t.imag) < self.strip or not self.deadline.left():
            return _NAN, _NAN, _NAN  # the integrator cannot be interrupted, but this is soon over
        up, down = self._sides(t)
        x = arb(t.real.mid())
        middle = self.one.root(self.eps - self.one.loss(x)).mid()
        if not middle.is_finite():
            return _NAN, _NAN, _NAN
        gap = self.eps - (up.log() - down.log()) - self.one.loss(middle)
        radius = 2 * abs(gap).upper() / self.one.slope(middle).lower()
        for _ in range(3):
            radius = radius.upper()
            if not (radius.is_finite() and radius < self.strip):
                break
            newton = middle + gap / self._slope(acb(arb(middle, radius), arb(0, radius)))
            if abs(newton.real - middle) < radius and abs(newton.imag) < radius:
                return up, down, newton
            radius *= 2
        return _NAN, _NAN, _NAN

    def _sides(self, t: acb) -> tuple[acb, acb]:
        s = self.step
        up = s.complex((t * s.inverse).exp()) if s.up else acb(1)
        return up, s.complex((-t * s.inverse).exp()) if s.down else acb(1)

    def _slope(self, t: acb) -> acb:
        """L' on a box."""
        s, total = self.step, acb(0)
        for degree, sign in ((s.up, 1), (s.down, -1)):
            if degree:
                u = (sign * t * s.inverse).exp()
                total += acb_poly(s.weighted)(u) / s.complex(u)
        return total * s.inverse

    def _above(self, x: acb) -> tuple[acb, acb]:
        """S1 and S2 on a box."""
        s, plain = self.step, _normal(-x)
        found = []
        for degree, sign in ((s.up, 1), (s.down, -1)):
            shifted = (w * _normal(sign * j * s.inverse - x) for j, w in enumerate(s.weights))
            found.append(sum(shifted, acb(0)) if degree else plain)
        return found[0], found[1]


def gaussian(history: History, degrees: Degrees) -> Closed:
    """All phases have q = 1."""
    square = sum((p.steps * sum(degrees) ** 2 / p.sigma**2 for p in history), Fraction(0))

    def formula(eps: arb, bits: int) -> tuple[arb, arb]:
        mu = ball(square).sqrt()
        fall = eps.exp() * normal(-mu / 2 - eps / mu)
        return normal(mu / 2 - eps / mu) - fall, fall

    return Closed(formula)


def single(phase: Phase, degrees: Degrees) -> Closed:
    """One step with q < 1."""

    def formula(eps: arb, bits: int) -> tuple[arb, arb]:
        one = OneStep(phase, degrees)
        if not degrees[0] and eps >= -one.step.k * one.step.p.log():
            return arb(0), arb(0)
        first, second = one.above(one.root(eps))
        return first - eps.exp() * second, eps.exp() * second

    return Closed(formula)


class Pair(Closed):
    """Two steps with q < 1, at an epsilon below the end of the loss."""

    def __init__(self, phase: Phase, degrees: Degrees) -> None:
        super().__init__(self._two, _MOST_BITS)
        self.phase, self.degrees, self.deadline = phase, degrees, Deadline()

    def _two(self, eps: arb, bits: int) -> tuple[arb, arb]:
        two = TwoMixtureSteps(self.phase, self.degrees, eps, self.deadline)
        return two.remove(bits) if self.degrees[0] else two.add(bits)

    def at(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None = None,
    ) -> Value:
        self.deadline = deadline
        return super().at(epsilon, digits, build, deadline, target)


def _reach(tau: arb, bits: int) -> arb:
    """So far right of 0 and tau that phi is below the working precision there."""
    reach = int((1.4 * bits) ** 0.5) + 2
    return arb(max(reach, int(float(tau.mid())) + reach))


def _phi(t: acb) -> acb:
    return (-t * t / 2).exp() / (2 * arb.pi()).sqrt()


def _normal(x: acb) -> acb:
    return (-x / arb(2).sqrt()).erfc() / 2


def _integral(f: Integrand, low: arb, high: arb, tolerance: float | None = None) -> arb:
    rel_tol = None if tolerance is None else arb(tolerance)
    found: arb = acb.integral(f, acb(low), acb(high), rel_tol=rel_tol, eval_limit=_EVALUATIONS).real
    return found
