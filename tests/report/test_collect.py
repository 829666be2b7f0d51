"""Collecting: what is unchanged is reused, what failed is not kept, what is damaged is not believed."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from proofs_checks.runs.kept import read as read_runs
from verify.audit import ground_truth
from verify.claims import Evidence, Profile, Rejected, Verdict, claim, sampled
from verify.claims.running import as_result
from verify.report.collect import claims_part, collect, sources, stale
from verify.report.collect.cache import Cache
from verify.report.pages.conclusions import failures
from verify.results.document import as_text
from verify.results.matrix import RECORDS
from verify.results.report import Results, Shown, Unreadable


def test_a_second_run_computes_nothing_and_says_the_same(
    results: Results, plan: collect.Plan, store: Path
) -> None:
    again = Cache(store)
    second = collect.collect(dataclasses.replace(plan, cache=again))
    assert again.computed == 0
    assert as_text(second) == as_text(results)


def test_a_fresh_run_says_the_same(results: Results, plan: collect.Plan) -> None:
    fresh = collect.collect(dataclasses.replace(plan, cache=Cache(None)))
    assert as_text(fresh) == as_text(results)


def test_the_numbers_are_those_of_the_claims(results: Results) -> None:
    assert results.numbers.claims == len(results.claims)
    assert results.numbers.refuted == 1
    assert results.numbers.libraries == 1


def test_every_theorem_lists_its_claims(results: Results) -> None:
    if results.kernel is None:
        pytest.skip("no result of the formal development")
    users = {t.name: t.claims for t in results.kernel.theorems}
    assert "main-theorem/exponential" in users["exp_bound"]


def test_the_kept_theorems_about_runs_are_in_the_results(results: Results) -> None:
    if results.kernel is None:
        pytest.skip("no result of the formal development")
    assert results.kernel.runs == read_runs().runs


def test_a_report_with_another_theorem_about_a_run_is_behind(
    results: Results, plan: collect.Plan
) -> None:
    if results.kernel is None:
        pytest.skip("no result of the formal development")
    first, *others = results.kernel.runs
    moved = msgspec.structs.replace(first, epsilon=f"{first.epsilon}1")
    kernel = msgspec.structs.replace(results.kernel, runs=(moved, *others))
    told = list(stale.reasons(msgspec.structs.replace(results, kernel=kernel), plan))
    assert told == ["the theorems about whole runs are others"]


def test_a_damaged_cache_entry_is_absent(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("key", {"value": 1})
    path = tmp_path / "key.json"
    path.write_text(path.read_text().replace('"value": 1', '"value": 2'))
    assert cache.get("key") is None
    path.write_text(path.read_text()[:20])
    assert cache.get("key") is None


@claim(
    "test/wrong", lines="1", kind="assertion", domain="x", statement="x", unbreakable="always fails"
)
def wrong() -> Iterator[Evidence]:
    """Recorded as true, found false."""
    raise Rejected("x = 1")
    yield sampled()


def test_a_claim_that_fails_is_reported_and_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    checked = claims_part.check([wrong], Profile.QUICK, cache, 1, {})
    row = as_result(wrong, checked[wrong.id])
    assert row.verdict is Verdict.UNKNOWN
    assert failures([], [row], []) == ("claim test/wrong: recorded holds, found rejected: x = 1",)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_check_of_the_ground_truth_fails_the_run() -> None:
    wrong, empty = (
        Shown("engines", "", n, 0, "", why, False) for n, why in ((3, "1 != 2"), (0, None))
    )
    assert failures([wrong, empty], [], []) == (
        "ground truth: engines: 1 != 2",
        "ground truth: engines: no effective case",
    )


def test_a_check_that_fails_by_little_fails_the_run(plan: collect.Plan) -> None:
    def nearly() -> Iterator[ground_truth.Case]:
        """One and a millionth is one."""
        yield True, Fraction(1) == Fraction(1_000_001, 1_000_000), "1.000001"

    broken = dataclasses.replace(plan, checks={"nearly": nearly}, cache=Cache(None))
    [shown] = collect.truths(broken)
    assert (shown.passed, shown.failure, shown.statement) == (
        False,
        "1.000001",
        "One and a millionth is one.",
    )


def test_a_cached_claim_of_another_shape_is_checked_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("key", {"id": "a/b", "outcome": {}, "variants": {}})
    assert claims_part.read_checked(cache, "key") is None


def test_the_key_follows_the_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_claims"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tool.py").write_text("value = 1\n")
    (package / "other.py").write_text("value = 1\n")
    (package / "section.py").write_text(
        "def f():\n    from some_claims.tool import value\n    return value\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    digests = []
    for changed in ("", "other.py", "tool.py"):
        if changed:
            (package / changed).write_text("value = 2\n")
        sources.of_module.cache_clear()
        digests.append(sources.of_module("some_claims.section"))
    assert digests[0] == digests[1] != digests[2]


def test_provenance_names_every_dependency() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    needed = {re.match(r"[a-z0-9-]+", line)[0] for line in project["dependencies"]}
    assert needed <= set(sources.versions())


# -- libraries -----------------------------------------------------------------------------


def test_libraries_are_read_from_the_folder_of_the_report(plan: collect.Plan) -> None:
    [family], unreadable = collect.families(plan)
    assert (family.members[0].file, unreadable) == ("some.json", ())


def test_provenance_names_every_file_of_a_family(results: Results) -> None:
    [member] = results.families[0].members
    assert results.provenance.inputs["conformance/some.json"] == member.sha256
    assert results.provenance.seeds["conformance/some.json"] == member.seed


def test_an_unreadable_file_fails_the_run() -> None:
    said = failures([], [], [Unreadable("conformance/a.json", "cut")])
    assert said == ("conformance/a.json: cut",)


# -- accountants ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDS)
def test_a_damaged_record_of_accountants_is_named(
    plan: collect.Plan, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("{")
    found, [unreadable] = collect.accountants(dataclasses.replace(plan, folder=tmp_path))
    assert (found, unreadable.file) == (None, name)
