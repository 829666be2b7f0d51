"""Wrong properties must be found out, and a strategy that misses its condition must be too."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from tests.properties.comparing import surely_at_least
from tests.properties.counting import VACUOUS, Tally, holds
from tests.properties.test_bounds import FIFTH, large_noises, pointwise_gap, small_rates
from tests.strategies import noises, orders, rates
from verify import log_a, log_b, rdp


def b_above_a(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    assert surely_at_least(
        lambda digits: log_b(q, sigma, alpha, digits=digits),
        lambda digits: log_a(q, sigma, alpha, digits=digits),
    )


def more_noise_costs_more(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    assert rdp(q, 2 * sigma, alpha, digits=15).lo >= rdp(q, sigma, alpha, digits=15).hi


def bound_at_every_noise(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    """Without sigma >= 4."""
    assert rdp(q / 5, sigma, alpha, digits=15).hi <= 2 * (q / 5) ** 2 * alpha / sigma**2


def half_the_constant(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    """Constant 1/2 in place of 2."""
    assert rdp(q / 5, 4 + sigma, alpha, digits=15).hi <= (q / 5) ** 2 * alpha / (4 + sigma) ** 2 / 2


def lemma_reversed(q: Fraction, sigma: Fraction, alpha: Fraction) -> None:
    u, v = 1 + sigma, Fraction(1)
    y, z = 1 - q + q * u / v, 1 - q + q * v / u
    assert pointwise_gap(u, v, y, z, alpha) <= 0


@pytest.mark.parametrize(
    "wrong",
    [b_above_a, more_noise_costs_more, bound_at_every_noise, half_the_constant, lemma_reversed],
    ids=lambda f: f.__name__,
)
def test_a_wrong_property_is_refuted(wrong):
    run = holds(shrink=False, q=rates(), sigma=noises(), alpha=orders())(wrong)
    with pytest.raises(AssertionError):
        run()


def test_a_condition_that_rarely_holds_is_a_failure():
    def rare(n: int) -> object:
        return None if n % 11 == 0 else VACUOUS

    with pytest.raises(AssertionError, match="the strategy misses the condition"):
        holds(n=st.integers(1, 10**6))(rare)()


def test_one_draw_in_five_is_enough():
    Tally(effective=20, vacuous=80).judge("enough")
    with pytest.raises(AssertionError, match="19 effective, 81 vacuous"):
        Tally(effective=19, vacuous=81).judge("too few")


def test_drawn_rates_and_noises_stay_in_their_ranges():
    @holds(q=small_rates(FIFTH), sigma=large_noises(Fraction(4)))
    def inside(q: Fraction, sigma: Fraction) -> None:
        assert 0 < q <= FIFTH
        assert sigma >= 4

    inside()
