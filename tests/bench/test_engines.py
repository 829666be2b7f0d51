"""The bench measures what it says, and judges nothing by a clock."""

from __future__ import annotations

import pytest

from verify.bench import engines
from verify.commands.bench import measure, show
from verify.moments.agreement import engine
from verify.moments.engines import ENGINES
from verify.results import document
from verify.results.bench import Bench


def test_points_cover_the_promised_ranges():
    grid = engines.FULL.points
    orders = {alpha for _, _, alpha in grid}
    assert {sigma for _, sigma, _ in grid} >= {0.3, 100.0}
    assert {q for q, _, _ in grid} >= {1e-6, 0.5}
    assert min(orders) == 1.5
    assert max(orders) == 1024
    assert len(grid) == 150


def test_a_quick_course_has_every_seventh_point():
    assert len(engines.QUICK.points) == 22
    assert len(engines.QUICK.curves) == 3
    assert set(engines.QUICK.points) < set(engines.FULL.points)


def test_a_point_is_timed_by_all_contestants():
    timing = engines.time_point(0.01, 4.0, 2.5, lambda q, sigma, alpha: None)
    assert timing.certified > 0
    assert timing.quad > 0
    assert timing.double > 0
    assert timing.dp_accounting > 0


def test_whole_orders_are_not_compared_with_doubles():
    assert engines.time_point(0.01, 4.0, 2.0, lambda *_: None).dp_accounting is None


def test_a_curve_is_timed_both_ways():
    timing = engines.time_curve(0.01, 4.0, lambda q, sigma, orders: orders)
    assert min(timing.certified, timing.reverse, timing.dp_accounting) > 0


def test_the_default_orders_are_those_of_dp_accounting():
    accounting = pytest.importorskip("dp_accounting.rdp")
    assert engines.default_orders() == list(accounting.RdpAccountant().orders)


def test_the_number_of_orders_grows():
    assert [time.orders for time in engines.order_sweep((1, 5)).times] == [1, 5]


def test_no_ratio_without_the_other_library():
    assert engines.geometric_mean([]) is None


@pytest.mark.parametrize("exponent", [0.0, 1.0, 1.7])
def test_growth_finds_the_exponent(exponent):
    sweep = [(x, 3 * x**exponent) for x in (2.0, 30.0, 1000.0)]
    assert engines.growth(sweep) == pytest.approx(exponent)


def test_every_engine_of_the_list_is_timed_against_digits():
    sweep = engines.digit_sweep((5, 10), 30.0)
    assert [*sweep.engines, *sweep.unreachable] == [name for name in ENGINES if name != "whole"] + [
        "whole"
    ]
    assert all([t.digits for t in times] == [5, 10] for times in sweep.engines.values())
    assert all(t.seconds > 0 for times in sweep.engines.values() for t in times)


def test_a_new_engine_is_timed_without_another_line(monkeypatch):
    monkeypatch.setitem(ENGINES, "again", ENGINES["trapezoid"])
    assert "again" in engines.digit_sweep((5, 10), 30.0).engines


def test_an_engine_that_cannot_reach_the_point_has_a_reason():
    assert "no binomial sum" in engines.digit_sweep((5, 10), 30.0).unreachable["whole"]


def test_what_takes_too_long_has_no_time():
    times = engines.against_digits(engine("quadrature"), (5, 10), patience=0.0)
    assert [(t.digits, t.seconds) for t in times] == [(5, None), (10, None)]


SMALL = engines.Course(
    points=[(0.01, 4.0, 2.5)], curves=[], digits=(5, 10), alphas=(2.5, 10.5), curve_sizes=(1,)
)


def test_a_course_knows_its_length():
    assert len(list(engines.run(SMALL))) == SMALL.steps


@pytest.fixture(scope="module")
def small() -> Bench:
    return measure(SMALL)


def test_the_command_writes_a_whole_document(small, capsys):
    show(small, as_json=True)
    found = document.from_text(capsys.readouterr().out, Bench)
    assert found.engines_sha256 == engines.engines_digest()
    assert [p.alpha for p in found.points] == [2.5]


def test_the_command_prints_every_engine(small, capsys):
    show(small, as_json=False)
    said = capsys.readouterr().out
    assert all(f"    {name}: " in said for name in ENGINES)
    assert "whole: does not reach this point" in said
