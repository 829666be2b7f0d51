"""results.json: strict, closed, and recognisably damaged when damaged."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from verify.errors import OutOfDomain
from verify.report import model


def test_results_of_a_run_fit_the_schema(results: model.Results) -> None:
    model.validate(results)


@pytest.mark.parametrize("spoil", [
    lambda r: r.update(extra=1),
    lambda r: r.pop("closing"),
    lambda r: r["claims"][0].update(verdict="maybe"),
    lambda r: r["claims"][0].update(seconds=1.0),
    lambda r: r["numbers"].update(claims=-1),
    lambda r: r["claims"].pop(),
    lambda r: r["numbers"].update(refuted=0),
    lambda r: r["closing"].update(complete=False),
])  # fmt: skip
def test_whatever_is_spoilt_is_noticed(results: model.Results, spoil: Any) -> None:
    spoilt = copy.deepcopy(results)
    spoil(spoilt)
    with pytest.raises(model.BadResults):
        model.validate(spoilt)


def test_what_was_written_is_read_back(results: model.Results, tmp_path: Path) -> None:
    model.write(tmp_path / "results.json", model.as_text(results))
    assert model.read(tmp_path / "results.json") == results


@pytest.mark.parametrize("part", [0.0, 0.3, 0.999])
def test_a_file_cut_short_is_an_error(results: model.Results, tmp_path: Path, part: float) -> None:
    text = model.as_text(results)
    (tmp_path / "cut.json").write_text(text[: int(len(text) * part)])
    with pytest.raises(OutOfDomain, match="cut short"):
        model.read(tmp_path / "cut.json")


def test_a_foreign_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(json.dumps({"format": "sgm-verify results 1"}))
    with pytest.raises(OutOfDomain, match="not a whole results file"):
        model.read(tmp_path / "other.json")


def test_times_are_not_in_the_results(results: model.Results) -> None:
    """They would make equal runs differ."""
    assert "seconds" not in model.as_text(results)


def test_gravest_first(results: model.Results) -> None:
    rows = [{"verdict": "refuted", "severity": s} for s in ("slip", "theorem false", "gap")]
    assert [r["severity"] for r in model.by_severity(rows, "refuted")] == [
        "theorem false",
        "gap",
        "slip",
    ]
