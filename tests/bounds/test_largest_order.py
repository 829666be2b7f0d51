"""Largest orders against values known otherwise, certified on both sides."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verify.bounds.largest_order import Ending, largest_order, shared_digits
from verify.bounds.table import Truth, table
from verify.numbers.errors import PrecisionExhausted
from verify.numbers.point import Point


@pytest.mark.parametrize(("curve", "q", "sigma", "expected"), [
    (Ending.BOUND, "0.01", 4, "147.701"), (Ending.BOUND, "0.2", 10, "347.418"),
    (Ending.FIRST, "0.01", 4, "14.343"), (Ending.SECOND, "0.01", 4, "33.434"),
])  # fmt: skip
def test_largest_orders_are_those_of_an_independent_computation(curve, q, sigma, expected):
    bracket = largest_order(curve, Fraction(q), Fraction(sigma))
    assert bracket is not None
    assert abs(bracket[0] - Fraction(expected)) < Fraction(1, 1000)


def test_both_ends_of_a_bracket_are_certified():
    bracket = largest_order(Ending.BOUND, Fraction(1, 10), Fraction(4))
    assert bracket is not None
    truths = [table(Point.of("0.1", 4, a), ["this-work"])[0].holds for a in bracket]
    assert truths == [Truth.TRUE, Truth.FALSE]


def test_no_order_where_the_bound_fails_from_the_start():
    assert largest_order(Ending.BOUND, Fraction(1, 1000), Fraction("0.6")) is None


def test_an_undecided_condition_is_an_error(monkeypatch):
    monkeypatch.setattr("verify.bounds.table.nonnegative", lambda _: Truth.UNDECIDED)
    with pytest.raises(PrecisionExhausted):
        largest_order(Ending.FIRST, Fraction(1, 10), Fraction(4))


def test_a_bracket_shows_the_digits_of_both_ends():
    assert shared_digits((Fraction("56.28293"), Fraction("56.28299"))) == "56.283"
    assert shared_digits(None) is None
