"""Theorems of a formal development as evidence: only those checked, and only with the claim's own check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from tests.claims.toys import HELPERS, SECTION
from verify.claims import Claim, Level, Role
from verify.claims.discovery import discover
from verify.claims.kernel import developments, kept_verdicts, theorems, with_kernel
from verify.errors import OutOfDomain
from verify.results.document import BadDocument
from verify.results.evidence import Theorem, strongest
from verify.results.kernel import Formal

COMMITTED = (
    Path(__file__).parents[2].joinpath("proofs_checks", "formal", "result.json").read_text("utf-8")
)


def theorem(name: str) -> Theorem:
    return Theorem(name, "Statements.v", 7, "1 = 1", ())


@pytest.fixture
def toy(package: Callable[..., ModuleType]) -> dict[str, Claim]:
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


RESULT = """
def read_result():
    return {"format": "sgm-verify kernel 2", "coq": "8", "digest": "d", "pinned": "p", "allowed": [],
            "theorems": [{"name": "a", "file": "S.v", "line": 1, "statement": "s", "axioms": []}],
            "complete": WHOLE}
"""


def test_a_package_brings_its_own_development(package: Callable[..., ModuleType]) -> None:
    made = package(kernel=RESULT.replace("WHOLE", "True"))
    found = list(developments([made]))
    assert isinstance(found[0], Formal)
    assert list(theorems(found)) == ["a"]


def test_a_torso_of_a_development_is_an_error(package: Callable[..., ModuleType]) -> None:
    made = package(kernel=RESULT.replace("WHOLE", "False"))
    with pytest.raises(BadDocument):
        list(developments([made]))


def test_a_package_without_a_development_has_none(package: Callable[..., ModuleType]) -> None:
    assert list(developments([package(helpers=HELPERS)])) == []


STALE = "def read_result():\n    return None\n"


def keep_result(package: ModuleType, text: str) -> None:
    path = Path(package.__path__[0]) / "formal" / "result.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


def test_a_development_without_a_result_is_none(package: Callable[..., ModuleType]) -> None:
    assert list(developments([package(kernel=STALE)])) == []


def test_a_stale_development_is_none(package: Callable[..., ModuleType]) -> None:
    made = package(kernel=STALE)
    keep_result(made, COMMITTED)
    assert list(developments([made])) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(COMMITTED[: len(COMMITTED) // 2], id="torso"),
        pytest.param("{}", id="foreign"),
        pytest.param("\udcff", id="binary"),
        pytest.param('{"coq": "1",' + COMMITTED.removeprefix("{"), id="twice"),
    ],
)
def test_a_damaged_result_is_one_error(package: Callable[..., ModuleType], text: str) -> None:
    made = package(kernel=STALE)
    keep_result(made, text)
    with pytest.raises(OutOfDomain, match=r"result\.json: no whole result") as caught:
        list(developments([made]))
    assert "\n" not in str(caught.value)


# -- theorems about numbers ----------------------------------------------------------------------

KEPT = """
from verify.results.verdicts import KernelVerdicts

def read_kept():
    return KernelVerdicts(coq="8", verdicts=())
"""


def test_a_package_brings_the_verdicts_it_keeps(package: Callable[..., ModuleType]) -> None:
    assert [kept.coq for kept in kept_verdicts([package(verdicts=KEPT)])] == ["8"]


@pytest.mark.parametrize("module", [{}, {"verdicts": "prove = None\n"}])
def test_a_package_that_keeps_none_has_none(
    package: Callable[..., ModuleType], module: dict[str, str]
) -> None:
    assert list(kept_verdicts([package(helpers=HELPERS, **module)])) == []
