"""Decimals say which way they were rounded, and how far they are known."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.numbers.decimals import decimal, exponent10, significant

rationals = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(10) ** e,
    st.integers(-(10**30), 10**30), st.integers(1, 10**30), st.integers(-330, 330),
)  # fmt: skip


@given(rationals, st.integers(1, 40))
def test_ends_round_outwards(x, digits):
    low, high = decimal(x, digits, ROUND_FLOOR), decimal(x, digits, ROUND_CEILING)
    assert Fraction(low) <= x <= Fraction(high)


@given(rationals.filter(bool), st.integers(1, 40))
def test_ends_are_tight(x, digits):
    width = Fraction(decimal(x, digits, ROUND_CEILING)) - Fraction(decimal(x, digits, ROUND_FLOOR))
    assert width <= abs(x) * Fraction(10) ** (1 - digits)


@given(rationals.filter(bool))
def test_the_exponent_is_that_of_the_first_digit(x):
    e = exponent10(x)
    assert Fraction(10) ** e <= abs(x) < Fraction(10) ** (e + 1)


@given(rationals.filter(bool), st.integers(1, 40))
def test_all_digits_asked_are_printed(x, digits):
    mantissa = decimal(x, digits).partition("e")[0]
    assert len(mantissa.lstrip("-0.").replace(".", "")) == digits


def test_a_number_that_ends_after_the_longest_has_no_count_of_digits():
    assert significant(1 + Fraction(1, 10**999)) == 1000
    assert significant(1 + Fraction(1, 10**1000)) is None


@pytest.mark.parametrize("exponent", [6000, -6000])
def test_numbers_longer_than_an_int_may_print_are_no_exception(exponent):
    x = Fraction(10) ** exponent / 3
    low, high = decimal(x, 5000, ROUND_FLOOR), decimal(x, 5000, ROUND_CEILING)
    assert Fraction(Decimal(low)) < x < Fraction(Decimal(high))
