"""sgm-verify report: files, exit codes, one clear error, the same bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from tests.report.conftest import bench_file, bench_record, conformance_file
from verify.cli import cli
from verify.numbers.errors import OutOfDomain
from verify.report.collect import collect, stale
from verify.report.pages.build import MANIFEST
from verify.results import document
from verify.results.report import Manifest, Results

Run = Callable[..., Result]


@pytest.fixture
def run(small: collect.Plan, store: Path, results: Results, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command with the session's small plan and its cache, so that it finds everything done."""
    monkeypatch.setenv("SGM_VERIFY_CACHE", str(store.parent))
    target = store.parent / "report"
    if not target.exists():
        target.symlink_to(store, target_is_directory=True)

    def call(out: Path, *arguments: str) -> Result:
        line = ["report", "--out", str(out), "--jobs", "1", *arguments]
        return CliRunner().invoke(cli, line, obj=small, standalone_mode=False)

    return call


def test_every_file_is_written_and_in_the_manifest(run: Run, tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.return_value == 0, done.output
    manifest = document.read(tmp_path / MANIFEST, Manifest)
    assert {"results.json", "report.html", "report.md", "junit.xml"} < set(manifest.files)
    for name, digest in manifest.files.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert not list(tmp_path.rglob("*.partial"))


def test_the_summary_says_what_is_wrong_with_the_paper(run: Run, tmp_path: Path) -> None:
    output = run(tmp_path).output
    assert "a-geq-b/theorem-5/jacobian" in output
    assert "1 refuted" in output
    assert "everything passed" in output


def test_the_same_inputs_give_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(tmp_path / name)
    files = [
        p.relative_to(tmp_path / "a") for p in sorted((tmp_path / "a").rglob("*")) if p.is_file()
    ]
    assert len(files) > 8
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_json_on_standard_output(run: Run, tmp_path: Path) -> None:
    printed = run(tmp_path, "--json").stdout
    assert printed == (tmp_path / "results.json").read_text()
    assert document.from_text(printed, Results).numbers.refuted == 1


def test_changes_are_listed(run: Run, tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "conformance").mkdir()
    (tmp_path / "conformance" / "x.json").write_text(json.dumps(conformance_file("x")))
    output = run(tmp_path, "--diff", str(tmp_path / "results.json")).output
    assert "library x.json: absent -> present" in output
    assert "Changes" in (tmp_path / "report.md").read_text()


def test_a_new_run_says_what_is_different_from_the_last(run: Run, tmp_path: Path) -> None:
    assert "since the last report" not in run(tmp_path).output
    assert "since the last report" in run(tmp_path).output
    assert "nothing changed" in run(tmp_path).output
    (tmp_path / "bench.json").write_text(bench_file())
    assert "figure times: absent -> present" in run(tmp_path).output
    assert document.read(tmp_path / "results.json", Results).changes is None


def test_drawings_that_a_report_no_longer_has_are_removed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text(bench_file())
    run(tmp_path)
    (tmp_path / "bench.json").unlink()
    (tmp_path / "figures" / "mine.svg").write_text("not the report's")
    assert (tmp_path / "figures" / "times.svg").exists()
    run(tmp_path)
    assert not (tmp_path / "figures" / "times.svg").exists()
    assert (tmp_path / "figures" / "mine.svg").exists()


BELOW = document.as_text(Manifest(files={"figures/../../kept.svg": "ab" * 32}))


@pytest.mark.parametrize("content", [BELOW, BELOW[:-10], "[]", '{"files": 1}', "x"])
def test_a_foreign_manifest_removes_nothing(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "kept.svg").write_text("")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MANIFEST).write_text(content)
    run(tmp_path / "out")
    assert (tmp_path / "kept.svg").exists()


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no json"])
def test_a_bad_old_report_is_one_error(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "old.json").write_text(content)
    assert isinstance(
        run(tmp_path / "out", "--diff", str(tmp_path / "old.json")).exception, OutOfDomain
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_one_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert isinstance(run(tmp_path / "file" / "below").exception, OutOfDomain)


def test_a_damaged_conformance_file_fails_the_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "conformance").mkdir()
    (tmp_path / "conformance" / "cut.json").write_text('{"target": "\\u001b[31m')
    done = run(tmp_path)
    assert done.return_value == 1
    assert "FAILED: conformance/cut.json" in done.output


def test_a_value_does_not_pay_for_the_report() -> None:
    code = (
        "import sys; from verify.commands import value; import verify.cli; verify.rdp('0.1', 2, 3);"
        "print([m for m in ('jinja2', 'matplotlib', 'latex2mathml', 'jsonschema', 'sympy', 'verify.report') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# -- staleness -----------------------------------------------------------------------------


def test_a_fresh_report_is_not_stale(results: Results, plan: collect.Plan) -> None:
    assert list(stale.reasons(results, plan)) == []


def test_a_changed_claim_makes_a_report_stale(results: Results, plan: collect.Plan) -> None:
    *kept, lost = (
        replace(c, statement="1 = 1") if c.id == "main-theorem/logarithm" else c
        for c in results.claims
    )
    found = list(stale.reasons(replace(results, claims=tuple(kept)), plan))
    assert "claim main-theorem/logarithm: statement" in found
    assert f"claim {lost.id} is not in the report" in found


def test_another_formal_development_makes_a_report_stale(
    results: Results, plan: collect.Plan
) -> None:
    without = dataclasses.replace(plan.installed, formal=())
    assert results.kernel is not None
    assert list(stale.reasons(results, dataclasses.replace(plan, installed=without))) == [
        "the formal development has another digest"
    ]


def test_new_results_on_libraries_make_a_report_stale(
    results: Results, plan: collect.Plan, tmp_path: Path
) -> None:
    shutil.copy(plan.folder / "bench.json", tmp_path)
    assert list(stale.reasons(results, dataclasses.replace(plan, folder=tmp_path))) == [
        "the results on libraries are others"
    ]


def test_new_times_make_a_report_stale(
    results: Results, plan: collect.Plan, tmp_path: Path
) -> None:
    shutil.copytree(plan.folder / "conformance", tmp_path / "conformance")
    assert list(stale.reasons(results, dataclasses.replace(plan, folder=tmp_path))) == [
        "the recorded times are others"
    ]


def test_new_engines_make_the_times_stale(
    results: Results, plan: collect.Plan, tmp_path: Path
) -> None:
    shutil.copytree(plan.folder / "conformance", tmp_path / "conformance")
    other = replace(bench_record(), engines_sha256="another")
    (tmp_path / "bench.json").write_text(document.as_text(other))
    found = list(stale.reasons(results, dataclasses.replace(plan, folder=tmp_path)))
    assert [said[:42] for said in found] == [
        "the recorded times are others",
        "the recorded times are of other engines (s",
    ]


def test_nothing_is_collected_twice(results: Results, plan: collect.Plan) -> None:
    assert plan.cache.computed > 0
