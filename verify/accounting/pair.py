"""Two equal steps: delta(epsilon) as one certified integral.

S1(x) = P(t > x) under the mixture = p Phi(-x) + q Phi(1/s - x), S2(x) = Phi(-x); G = 1 - S1. t1, t2 the two steps.

**Removing**, E[(g(t1) g(t2) - e^eps)_+]. On the border g(t) g(u) = e^eps, u(t) decreases; let tau = u(tau), g(tau) =
e^{eps/2}. The region g g > e^eps is the square {both > tau} and twice {t1 < tau, t2 > u(t1)}, so

    delta = S1(tau)^2 - e^eps S2(tau)^2 + 2 int_{-inf}^{tau} phi(t) [g(t) S1(u) - e^eps S2(u)] dt.

**Adding**, E[(1 - e^eps g(t1) g(t2))_+]. Border g(t) g(u) = e^-eps, g(tau) = e^{-eps/2} > p. The region is {t2 < tau, t1 < u(t2)}
and the mirror image of its part {tau < t1}:

    delta = int_{-inf}^{tau} phi(t) {2 [Phi(u) - e^eps g(t) G(u)] - [Phi(tau) - e^eps g(t) G(tau)]} dt.

For t < tau, g(u) stays away from p: the integrand is analytic around the whole line of integration, and there is no kink.
FLINT's integrator works in balls; it is told where the logarithms are analytic, and its answer is accepted by its radius.
Left of -R: g falls and u grows as t falls, so the first integrand is at most phi(t) g(-R) S1(u(-R)); the second at most
2 phi(t) in modulus, as both brackets are E[(1 - e^eps g g)...] over parts where it is positive, hence in [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb

from verify.accounting.closed import Closed
from verify.accounting.history import Phase
from verify.accounting.line import normal
from verify.accounting.planner import Direction
from verify.balls import ball

Integrand = Callable[[acb, bool], acb]
_MOST_BITS = 1 << 13  # the integrator cannot be interrupted
_SLOPE = 1e-9  # relative tolerance of the derivative, which only guides


def pair(phase: Phase, direction: Direction) -> Closed:
    """Two steps with 0 < q < 1, at an epsilon below the end of the loss."""
    two = _Two(phase)
    return Closed(two.remove if direction == "remove" else two.add, _MOST_BITS)


class _Two:
    def __init__(self, phase: Phase) -> None:
        self.phase = phase

    def _constants(self) -> tuple[arb, arb, arb]:
        return ball(self.phase.q), ball(1 - self.phase.q), ball(self.phase.sigma)

    def remove(self, eps: arb, bits: int) -> tuple[arb, arb]:
        q, p, s = self._constants()
        e = eps.exp()
        tau = s * (((eps / 2).exp() - p) / q).log() + 1 / (2 * s)
        first, second = _mixed(tau, q, p, s)

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
        inside = 2 * (_integral(integrand, start, tau) + cut.union(arb(0)))
        fall = second**2 + 2 * _integral(beyond, start, tau, _SLOPE)
        return first**2 - e * second**2 + inside, e * fall

    def add(self, eps: arb, bits: int) -> tuple[arb, arb]:
        q, p, s = self._constants()
        e = eps.exp()
        tau = s * (((-eps / 2).exp() - p) / q).log() + 1 / (2 * s)
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
        cut = 2 * normal(start)
        inside = _integral(integrand, start, tau) + cut.union(-cut)
        return inside, e * _integral(beyond, start, tau, _SLOPE)

    def _border(self, t: acb, product: arb, analytic: bool) -> tuple[acb, acb]:
        """g(t), and u with g(t) g(u) = product."""
        q, p, s = self._constants()
        g = p + q * (t / s - 1 / (2 * s * s)).exp()
        return g, s * ((product / g - p) / q).log(analytic=analytic) + 1 / (2 * s)


def _mixed(x: arb, q: arb, p: arb, s: arb) -> tuple[arb, arb]:
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


def _integral(f: Integrand, low: arb, high: arb, tolerance: float | None = None) -> arb:
    rel_tol = None if tolerance is None else arb(tolerance)
    found: arb = acb.integral(f, acb(low), acb(high), rel_tol=rel_tol).real
    return found
