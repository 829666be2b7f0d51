"""Every claim of the paper: its check finds the recorded verdict and refuses broken variants."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import proofs_checks
from proofs_checks import kernel
from tests.meta.false_variants import FALSE_BECAUSE
from tests.meta.truth import known_false
from tests.proofs_checks.mentions import mentioned
from verify.claims import Claim, Kind, Level
from verify.claims.discovery import discover
from verify.claims.model import Checked
from verify.claims.running import differs, run, score
from verify.results import document
from verify.results.claims import Recorded
from verify.results.evidence import strongest

CLAIMS = discover()


@pytest.fixture(scope="session")
def results() -> dict[str, Checked]:
    return run(CLAIMS.values(), workers=min(2, os.cpu_count() or 1))


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_the_check_finds_the_recorded_verdict(claim_id: str, results: dict[str, Checked]) -> None:
    assert differs(CLAIMS[claim_id], results[claim_id].finding) == ""


@pytest.mark.parametrize("claim_id", [i for i, c in CLAIMS.items() if c.broken])
def test_broken_variants_are_refused(claim_id: str, results: dict[str, Checked]) -> None:
    crashed = {n: o.why for n, o in results[claim_id].variants.items() if o.crashed}
    assert crashed == {}
    assert results[claim_id].survivors == []


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_what_the_check_names_is_recorded_as_its_premise(
    claim_id: str, results: dict[str, Checked]
) -> None:
    found = {name for e in results[claim_id].finding.evidence for name in e.premises}
    assert found == mentioned(CLAIMS[claim_id])


def known_to_be_false(claim: Claim, name: str) -> bool:
    """By a place where the formula fails, or by the reason that is listed."""
    changed = claim.broken[name].get("formula")
    if changed is not None and len(claim.broken[name]) == 1 and known_false(claim.formula, changed):
        return True
    return (claim.id, name) in FALSE_BECAUSE


def test_no_broken_variant_is_true(results: dict[str, Checked]) -> None:
    """What is only not proved could be true: that it is false has to come from somewhere else."""
    open_ = [
        (claim_id, name)
        for claim_id, checked in results.items()
        for name, finding in checked.variants.items()
        if not finding.rejected and not known_to_be_false(CLAIMS[claim_id], name)
    ]
    assert open_ == []


def test_at_least_95_percent_of_the_claims_refuse_a_broken_variant(
    results: dict[str, Checked],
) -> None:
    assert score(results.values()).share >= 0.95


IDENTITIES = [i for i, c in CLAIMS.items() if c.kind is Kind.IDENTITY]


@pytest.mark.parametrize("claim_id", IDENTITIES)
def test_every_identity_is_proved_exactly(claim_id: str, results: dict[str, Checked]) -> None:
    level = strongest(results[claim_id].finding.evidence)
    assert level in (Level.KERNEL, Level.SYMBOLIC)


def in_sections_3_1_to_3_3(claim: Claim) -> bool:
    head = claim.lines.split(",")[0].split("-")[0]
    return head.isdigit() and 240 <= int(head) <= 536


@pytest.mark.parametrize(
    "claim_id",
    [i for i, c in CLAIMS.items() if c.kind is Kind.INEQUALITY and in_sections_3_1_to_3_3(c)],
)
def test_every_inequality_is_proved_on_its_whole_domain(
    claim_id: str, results: dict[str, Checked]
) -> None:
    level = strongest(results[claim_id].finding.evidence)
    assert level in (Level.KERNEL, Level.SYMBOLIC, Level.REGION)


def test_the_recorded_evidence_is_what_the_checks_find(results: dict[str, Checked]) -> None:
    recorded = document.read(Path(proofs_checks.__path__[0]) / "recorded.json", Recorded)
    assert list(recorded.levels) == sorted(CLAIMS)  # else: sgm-verify claims --check --record
    for claim_id, level in recorded.levels.items():
        found = strongest(results[claim_id].finding.evidence)
        named = CLAIMS[claim_id].kernel or CLAIMS[claim_id].kernel_against
        by_kernel = level == Level.KERNEL and bool(named)
        assert level == found or by_kernel, claim_id


def test_kernel_theorems_that_claims_name_are_stated() -> None:
    stated = {theorem.name for theorem in kernel.theorems()}
    named = {name for c in CLAIMS.values() for name in (*c.kernel, *c.kernel_against)}
    assert named <= stated
