"""ln A, ln B and the divergences: conventions, limits, relations."""

from __future__ import annotations

import math
from fractions import Fraction as Q

import pytest
from hypothesis import given

import verify
from tests.strategies import noises, orders, rates
from verify.numbers.errors import BudgetExceeded, OutOfDomain


@given(rates(), noises(), orders())
def test_epsilon_is_log_a_over_alpha_minus_one(q, sigma, alpha):
    epsilon, log_a = (
        verify.rdp(q, sigma, alpha, digits=25),
        verify.log_a(q, sigma, alpha, digits=25),
    )
    assert epsilon.lo * (alpha - 1) <= log_a.hi
    assert log_a.lo <= epsilon.hi * (alpha - 1)


@given(noises(), orders())
def test_no_sampling_is_exact(sigma, alpha):
    for direction in (verify.rdp, verify.rdp_reverse):
        value = direction(1, sigma, alpha)
        assert value.lo == value.hi == alpha / (2 * sigma**2)


def test_nothing_sampled_costs_nothing():
    for quantity in (verify.log_a, verify.log_b, verify.rdp, verify.rdp_reverse):
        for alpha in (1, 1.5, 2, "inf"):
            assert quantity(0, 1, alpha) == verify.Certified.exactly(Q(0))


def test_infinite_order_is_unbounded_one_way():
    assert verify.rdp(0.5, 1, "inf").to_double() == math.inf
    assert str(verify.rdp(0.5, 1, "inf")) == "inf"


def test_infinite_order_is_the_log_of_the_rate_the_other_way():
    assert verify.rdp_reverse("0.5", 1, "inf").to_double() == math.log(2)
    assert verify.rdp_reverse(1, 1, "inf").to_double() == math.inf


@pytest.mark.parametrize("q", ["1e-300", "0.3", "0.5", "0.999999999999", str(1 - Q(1, 10**30))])
@pytest.mark.parametrize("digits", [1, 10, 50, 300])
def test_infinite_order_has_the_digits_asked(q, digits):
    value = verify.rdp_reverse(q, 1, "inf", digits=digits)
    assert digits <= value.certain_digits(10**6) <= digits + 3
    finer = verify.rdp_reverse(q, 1, "inf", digits=digits + 30)
    assert value.lo < finer.lo <= finer.hi < value.hi


def test_infinite_order_keeps_to_its_time():
    with pytest.raises(BudgetExceeded):
        verify.rdp_reverse("0.3", 1, "inf", max_seconds=1e-9)


def test_large_orders_approach_the_infinite_one():
    limit = verify.rdp_reverse("0.3", 1, "inf", digits=20)
    near = verify.rdp_reverse("0.3", 1, 10**6, digits=20)
    assert 0 < limit.lo - near.hi < Q(1, 10**4)


def test_order_one_is_the_limit_of_orders_above():
    for direction in (verify.rdp, verify.rdp_reverse):
        at_one = direction("0.2", 4, 1, digits=20)
        just_above = direction("0.2", 4, 1 + Q(1, 10**25), digits=20)
        assert abs(at_one.lo - just_above.lo) < at_one.lo / 10**18


@given(rates(), noises(), orders())
def test_forward_is_not_below_reverse(q, sigma, alpha):
    assert (
        verify.rdp(q, sigma, alpha, digits=25).hi
        >= verify.rdp_reverse(q, sigma, alpha, digits=25).lo
    )


def test_cross_check_names_its_witnesses():
    found = verify.rdp("0.1", 1, 2.5, digits=20, cross_check=True)
    assert set(found.witnesses) >= {"rigorous", "series", "quadrature"}
    assert verify.rdp("0.1", 1, 2.5, digits=20).witnesses == ()


@pytest.mark.parametrize("digits", [0, -1, 2.5, "20", None, True, 10**9])
def test_digits_are_checked(digits):
    with pytest.raises(OutOfDomain, match=r"^digits = "):
        verify.rdp(0.1, 1, 2, digits=digits)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "1", None, True])
def test_seconds_are_checked(seconds):
    with pytest.raises(OutOfDomain, match=r"^max_seconds = "):
        verify.rdp(0.1, 1, 2, max_seconds=seconds)


@pytest.mark.parametrize(
    ("sigma", "alpha"),
    [("1e-400", 2), ("1e400", 2), ("1e-160", 1.5), (1, "1e400"), ("1e-3000", "1e3000")],
)
@pytest.mark.parametrize("quantity", [verify.rdp, verify.rdp_reverse])
def test_absurd_parameters_end_in_an_answer_or_a_clear_error(sigma, alpha, quantity):
    try:
        value = quantity("0.5", sigma, alpha, digits=10, max_seconds=5)
    except verify.SgmError:
        return
    assert value.lo > 0
