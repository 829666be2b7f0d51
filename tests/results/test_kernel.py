"""The result file of a formal development: whole, or one error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verify.numbers.errors import OutOfDomain
from verify.results import kernel

THEOREM = {"name": "a", "file": "S.v", "line": 3, "statement": "1 = 1", "axioms": ["classic"]}
WHOLE = {
    "format": "sgm-verify kernel 2", "coq": "8.16.1", "digest": "ab", "pinned": "cd", "allowed": ["classic"],
    "theorems": [THEOREM], "complete": True,
}  # fmt: skip
COMMITTED = Path(__file__).parents[2] / "proofs_checks" / "formal" / "result.json"


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(WHOLE))
    assert kernel.read(path).theorems[0].axioms == ("classic",)


def test_the_committed_result_is_one() -> None:
    assert len(kernel.read(COMMITTED).theorems) > 50


@pytest.mark.parametrize(
    "change",
    [
        {"complete": False}, {"complete": None}, {"format": "sgm-verify kernel 0"}, {"more": 1},
        {"theorems": 1}, {"theorems": [{**THEOREM, "line": "3"}]}, {"theorems": [{"name": "a"}]},
    ],
)  # fmt: skip
def test_anything_else_is_one_error(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps({**WHOLE, **change}))
    with pytest.raises(OutOfDomain, match="no whole result"):
        kernel.read(path)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", json.dumps(WHOLE)[:-20], '{"coq":"7",' + json.dumps(WHOLE)[1:]]
)
def test_a_truncated_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)
    with pytest.raises(OutOfDomain):
        kernel.read(path)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(OutOfDomain, match="cannot be read"):
        kernel.read(tmp_path / "none.json")


def test_an_axiom_that_is_not_allowed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps({**WHOLE, "theorems": [{**THEOREM, "axioms": ["Mine.false"]}]}))
    with pytest.raises(OutOfDomain, match=r"rests on Mine\.false"):
        kernel.read(path)
