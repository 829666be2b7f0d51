"""The data on libraries and the markup of "check my run"."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from tests.report.conftest import conformance_file
from verify.report import run_part
from verify.results import document
from verify.results.conformance import Conformance, Direction, Grade, Region, Row

RECORDED = Path(__file__).parents[2] / "reports" / "conformance"


def conformance(rows: list[Row], name: str = "some") -> Conformance:
    """A file that holds these points; what else it says does not matter here."""
    whole = conformance_file(name)
    whole.pop("closing")
    found = msgspec.convert(whole, Conformance)
    cases = msgspec.structs.replace(found.cases, rows=tuple(rows))
    grades: dict[Grade, int] = {}
    for row in rows:
        grades[row.verdict] = grades.get(row.verdict, 0) + 1
    silent = grades.get(Grade.NO_ANSWER, 0)
    return msgspec.structs.replace(
        found, cases=cases, points=len(rows), verdicts=grades, regions={}, no_answer={"crash": silent} if silent else {},
    )  # fmt: skip


def row(
    verdict: Grade, alpha: float, bits: float | None, direction: Direction | None = None, q: float = 0.005,
    region: Region = Region.TRAINING,
) -> Row:  # fmt: skip
    return Row(
        "g", q, 1.1, alpha, None if bits is None else 0.1, verdict, direction, region, bits, ""
    )


UNSAFE = row(Grade.WRONG, 8.0, 50.0, Direction.UNSAFE)
OVERSTATED = row(Grade.INEXACT, 3.0, 30.0, Direction.OVERSTATED)
SILENT = row(Grade.NO_ANSWER, 200.0, None)
RIGHT = row(Grade.FULL, 2.0, 1.0)


def test_failing_points_are_gathered_by_cell() -> None:
    found = run_part.libraries([conformance([UNSAFE, OVERSTATED, SILENT, RIGHT])])
    (family,) = found.families
    (cell,) = family.cells
    assert (run_part.Q[cell.q], run_part.SIGMA[cell.sigma]) == (0.003, 1.0)
    assert cell.failed == 2
    assert cell.silent == 1
    assert cell.unsafe == 1
    assert cell.bits == 50.0
    assert (cell.low, cell.high) == (3.0, 200.0)
    assert found.asked == ((cell.q, cell.sigma, 4),)


def test_a_library_without_failures_has_no_cells() -> None:
    found = run_part.libraries([conformance([RIGHT])])
    assert found.families[0].cells == ()


def test_extremes_do_not_count() -> None:
    extreme = row(Grade.WRONG, 1.0001, 53.0, Direction.UNSAFE, region=Region.EXTREMES)
    found = run_part.libraries([conformance([extreme, RIGHT])])
    assert found.families[0].cells == ()
    assert [n for *_, n in found.asked] == [1]


def test_another_quantity_does_not_count() -> None:
    other = msgspec.structs.replace(conformance([UNSAFE]), quantity="log_moment")
    assert run_part.libraries([other]).families == ()


def test_what_was_recorded_is_counted_whole() -> None:
    """No failing point of a training run gets lost on the way into the page."""
    found = run_part.read(RECORDED)
    for path, family in zip(sorted(RECORDED.glob("*.json")), found.families, strict=True):
        rows = document.read(path, Conformance).cases.rows
        bad = [r for r in rows if r.region is Region.TRAINING and r.direction is not None]
        mute = [r for r in rows if r.region is Region.TRAINING and r.verdict is Grade.NO_ANSWER]
        assert sum(cell.failed for cell in family.cells) == len(bad)
        assert sum(cell.silent for cell in family.cells) == len(mute)


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    whole = next(RECORDED.glob("*.json")).read_text()
    (tmp_path / "cut.json").write_text(whole[: len(whole) // 2])
    with pytest.raises(document.BadDocument):
        run_part.read(tmp_path)


def test_it_is_small() -> None:
    found = run_part.read(RECORDED)
    data = json.dumps(msgspec.to_builtins(found), separators=(",", ":"))
    assert len(data) < 60_000
    assert len(run_part.fragment(found)) - len(data) < 60_000


def test_a_name_cannot_end_the_data() -> None:
    evil = run_part.Family("</script><script>alert(1)</script>", "1", ())
    page = run_part.fragment(run_part.Libraries((evil,), ()))
    assert "alert(1)</script>" not in page
    found = re.search(r'id="run-data">(.*?)</script>', page)
    assert found is not None
    assert json.loads(found[1])["families"][0]["name"] == evil.name


def test_no_script_is_left_out() -> None:
    folder = Path(run_part.__file__).parent / "templates" / "run"
    assert {path.stem for path in folder.glob("*.js")} == set(run_part.SCRIPTS)


def test_nothing_is_asked_of_the_network() -> None:
    page = run_part.standalone(run_part.Libraries((), ()))
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a namespace, not an address
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|<link|<img", page)
