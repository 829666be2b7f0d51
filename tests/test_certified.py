"""What may be read off an interval."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify
from verify.certified import Certified, Enclosure, decimal, double_above, nearest_double
from verify.certified import _ceil as ceil
from verify.certified import _floor as floor
from verify.errors import PrecisionExhausted

rationals = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(10) ** e,
    st.integers(-(10**30), 10**30), st.integers(1, 10**30), st.integers(-330, 330),
)  # fmt: skip


@given(rationals, st.integers(1, 40))
def test_decimal_strings_round_outwards(x, digits):
    assert Fraction(decimal(x, digits, floor)) <= x <= Fraction(decimal(x, digits, ceil))


@given(rationals.filter(bool), st.integers(1, 40))
def test_decimal_strings_are_tight(x, digits):
    width = Fraction(decimal(x, digits, ceil)) - Fraction(decimal(x, digits, floor))
    assert width <= abs(x) * Fraction(10) ** (1 - digits)


@given(rationals)
def test_double_above_is_the_least_double_not_below(x):
    up = double_above(x)
    assert up == math.inf or Fraction(up) >= x
    below = math.nextafter(up, -math.inf)
    assert below == -math.inf or (math.isfinite(below) and Fraction(below) < x)


@given(rationals)
def test_nearest_double_is_nearest(x):
    near = nearest_double(x)
    if math.isfinite(near):
        for other in (math.nextafter(near, -math.inf), math.nextafter(near, math.inf)):
            assert math.isinf(other) or abs(Fraction(near) - x) <= abs(Fraction(other) - x)


def test_str_shows_only_what_is_certain():
    assert str(Certified(Fraction(12341, 10000), Fraction(12343, 10000))) == "1.234"


def test_str_of_an_interval_around_zero_claims_no_digit():
    assert str(Certified(Fraction(-1, 10), Fraction(1, 10))) == "[-0.100, 0.100]"


def test_rounding_across_a_boundary_asks_for_more_digits():
    tie = 1 + Fraction(1, 2**53)
    asked = []

    def refine(digits):
        asked.append(digits)
        return Certified(tie + Fraction(1, 10**40), tie + Fraction(2, 10**40))

    straddling = Certified(tie - Fraction(1, 10**20), tie + Fraction(1, 10**20), refine)
    assert straddling.to_double() == math.nextafter(1.0, 2.0)
    assert asked


def test_rounding_never_guesses():
    tie = 1 + Fraction(1, 2**53)
    with pytest.raises(PrecisionExhausted):
        Certified(tie - Fraction(1, 10**20), tie + Fraction(1, 10**20)).to_double()


@pytest.mark.parametrize("digits", [1, 2, 5])
def test_few_digits_still_round_correctly(digits):
    assert (
        verify.rdp(0.01, 1.1, 8.5, digits=digits).to_double()
        == verify.rdp(0.01, 1.1, 8.5).to_double()
    )


def test_relative_width_is_infinite_around_zero():
    assert Enclosure(Fraction(-1), Fraction(1), proved=True).relative_width() == math.inf


def test_below_the_least_double_rounds_to_zero_and_up_to_the_least():
    tiny = verify.rdp("1e-300", 1, 2, digits=20)
    assert (tiny.to_double(), tiny.to_double_up()) == (0.0, 5e-324)


def test_thousands_of_digits_can_be_printed():
    text = verify.rdp("0.3", 2, 2, digits=5000)
    assert len(str(text)) > 5000
