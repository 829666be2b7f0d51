"""The two halves of A_alpha in balls: rigorous quadrature up to a far point, a proved tail beyond.

In t = z/sigma the integrand is phi(t) g(t)^alpha, g = (1-q) + q e^{t/sigma - 1/(2 sigma^2)}. On the
left g < 1, so what lies beyond -T weighs less than the normal tail; on the right, by convexity,
g^alpha <= (1-q) + q r^alpha with r = mu1/mu0, whose integral beyond T is two normal tails. The
power is analytic only away from the cut of the logarithm, which has to be passed to the quadrature.

>>> from fractions import Fraction as Q
>>> a, b = lower_half(Q(1, 10), Q(4), Q(3)), upper_half(Q(1, 10), Q(4), Q(3))
>>> (a + b).str(12, radius=False)  # = A_3
'1.00194758064'
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb

from proofs_checks.paper import Z0, point
from proofs_checks.tools.balls import ball, rational
from verify.claims import Undecided
from verify.numbers.balls import precision

_BITS = 160
_FAR = 15  # normal tails beyond weigh less than 1e-49


def cut(q: Fraction, sigma: Fraction, alpha: Fraction) -> arb:
    """z0."""
    return ball(Z0, point(q, sigma, alpha))


def lower_half(q: Fraction, sigma: Fraction, alpha: Fraction) -> arb:
    """A^(1): the part left of z0."""
    with precision(_BITS):
        start = arb(-_FAR)
        beyond = _normal_tail(-start).union(arb(0))
        return _between(q, sigma, alpha, start, cut(q, sigma, alpha) / rational(sigma)) + beyond


def upper_half(q: Fraction, sigma: Fraction, alpha: Fraction) -> arb:
    """A^(2): the part right of z0."""
    with precision(_BITS):
        start = cut(q, sigma, alpha) / rational(sigma)
        middle = rational(alpha / sigma)
        # Convexity overestimates the bulk by up to q^(1 - alpha): go that much further out.
        far = (_FAR**2 - 2 * rational(alpha) * rational(q).log()).sqrt().upper()
        end = (start if start > middle else middle).upper() + far
        power = rational((alpha**2 - alpha) / (2 * sigma**2)).exp()
        beyond = rational(1 - q) * _normal_tail(end)
        beyond += rational(q) * power * _normal_tail(end - middle)
        return _between(q, sigma, alpha, start, end) + beyond.union(arb(0))


def _normal_tail(t: arb) -> arb:
    return (t / arb(2).sqrt()).erfc() / 2


def _between(q: Fraction, sigma: Fraction, alpha: Fraction, low: arb, high: arb) -> arb:
    keep, take, order = acb(rational(1 - q)), acb(rational(q)), acb(rational(alpha))
    scale, shift = acb(rational(1 / sigma)), acb(rational(1 / (2 * sigma**2)))

    # The tolerance is absolute below 1: take e^{-low^2/2} out, or a far tail is all error.
    origin = acb(low.mid())

    def integrand(t: acb, analytic: bool) -> acb:
        log_g = (keep + take * (t * scale - shift).exp()).log(analytic=analytic)
        return (order * log_g - (t - origin) * (t + origin) / 2).exp()

    whole = acb.integral(integrand, acb(low), acb(high)).real
    value = whole * (-(low.mid() ** 2) / 2).exp() / (2 * arb.pi()).sqrt()
    if not value.is_finite() or value.rel_accuracy_bits() < 40:
        raise Undecided(f"quadrature did not converge at q = {q}, sigma = {sigma}, alpha = {alpha}")
    return value
