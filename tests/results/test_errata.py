"""Errors are told once, gravest first, with the counterexample that the checks found."""

from __future__ import annotations

from msgspec.structs import replace

from verify.claims.model import Checked, Claim, Finding, Kind
from verify.claims.running import as_result
from verify.results.claims import ClaimResult
from verify.results.errata import counterexample, errata
from verify.results.evidence import Erratum, Evidence, Level, Role, Severity, Verdict

FIRST = Erratum("first", "it says", "it means", "mended", "nothing changes")
SECOND = replace(FIRST, title="second")


def row(name: str, erratum: Erratum | None, severity: Severity, *found: Evidence) -> ClaimResult:
    claim = Claim(
        name, "1", Kind.IDENTITY, "x", "x", "words", Verdict.REPAIRED, severity, lambda: (), "y",
        erratum=erratum,
    )  # fmt: skip
    return as_result(claim, Checked(name, Finding(Verdict.REPAIRED, found), {}))


def against(text: str, role: Role = Role.WORDING) -> Evidence:
    return Evidence(Level.SYMBOLIC, detail=text, role=role)


def test_claims_with_one_erratum_are_one_error_as_grave_as_the_gravest() -> None:
    rows = [
        row("a/b", FIRST, Severity.SLIP),
        row("a/c", SECOND, Severity.GAP),
        row("a/d", FIRST, Severity.THEOREM),
        row("a/e", None, Severity.SLIP),
    ]
    found = [(e.erratum.title, [c.id for c in e.claims], e.severity) for e in errata(rows)]
    assert found == [
        ("first", ["a/b", "a/d"], Severity.THEOREM),
        ("second", ["a/c"], Severity.GAP),
    ]


def test_the_counterexample_is_what_the_checks_found_each_once() -> None:
    rows = [
        row("a/b", FIRST, Severity.SLIP, against("at x = 0 it fails")),
        row("a/c", FIRST, Severity.SLIP, against("at x = 0 it fails", Role.COUNTEREXAMPLE)),
        row("a/d", FIRST, Severity.SLIP, Evidence(Level.SYMBOLIC, detail="for it")),
    ]
    (error,) = errata(rows)
    assert error.counterexample == "At x = 0 it fails."
    assert dict(error.told())["for a user"] == "nothing changes"


def test_without_a_counterexample_none_is_told() -> None:
    (error,) = errata([row("a/b", FIRST, Severity.SLIP)])
    assert "counterexample" not in dict(error.told())
    assert counterexample(error.claims[0]) == ""
