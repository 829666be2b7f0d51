"""Cells of bits lost: every point in its cell."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.report.conftest import conformance_file
from verify.report import error_map
from verify.results.conformance import Cases, Conformance, Direction, Grade, Region, Row

FILE = msgspec.convert(conformance_file(), Conformance)


def file_of(*rows: Row) -> Conformance:
    """A file with these points."""
    return msgspec.structs.replace(
        FILE,
        points=len(rows),
        verdicts={grade: sum(row.verdict is grade for row in rows) for grade in Grade},
        no_answer={"nan": sum(row.verdict is Grade.NO_ANSWER for row in rows)},
        regions={},
        cases=Cases(columns=FILE.cases.columns, rows=rows),
    )


def one(sigma: float, q: float, alpha: Any, grade: str, lost: float | None) -> Row:
    errs = Direction.UNSAFE if grade == "wrong" else None
    return Row("some", q, sigma, alpha, 0.1, Grade(grade), errs, Region.EXTREMES, lost, "")


def test_a_point_falls_into_its_cell() -> None:
    [cell] = error_map.cells(file_of(one(1.0, 0.03, 2.5, "wrong", 12.5)))
    spans = [error_map.span(error_map.AXES[name], cell[name]) for name in error_map.AXES]
    assert spans == ["1 to 10", "0.01 to 0.1", "2 to 4"]
    assert (cell["most"], cell["unsafe"], error_map.mark(cell)) == (12.5, 1, "!")


@pytest.mark.parametrize(
    ("alpha", "index"), [(1.0, 0), (1.00999, 0), (1.01, 1), (1e6, 11), ("inf", 11)]
)
def test_orders_at_the_edges(alpha: object, index: int) -> None:
    assert error_map.cells(file_of(one(1.0, 0.5, alpha, "full", 0.0)))[0]["alpha"] == index


def test_silence_loses_no_bits() -> None:
    [cell] = error_map.cells(file_of(one(1.0, 0.5, 2.0, "no answer", None)))
    assert (cell["most"], cell["median"], cell["silent"], error_map.mark(cell)) == (
        None,
        None,
        1,
        "?",
    )


def test_a_cell_tells_the_worst_and_the_median() -> None:
    rows = (one(1.0, 0.5, 2.0, "full", lost) for lost in (1.0, 2.0, 30.0))
    [cell] = error_map.cells(file_of(*rows))
    assert (cell["points"], cell["most"], cell["median"]) == (3, 30.0, 2.0)


def test_every_point_is_in_a_cell() -> None:
    assert sum(cell["points"] for cell in error_map.cells(FILE)) == FILE.points


def test_every_mark_is_drawn() -> None:
    library = {"target": "x", "version": "1", "map": error_map.cells(FILE)}
    svg = error_map.draw("x", library)
    marks = {error_map.mark(cell) for cell in library["map"]}
    assert "!" in marks
    for sign in marks - {""}:
        assert f">{sign}</text>" in svg
