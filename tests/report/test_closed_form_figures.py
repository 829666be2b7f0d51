"""What the figures of the closed forms show: regions that contain the theorem's, and eight of twelve runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from verify.accounting.published import RUNS
from verify.report.draw.plot import Job, Plot, Table, compute
from verify.report.figures import closed_form_loss, closed_form_regions
from verify.report.figures.closed_form_loss import EXACT, LOSS, THEOREM_LOSS
from verify.report.figures.closed_form_regions import (
    ALL,
    KEPT,
    REMEMBER,
    SAME,
    THEOREM,
    largest_order_of_form,
)


def filled(plot: Plot, jobs: Sequence[Job]) -> Table:
    return Table(plot.columns, tuple(map(tuple, compute(plot, jobs, 1))))


@pytest.fixture(scope="module")
def regions() -> Table:
    plot = closed_form_regions.FIGURES[0]
    return filled(plot, [("4", q) for q in ("0.000001", "0.001", "0.1", "0.2", "0.7")])


def test_the_new_region_contains_the_theorems(regions: Table) -> None:
    old, new = regions.numbers(THEOREM, SAME)
    assert len(old) == 4  # the theorem says nothing at q = 0.7
    assert all(a < b for a, b in zip(old, new, strict=True))


def test_what_is_drawn_as_a_region_is_a_part_of_what_is_true(regions: Table) -> None:
    new, true = regions.numbers(SAME, closed_form_regions.EXACT)
    assert all(a < b for a, b in zip(new, true, strict=True))


def test_a_closed_form_is_not_drawn_below_its_least_noise() -> None:
    (row,) = closed_form_regions.rows("0.9", "0.1")
    assert (row[SAME], row[KEPT] is None, row[ALL] is None) == (None, False, False)


def test_a_reach_a_millionth_longer_is_drawn_elsewhere() -> None:
    longer = replace(REMEMBER, reach=1 + Fraction(1, 10**6))
    at = Fraction(1, 10), Fraction(10)
    assert largest_order_of_form(longer, *at) != largest_order_of_form(REMEMBER, *at)


def test_the_closed_form_speaks_about_eight_runs_and_the_theorem_about_one() -> None:
    (plot,) = closed_form_loss.FIGURES
    table = filled(plot, closed_form_loss.jobs("quick"))
    (loss,), (theorem,), (exact,) = (table.numbers(name) for name in (LOSS, THEOREM_LOSS, EXACT))
    assert (len(loss), len(theorem), len(exact)) == (8, 1, len(RUNS))
    assert 1.6 < min(loss) < max(loss) < 1.8
