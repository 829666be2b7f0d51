"""The bench measures what it says; no time is judged."""

from __future__ import annotations

from fractions import Fraction

from verify.accounting import bench


def test_a_row_has_both_times_and_the_number():
    rows = bench.measure(bench.RUNS[8:9])
    assert rows[0].name == "quick test"
    assert abs(rows[0].epsilon - 1.8282366665165768) < 1e-9
    assert rows[0].tight > 0 < rows[0].rdp


def test_twelve_runs_are_measured():
    assert len(bench.RUNS) >= 10
    assert all(0 < q < 1 and isinstance(q, Fraction) for _, q, *_ in bench.RUNS)
