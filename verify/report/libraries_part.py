"""What the conformance checks found, as rows of the report.

The files come from runs of other people's programs. One that is not whole, or contradicts itself, is
listed as unreadable, never counted as a library judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verify.report import error_map, sources
from verify.results import document
from verify.results.conformance import Conformance, Grade, Point

_MAX_TEXT = 2000


def read_all(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Libraries judged, and the files that could not be used with the reason."""
    libraries, unreadable = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            libraries.append(library(path))
        except (OSError, document.BadDocument) as error:
            unreadable.append({"file": f"{folder.name}/{path.name}", "reason": str(error)[:300]})
    return libraries, unreadable


def library(path: Path) -> dict[str, Any]:
    """One file as a row of results.json."""
    found = document.from_text(path.read_bytes(), Conformance)
    return {
        "file": path.name,
        "sha256": sources.file_digest(path),
        "target": text(found.target),
        "version": text(found.version),
        "date": text(found.date),
        "quantity": text(found.quantity),
        "seed": text(found.seed),
        "reproduce": text(found.reproduce),
        "vectors": text(found.vectors_sha256),
        "floor": text(found.rule),
        "summary": text(found.summary),
        "conforms": found.conforms,
        "points": found.points,
        "verdicts": {str(grade): n for grade, n in found.verdicts.items()},
        "no_answer": {text(kind): n for kind, n in found.no_answer.items()},
        "properties": {text(name): n for name, n in found.properties.items() if n},
        "cancelled": found.verdicts.get(Grade.ADEQUATE, 0),
        "worst": {title: point(case) for title, case in worst(found)},
        "map": error_map.cells(found),
    }


def worst(found: Conformance) -> Iterator[tuple[str, Point]]:
    """The points worth showing: the worst of each region and direction, and the smallest that fails."""
    for region, tally in found.regions.items():
        for direction, case in tally.worst.items():
            yield f"worst {direction} in {region}", case
    for title, maybe in (
        ("smallest failing point", found.smallest_failing),
        ("most bits lost", found.bits_lost),
    ):
        if maybe is not None:
            yield title, maybe


def point(case: Point) -> dict[str, Any]:
    return {
        "q": text(case.q),
        "sigma": text(case.sigma),
        "alpha": text(case.alpha),
        "answer": text(case.answer),
        "truth": text(case.truth_lo),
        "verdict": f"{case.verdict}, {case.direction}" if case.direction else str(case.verdict),
        "reason": text(case.reason),
        "bits_lost": case.bits_lost,
    }


def text(value: object) -> str:
    """Anything as text of bounded length."""
    if value is None:
        return ""
    return (value if isinstance(value, str) else repr(value))[:_MAX_TEXT]
