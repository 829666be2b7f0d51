"""What is false as printed: each has a counterexample and a corrected statement, by exact means."""

from __future__ import annotations

import functools

import pytest

from verify.claims import Evidence, Kind, Level, Role, Severity, Verdict
from verify.claims.discovery import discover

CLAIMS = discover()
REFUTED = [
    "table-1/abadi/asymptotic",
    "reduction/theorem-4/statement",
    "reduction/theorem-4/added-noise",
    "one-dimensional/rdp",
    "a-geq-b/theorem-5/statement",
    "a-geq-b/theorem-5/continuously-differentiable",
    "a-geq-b/theorem-5/jacobian",
    "a-geq-b/remark/other-noise",
    "discussion/moment-and-divergence",
    "discussion/definitions/cdp",
    "discussion/definitions/tcdp",
    "discussion/definitions/equivalent",
    "discussion/definitions/going-down",
    "discussion/sgm-and-zcdp",
]


@functools.cache
def evidence(name: str) -> tuple[Evidence, ...]:
    return CLAIMS[name].check().evidence


@pytest.mark.parametrize("name", REFUTED)
def test_it_is_refuted_by_exact_or_certified_means(name: str) -> None:
    against = [e.level for e in evidence(name) if e.role is Role.COUNTEREXAMPLE]
    assert against
    assert Level.SAMPLED not in against


AT_POINTS = {"table-1/abadi/asymptotic": "the remainder is certified at points, not uniformly"}


@pytest.mark.parametrize("name", REFUTED)
def test_its_corrected_statement_is_checked_and_proved(name: str) -> None:
    expected = Level.POINTS if name in AT_POINTS else Level.SYMBOLIC
    assert expected in {e.level for e in evidence(name) if e.role is Role.REPAIR}


def test_the_two_theorems_that_are_false_as_printed() -> None:
    false = [c.id for c in CLAIMS.values() if c.severity is Severity.THEOREM]
    assert sorted(false) == ["a-geq-b/theorem-5/statement", "reduction/theorem-4/statement"]


@pytest.mark.parametrize("name", ["introduction/history", "introduction/lines-of-work"])
def test_what_is_not_mathematical_is_said_to_be_so(name: str) -> None:
    claim = CLAIMS[name]
    assert claim.kind is Kind.NOT_MATHEMATICAL
    assert claim.verdict is Verdict.UNKNOWN
    assert "not a mathematical statement" in claim.unknown
    assert claim.check().evidence == ()
