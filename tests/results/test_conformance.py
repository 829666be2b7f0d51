"""The file of a check: read whole, or refused with one line that says why."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.report.conftest import conformance_file
from verify.results import conformance, document
from verify.results.conformance import Conformance
from verify.results.document import BadDocument

RECORDED = sorted((Path(__file__).parents[2] / "reports" / "conformance").glob("*.json"))
SCHEMA = document.schema(Conformance)


def read(content: dict[str, Any]) -> Conformance:
    return document.from_text(json.dumps(content), Conformance)


def test_the_recorded_files_are_there():
    assert len(RECORDED) == 12


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_what_was_recorded_is_written_with_the_same_bytes(path):
    found = document.read(path, Conformance)
    assert conformance.as_text(found) == path.read_text()


def test_the_schema_accepts_a_recorded_file():
    jsonschema.validate(json.loads(RECORDED[0].read_text()), SCHEMA)


@pytest.mark.parametrize("change", [{"more": 1}, {"points": -1}, {"format": 1}, {"conforms": 0}])
def test_the_schema_rejects_what_the_class_rejects(change):
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid({**conformance_file(), **change})


def test_a_whole_number_for_a_double_is_written_as_one():
    found = read(conformance_file())
    changed = found.__class__(
        **{name: getattr(found, name) for name in found.__struct_fields__}
        | {"seconds": conformance.Seconds(total=1, median=None, longest=None)}
    )
    again = document.from_text(conformance.as_text(changed), Conformance)
    assert again.seconds.total == 1.0


@pytest.mark.parametrize(("change", "says"), [
    ({"format": 1}, "format"),
    ({"closing": None}, "closing record is missing"),
    ({"complete": True}, "unknown field `complete`"),
    ({"target": ""}, "$.target"),
    ({"points": 101}, "another number of points"),
    ({"verdicts": {}}, "verdicts are not those of the points"),
    ({"verdicts": {"full": 100}}, "verdicts are not those of the points"),
    ({"verdicts": {"wrong": -1}}, "$.verdicts"),
    ({"verdicts": {"fine": 1}}, "fine"),
    ({"verdicts": [1]}, "$.verdicts"),
    ({"no_answer": {"crash": 4}}, "kinds of silence"),
    ({"properties": {"x": "many"}}, "$.properties"),
    ({"conforms": "yes"}, "$.conforms"),
    ({"regions": {"extremes": {"q": 0.5}}}, "$.regions"),
    ({"regions": {"nowhere": {}}}, "nowhere"),
    ({"regions": {"extremes": {"verdicts": {}, "directions": {}, "worst": {}}}}, "verdicts on extremes"),
    ({"regions": {"training runs": {"verdicts": {}, "directions": {"UNSAFE": 1}, "worst": {}}}}, "directions on training"),
    ({"cases": None}, "$.cases"),
    ({"cases": {"columns": ["q"], "rows": []}}, "columns of the points"),
    ({"cases": {"columns": list(conformance.COLUMNS), "rows": "many"}}, "$.cases.rows"),
    ({"summary": "another"}, "digest"),
])  # fmt: skip
def test_a_file_that_is_not_whole_is_refused(change, says):
    with pytest.raises(BadDocument) as caught:
        read({**conformance_file(), **change})
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("place", "value"), [
    (1, -0.1), (1, 1.1), (1, "x"), (1, None), (1, True), (2, -1.0), (2, 0.0), (3, 0.5), (3, "nan"), (3, "-inf"),
    (4, "none"), (4, True), (5, "fine"), (5, None), (6, "UNSAFE"), (6, "down"), (7, None), (7, "here"), (8, -1.0), (8, 53.1), (8, None), (8, "inf"),
    (9, None),
])  # fmt: skip
def test_a_point_that_is_none_is_refused(place, value):
    content = copy.deepcopy(conformance_file())
    content["cases"]["rows"][0][place] = value
    with pytest.raises(BadDocument, match=r"rows|bits are lost|errs in a direction"):
        read(content)


@pytest.mark.parametrize("change", [lambda row: row.pop(), lambda row: row.append(0.0)])
def test_a_short_or_long_row_is_refused(change):
    content = conformance_file()
    change(content["cases"]["rows"][0])
    with pytest.raises(BadDocument, match="length"):
        read(content)


def test_a_number_off_by_a_millionth_is_seen():
    text = RECORDED[0].read_text()
    row = json.loads(text)["cases"]["rows"][0]
    other = [*row[:4], row[4] * (1 + 1e-6), *row[5:]]
    assert json.dumps(row) in text
    with pytest.raises(BadDocument, match="digest"):
        document.from_text(text.replace(json.dumps(row), json.dumps(other)), Conformance)
