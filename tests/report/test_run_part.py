"""The data on libraries and the markup of "check my run"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verify.report.collect import families_part, run_part
from verify.report.pages import run_cells
from verify.results.conformance import Direction, Grade, Region, Row
from verify.results.families import Family

RECORDED = Path(__file__).parents[2] / "reports" / "conformance"


def row(
    verdict: Grade, alpha: float, bits: float | None, direction: Direction | None = None, q: float = 0.005,
    region: Region = Region.TRAINING,
) -> Row:  # fmt: skip
    return Row(
        "g", q, 1.1, alpha, None if bits is None else 0.1, verdict, direction, region, bits, ""
    )


@pytest.fixture(scope="module")
def families() -> tuple[Family, ...]:
    """What is recorded."""
    found, unreadable = families_part.read_all(RECORDED)
    assert unreadable == ()
    return found


def given(families: Iterable[Family]) -> dict[str, Any]:
    """What the script reads."""
    return dict(json.loads(run_part.data(families)))


UNSAFE = row(Grade.WRONG, 8.0, 50.0, Direction.UNSAFE)
OVERSTATED = row(Grade.INEXACT, 3.0, 30.0, Direction.OVERSTATED)
SILENT = row(Grade.NO_ANSWER, 200.0, None)
RIGHT = row(Grade.FULL, 2.0, 1.0)


def test_failing_points_are_gathered_by_cell() -> None:
    (cell,) = run_cells.near([UNSAFE, OVERSTATED, SILENT, RIGHT])
    assert (run_cells.Q[cell.q], run_cells.SIGMA[cell.sigma]) == (0.003, 1.0)
    assert cell.failed == 2
    assert cell.silent == 1
    assert cell.unsafe == 1
    assert cell.bits == 50.0
    assert (cell.low, cell.high) == (3.0, 200.0)


def test_all_points_of_training_runs_are_counted_as_asked() -> None:
    (cell,) = run_cells.asked_cells([UNSAFE, OVERSTATED, SILENT, RIGHT])
    assert cell.points == 4


def test_a_library_without_failures_has_no_cells() -> None:
    assert run_cells.near([RIGHT]) == []


def test_extremes_do_not_count() -> None:
    extreme = row(Grade.WRONG, 1.0001, 53.0, Direction.UNSAFE, region=Region.EXTREMES)
    assert run_cells.near([extreme, RIGHT]) == []
    assert [cell.points for cell in run_cells.asked_cells([extreme, RIGHT])] == [1]


def test_another_quantity_does_not_count(families: tuple[Family, ...]) -> None:
    other = [msgspec.structs.replace(family, quantity="log_moment") for family in families]
    assert given(other)["families"] == []


def test_what_was_recorded_is_counted_whole(families: tuple[Family, ...]) -> None:
    """No failing point of a training run gets lost on the way into the page."""
    for family, shown in zip(families, given(families)["families"], strict=True):
        training = family.regions[Region.TRAINING]
        assert sum(cell[2] for cell in shown["cells"]) == sum(training.directions.values())
        silent = training.verdicts.get(Grade.NO_ANSWER, 0)
        assert sum(cell[3] for cell in shown["cells"]) == silent


def test_it_is_small(families: tuple[Family, ...]) -> None:
    assert len(run_part.data(families)) < 60_000
    assert len(run_part.script()) < 60_000


def test_a_name_cannot_end_the_data(families: tuple[Family, ...]) -> None:
    evil = "</script><script>alert(1)</script>"
    renamed = [msgspec.structs.replace(families[0], name=evil)]
    assert "</script>" not in run_part.data(renamed)
    assert given(renamed)["families"][0]["name"] == evil


def test_no_script_is_left_out() -> None:
    folder = Path(run_part.__file__).parents[1] / "templates" / "run"
    assert {path.stem for path in folder.glob("*.js")} == set(run_part.SCRIPTS)


def test_nothing_is_asked_of_the_network() -> None:
    page = run_part.standalone([])
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a namespace, not an address
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|<link|<img", page)
