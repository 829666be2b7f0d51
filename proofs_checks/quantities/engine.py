"""Certified moments for the checks: any real order, as exact ends or as a ball.

>>> log_moment(Fraction(1, 3), Fraction(1), Fraction(1, 2)).hi < 0  # below one between 0 and 1
True
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb

from proofs_checks.tools.balls import interval
from proofs_checks.tools.draws import Number
from verify.moments.agreement import certified
from verify.moments.engines import Moment
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified

DIGITS = 30

Ranges = Mapping[str, tuple[Number, Number]]
"""Where the parameters of checks at many points are drawn."""


def log_moment(q: Fraction, sigma: Fraction, order: Fraction, digits: int = DIGITS) -> Certified:
    """ln E_{mu0}[(mu/mu0)^order]: ln A at order alpha, ln B at order 1 - alpha."""
    return certified(Moment(Fraction(q), Fraction(sigma), Fraction(order)), digits, Deadline())


def kullback_leibler(q: Fraction, sigma: Fraction, digits: int = DIGITS) -> Certified:
    """D_1(mu || mu0) = E_{mu0}[(mu/mu0) ln(mu/mu0)]."""
    moment = Moment(Fraction(q), Fraction(sigma), Fraction(1), log=True)
    return certified(moment, digits, Deadline())


def as_ball(x: Certified) -> arb:
    """A ball (at the precision in force) that covers a certified value."""
    return interval(Fraction(x.lo), Fraction(x.hi))


def divergence(q: Fraction, sigma: Fraction, alpha: Fraction, digits: int = DIGITS) -> Certified:
    """D_alpha(mu || mu0) for any real alpha > 0, the order 1 included."""
    alpha = Fraction(alpha)
    if alpha == 1:
        return kullback_leibler(q, sigma, digits)
    return _over(log_moment(q, sigma, alpha, digits), alpha - 1)


def reverse_divergence(
    q: Fraction, sigma: Fraction, alpha: Fraction, digits: int = DIGITS
) -> Certified:
    """D_alpha(mu0 || mu) for any real alpha > 0 but 1."""
    alpha = Fraction(alpha)
    return _over(log_moment(q, sigma, 1 - alpha, digits), alpha - 1)


def _over(x: Certified, divisor: Fraction) -> Certified:
    ends = sorted((Fraction(x.lo) / divisor, Fraction(x.hi) / divisor))
    return Certified(ends[0], ends[1])
