"""Parameters of checks are what they are declared to be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from verify.claims import Claim, Evidence, Sign, claim, rests_on, symbolic
from verify.claims.discovery import discover
from verify.claims.parameters import misfit


@claim("toy/counts", lines="1", kind="identity", domain="x", statement="x", unbreakable="a toy")
def counts(
    count: int = 2, sign: Sign = 1, orders: tuple[int, ...] = (2,), share: Fraction | int = 1
) -> Iterator[Evidence]:
    """Takes whole numbers where it counts."""
    yield symbolic(len(range(count)) + len(range(*orders)), detail=str(sign))


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"count": Fraction(5, 2)}, "count is a whole number, not 5/2"),
        ({"sign": 2}, "sign is one of 1, -1, not 2"),
        ({"orders": (2, 2.5)}, "orders is a whole number, not 2.5"),
    ],
)
def test_a_parameter_of_another_kind_leaves_the_check_undecided(
    parameters: dict[str, Any], why: str
) -> None:
    finding = counts.check(**parameters)
    assert (finding.refuses, finding.rejected, finding.why) == (True, False, why)


def test_a_real_parameter_takes_fractions() -> None:
    assert counts.check(share=Fraction(1, 3)).confirms


def test_a_premise_with_a_parameter_of_another_kind_supports_nothing() -> None:
    @claim("toy/rests", lines="1", kind="identity", domain="x", statement="x", unbreakable="a toy")
    def rests() -> Iterator[Evidence]:
        """Rests on the other toy, misused."""
        yield rests_on(counts.given(count=Fraction(1, 2)))

    assert rests.check().refuses


def test_annotations_that_cannot_be_read_ask_for_nothing() -> None:
    def check(count: Missing = 2) -> None:  # type: ignore[name-defined]  # noqa: F821
        """Words."""

    assert misfit(check, {"count": Fraction(1, 2)}) == ""


@pytest.mark.parametrize("found", discover().values(), ids=lambda c: c.id)
def test_wrong_variants_are_wrong_by_their_values_and_not_by_their_kinds(found: Claim) -> None:
    assert [misfit(found.function, p) for p in found.broken.values() if p] == [""] * len(
        found.broken
    )
