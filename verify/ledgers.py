"""Comparing the project's verdicts with a ledger that was written by hand.

A ledger is Markdown with one table row per claim, ``| id | lines | kind | statement | verdict |``
and more. Its verdicts are leads: the project establishes its own and reports where they come out
differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from verify.claims import Claim, Verdict
from verify.errors import OutOfDomain

_CELL = re.compile(r"(?<!\\)\|")  # \| stands for a bar inside a cell
_LINES = re.compile(r"\d+(-\d+)?")
_KINDS = {"def", "definition", "identity", "inequality", "limit", "assertion", "table", "figure"}
_WORDS = {
    "true": Verdict.HOLDS,
    "typo": Verdict.REPAIRED,
    "true, gap": Verdict.REPAIRED,
    "false as stated": Verdict.REFUTED,
    "n": None,  # n/a: not a mathematical claim
}


def read(path: Path) -> dict[str, Verdict | None]:
    """Verdicts by ledger id, in its order; None where there is nothing mathematical to judge."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OutOfDomain(f"{path}: cannot be read as text") from error
    found = dict(filter(None, map(_row, text.splitlines())))
    if not found:
        raise OutOfDomain(
            f"{path}: no rows of the form | id | lines | kind | statement | verdict |"
        )
    return found


def _row(line: str) -> tuple[str, Verdict | None] | None:
    """The id and verdict of a row, if the line is one.

    >>> _row("| S1 | 329-332 | inequality | a <= b | **true** | - | - |")
    ('S1', <Verdict.HOLDS: 'holds'>)
    >>> _row("| C3 | 307 | assertion | x | **true, gap / incomplete** | - |")
    ('C3', <Verdict.REPAIRED: 'holds-with-repair'>)
    """
    cells = [cell.strip() for cell in _CELL.split(line)[1:]]
    if len(cells) < 5 or not _LINES.fullmatch(cells[1]) or cells[2] not in _KINDS:
        return None
    word = cells[4].strip("*").split("/")[0].strip().lower()
    if word not in _WORDS:
        raise OutOfDomain(f"ledger id {cells[0]}: unknown verdict {cells[4]!r:.60}")
    return cells[0], _WORDS[word]


def comparison(claims: Iterable[Claim], ledger: dict[str, Verdict | None]) -> Iterator[str]:
    """Where the project and the ledger differ, and which of the ledger's claims are missing."""
    mine: dict[str, list[Claim]] = {}
    for claim in claims:
        for name in filter(None, re.split(r"[,\s]+", claim.ledger)):
            mine.setdefault(name, []).append(claim)
    for name, verdict in ledger.items():
        expected = verdict or Verdict.UNKNOWN  # where there is nothing mathematical to judge
        for claim in mine.get(name, []):
            if claim.verdict is not expected:
                yield f"{name}: ledger {verdict or 'n/a'}, here {claim.verdict} ({claim.id})"
    missing = [name for name in ledger if name not in mine]
    mathematical = sum(verdict is not None for verdict in ledger.values())
    yield f"{len(ledger) - len(missing)} of the ledger's {len(ledger)} claims are here"
    yield f"the ledger holds {mathematical} mathematical ones"
    if missing:
        yield "missing: " + ", ".join(missing)
    if unknown := sorted(set(mine) - set(ledger)):
        yield "not in the ledger: " + ", ".join(unknown)
