"""Cells of bits lost: every point in its cell, and a file that lies is refused."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from tests.report.conftest import conformance_file
from verify.report import error_map


def cells(content: dict[str, Any]) -> list[dict[str, Any]]:
    return error_map.cells(content, content["verdicts"])


def one(sigma: float, q: float, alpha: object, verdict: str, lost: object) -> dict[str, Any]:
    """A file of one point."""
    row = ["some", q, sigma, alpha, 0.1, verdict, lost]
    return {
        "cases": {"columns": list(error_map.COLUMNS), "rows": [row]},
        "verdicts": {verdict: 1, "accurate": 0} | {verdict: 1},
    }


def test_a_point_falls_into_its_cell() -> None:
    [cell] = cells(one(1.0, 0.03, 2.5, "UNSAFE", 12.5))
    spans = [error_map.span(error_map.AXES[name], cell[name]) for name in error_map.AXES]
    assert spans == ["1 to 10", "0.01 to 0.1", "2 to 4"]
    assert (cell["most"], cell["unsafe"], error_map.mark(cell)) == (12.5, 1, "!")


@pytest.mark.parametrize(
    ("alpha", "index"), [(1.0, 0), (1.00999, 0), (1.01, 1), (1e6, 11), ("inf", 11)]
)
def test_orders_at_the_edges(alpha: object, index: int) -> None:
    assert cells(one(1.0, 0.5, alpha, "accurate", 0.0))[0]["alpha"] == index


def test_silence_loses_no_bits() -> None:
    [cell] = cells(one(1.0, 0.5, 2.0, "no answer", None))
    assert (cell["most"], cell["median"], cell["silent"], error_map.mark(cell)) == (
        None,
        None,
        1,
        "?",
    )


def test_a_cell_tells_the_worst_and_the_median() -> None:
    content = one(1.0, 0.5, 2.0, "accurate", 1.0)
    content["cases"]["rows"] += [[*content["cases"]["rows"][0][:6], lost] for lost in (2.0, 30.0)]
    content["verdicts"]["accurate"] = 3
    [cell] = cells(content)
    assert (cell["points"], cell["most"], cell["median"]) == (3, 30.0, 2.0)


def test_a_file_without_points_has_no_map() -> None:
    assert cells({**conformance_file(), "cases": None}) == []


@pytest.mark.parametrize("bad", [
    {"cases": []}, {"cases": {"columns": ["q"], "rows": []}},
    {"cases": {"columns": list(error_map.COLUMNS), "rows": "many"}},
    {"verdicts": {"accurate": 100}},
])  # fmt: skip
def test_a_file_that_contradicts_itself_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="points"):
        cells({**conformance_file(), **bad})


@pytest.mark.parametrize(("place", "value"), [
    (1, -0.1), (1, "x"), (1, None), (1, True), (2, -1.0), (3, 0.5), (3, "nan"), (3, math.nan), (5, "fine"),
    (5, None), (6, -1.0), (6, 54.0), (6, None), (6, math.nan), (6, math.inf), (6, "inf"),
])  # fmt: skip
def test_a_point_that_is_none_is_refused(place: int, value: object) -> None:
    content = copy.deepcopy(conformance_file())
    content["cases"]["rows"][0][place] = value
    with pytest.raises(ValueError, match=r"no|not"):
        cells(content)


def test_a_short_row_is_refused() -> None:
    content = conformance_file()
    content["cases"]["rows"][0].pop()
    with pytest.raises(ValueError, match="whole row"):
        cells(content)


def test_every_mark_is_drawn() -> None:
    content = conformance_file()
    library = {"target": "x", "version": "1", "map": cells(content)}
    svg = error_map.draw("x", library)
    marks = {error_map.mark(cell) for cell in library["map"]}
    assert "!" in marks
    for sign in marks - {""}:
        assert f">{sign}</text>" in svg
