"""The sentences of the first page say what the results hold, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from proofs_checks.plugin import PAPER
from verify.report.pages.answers import answers, libraries, not_right, paper, standing
from verify.results import document
from verify.results.claims import ClaimResult
from verify.results.evidence import Level, Verdict
from verify.results.families import Family
from verify.results.report import Results


@pytest.fixture(scope="module")
def reference() -> Results:
    """The committed report."""
    return document.read(Path(__file__).parents[2] / "reports" / "results.json", Results)


def changed(claims: tuple[ClaimResult, ...], name: str, **fields: object) -> list[ClaimResult]:
    return [replace(c, **fields) if c.id == name else c for c in claims]


def test_four_sentences_each_with_its_place(reference: Results) -> None:
    found = list(answers(reference))
    assert [a.link for a in found] == ["#accountants", "#errata", "#libraries", "#libraries"]
    assert all(a.head and a.text for a in found)


@pytest.mark.parametrize("name", PAPER.foundations)
def test_nothing_stands_whose_proof_is_gone(reference: Results, name: str) -> None:
    known = PAPER.foundations
    assert standing(reference.claims, known)
    assert "rests on" in paper(reference.claims, known).head
    assert not standing(changed(reference.claims, name, strongest=Level.SYMBOLIC), known)
    assert not standing(changed(reference.claims, name, verdict=Verdict.REFUTED), known)
    assert not standing([c for c in reference.claims if c.id != name], known)
    unknown = changed(reference.claims, name, verdict=Verdict.UNKNOWN)
    assert "rests on" not in paper(unknown, known).head


def test_a_paper_that_names_no_foundations_is_not_praised(reference: Results) -> None:
    assert not standing(reference.claims, {})
    assert "stand, proved" not in paper(reference.claims, {}).head


def scaled(family: Family, factor: float | None) -> Family:
    return replace(family, effects=tuple(replace(run, factor=factor) for run in family.effects))


def test_an_epsilon_that_is_too_small_by_little_is_told(reference: Results) -> None:
    right = scaled(reference.families[0], 1.0)
    wrong = scaled(reference.families[0], 1 - 2e-6)
    assert libraries([right]).head.startswith("In training runs 1 of 1 ")
    assert libraries([wrong]).head.startswith("In training runs 0 of 1 ")
    assert not_right([right]).head.startswith("No library understates")
    assert wrong.members[0].target in not_right([wrong]).head


def test_an_epsilon_that_is_too_large_is_no_reason_for_distrust(reference: Results) -> None:
    larger = scaled(reference.families[0], 1.25)
    assert libraries([larger]).head.endswith(
        "0 of 1 families of libraries give the right RDP ε, 1 a larger one."
    )
    assert "at most 25.0%" in libraries([larger]).text
    assert not_right([larger]).head.startswith("No library understates")


def test_a_library_without_an_answer_is_not_right(reference: Results) -> None:
    silent = scaled(reference.families[0], None)
    assert libraries([silent]).head.startswith("In training runs 0 of 1 ")
