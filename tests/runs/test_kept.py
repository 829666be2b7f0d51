"""The kept theorems about runs say what their numbers say, and are true by everything else the project knows."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from proofs_checks.kernel import ALLOWED
from proofs_checks.runs import kept
from proofs_checks.runs.__main__ import main
from proofs_checks.runs.question import RunKind, RunStatement, check_file
from proofs_checks.runs.refute import refutation
from proofs_checks.verdicts import library
from proofs_checks.verdicts.kept import Changed
from proofs_checks.verdicts.proving import sha256
from verify.accounting.history import history, phase
from verify.accounting.questions import Account
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

KEPT = kept.read()
ACCOUNTANTS = Path(__file__).parents[2] / "reports" / "accountants.json"
EACH = pytest.mark.parametrize("run", KEPT.runs, ids=lambda r: r.of)


def question(run):
    phases = tuple(phase(p.q, p.sigma, p.steps) for p in run.history)
    return RunStatement(phases, RunKind(run.kind), Fraction(run.epsilon), Fraction(run.delta))


@EACH
def test_the_theorem_is_the_one_of_its_numbers(run):
    asked = question(run)
    assert run.theorem == asked.statement()
    assert run.words == " ".join(asked.words().split())
    assert run.check_sha256 == sha256(check_file(asked))
    assert set(run.axioms) == ALLOWED


@EACH
def test_it_is_on_the_right_side_of_the_exact_epsilon(run):
    asked = question(run)
    exact = Account(history([(p.q, p.sigma, p.steps) for p in asked.phases])).epsilon(
        asked.delta, 8
    )
    if asked.kind is RunKind.VALID:
        assert asked.epsilon > Fraction(exact.hi)
    else:
        assert asked.epsilon < Fraction(exact.lo)


def test_every_unsafe_answer_of_the_recorded_runs_is_listed():
    """An epsilon or a delta as it was answered; a noise multiplier as the run with that noise."""
    found = set()
    for accountant in json.loads(ACCOUNTANTS.read_text())["accountants"]:
        for case in accountant["cases"]:
            if case["ruling"] == "UNSAFE":
                given = {**case, case["quantity"]: case["answer"]}
                noise = case["answer"] if case["quantity"] == "sigma" else None
                phases = tuple((p["q"], noise or p["sigma"], p["steps"]) for p in case["history"])
                found.add((phases, given["delta"], given["epsilon"]))
    listed, not_refuted = (
        {(a.phases, a.delta, a.epsilon) for a in answers}
        for answers in (kept.ANSWERS, kept.OUT_OF_REACH)
    )
    assert not_refuted < found <= listed | not_refuted


@pytest.mark.parametrize("answer", kept.OUT_OF_REACH, ids=lambda a: a.accountant)
def test_no_event_is_found_for_the_answers_that_are_out_of_reach(answer):
    """If one is found some day, the answer belongs to the kept theorems."""
    asked = tuple(phase(*p) for p in answer.phases)
    with pytest.raises(OutOfReach):
        refutation(asked, Fraction(answer.delta), Fraction(answer.epsilon), Deadline(600))


def test_each_listed_run_and_answer_has_its_theorem():
    assert [r.of for r in KEPT.runs] == [name for name, _ in kept.proofs(1.0)]


def test_another_theorem_under_the_name_is_seen():
    first = KEPT.runs[0]
    changed = msgspec.structs.replace(first, epsilon="1000")
    with pytest.raises(Changed):
        kept.compare(changed, KEPT)
    kept.compare(msgspec.structs.replace(first, proof_lines=1), KEPT)


def test_the_page_shows_the_kept_theorems():
    """After --record: put what kept.as_table gives into docs/verdicts.md."""
    page = Path(__file__).parents[2] / "docs" / "verdicts.md"
    assert kept.as_table(KEPT) in page.read_text(encoding="utf-8")


def test_recording_one_theorem_loses_no_other(tmp_path, monkeypatch):
    """The ones before and after it in the order of the record stay as they are."""
    path = tmp_path / "kept.json"
    read, record, one = kept.read, kept.record, KEPT.runs[3]
    record(list(KEPT.runs), path)
    again = SimpleNamespace(
        as_part=lambda of: msgspec.structs.replace(one, of=of, proof_lines=7), seconds=0.0, lines=7
    )
    monkeypatch.setattr(kept, "PATH", path)
    monkeypatch.setattr(kept, "read", lambda: read(path))
    monkeypatch.setattr(kept, "record", lambda found: record(found, path))
    monkeypatch.setattr(kept, "proofs", lambda _: [(r.of, lambda: again) for r in KEPT.runs])
    monkeypatch.setattr(library, "ready", lambda say: None)
    assert main(["--record", one.of]) == 0
    changed = [r.of for r, was in zip(read(path).runs, KEPT.runs, strict=True) if r != was]
    assert changed == [one.of]
