"""Comparing verdicts with a ledger written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from verify import ledgers
from verify.claims import Evidence, Verdict, claim, symbolic
from verify.errors import OutOfDomain

TEXT = r"""# Ledger
| id | lines | kind | statement | verdict | evidence |
|---|---|---|---|---|---|
| A1 | 12 | identity | D(P\|\|Q) = 1 | **true** | - |
| A2 | 13-14 | assertion | x | **FALSE as stated** | - |
| A3 | 15 | assertion | x | n/a (not mathematical) | - |
| def | 6 | 1 | 4 | 2 | 13 |
| A4 | 16 | def | x | **typo / harmless** | - |
"""


@claim(
    "toy/a2",
    lines="13-14",
    kind="assertion",
    domain="x",
    statement="x",
    ledger="A2",
    unbreakable="a toy",
)
def a2() -> Iterator[Evidence]:
    """Words."""
    yield symbolic()


def test_rows_are_read_with_their_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "ledger.md"
    path.write_text(TEXT)
    assert ledgers.read(path) == {
        "A1": Verdict.HOLDS,
        "A2": Verdict.REFUTED,
        "A3": None,
        "A4": Verdict.REPAIRED,
    }


def test_a_different_verdict_and_missing_claims_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "ledger.md"
    path.write_text(TEXT)
    lines = list(ledgers.comparison([a2], ledgers.read(path)))
    assert lines[0] == "A2: ledger refuted, here holds (toy/a2)"
    assert "1 of the ledger's 4 claims are here" in lines
    assert "missing: A1, A3, A4" in lines


@pytest.mark.parametrize("text", ["nothing", "| A1 | 12 | identity | x | **perhaps** | - |"])
def test_what_is_no_ledger_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ledger.md"
    path.write_text(text)
    with pytest.raises(OutOfDomain):
        ledgers.read(path)


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(OutOfDomain, match="cannot be read"):
        ledgers.read(tmp_path / "nowhere.md")


def test_what_is_not_mathematical_is_unknown_in_both(tmp_path: Path) -> None:
    path = tmp_path / "ledger.md"
    path.write_text(TEXT)

    @claim(
        "toy/a3",
        lines="15",
        kind="not-mathematical",
        domain="x",
        statement="x",
        verdict="unknown",
        unknown="about people",
        ledger="A3",
        unbreakable="a toy",
    )
    def a3() -> Iterator[Evidence]:
        """Words."""
        return iter(())

    assert not any(line.startswith("A3:") for line in ledgers.comparison([a3], ledgers.read(path)))
