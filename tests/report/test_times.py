"""The figure of times: a recorded run as ratios, read with suspicion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.report.conftest import bench_file
from verify.claims.discovery import Installed
from verify.report import captions, collect, times_part
from verify.report.conclusions import failures, not_covered
from verify.results.evidence import Profile
from verify.results.report import Results


def written(folder: Path, content: object) -> Path:
    path = folder / times_part.FILE
    path.write_text(json.dumps(content))
    return path


def test_times_are_ratios_to_the_first(tmp_path: Path) -> None:
    found = times_part.read(written(tmp_path, bench_file()))
    assert found is not None
    assert found["figure"]["rows"] == [
        ["15", "1", "10", "50"], ["100", "4", "50", "1000"], ["1000", "100", "5000", None],
    ]  # fmt: skip
    assert found["current"]
    assert found["figure"]["caption"].endswith("Measured 2026-01-02.")


def test_the_report_has_the_figure(results: Results, drawings: dict[str, str]) -> None:
    assert results.figures[-1].id == "times"
    assert "trapezoidal rule, certified" in drawings["times"]
    assert times_part.FILE in results.provenance.inputs


def test_times_of_other_engines_are_said_to_be_so(tmp_path: Path) -> None:
    found = times_part.read(written(tmp_path, {**bench_file(), "engines_sha256": "another"}))
    assert found is not None
    assert found["figure"]["caption"].endswith(captions.OLD_TIMES)


def test_without_a_record_the_report_says_so(tmp_path: Path) -> None:
    assert times_part.read(tmp_path / times_part.FILE) is None
    said = not_covered([], Profile.FULL, formal=True, libraries=True, times=False)
    assert any("Running times" in line for line in said)


def sweeps(**change: object) -> dict[str, Any]:
    content = bench_file()
    content["against_digits"]["seconds"] |= change
    return content


@pytest.mark.parametrize("content", [
    [], {}, {**bench_file(), "complete": False}, {**bench_file(), "date": "<b>today</b>"}, {**bench_file(), "format": "another"},
    {**bench_file(), "against_digits": {}}, {**bench_file(), "against_digits": []},
    sweeps(another=[]), sweeps(series="long"), sweeps(series=[[15, 1.0]]), sweeps(trapezoid=[]),
    sweeps(trapezoid=[[15, None], [100, None], [1000, None]]),
    sweeps(series=[[15, -1.0], [100, 1.0], [1000, 1.0]]), sweeps(series=[[15], [100], [1000]]),
    sweeps(series=[[15, "1"], [100, 1.0], [1000, 1.0]]), sweeps(series=[7]),
])  # fmt: skip
def test_a_bad_record_fails_the_run_with_one_line(tmp_path: Path, content: object) -> None:
    written(tmp_path, content)
    times, unusable = collect.recorded_times(collect.Plan(folder=tmp_path, installed=Installed({})))
    assert times is None
    assert [u.file for u in unusable] == [times_part.FILE]
    assert failures([], [], unusable)[0].startswith("bench.json: ")
