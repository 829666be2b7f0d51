"""The three engines agree: across sampled points, at extremes, for all moments."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings

from tests.patience import patient
from tests.strategies import noises, orders, rates
from verify.moments.agreement import cross_check
from verify.moments.engines import Moment
from verify.numbers.errors import OutOfReach

FEWER = max(10, settings().max_examples // 4)  # each example costs a second of mpmath


@settings(max_examples=FEWER)
@given(rates(-6), noises(), orders(32))
def test_engines_agree_on_a(q, sigma, alpha):
    found = cross_check(Moment(q, sigma, alpha), 25, patient())
    assert set(found.witnesses) >= {"series", "quadrature"}
    assert found.agreement >= 25


@settings(max_examples=FEWER)
@given(rates(-6), noises(), orders(32))
def test_engines_agree_on_b(q, sigma, alpha):
    found = cross_check(Moment(q, sigma, 1 - alpha), 25, patient())
    assert found.agreement >= 25


@settings(max_examples=FEWER)
@given(rates(-6), noises())
def test_engines_agree_on_the_divergence_of_order_one(q, sigma):
    for order in (Q(0), Q(1)):
        assert cross_check(Moment(q, sigma, order, log=True), 25, patient()).agreement >= 25


@settings(max_examples=FEWER)
@given(rates(-6), noises())
def test_engines_agree_at_orders_between_zero_and_one(q, sigma):
    assert cross_check(Moment(q, sigma, Q(1, 2)), 25, patient()).agreement >= 25


@pytest.mark.parametrize(
    ("q", "sigma", "order"),
    [("1e-12", "2", "1024"), ("0.3", "1000", "9999.5"), ("1e-12", "2", "-1023"), ("0.5", "0.05", "200.5"),
     ("1e-40", "1", "1.5"), ("0.2", "0.01", "1.999999999999"), ("0.5", "0.01", "10000"),
     ("0.99999999999999999995", "0.9", "301.5"), ("0.99999999999999999995", "0.9", "-2.5")],
)  # fmt: skip
def test_engines_agree_at_extremes(q, sigma, order):
    assert cross_check(Moment(Q(q), Q(sigma), Q(order)), 30, patient()).agreement >= 30


def test_an_engine_out_of_reach_says_so():
    found = cross_check(Moment(Q(1, 2), Q(1, 100), Q(-999_999)), 20, patient())
    assert found.witnesses == ("quadrature",)
    assert "degree" in found.unreachable["series"]


def test_beyond_all_doubles_is_out_of_reach():
    with pytest.raises(OutOfReach):
        cross_check(Moment(Q(1, 2), Q(10) ** -400, Q(2)), 20, patient())
