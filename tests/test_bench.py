"""The bench measures what it says, and judges nothing by a clock."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from verify import bench
from verify.cli import cli
from verify.engines import ENGINES
from verify.moments import engine
from verify.results import document
from verify.results.bench import Bench


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
    assert [time.orders for time in bench.order_sweep().times] == [1, 5]


def test_no_ratio_without_the_other_library():
    assert bench.geometric_mean([]) is None


@pytest.mark.parametrize("exponent", [0.0, 1.0, 1.7])
def test_growth_finds_the_exponent(exponent):
    sweep = [(x, 3 * x**exponent) for x in (2.0, 30.0, 1000.0)]
    assert bench.growth(sweep) == pytest.approx(exponent)


def test_every_engine_of_the_list_is_timed_against_digits(monkeypatch):
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    sweep = bench.digit_sweep()
    assert [*sweep.engines, *sweep.unreachable] == [name for name in ENGINES if name != "whole"] + [
        "whole"
    ]
    assert all([t.digits for t in times] == [5, 10] for times in sweep.engines.values())
    assert all(t.seconds > 0 for times in sweep.engines.values() for t in times)


def test_a_new_engine_is_timed_without_another_line(monkeypatch):
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    monkeypatch.setitem(ENGINES, "again", ENGINES["trapezoid"])
    assert "again" in bench.digit_sweep().engines


def test_an_engine_that_cannot_reach_the_point_has_a_reason(monkeypatch):
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    assert "no binomial sum" in bench.digit_sweep().unreachable["whole"]


def test_what_takes_too_long_has_no_time(monkeypatch):
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    monkeypatch.setattr(bench, "PATIENCE", 0.0)
    times = bench._against_digits(engine("quadrature"))
    assert [(t.digits, t.seconds) for t in times] == [(5, None), (10, None)]


def test_the_command_writes_a_whole_document(monkeypatch):
    monkeypatch.setattr(bench, "points", lambda quick: [(0.01, 4.0, 2.5)])
    monkeypatch.setattr(bench, "curves", lambda quick: [])
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    monkeypatch.setattr(bench, "ALPHA_SWEEP", (2.5, 10.5))
    monkeypatch.setattr(bench, "CURVE_SIZES", (1,))
    done = CliRunner().invoke(cli, ["bench", "--json"], catch_exceptions=False)
    found = document.from_text(done.stdout, Bench)
    assert found.engines_sha256 == bench.engines_digest()
    assert [p.alpha for p in found.points] == [2.5]


def test_the_command_prints_every_engine(monkeypatch):
    monkeypatch.setattr(bench, "points", lambda quick: [])
    monkeypatch.setattr(bench, "curves", lambda quick: [])
    monkeypatch.setattr(bench, "DIGIT_SWEEP", (5, 10))
    monkeypatch.setattr(bench, "ALPHA_SWEEP", (2.5, 10.5))
    monkeypatch.setattr(bench, "CURVE_SIZES", (1,))
    said = CliRunner().invoke(cli, ["bench"], catch_exceptions=False).stdout
    assert all(f"    {name}: " in said for name in ENGINES)
    assert "whole: does not reach this point" in said
