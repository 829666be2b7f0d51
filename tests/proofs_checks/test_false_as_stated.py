"""What is false as printed: each has a counterexample and a corrected statement, by exact means."""

from __future__ import annotations

import functools

import pytest

from verify import claim_runner as runner
from verify.claims import Evidence, Kind, Level, Role, Severity, Verdict

CLAIMS = {c.ledger: c for c in runner.discover().values()}
REFUTED = ["T1", "R0", "R9", "N3", "G0", "G2", "G3", "C3", "X7", "X8", "X11", "X13", "X14", "X15"]


@functools.cache
def evidence(name: str) -> tuple[Evidence, ...]:
    return CLAIMS[name].check().evidence


@pytest.mark.parametrize("name", REFUTED)
def test_it_is_refuted_by_exact_or_certified_means(name: str) -> None:
    against = [e.level for e in evidence(name) if e.role is Role.COUNTEREXAMPLE]
    assert against
    assert Level.SAMPLED not in against


@pytest.mark.parametrize("name", REFUTED)
def test_its_corrected_statement_is_checked_and_proved(name: str) -> None:
    assert Level.SYMBOLIC in {e.level for e in evidence(name) if e.role is Role.REPAIR}


def test_the_two_theorems_that_are_false_as_printed() -> None:
    false = [c.ledger for c in CLAIMS.values() if c.severity is Severity.THEOREM]
    assert sorted(false) == ["G0", "R0"]


@pytest.mark.parametrize("name", ["IN1", "T0"])
def test_what_is_not_mathematical_is_said_to_be_so(name: str) -> None:
    claim = CLAIMS[name]
    assert claim.kind is Kind.NOT_MATHEMATICAL
    assert claim.verdict is Verdict.UNKNOWN
    assert "not a mathematical statement" in claim.unknown
    assert claim.check().evidence == ()
