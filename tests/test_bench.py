"""The bench measures what it says, and judges nothing by a clock."""

from __future__ import annotations

import pytest

from verify import bench


def test_points_cover_the_promised_ranges():
    grid = bench.points(quick=False)
    orders = {alpha for _, _, alpha in grid}
    assert {sigma for _, sigma, _ in grid} >= {0.3, 100.0}
    assert {q for q, _, _ in grid} >= {1e-6, 0.5}
    assert min(orders) == 1.5
    assert max(orders) == 1024
    assert len(grid) == 150


def test_a_point_is_timed_by_all_contestants():
    timing = bench.time_point(0.01, 4.0, 2.5, lambda q, sigma, alpha: None)
    assert timing.certified > 0
    assert timing.quad > 0
    assert timing.double > 0
    assert timing.dp_accounting > 0


def test_whole_orders_are_not_compared_with_doubles():
    assert bench.time_point(0.01, 4.0, 2.0, lambda *_: None).dp_accounting is None


def test_a_curve_is_timed_both_ways():
    timing = bench.time_curve(0.01, 4.0, lambda q, sigma, orders: orders)
    assert min(timing.certified, timing.reverse, timing.dp_accounting) > 0


def test_the_default_orders_are_those_of_dp_accounting():
    accounting = pytest.importorskip("dp_accounting.rdp")
    assert bench.default_orders() == list(accounting.RdpAccountant().orders)


def test_the_number_of_orders_grows(monkeypatch):
    monkeypatch.setattr(bench, "CURVE_SIZES", (1, 5))
    assert [count for count, _ in bench.order_sweep()] == [1, 5]


def test_no_ratio_without_the_other_library():
    assert bench.geometric_mean([]) is None


@pytest.mark.parametrize("exponent", [0.0, 1.0, 1.7])
def test_growth_finds_the_exponent(exponent):
    sweep = [(x, 3 * x**exponent) for x in (2.0, 30.0, 1000.0)]
    assert bench.growth(sweep) == pytest.approx(exponent)


def test_all_engines_are_timed_against_digits(monkeypatch):
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    sweep = bench.digit_sweep()
    assert set(sweep) == {"trapezoid", "series", "quadrature"}
    assert all(digits == [5, 10] for digits in ([d for d, _ in s] for s in sweep.values()))
    assert all(seconds > 0 for s in sweep.values() for _, seconds in s)


def test_what_takes_too_long_has_no_time(monkeypatch):
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    monkeypatch.setattr(bench, "PATIENCE", 0.0)
    assert bench.digit_sweep()["quadrature"] == [(5, None), (10, None)]
