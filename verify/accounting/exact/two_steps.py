"""Two equal steps: delta(epsilon) as one certified integral.

S1(x) = P(t > x) under the mixture = p Phi(-x) + q Phi(1/s - x), S2(x) = Phi(-x); G = 1 - S1. t1, t2 the two steps.

**Removing**, E[(g(t1) g(t2) - e^eps)_+]. On the border g(t) g(u) = e^eps, u(t) decreases; let tau = u(tau), g(tau) =
e^{eps/2}. The region g g > e^eps is the square {both > tau} and twice {t1 < tau, t2 > u(t1)}, so

    delta = S1(tau)^2 - e^eps S2(tau)^2 + 2 int_{-inf}^{tau} phi(t) [g(t) S1(u) - e^eps S2(u)] dt.

**Adding**, E[(1 - e^eps g(t1) g(t2))_+]. Border g(t) g(u) = e^-eps, g(tau) = e^{-eps/2} > p. The
region is {t2 < tau, t1 < u(t2)} and the mirror image of its part {tau < t1}:

    delta = int_{-inf}^{tau} phi(t) {2 [Phi(u) - e^eps g(t) G(u)] - [Phi(tau) - e^eps g(t) G(tau)]} dt.

For t < tau, g(u) stays away from p: the integrand is analytic around the whole line of integration,
and there is no kink. FLINT's integrator works in balls; it is told where the logarithms are
analytic, and its answer is accepted by its radius. Left of -R: g falls and u grows as t falls, so
the first integrand is at most phi(t) g(-R) S1(u(-R)). The second: both brackets are E[(1 - e^eps g
g); ...] over parts where it is positive, hence in [0, Phi(u)] and [0, Phi(tau)], and tau < u(t) <
u(-inf): it is at most 2 phi(t) Phi(u(-inf)) in modulus, where g(u(-inf)) = e^-eps/p.

**Deep tails.** delta may be e^-100000. The integrator's tolerance is therefore a share of the
largest value of the integrand on some points, not a share of 1 (its default, with which it would
need as many bits as delta has zeros). The tolerance only guides.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import acb, arb, ctx

from verify.accounting.contour.line import normal
from verify.accounting.contour.planner import Direction
from verify.accounting.contour.vertical import Value
from verify.accounting.exact.closed import Closed
from verify.accounting.history import Phase
from verify.moments.engines.rigorous import Interrupted
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline

Integrand = Callable[[acb, bool], acb]
_MOST_BITS = 1 << 13
_MOST_CALLS = 200_000  # of an integrand
_LOOK = 16  # calls between two looks at the clock
_SLOPE = 1e-9  # relative tolerance of the derivative, which only guides
_POINTS = 48  # at which the size of an integrand is looked for, twice


def pair(phase: Phase, direction: Direction) -> TwoSteps:
    """Two steps with 0 < q < 1, at an epsilon below the end of the loss."""
    return TwoSteps(phase, direction)


class TwoSteps:
    """The route of two equal steps."""

    def __init__(self, phase: Phase, direction: Direction) -> None:
        self.phase, self.direction = phase, direction

    def at(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None = None,
    ) -> Value:
        two = _Two(self.phase, deadline)
        formula = two.remove if self.direction == "remove" else two.add
        return Closed(formula, _MOST_BITS).at(epsilon, digits, build, deadline, target)


class _Two:
    def __init__(self, phase: Phase, deadline: Deadline) -> None:
        self.phase, self.deadline = phase, deadline

    def _constants(self) -> tuple[arb, arb, arb]:
        return ball(self.phase.q), ball(1 - self.phase.q), ball(self.phase.sigma)

    def remove(self, eps: arb, bits: int) -> tuple[arb, arb]:
        q, p, s = self._constants()
        e = eps.exp()
        tau = s * (((eps / 2).exp() - p) / q).log() + 1 / (2 * s)
        if not tau.is_finite():
            return tau, tau
        first, second = _mixture(tau, q, p, s)

        def parts(t: acb, analytic: bool) -> tuple[acb, acb, acb]:
            g, u = self._border(t, e, analytic)
            return g, p * _normal(-u) + q * _normal(1 / s - u), _normal(-u)

        def integrand(t: acb, analytic: bool) -> acb:
            g, one, two = parts(t, analytic)
            return _phi(t) * (g * one - e * two)

        def beyond(t: acb, analytic: bool) -> acb:
            return _phi(t) * parts(t, analytic)[2]

        start = _start(tau, bits)
        g, one, _ = parts(acb(start), False)
        cut = normal(start) * (g * one).real
        inside = 2 * (self._integral(integrand, start, tau) + cut.union(arb(0)))
        fall = second**2 + 2 * self._integral(beyond, start, tau, _SLOPE)
        return first**2 - e * second**2 + inside, e * fall

    def add(self, eps: arb, bits: int) -> tuple[arb, arb]:
        q, p, s = self._constants()
        e = eps.exp()
        tau = s * (((-eps / 2).exp() - p) / q).log() + 1 / (2 * s)
        if not tau.is_finite():
            return tau, tau
        plain, mixed = normal(tau), p * normal(tau) + q * normal(tau - 1 / s)

        def parts(t: acb, analytic: bool) -> tuple[acb, acb, acb]:
            g, u = self._border(t, 1 / e, analytic)
            return g, _normal(u), p * _normal(u) + q * _normal(u - 1 / s)

        def integrand(t: acb, analytic: bool) -> acb:
            g, one, two = parts(t, analytic)
            return _phi(t) * (2 * (one - e * g * two) - (plain - e * g * mixed))

        def beyond(t: acb, analytic: bool) -> acb:
            g, _, two = parts(t, analytic)
            return _phi(t) * g * (2 * two - mixed)

        start = _start(tau, bits)
        farthest = s * ((1 / (e * p) - p) / q).log() + 1 / (2 * s)
        cut = 2 * normal(start) * normal(farthest)
        inside = self._integral(integrand, start, tau) + cut.union(-cut)
        return inside, e * self._integral(beyond, start, tau, _SLOPE)

    def _border(self, t: acb, product: arb, analytic: bool) -> tuple[acb, acb]:
        """g(t), and u with g(t) g(u) = product."""
        q, p, s = self._constants()
        g = p + q * (t / s - 1 / (2 * s * s)).exp()
        return g, s * ((product / g - p) / q).log(analytic=analytic) + 1 / (2 * s)

    def _integral(self, f: Integrand, low: arb, high: arb, tolerance: float | None = None) -> arb:
        rel_tol = arb(2) ** -ctx.prec if tolerance is None else arb(tolerance)
        calls = 0

        def timed(t: acb, analytic: bool) -> acb:
            nonlocal calls
            calls += 1
            try:
                if calls % _LOOK == 0:
                    self.deadline.check()
                return f(t, analytic)
            except BaseException as error:  # noqa: BLE001  # also Ctrl-C: foreign code would lose it
                raise Interrupted(error) from None

        try:
            found: arb = acb.integral(
                timed, acb(low), acb(high), rel_tol=rel_tol, abs_tol=rel_tol * _size(f, low, high),
                eval_limit=_MOST_CALLS,
            ).real  # fmt: skip
        except Interrupted as error:
            raise error.cause from None
        return found


def _size(f: Integrand, low: arb, high: arb) -> arb:
    """About the largest modulus of f: on equidistant points, and on more of them around the best."""
    a, b = low, high
    best = arb(0)
    for _ in range(2):
        step = (b - a) / _POINTS
        where = 0
        for k in range(_POINTS + 1):
            size = f(acb((a + step * k).mid()), False).abs_upper()
            if size.is_finite() and size > best:
                best, where = size, k
        a, b = (a + step * (where - 1)).mid(), (a + step * (where + 1)).mid()
    return best


def _mixture(x: arb, q: arb, p: arb, s: arb) -> tuple[arb, arb]:
    plain = normal(-x)
    return p * plain + q * normal(1 / s - x), plain


def _start(tau: arb, bits: int) -> arb:
    """-R: so far left that phi is below the working precision there."""
    reach = int((1.4 * bits) ** 0.5) + 2
    return arb(min(-reach, int(float(tau.mid())) - reach))


def _phi(t: acb) -> acb:
    return (-t * t / 2).exp() / (2 * arb.pi()).sqrt()


def _normal(x: acb) -> acb:
    return (-x / arb(2).sqrt()).erfc() / 2
