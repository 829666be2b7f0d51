"""What the conformance checks found, read from their files with suspicion.

The files come from runs of other people's programs: nothing in them is trusted to have the right type.
A file that is not whole is listed as unreadable, never counted as a library judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify.report import error_map, model, sources

_POINT = ("q", "sigma", "alpha", "bits_lost")
_MAX_TEXT = 2000


def read_all(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Libraries judged, and the files that could not be used with the reason."""
    libraries, unreadable = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            libraries.append(library(path))
        except (OSError, ValueError, TypeError) as error:
            unreadable.append({"file": f"{folder.name}/{path.name}", "reason": str(error)[:300]})
    return libraries, unreadable


def library(path: Path) -> dict[str, Any]:
    """One file as a row of results.json."""
    content = model.load(path)
    if not isinstance(content, dict) or content.get("complete") is not True:
        raise ValueError("not a whole conformance result: its closing record is missing")
    verdicts = counts(content.get("verdicts"))
    if not content.get("target") or not verdicts:
        raise ValueError("not a conformance result: no target or no verdicts")
    if sum(verdicts.values()) != content.get("points"):
        raise ValueError("the verdicts do not add up to the number of points")
    floor = content.get("floor", "")
    cancelled = content.get("cancelled")
    return {
        "file": path.name,
        "sha256": sources.file_digest(path),
        **{name: text(content.get(name)) for name in ("target", "version", "date", "quantity")},
        "seed": text(content.get("seed")),
        "reproduce": text(content.get("reproduce")),
        "vectors": text(content.get("vectors_sha256")),
        "floor": text(floor),
        "summary": text(content.get("summary")),
        "conforms": content.get("conforms") is True,
        "points": sum(verdicts.values()),
        "verdicts": verdicts,
        "no_answer": counts(content.get("no_answer")),
        "properties": {k: n for k, n in counts(content.get("properties")).items() if n},
        "cancelled": count(cancelled.get("points")) if isinstance(cancelled, dict) else 0,
        "worst": dict(worst(content)),
        "map": error_map.cells(content, verdicts),
    }


def worst(content: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The points worth showing: the worst of each kind, and the smallest that fails."""
    for title, where in (("worst", content.get("worst")), ("farthest", content.get("farthest"))):
        for verdict, case in where.items() if isinstance(where, dict) else ():
            if is_point(case):
                yield f"{title} {text(verdict)}", point(case)
    for title, name in (
        ("smallest failing point", "smallest_failing"),
        ("most bits lost", "bits_lost"),
    ):
        if is_point(content.get(name)):
            yield title, point(content[name])


def is_point(value: object) -> bool:
    return isinstance(value, dict) and all(name in value for name in _POINT)


def point(case: Mapping[str, Any]) -> dict[str, Any]:
    lost = case["bits_lost"]
    known = isinstance(lost, (int, float)) and not isinstance(lost, bool) and 0 <= lost <= 64
    return {
        **{name: text(case.get(name)) for name in ("q", "sigma", "alpha", "answer")},
        "truth": text(case.get("truth_lo", case.get("truth"))),
        "verdict": text(case.get("verdict")),
        "reason": text(case.get("reason")),
        "bits_lost": float(lost) if known and math.isfinite(lost) else None,
    }


def counts(value: object) -> dict[str, int]:
    """A table of counts; what is no count is an error, not zero."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise TypeError("counts are missing")
    return {text(k): count(n) for k, n in value.items()}


def count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r:.60} is no count")
    return value


def text(value: object) -> str:
    """Anything as text of bounded length; lone surrogates made visible."""
    if value is None:
        return ""
    raw = value if isinstance(value, str) else repr(value)
    return raw[:_MAX_TEXT].encode("utf-8", "backslashreplace").decode()
