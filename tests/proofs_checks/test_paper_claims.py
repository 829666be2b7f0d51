"""Every claim of the paper: its check finds the recorded verdict and refuses broken variants."""

from __future__ import annotations

import ast
import inspect
import os
import textwrap
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import proofs_checks
from proofs_checks import kernel
from proofs_checks.refuting import counterexample
from proofs_checks.tools.formula import AnyFormula
from tests.meta.dense import holds_densely
from tests.meta.false_variants import FALSE_BECAUSE, FALSE_ON
from tests.meta.readings import reading
from tests.meta.truth import known_false
from tests.proofs_checks.mentions import mentioned
from verify.claims import Claim, Kind, Level
from verify.claims.discovery import discover
from verify.claims.model import Checked
from verify.claims.running import differs, score
from verify.report.collect import claims_part
from verify.report.collect.cache import Cache
from verify.results import document
from verify.results.claims import Recorded
from verify.results.evidence import Profile, strongest
from verify.support.folders import cache_folder

CLAIMS = discover()


def asked_for(items: Iterable[Any]) -> list[Claim]:
    """The claims that the selected tests are about (``pytest -k``); all, if one of the tests is about all."""
    about = [item for item in items if "results" in getattr(item, "fixturenames", ())]
    ids = {
        item.callspec.params.get("claim_id") if hasattr(item, "callspec") else None
        for item in about
    }
    return [claim for name, claim in CLAIMS.items() if None in ids or name in ids]


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest) -> dict[str, Checked]:
    """Checked now, or by the report before, from the same sources with the same libraries."""
    store, workers = Cache(cache_folder("report")), min(2, os.cpu_count() or 1)
    asked = asked_for(request.session.items)
    return claims_part.check(asked, Profile.QUICK, store, workers, {})


def test_one_claim_can_be_tested_alone() -> None:
    """Without minutes of computing for the others."""

    def item(**params: str) -> SimpleNamespace:
        call = {"callspec": SimpleNamespace(params=params)} if params else {}
        return SimpleNamespace(fixturenames=["results"], **call)

    first, second = list(CLAIMS)[:2]
    other = SimpleNamespace(fixturenames=["tmp_path"])
    assert asked_for([other, item(claim_id=first)]) == [CLAIMS[first]]
    assert asked_for([item(claim_id=second), item(claim_id=first)]) == [
        CLAIMS[first],
        CLAIMS[second],
    ]
    assert asked_for([item(claim_id=first), item()]) == list(CLAIMS.values())


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


def test_every_parameter_of_a_check_is_used() -> None:
    """A number that nothing reads could be moved anywhere and would still be confirmed."""
    idle = []
    for claim_id, claim in CLAIMS.items():
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(claim.function))).body
        assert isinstance(function, ast.FunctionDef)
        read = {n.id for line in function.body for n in ast.walk(line) if isinstance(n, ast.Name)}
        idle += [
            (claim_id, p) for p in inspect.signature(claim.function).parameters if p not in read
        ]
    assert idle == []


EQUATIONS = (Kind.IDENTITY, Kind.DEFINITION, Kind.LIMIT)


def known_to_be_false(claim: Claim, name: str) -> bool:
    """By a point where the formula fails, by one of the wider domain, or by the reason that is listed."""
    changed = claim.broken[name].get("formula")
    if changed is not None and len(claim.broken[name]) == 1 and claim.formula is not None:
        if known_false(claim.formula, changed) or counterexample(
            changed, claim.domain, claim.formula
        ):
            return True
        if holds_densely(changed, claim.domain) is False:
            return True
    return (claim.id, name) in FALSE_BECAUSE or (claim.id, name) in FALSE_ON


def test_no_broken_variant_is_true(results: dict[str, Checked]) -> None:
    """What is only not proved could be true: that it is false has to come from somewhere else.

    Of an equation it is enough that its two sides differ at a point.
    """
    open_ = [
        (claim_id, name)
        for claim_id, checked in results.items()
        for name, finding in checked.variants.items()
        if not finding.rejected
        and not (CLAIMS[claim_id].kind in EQUATIONS and finding.why.startswith("sides differ at"))
        and not known_to_be_false(CLAIMS[claim_id], name)
    ]
    assert open_ == []


def said(claim: Claim, name: str) -> tuple[AnyFormula, str] | None:
    """Formula and domain of a must-fail variant, where they are known."""
    changed = claim.broken[name]
    return reading(claim, *next(iter(changed.items()))) if len(changed) == 1 else None


@pytest.mark.parametrize(
    ("claim_id", "name"), [(i, n) for i, c in CLAIMS.items() for n in c.broken if said(c, n)]
)
def test_no_broken_variant_holds_on_a_dense_grid_of_its_domain(claim_id: str, name: str) -> None:
    """Whatever its check says: a rejection is not believed either."""
    formula, domain = said(CLAIMS[claim_id], name) or (None, "")
    own = CLAIMS[claim_id].formula
    assert formula is not None
    changed = own is not None and formula != own
    assert (changed and known_false(own, formula)) or holds_densely(formula, domain) is not True


@pytest.mark.parametrize(("claim_id", "name"), list(FALSE_ON))
def test_a_variant_that_widens_the_domain_is_false_there(claim_id: str, name: str) -> None:
    """A rejection by the check is not believed: the claim's own formula fails on the wider domain."""
    claim, wider = CLAIMS[claim_id], FALSE_ON[claim_id, name]
    assert name in claim.broken
    assert claim.formula is not None
    assert counterexample(claim.formula, wider) or holds_densely(claim.formula, wider) is False


def test_a_variant_that_widens_the_domain_and_is_true_is_found_out() -> None:
    """Case IIa holds from sigma = 2 on: as a must-fail variant it would not pass the test above."""
    claim = CLAIMS["closed-form/lemma-10/case-2a/conclusion"]
    wider = r"0 < q \le 1/5,\ \sigma \ge 2,\ (4),\ (5),\ \alpha \ge 2,\ q(\alpha-1) < 1/3"
    assert counterexample(claim.formula, wider) == ""
    assert holds_densely(claim.formula, wider)


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
