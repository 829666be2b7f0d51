"""The largest order at which the bound is true: digits, maximality, and what must be refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_checks.quantities.maximal_alpha import (
    decimals,
    first_condition,
    maximal_alpha,
    maximality,
    second_condition,
    sign_change,
)
from verify import rdp
from verify.bounds.table import Truth, table
from verify.claims import Undecided
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point


@pytest.mark.parametrize(
    ("q", "sigma", "digits"),
    [
        ("0.01", "4", "147.70138763987753401801424325410866974232"),
        ("0.2", "10", "347.4184321752043347552480845916213970283"),
    ],
)
def test_forty_digits(q: str, sigma: str, digits: str) -> None:
    lo, hi = maximal_alpha(Fraction(q), Fraction(sigma), 40)
    assert (hi - lo) * 10**40 <= hi
    assert decimals(lo, hi) == digits


@pytest.mark.parametrize(
    ("q", "sigma"), [("0.01", "4"), ("0.2", "4"), ("1e-5", "10"), ("0.45", "1")]
)
def test_epsilon_changes_sides_between_the_ends(q: str, sigma: str) -> None:
    """Computed anew, through the public interface and a bound written down here."""
    lo, hi = maximal_alpha(Fraction(q), Fraction(sigma), 20)
    slope = 2 * Fraction(q) ** 2 / Fraction(sigma) ** 2
    assert rdp(q, sigma, lo, digits=60).hi < slope * lo
    assert rdp(q, sigma, hi, digits=60).lo > slope * hi


def test_any_number_of_digits() -> None:
    few = maximal_alpha(Fraction(1, 10), Fraction(4), 5)
    many = maximal_alpha(Fraction(1, 10), Fraction(4), 120)
    assert few[0] < many[0] < many[1] < few[1]
    assert (many[1] - many[0]) * 10**120 <= many[1]


@pytest.mark.parametrize("factor", [Fraction(3), Fraction(10)])
def test_other_constants(factor: Fraction) -> None:
    lo, _ = maximal_alpha(Fraction(1, 10), Fraction(4), 8, factor=factor)
    assert lo > maximal_alpha(Fraction(1, 10), Fraction(4), 8)[1]


@pytest.mark.parametrize("shift", [Fraction(1, 10**6), Fraction(-1, 10**6)])
def test_a_moved_bracket_is_not_confirmed(shift: Fraction) -> None:
    lo, hi = maximal_alpha(Fraction(1, 10), Fraction(4), 12)
    with pytest.raises(Undecided):
        maximality(Fraction(1, 10), Fraction(4), lo + shift, hi + shift)


@pytest.mark.parametrize(
    ("q", "sigma", "message"),
    [
        ("0.5", "4", "holds at every order"),
        ("0", "4", "0 < q"),
        ("0.1", "-1", "sigma > 0"),
        ("0.001", "0.6", "fails already next to order 1"),
    ],
)
def test_where_there_is_no_such_order(q: str, sigma: str, message: str) -> None:
    with pytest.raises(OutOfDomain, match=message):
        maximal_alpha(Fraction(q), Fraction(sigma), 10)


@pytest.mark.parametrize(("q", "sigma"), [("0.2", "4"), ("0.01", "10"), ("1e-6", "100")])
def test_conditions_end_where_the_table_says(q: str, sigma: str) -> None:
    """The rows of Table 1 decide the same conditions in another module."""
    for end, index in ((first_condition, 2), (second_condition, 3)):
        lo, hi = end(Fraction(q), Fraction(sigma), 20)
        truths = [
            table(Point.of(q, sigma, alpha), ["this-work"])[0].conditions[index].truth
            for alpha in (lo, hi)
        ]
        assert truths == [Truth.TRUE, Truth.FALSE]


def test_no_sign_change_is_an_error() -> None:
    with pytest.raises(OutOfDomain, match="no sign change"):
        sign_change(lambda x, digits: (x, x), Fraction(1), Fraction(2), 10)


def test_a_sign_that_never_becomes_clear_is_undecided() -> None:
    with pytest.raises(Undecided, match="sign not certain"):
        sign_change(lambda x, digits: (x - 3, x + 3), Fraction(1), Fraction(2), 10)
