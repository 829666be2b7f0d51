"""Table 1: conditions decided by balls, bounds compared with the truth."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest

from verify.bounds.table import ROWS, Truth, nonnegative, table
from verify.numbers.balls import ball
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point


def row(name, q, sigma, alpha):
    return table(Point.of(q, sigma, alpha), [name])[0]


def test_every_row_of_the_table_is_there():
    assert [r.name for r in table(Point.of("0.01", 4, 4))] == list(ROWS)
    assert len(ROWS) == 5


def test_main_theorem_applies_and_holds():
    found = row("this-work", "0.01", 4, 14)
    assert (found.applies, found.holds) == (Truth.TRUE, Truth.TRUE)


def test_main_theorem_stops_applying_past_its_maximal_order():
    assert row("this-work", "0.01", 4, "14.34").applies is Truth.TRUE
    assert row("this-work", "0.01", 4, "14.35").applies is Truth.FALSE


def test_second_condition_can_be_the_one_that_stops_it():
    found = row("this-work", "0.2", 4, "4.1")
    assert [c.truth for c in found.conditions] == [Truth.TRUE, Truth.TRUE, Truth.TRUE, Truth.FALSE]


def test_bound_fails_past_the_exact_maximal_order():
    assert row("this-work", "0.01", 4, "147.70").holds is Truth.TRUE
    assert row("this-work", "0.01", 4, "147.71").holds is Truth.FALSE


def test_rate_of_one_fifth_is_allowed():
    assert row("this-work", "1/5", 4, 2).applies is Truth.TRUE
    assert row("this-work", Q(1, 5) + Q(1, 10**50), 4, 2).applies is Truth.FALSE


def test_square_root_of_five_is_compared_exactly():
    below = Q(22360679774997896964, 10**19)
    assert row("bun", "0.1", below, 2).conditions[1].truth is Truth.FALSE
    assert row("bun", "0.1", below + Q(1, 10**19), 2).conditions[1].truth is Truth.TRUE


def test_asymptotic_row_is_not_judged_at_a_point():
    found = row("abadi-asymptotic", "0.01", 4, 4)
    assert found.epsilon is None
    assert found.holds is None


def test_numerical_row_needs_a_whole_order():
    assert row("abadi-numerical", "0.01", 4, 4).applies is Truth.TRUE
    assert row("abadi-numerical", "0.01", 4, "4.5").applies is Truth.FALSE


def test_a_zero_that_balls_cannot_see_is_undecided():
    assert nonnegative(lambda: ball(Q(3)).sqrt() ** 2 - 3) is Truth.UNDECIDED


def test_undecided_is_neither_true_nor_false():
    assert Truth.TRUE & Truth.UNDECIDED is Truth.UNDECIDED
    assert Truth.FALSE & Truth.UNDECIDED is Truth.FALSE


@pytest.mark.parametrize(("q", "alpha"), [(0, 2), (0.1, 1), (0.1, "inf")])
def test_points_outside_the_table_are_refused(q, alpha):
    with pytest.raises(OutOfDomain):
        table(Point.of(q, 4, alpha))


def test_unknown_row_is_refused():
    with pytest.raises(OutOfDomain, match="must be one of"):
        table(Point.of(0.1, 4, 2), ["nobody"])
