"""What is false as printed: each has a counterexample and a corrected statement, by exact means."""

from __future__ import annotations

import functools

import msgspec
import pytest

from verify.claims import Evidence, Kind, Level, Role, Severity, Verdict
from verify.claims.discovery import discover

CLAIMS = discover()
FALSE = [
    "table-1/abadi/asymptotic",
    "a-geq-b/theorem-5/statement",
    "a-geq-b/theorem-5/continuously-differentiable",
    "a-geq-b/theorem-5/jacobian",
    "discussion/sgm-and-zcdp",
]
WORDING = [
    "reduction/theorem-4/statement",
    "reduction/theorem-4/added-noise",
    "one-dimensional/rdp",
    "main-theorem/logarithm",
    "discussion/moment-and-divergence",
    "discussion/definitions/cdp",
    "discussion/definitions/tcdp",
    "discussion/definitions/equivalent",
    "discussion/definitions/going-down",
]


@functools.cache
def evidence(name: str) -> tuple[Evidence, ...]:
    return CLAIMS[name].check().evidence


@pytest.mark.parametrize("name", FALSE)
def test_it_is_refuted_by_exact_or_certified_means(name: str) -> None:
    against = [e.level for e in evidence(name) if e.role is Role.COUNTEREXAMPLE]
    assert against
    assert Level.SAMPLED not in against


@pytest.mark.parametrize("name", WORDING)
def test_only_its_wording_fails_by_exact_or_certified_means(name: str) -> None:
    against = [e for e in evidence(name) if e.role.against]
    assert {e.role for e in against} == {Role.WORDING}
    assert Level.SAMPLED not in {e.level for e in against}


def test_nothing_else_is_refuted() -> None:
    assert sorted(c.id for c in CLAIMS.values() if c.verdict is Verdict.REFUTED) == sorted(FALSE)


ON_A_REGION = {"table-1/abadi/asymptotic": "strips up to sigma = 15, and one bound beyond"}


@pytest.mark.parametrize("name", FALSE + WORDING)
def test_its_corrected_statement_is_checked_and_proved(name: str) -> None:
    expected = Level.REGION if name in ON_A_REGION else Level.SYMBOLIC
    assert expected in {e.level for e in evidence(name) if e.role is Role.REPAIR}


def test_the_one_theorem_that_is_false_as_printed() -> None:
    false = [c.id for c in CLAIMS.values() if c.severity is Severity.THEOREM]
    assert false == ["a-geq-b/theorem-5/statement"]


@pytest.mark.parametrize("name", FALSE + WORDING)
def test_what_fails_as_printed_is_told_in_an_erratum(name: str) -> None:
    assert CLAIMS[name].erratum


def test_what_fails_as_printed_is_an_erratum_or_typography() -> None:
    untold = [c.id for c in CLAIMS.values() if c.repair and not c.erratum]
    assert {CLAIMS[i].verdict for i in untold} == {Verdict.TYPOGRAPHY}


def test_the_errors_are_sixteen_and_each_is_told_in_full() -> None:
    errors = {c.erratum for c in CLAIMS.values() if c.erratum}
    assert len(errors) == 16
    assert all(all(str(told).strip() for told in msgspec.structs.astuple(e)) for e in errors)


def test_a_withdrawn_refutation_is_no_counterexample() -> None:
    assert not [e for e in evidence("a-geq-b/remark/other-noise") if e.role.against]


@pytest.mark.parametrize("name", ["introduction/history", "introduction/lines-of-work"])
def test_what_is_not_mathematical_is_said_to_be_so(name: str) -> None:
    claim = CLAIMS[name]
    assert claim.kind is Kind.NOT_MATHEMATICAL
    assert claim.verdict is Verdict.UNKNOWN
    assert "not a mathematical statement" in claim.unknown
    assert claim.check().evidence == ()
