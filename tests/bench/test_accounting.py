"""The bench measures what it says; no time is judged."""

from __future__ import annotations

from fractions import Fraction

from verify.bench import accounting


def test_a_row_has_both_times_and_the_number():
    rows = accounting.measure(accounting.RUNS[8:9])
    assert rows[0].name == "quick test"
    assert abs(rows[0].epsilon - 1.8282366665165768) < 1e-9
    assert rows[0].tight > 0 < rows[0].rdp


def test_twelve_runs_are_measured():
    assert len(accounting.RUNS) >= 10
    assert all(0 < q < 1 and isinstance(q, Fraction) for _, q, *_ in accounting.RUNS)


def test_a_run_asked_after_every_step_is_measured():
    found = accounting.measure_following(12, ("quick test",))
    assert [(one.calls, one.from_nothing <= 12) for one in found] == [(12, True)]
    assert 0 < found[0].seconds <= found[0].dearest
    assert "asked after each of 12 steps, quick test" in accounting.text([], {}, found)
    assert set(accounting.FOLLOWED) <= {name for name, *_ in accounting.RUNS}
