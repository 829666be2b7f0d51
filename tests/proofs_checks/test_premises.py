"""What the claims of the paper rest on, as their evidence records it and as the code names it."""

from __future__ import annotations

from graphlib import TopologicalSorter

from tests.proofs_checks.mentions import mentioned
from verify.claims.discovery import discover
from verify.claims.model import Finding

CLAIMS = discover()
NAMED = {name: mentioned(claim) for name, claim in CLAIMS.items()}


def premises(finding: Finding) -> set[str]:
    return {name for e in finding.evidence for name in e.premises}


def test_the_main_theorem_rests_on_the_conversion_and_two_theorems() -> None:
    assert premises(CLAIMS["main-theorem/statement"].check()) == {
        "main-theorem/conversion",
        "a-geq-b/corollary-7/statement",
        "reduction/theorem-4/statement",
    }


def test_a_premise_with_another_constant_is_the_same_claim() -> None:
    finding = CLAIMS["table-1/this-work/closed-form"].check(constant=4)
    assert premises(finding) == {"main-theorem/statement"}


def test_evidence_that_is_taken_over_is_recorded_too() -> None:
    finding = CLAIMS["closed-form/lemma-8/statement"].check()
    assert "closed-form/lemma-8/sum" in premises(finding)


def test_all_that_the_checks_name_are_installed_claims() -> None:
    assert set().union(*NAMED.values()) <= set(CLAIMS)
    assert sum(map(len, NAMED.values())) > 100


def test_no_claim_rests_on_itself() -> None:
    assert set(TopologicalSorter(NAMED).static_order()) == set(CLAIMS)
