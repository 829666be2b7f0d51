"""Numbers, lists and arrays: what comes back has the shape of what was given."""

from __future__ import annotations

from fractions import Fraction as Q

import numpy as np
import pytest
from hypothesis import given, settings

import verify
from tests.strategies import noises, rates
from verify.numbers.errors import BudgetExceeded, OutOfDomain

FEWER = max(5, settings().max_examples // 8)


def same(many, ones) -> bool:
    """Intervals of the same numbers: they meet, and are equally many."""
    pairs = zip(many, ones, strict=True)
    return all(max(a.lo, b.lo) <= min(a.hi, b.hi) for a, b in pairs)


@settings(max_examples=FEWER)
@given(rates(), noises())
def test_a_curve_is_its_points_in_both_directions(q, sigma):
    orders = [2, "1.5", 1, Q(7, 3), "inf", 31, 4.1, 4.2, 4.3, 4.4]
    for reverse, single in ((False, verify.rdp), (True, verify.rdp_reverse)):
        curve = verify.rdp_curve(q, sigma, orders, reverse=reverse, digits=20)
        assert same(curve, [single(q, sigma, alpha, digits=20) for alpha in orders])


def test_a_list_of_orders_gives_a_list():
    found = verify.log_a("0.01", "1.1", [2, 3, 4, 5], digits=20)
    assert isinstance(found, list)
    assert same(found, [verify.log_a("0.01", "1.1", n, digits=20) for n in (2, 3, 4, 5)])


def test_lists_go_together_place_by_place():
    found = verify.rdp(["0.01", "0.2"], [1, 4], (2, 3), digits=15)
    assert same(found, [verify.rdp("0.01", 1, 2, digits=15), verify.rdp("0.2", 4, 3, digits=15)])


def test_an_array_gives_an_array_of_its_shape():
    orders = np.array([[2.0, 3.5, 4.25], [8.0, 16.5, 32.0]])
    found = verify.rdp(0.01, 1.1, orders, digits=17)
    assert found.shape == (2, 3)
    assert found[1, 1].to_double() == verify.rdp(0.01, 1.1, 16.5).to_double()


def test_arrays_are_broadcast():
    found = verify.log_b(np.array([[0.1], [0.2]]), 1.5, np.array([2.0, 3.0]), digits=10)
    assert found.shape == (2, 2)
    assert same([found[1, 0]], [verify.log_b(0.2, 1.5, 2.0, digits=10)])


def test_a_numpy_scalar_is_a_number():
    assert isinstance(verify.rdp(np.float64(0.1), np.float32(2), np.int64(3)), verify.Certified)


def test_nothing_gives_nothing():
    assert verify.rdp(0.1, 1, []) == []
    assert verify.rdp_curve(0.1, 1, []) == []


def test_lists_keep_exact_meanings():
    """The float 0.1 and the string "0.1" are two points, in a list as well."""
    exact, binary = verify.rdp(["0.1", 0.1], 1, [2, 2], digits=30)
    assert exact.lo != binary.lo


def test_a_list_can_be_cross_checked():
    found = verify.rdp("0.1", 1, [2, 2.5], digits=15, cross_check=True)
    assert all(x.witnesses for x in found)


@pytest.mark.parametrize("given", [([0.1, 0.2], 1, [2, 3, 4]), (np.array([0.1, 0.2]), 1, np.array([2, 3, 4]))])  # fmt: skip
def test_lengths_that_do_not_fit_are_one_clear_error(given):
    with pytest.raises(OutOfDomain, match=r"^q, sigma and alpha"):
        verify.rdp(*given)


@pytest.mark.parametrize("bad", [[2, "x"], [2, None], [2, 0.5], [[2], [3]], ["nan"]])
def test_a_bad_order_in_a_list_is_named(bad):
    with pytest.raises(OutOfDomain, match=r"^alpha = "):
        verify.rdp(0.1, 1, bad)


def test_a_list_beside_an_array_keeps_its_numbers():
    """numpy would make texts of [0.1, "0.5"], and "0.1" is another point than 0.1."""
    found = verify.rdp([0.1, "0.5"], 1.0, np.array([2, 2]), digits=30)
    assert found[0].lo == verify.rdp(0.1, 1.0, 2, digits=30).lo


def test_an_array_without_dimensions_is_a_number():
    assert verify.rdp(np.array(0.25), 1, 2) == verify.rdp(0.25, 1, 2)


@pytest.mark.parametrize("orders", ["23", 5, None])
def test_orders_that_are_no_list_are_refused(orders):
    with pytest.raises(OutOfDomain, match=r"^orders = "):
        verify.rdp_curve(0.1, 1, orders)


def test_orders_may_come_from_a_generator():
    assert len(verify.rdp_curve(0.1, 1, (n for n in range(2, 7)), digits=5)) == 5


def test_a_cross_checked_list_shares_one_budget():
    with pytest.raises(BudgetExceeded):
        verify.rdp("0.1", 1, [1.5, 2.5, 3.5] * 20, digits=60, cross_check=True, max_seconds=0.2)


def test_an_unknown_option_is_refused_for_lists_too():
    with pytest.raises(TypeError, match="precision"):
        verify.rdp(0.1, 1, [2, 3], precision=3)


def test_the_time_is_for_the_whole_list():
    with pytest.raises(BudgetExceeded):
        verify.rdp_curve("1e-300", "0.01", [1 + Q(n, 7) for n in range(1, 400)], max_seconds=1e-3)


def test_rounding_refines_an_order_of_a_curve():
    """A curve of three digits still knows how to round each order correctly."""
    rough = verify.rdp_curve(0.01, 1.1, [2.1, 2.2, 2.3, 2.4, 2.5], digits=3)
    fine = [verify.rdp(0.01, 1.1, a).to_double() for a in (2.1, 2.2, 2.3, 2.4, 2.5)]
    assert [x.to_double() for x in rough] == fine
