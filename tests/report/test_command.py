"""sgm-verify report: files, exit codes, one clear error, the same bytes."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.report.conftest import bench_file, conformance_file
from verify.cli import cli
from verify.errors import OutOfDomain
from verify.report import collect, model, stale
from verify.report.build import MANIFEST

REFERENCE = Path(__file__).parents[2] / "reports" / "results.json"


def run(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        cli, ["report", "--out", str(out), "--jobs", "1", *arguments], standalone_mode=False
    )


@pytest.fixture(autouse=True)
def own_cache(
    small_run: None, store: Path, results: model.Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache of the session's run, so that the command finds everything done."""
    monkeypatch.setenv("SGM_VERIFY_CACHE", str(store.parent))
    target = store.parent / "report"
    if not target.exists():
        target.symlink_to(store, target_is_directory=True)


def test_every_file_is_written_and_in_the_manifest(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.return_value == 0, done.output
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    assert {"results.json", "report.html", "report.md", "junit.xml"} < set(manifest["files"])
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert not list(tmp_path.rglob("*.partial"))


def test_the_summary_says_what_is_wrong_with_the_paper(tmp_path: Path) -> None:
    output = run(tmp_path).output
    assert "main-theorem/logarithm" in output
    assert "1 refuted" in output
    assert "everything passed" in output


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(tmp_path / name)
    files = [
        p.relative_to(tmp_path / "a") for p in sorted((tmp_path / "a").rglob("*")) if p.is_file()
    ]
    assert len(files) > 8
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_json_on_standard_output(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, "--json").stdout)
    model.validate(found)


def test_changes_are_listed(tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "conformance").mkdir()
    (tmp_path / "conformance" / "x.json").write_text(json.dumps(conformance_file("x")))
    output = run(tmp_path, "--diff", str(tmp_path / "results.json")).output
    assert "library x.json: absent -> present" in output
    assert "Changes" in (tmp_path / "report.md").read_text()


def test_a_new_run_says_what_is_different_from_the_last(tmp_path: Path) -> None:
    assert "since the last report" not in run(tmp_path).output
    assert "since the last report" in run(tmp_path).output
    assert "nothing changed" in run(tmp_path).output
    (tmp_path / "bench.json").write_text(bench_file())
    assert "figure times: absent -> present" in run(tmp_path).output
    assert json.loads((tmp_path / "results.json").read_text())["changes"] is None


def test_drawings_that_a_report_no_longer_has_are_removed(tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text(bench_file())
    run(tmp_path)
    (tmp_path / "bench.json").unlink()
    (tmp_path / "figures" / "mine.svg").write_text("not the report's")
    assert (tmp_path / "figures" / "times.svg").exists()
    run(tmp_path)
    assert not (tmp_path / "figures" / "times.svg").exists()
    assert (tmp_path / "figures" / "mine.svg").exists()


@pytest.mark.parametrize(
    "content", ['{"files": {"figures/../../kept.svg": ""}}', "[]", '{"files": 1}', "x"]
)
def test_a_foreign_manifest_removes_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "kept.svg").write_text("")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MANIFEST).write_text(content)
    run(tmp_path / "out")
    assert (tmp_path / "kept.svg").exists()


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no json"])
def test_a_bad_old_report_is_one_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "old.json").write_text(content)
    assert isinstance(
        run(tmp_path / "out", "--diff", str(tmp_path / "old.json")).exception, OutOfDomain
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert isinstance(run(tmp_path / "file" / "below").exception, OutOfDomain)


def test_a_damaged_conformance_file_fails_the_run(tmp_path: Path) -> None:
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


def test_a_fresh_report_is_not_stale(results: model.Results, folder: Path) -> None:
    assert list(stale.reasons(results, folder)) == []


def test_a_changed_claim_makes_a_report_stale(results: model.Results, folder: Path) -> None:
    changed = [
        {**c, "statement": "1 = 1"} if c["id"] == "main-theorem/logarithm" else c
        for c in results["claims"]
    ]
    old = {**results, "claims": changed[:-1]}
    found = list(stale.reasons(old, folder))
    assert "claim main-theorem/logarithm: statement" in found
    assert f"claim {changed[-1]['id']} is not in the report" in found


def test_new_results_on_libraries_make_a_report_stale(
    results: model.Results, folder: Path, tmp_path: Path
) -> None:
    shutil.copy(folder / "bench.json", tmp_path)
    assert list(stale.reasons(results, tmp_path)) == ["the results on libraries are others"]


def test_new_times_make_a_report_stale(
    results: model.Results, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / "conformance", tmp_path / "conformance")
    assert list(stale.reasons(results, tmp_path)) == ["the recorded times are others"]


def test_new_engines_make_the_times_stale(
    results: model.Results, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.report.figures.times.engines_digest", lambda: "another")
    assert [said[:42] for said in stale.reasons(results, folder)] == [
        "the recorded times are of other engines (s"
    ]


def test_nothing_is_collected_twice(results: model.Results, plan: collect.Plan) -> None:
    assert plan.cache.computed > 0
