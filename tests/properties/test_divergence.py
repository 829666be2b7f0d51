"""Properties of A, B and epsilon, on exact rationals and certified values."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from hypothesis import strategies as st

from proofs_checks.quantities.engine import as_ball
from proofs_checks.tools.balls import rational
from tests.properties.comparing import constant, surely_at_least
from tests.properties.counting import holds
from tests.strategies import noises, orders, rates
from verify import log_a, log_b, rdp
from verify.numbers.balls import precision
from verify.numbers.certified import Certified

ZERO = constant(Certified.exactly(Fraction(0)))
SMALLER = st.one_of(
    st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    st.sampled_from([1 - Fraction(1, 10**6), Fraction(1, 10**3)]),
)


@holds(q=rates(), sigma=noises(), alpha=orders())
def test_a_is_at_least_b(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    """ln A >= ln B at every order above 1."""
    assert surely_at_least(
        lambda digits: log_a(q, sigma, alpha, digits=digits),
        lambda digits: log_b(q, sigma, alpha, digits=digits),
    )


@holds(q=rates(), sigma=noises(), alpha=orders())
def test_epsilon_is_positive(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    """epsilon > 0 as soon as q > 0."""
    assert rdp(q, sigma, alpha, digits=15).lo > 0


@holds(q=rates(), sigma=noises(), alpha=orders(), part=SMALLER)
def test_epsilon_never_falls_with_the_order(
    q: Fraction, sigma: Fraction, alpha: Fraction, part: Fraction
) -> None:
    """A smaller order has no larger epsilon."""
    lower = 1 + (alpha - 1) * part
    assert surely_at_least(
        lambda digits: rdp(q, sigma, alpha, digits=digits),
        lambda digits: rdp(q, sigma, lower, digits=digits),
    )


@holds(q=rates(), sigma=noises(), alpha=orders(), part=SMALLER)
def test_epsilon_never_falls_with_the_rate(
    q: Fraction, sigma: Fraction, alpha: Fraction, part: Fraction
) -> None:
    """Less sampling has no larger epsilon."""
    assert surely_at_least(
        lambda digits: rdp(q, sigma, alpha, digits=digits),
        lambda digits: rdp(q * part, sigma, alpha, digits=digits),
    )


@holds(q=rates(), sigma=noises(), alpha=orders(), part=SMALLER)
def test_epsilon_never_rises_with_the_noise(
    q: Fraction, sigma: Fraction, alpha: Fraction, part: Fraction
) -> None:
    """More noise has no larger epsilon."""
    assert surely_at_least(
        lambda digits: rdp(q, sigma, alpha, digits=digits),
        lambda digits: rdp(q, sigma / part, alpha, digits=digits),
    )


@holds(q=rates(), sigma=noises(), low=orders(), further=orders(), part=SMALLER)
def test_log_a_is_convex_in_the_order(
    q: Fraction, sigma: Fraction, low: Fraction, further: Fraction, part: Fraction
) -> None:
    """ln A between two orders is at most the chord."""
    high = low + further - 1
    middle = low + part * (high - low)

    def chord(digits: int) -> Certified:
        ends = [log_a(q, sigma, order, digits=digits) for order in (low, high)]
        lo, hi = ((1 - part) * f(ends[0]) + part * f(ends[1]) for f in (_lo, _hi))
        return Certified(lo, hi)

    assert surely_at_least(chord, lambda digits: log_a(q, sigma, middle, digits=digits))


def _lo(x: Certified) -> Fraction:
    return Fraction(x.lo)


def _hi(x: Certified) -> Fraction:
    return Fraction(x.hi)


@holds(q=rates(), sigma=noises())
def test_order_two_in_closed_form(q: Fraction, sigma: Fraction) -> None:
    """A_2 = 1 + q^2 (e^{1/sigma^2} - 1), to 40 digits of the logarithm."""
    with precision(3000):
        closed: arb = (rational(q) ** 2 * rational(1 / sigma**2).expm1()).log1p()
        value = as_ball(log_a(q, sigma, 2, digits=40))
        assert value.overlaps(closed)
        assert abs(value - closed) < closed * rational(Fraction(1, 10**39))
