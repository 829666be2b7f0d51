"""An evidence carries what it rests on as fields, and is refused without it."""

from __future__ import annotations

import msgspec
import pytest

from verify.results.evidence import (
    Evidence,
    Level,
    Role,
    Severity,
    Theorem,
    Verdict,
    against,
    strongest,
)

THEOREM = Theorem(
    "ln_bound", "Statements.v", 9, "forall x, 0 < x -> ln (1 + x) < x", ("R.classic",)
)


def decoded(text: str) -> Evidence:
    return msgspec.json.decode(text, type=Evidence)


def test_an_evidence_is_read_as_it_was_written() -> None:
    made = Evidence(Level.KERNEL, 1, role=Role.REPAIR, theorems=(THEOREM,))
    assert decoded(msgspec.json.encode(made).decode()) == made


def test_an_evidence_keeps_its_premises_in_every_role() -> None:
    made = Evidence(Level.SYMBOLIC, premises=("a/b", "a/c"))
    for role in (made.against(), made.against_the_wording(), made.repaired()):
        assert role.premises == ("a/b", "a/c")


def test_an_evidence_from_before_premises_is_read_without_any() -> None:
    assert decoded('{"level": "sampled"}').premises == ()


def test_kernel_evidence_without_its_theorem_is_refused() -> None:
    with pytest.raises(ValueError, match="without a theorem"):
        Evidence(Level.KERNEL, detail="ln_bound")
    with pytest.raises(msgspec.ValidationError, match="without a theorem"):
        decoded('{"level": "kernel", "detail": "ln_bound"}')


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"level": "certain"}', "certain"),
        ('{"level": "sampled", "effective": "3"}', "effective"),
        ('{"level": "sampled", "effective": -1}', "effective"),
        ('{"level": "sampled", "boxes": 1.5}', "boxes"),
        ('{"level": "sampled", "proof": "yes"}', "unknown field `proof`"),
        ('{"effective": 1}', "level"),
        ('{"level": "kernel", "theorems": [{"name": "ln_bound"}]}', "missing required field"),
    ],
)
def test_whatever_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=says):
        decoded(text)


def test_the_words_name_theorem_file_statement_and_axioms() -> None:
    said = Evidence(Level.KERNEL, theorems=(THEOREM, msgspec.structs.replace(THEOREM, axioms=())))
    assert said.text == (
        "ln_bound (Statements.v: forall x, 0 < x -> ln (1 + x) < x; axioms: classic); "
        "ln_bound (Statements.v: forall x, 0 < x -> ln (1 + x) < x; no axioms)"
    )


def test_the_strongest_evidence_with_an_effective_case_counts() -> None:
    sampled, points = Evidence(Level.SAMPLED), Evidence(Level.POINTS)
    assert strongest([sampled, points]) is Level.POINTS
    assert strongest([sampled, Evidence(Level.SYMBOLIC, effective=0)]) is Level.SAMPLED
    assert strongest([]) is None


def test_a_counterexample_does_not_lift_the_level_of_the_correction() -> None:
    exact = Evidence(Level.SYMBOLIC).against()
    both = [exact, Evidence(Level.POINTS).repaired()]
    assert (strongest(both), against(both)) == (Level.POINTS, Level.SYMBOLIC)
    assert (strongest([exact]), against([])) == (None, None)


def test_words_are_listed_gravest_or_strongest_first() -> None:
    assert [s.rank for s in Severity] == list(range(8))
    assert next(iter(Severity)) is Severity.THEOREM
    assert next(iter(Level)) is Level.KERNEL
    assert next(iter(Verdict)) is Verdict.REFUTED
