"""Finding claims, running them over processes, and keeping the score."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from verify import claim_runner as runner
from verify.claims import Level, MisstatedClaim, Outcome, Role, Verdict, symbolic

MODULE = '''
from verify.claims import Rejected, claim, symbolic, sampled
from {package}.helpers import borrowed

@claim("toy/{name}/right", lines="1", kind="identity", domain="x", statement="1 = 1",
       kernel="one_is_one", broken={{"two": {{"value": 2}}}})
def right(value=1):
    """One is one."""
    if value != 1:
        raise Rejected("value = 2")
    yield symbolic()

@claim("toy/{name}/blind", lines="2-3", kind="identity", domain="x", statement="2 = 2",
       broken={{"three": {{"value": 3}}}})
def blind(value=2):
    """A check that cannot fail."""
    yield sampled(7)

@claim("toy/{name}/mistaken", lines="beyond", kind="assertion", domain="x", statement="x",
       verdict="refuted", severity="slip", repair="y", broken={{"crash": {{"value": 0}}}})
def mistaken(value=1):
    """Recorded as refuted, but the check finds it true."""
    yield symbolic(effective=1 // value)
'''
HELPERS = '''
from verify.claims import claim, symbolic

@claim("toy/borrowed/claim", lines="9", kind="identity", domain="x", statement="x",
       unbreakable="nothing to break")
def borrowed():
    """Imported by the other module, but defined once."""
    yield symbolic()
'''


@pytest.fixture
def toy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> dict[str, runner.Claim]:
    """A claim package of its own, found as an installed one would be."""
    name = "toy_" + "".join(c for c in request.node.name if c.isalnum())
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "section.py").write_text(MODULE.format(package=name, name="section"))
    (package / "helpers.py").write_text(HELPERS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    entry = SimpleNamespace(name="toy", load=lambda: __import__(name))
    monkeypatch.setattr(runner, "entry_points", lambda group: [entry])
    return runner.discover()


def test_claims_are_found_once_in_the_order_of_the_paper(toy: dict[str, runner.Claim]) -> None:
    assert list(toy) == [
        "toy/section/right",
        "toy/section/blind",
        "toy/borrowed/claim",
        "toy/section/mistaken",
    ]


def test_an_id_may_not_be_defined_twice(
    toy: dict[str, runner.Claim], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "claims_of", lambda package: [toy["toy/section/right"]] * 2)
    with pytest.raises(MisstatedClaim, match="defined twice"):
        runner.discover()


@pytest.mark.parametrize("workers", [1, 2])
def test_running_gives_the_same_in_one_process_and_in_several(
    toy: dict[str, runner.Claim], workers: int
) -> None:
    order: list[str] = []
    results = runner.run(toy.values(), workers=workers, done=lambda r: order.append(r.id))
    assert order == list(toy)
    found = {i: r.outcome.verdict for i, r in results.items()}
    assert set(found.values()) == {Verdict.HOLDS}
    assert results["toy/section/right"].survivors == []
    assert results["toy/section/blind"].survivors == ["three"]


def test_a_variant_that_crashes_is_not_rejected(toy: dict[str, runner.Claim]) -> None:
    assert runner.run_one(toy["toy/section/mistaken"], runner.Profile.QUICK).survivors == ["crash"]


def test_the_score_counts_claims_whose_variants_are_all_refused(
    toy: dict[str, runner.Claim],
) -> None:
    score = runner.score(runner.run(toy.values(), workers=1).values())
    assert (score.claims, score.covered, score.variants, score.refuted) == (4, 1, 3, 1)
    assert score.survivors == ("toy/section/blind: three", "toy/section/mistaken: crash")
    assert "1 of 4 claims (25.0%)" in str(score)


def test_a_verdict_other_than_recorded_is_noticed(toy: dict[str, runner.Claim]) -> None:
    claim = toy["toy/section/mistaken"]
    assert runner.differs(claim, claim.check()) == "recorded refuted, found holds"
    assert runner.differs(toy["toy/section/right"], toy["toy/section/right"].check()) == ""


def test_kernel_evidence_comes_only_from_checked_theorems(toy: dict[str, runner.Claim]) -> None:
    claim = toy["toy/section/right"]
    outcome = claim.check()
    assert runner.with_kernel(claim, outcome, {"other": "no axioms"}) == outcome
    added = runner.with_kernel(claim, outcome, {"one_is_one": "no axioms"})
    assert runner.strongest(added) is Level.KERNEL


def test_all_theorems_that_a_claim_names_are_needed(toy: dict[str, runner.Claim]) -> None:
    claim = replace(toy["toy/section/right"], kernel=("one_is_one", "two"))
    outcome = claim.check()
    assert runner.with_kernel(claim, outcome, {"one_is_one": "no axioms"}) == outcome


def test_kernel_evidence_for_a_refuted_claim_speaks_for_its_correction(
    toy: dict[str, runner.Claim],
) -> None:
    claim = replace(toy["toy/section/mistaken"], kernel=("fixed",), kernel_against=("broken",))
    added = runner.with_kernel(claim, claim.check(), {"fixed": "", "broken": ""}).evidence[:2]
    assert [e.role for e in added] == [Role.REPAIR, Role.COUNTEREXAMPLE]


def test_kernel_evidence_does_not_save_a_claim_that_was_rejected(
    toy: dict[str, runner.Claim],
) -> None:
    claim = toy["toy/section/right"]
    outcome = claim.check(value=2)
    assert runner.with_kernel(claim, outcome, {"one_is_one": "no axioms"}) == outcome


def test_the_strongest_evidence_counts() -> None:
    evidence = (symbolic(), symbolic())
    assert runner.strongest(Outcome(Verdict.HOLDS, evidence)) is Level.SYMBOLIC
    assert runner.strongest(Outcome(Verdict.UNKNOWN)) is None


def test_a_complete_kernel_result_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "kernel.json"
    theorems = [{"name": "a", "axioms": []}, {"name": "b", "axioms": ["classic"]}]
    path.write_text(json.dumps({"theorems": theorems, "complete": True}))
    assert runner.kernel_results(path) == {"a": "no axioms", "b": "axioms: classic"}


@pytest.mark.parametrize(
    "text", ['{"theorems": []}', "{", "[]", '{"theorems": 1, "complete": true}']
)
def test_a_torso_of_a_kernel_result_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kernel.json"
    path.write_text(text)
    with pytest.raises(MisstatedClaim):
        runner.kernel_results(path)
