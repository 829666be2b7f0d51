"""The figure of times: a recorded run as ratios, read with suspicion."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.report.conftest import bench_file, bench_record
from verify.claims.discovery import Installed
from verify.moments.engines import ENGINES
from verify.report import figures
from verify.report.collect import collect
from verify.report.figures import times
from verify.report.pages.conclusions import failures, not_covered
from verify.results import document
from verify.results.bench import Bench
from verify.results.evidence import Profile
from verify.results.report import Results


def written(folder: Path, content: str) -> Path:
    path = folder / times.FILE
    path.write_text(content)
    return path


def test_times_are_ratios_to_the_first(tmp_path: Path) -> None:
    found = times.read(written(tmp_path, bench_file()))
    assert found is not None
    assert found.figure.columns == ("digits", "trapezoid", "series", "quadrature")
    assert found.figure.rows == (
        ("15", "1", "10", "50"), ("100", "4", "50", "1000"), ("1000", "100", "5000", None),
    )  # fmt: skip
    assert not found.outdated
    assert found.figure.caption.endswith("Measured 2026-01-02.")


def test_the_report_has_the_figure(results: Results, drawings: dict[str, str]) -> None:
    assert results.figures[-1].id == "times"
    assert times.FILE in results.provenance.inputs
    assert "trapezoid, certified" in drawings["times"]


def test_every_engine_of_the_record_is_a_curve_and_says_whether_it_proves(tmp_path: Path) -> None:
    sweep = bench_record().against_digits.engines["series"]
    everyone = dict.fromkeys([*ENGINES, "abacus"], sweep)
    digits = msgspec.structs.replace(bench_record().against_digits, engines=everyone)
    record = msgspec.structs.replace(bench_record(), against_digits=digits)
    found = times.read(written(tmp_path, document.as_text(record)))
    assert found is not None
    svg = figures.draw(found.figure)
    for name, listed in ENGINES.items():
        assert (f">{name}, certified<" in svg) is listed.proved
        assert (f">{name}<" in svg) is not listed.proved
    assert ">abacus<" in svg  # an engine that is no longer listed claims no proof


def test_times_of_other_engines_are_said_to_be_so(tmp_path: Path) -> None:
    old = msgspec.structs.replace(bench_record(), engines_sha256="another")
    found = times.read(written(tmp_path, document.as_text(old)))
    assert found is not None
    assert found.outdated
    assert found.figure.caption.endswith(times.OLD)


def test_without_a_record_the_report_says_so(tmp_path: Path) -> None:
    assert times.read(tmp_path / times.FILE) is None
    said = not_covered([], Profile.FULL, formal=True, libraries=True, missing=[times.TIMES])
    assert any("bench.json" in line for line in said)


def changed(**fields: object) -> str:
    """A record with other fields, closed again as if it had been written so."""
    plain = {**json.loads(bench_file()), **fields}
    return json.dumps(plain)


@pytest.mark.parametrize("content", [
    "", "[]", "{}", bench_file()[:-40], bench_file().replace("2026-01-02", "2026-01-03"),
    changed(closing=None), changed(format="sgm-verify bench 2"), changed(date="<b>today</b>"),
    changed(against_digits=[]), changed(more=1), changed(digits="50"),
])  # fmt: skip
def test_a_bad_record_fails_the_run_with_one_line(tmp_path: Path, content: str) -> None:
    written(tmp_path, content)
    found, unusable = collect.recorded_figures(
        collect.Plan(folder=tmp_path, installed=Installed({}))
    )
    assert not found
    assert [u.file for u in unusable] == [times.FILE]
    (line,) = failures([], [], unusable)
    assert line.startswith(f"bench.json: not a whole {document.format_of(Bench)!r} (")
    assert "\n" not in line
