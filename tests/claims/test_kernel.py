"""Theorems of a formal development as evidence: only those checked, and only with the claim's own check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.claims.toys import HELPERS, SECTION
from verify.claims import Claim, Level, Paper, Role
from verify.claims.discovery import discover
from verify.claims.kernel import developments, kept_runs, kept_verdicts, theorems, with_kernel
from verify.numbers.errors import OutOfDomain
from verify.results.evidence import Theorem, strongest
from verify.results.kernel import Formal
from verify.results.verdicts import KernelRuns, KernelVerdicts


def theorem(name: str) -> Theorem:
    return Theorem(name, "Statements.v", 7, "1 = 1", ())


@pytest.fixture
def toy(package: Callable[..., Paper]) -> dict[str, Claim]:
    return discover([package(section=SECTION, helpers=HELPERS)])


def test_kernel_evidence_comes_only_from_checked_theorems(toy: dict[str, Claim]) -> None:
    claim = toy["toy/section/right"]
    finding = claim.check()
    assert with_kernel(claim, finding, {"other": theorem("other")}) == finding
    added = with_kernel(claim, finding, {"one_is_one": theorem("one_is_one")})
    assert strongest(added.evidence) is Level.KERNEL
    assert added.evidence[0].theorems == (theorem("one_is_one"),)


def test_all_theorems_that_a_claim_names_are_needed(toy: dict[str, Claim]) -> None:
    claim = replace(toy["toy/section/right"], kernel=("one_is_one", "two"))
    finding = claim.check()
    assert with_kernel(claim, finding, {"one_is_one": theorem("one_is_one")}) == finding


def test_kernel_evidence_for_a_refuted_claim_speaks_for_its_correction(
    toy: dict[str, Claim],
) -> None:
    claim = replace(toy["toy/section/mistaken"], kernel=("fixed",), kernel_against=("broken",))
    proved = {name: theorem(name) for name in ("fixed", "broken")}
    added = with_kernel(claim, claim.check(), proved).evidence[:2]
    assert [e.role for e in added] == [Role.REPAIR, Role.COUNTEREXAMPLE]


def test_kernel_evidence_does_not_save_a_claim_that_was_rejected(toy: dict[str, Claim]) -> None:
    claim = toy["toy/section/right"]
    finding = claim.check(value=2)
    assert with_kernel(claim, finding, {"one_is_one": theorem("one_is_one")}) == finding


def test_a_paper_brings_its_own_development() -> None:
    formal = Formal("8", "d", "p", (), (theorem("a"),), True)
    found = list(developments([Paper("any", read_formal=lambda: formal)]))
    assert list(theorems(found)) == ["a"]


def test_a_paper_without_a_development_or_with_a_stale_one_has_none() -> None:
    assert list(developments([Paper("any")])) == []


def test_a_damaged_result_is_an_error_of_the_paper() -> None:
    def damaged() -> Formal:
        raise OutOfDomain("result.json: no whole result")

    with pytest.raises(OutOfDomain, match="no whole result"):
        list(developments([Paper("any", read_formal=damaged)]))


# -- theorems about numbers ----------------------------------------------------------------------


def test_a_paper_brings_the_verdicts_it_keeps() -> None:
    kept = KernelVerdicts(coq="8", verdicts=())
    assert list(kept_verdicts([Paper("any", read_verdicts=lambda: kept)])) == [kept]


def test_a_paper_that_keeps_none_has_none() -> None:
    assert list(kept_verdicts([Paper("any")])) == []


def test_a_paper_brings_the_theorems_about_runs_it_keeps() -> None:
    kept = KernelRuns(coq="8", runs=())
    assert list(kept_runs([Paper("any", read_runs=lambda: kept)])) == [kept]


def test_a_paper_that_keeps_no_theorem_about_runs_has_none() -> None:
    assert list(kept_runs([Paper("any")])) == []
