"""Running claims over processes, and keeping the score."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.claims.toys import HELPERS, SECTION
from verify.claims import Claim, Finding, Paper, Profile, Verdict, certified_region, symbolic
from verify.claims.discovery import discover
from verify.claims.model import Checked, run_one
from verify.claims.running import as_result, differs, hardest, run, score

DEADLY = '''
import os
from verify.claims import claim, symbolic

@claim("toy/deadly", lines="1", kind="identity", domain="x", statement="x", unbreakable="it dies")
def deadly():
    """Takes its process with it."""
    os._exit(3)
    yield symbolic()
'''


@pytest.fixture
def toy(package: Callable[..., Paper]) -> dict[str, Claim]:
    return discover([package(section=SECTION, helpers=HELPERS)])


@pytest.mark.parametrize("workers", [1, 2])
def test_running_gives_the_same_in_one_process_and_in_several(
    toy: dict[str, Claim], workers: int
) -> None:
    order: list[str] = []
    results = run(toy.values(), workers=workers, done=lambda c: order.append(c.id))
    assert order == list(toy) == list(results)
    assert {c.finding.verdict for c in results.values()} == {Verdict.HOLDS}
    assert results["toy/section/right"].survivors == []
    assert results["toy/section/blind"].survivors == ["three"]


def test_a_check_that_kills_its_process_has_found_nothing(
    package: Callable[..., Paper],
) -> None:
    claims = discover([package(deadly=DEADLY, helpers=HELPERS)])
    results = run(claims.values(), workers=2)
    dead = results["toy/deadly"].finding
    assert (dead.verdict, dead.crashed, dead.refuses) == (Verdict.UNKNOWN, True, False)
    assert results["toy/borrowed/claim"].finding.verdict is Verdict.HOLDS


def test_a_variant_that_crashes_is_not_rejected(toy: dict[str, Claim]) -> None:
    assert run_one(toy["toy/section/mistaken"], Profile.QUICK).survivors == ["crash"]


def test_the_score_counts_claims_whose_variants_are_all_refused(toy: dict[str, Claim]) -> None:
    found = score(run(toy.values(), workers=1).values())
    assert (found.claims, found.covered, found.variants, found.refuted) == (4, 1, 3, 1)
    assert found.survivors == ("toy/section/blind: three", "toy/section/mistaken: crash")
    assert "1 of 4 claims (25.0%)" in str(found)


def test_a_verdict_other_than_recorded_is_noticed(toy: dict[str, Claim]) -> None:
    claim = toy["toy/section/mistaken"]
    assert differs(claim, claim.check()) == "recorded refuted, found holds"
    assert differs(toy["toy/section/right"], toy["toy/section/right"].check()) == ""


def test_what_was_found_stands_in_the_result(toy: dict[str, Claim]) -> None:
    claim = toy["toy/section/blind"]
    row = as_result(claim, run_one(claim, Profile.QUICK))
    assert (row.id, row.section, row.place) == (claim.id, "toy", "lines 2-3")
    assert (row.strongest, row.evidence[0].effective) == ("sampled", 7)
    assert row.survivors == ["three"]


def checked(name: str, boxes: int, detail: str = "") -> Checked:
    evidence = (symbolic(), certified_region(5, detail=detail, boxes=boxes))
    return Checked(name, Finding(Verdict.HOLDS, evidence), {})


def test_the_hardest_proofs_are_those_with_the_most_boxes() -> None:
    rows = [checked("a", 3), checked("b", 70), checked("c", 9), checked("d", 4)]
    assert [(c.id, boxes) for c, boxes in hardest(rows)] == [("b", 70), ("c", 9), ("d", 4)]


def test_words_in_a_detail_make_no_proof_hard() -> None:
    assert hardest([checked("a", 0, "interval proof, 99 boxes")]) == []


def test_what_was_checked_survives_being_stored() -> None:
    before = checked("a", 3)
    assert msgspec.convert(msgspec.to_builtins(before), Checked) == before
