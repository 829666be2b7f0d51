"""Time against digits, read from what ``sgm-verify bench --json`` has written.

Times differ from run to run, so the report does not take them itself: equal inputs would not give equal
bytes. It draws a recorded run, as ratios, and says when the engines have changed since.
"""

from __future__ import annotations

import datetime
import math
from pathlib import Path
from typing import Any

from verify.bench import ENGINES, FORMAT, engines_digest
from verify.report import captions, model, sources

FILE = "bench.json"


def read(path: Path) -> dict[str, Any] | None:
    """The figure with digest and date of its file; None without a file, an error for a bad one."""
    if not path.exists():
        return None
    content = model.load(path)
    if not isinstance(content, dict) or content.get("complete") is not True:
        raise ValueError("not a whole bench: its closing record is missing")
    if content.get("format") != FORMAT:
        raise ValueError(f"not of the format {FORMAT!r}")
    current = content.get("engines_sha256") == engines_digest()
    try:
        date = datetime.date.fromisoformat(str(content.get("date")))
    except ValueError as error:
        raise ValueError("the date of the bench is missing") from error
    words = captions.FIGURES["times"]
    caption = f"{words['caption']} Measured {date}." + ("" if current else captions.OLD_TIMES)
    return {
        "sha256": sources.file_digest(path),
        "current": current,
        "figure": {"id": "times", **words, "caption": caption, "rows": rows(content)},
    }


def rows(content: dict[str, Any]) -> list[list[str | None]]:
    """Digits, and the time of each engine as a multiple of the shortest of the first."""
    try:
        sweeps = content["against_digits"]["seconds"]
    except (KeyError, TypeError) as error:
        raise ValueError("the times against digits are missing") from error
    if set(sweeps) != set(ENGINES):
        raise ValueError("the times are of other engines")
    columns = [dict(_sweep(sweeps[name])) for name in ENGINES]
    digits = sorted(columns[0])
    if not digits or any(sorted(column) != digits for column in columns):
        raise ValueError("the engines were not timed at the same numbers of digits")
    base = columns[0][digits[0]]
    if base is None:
        raise ValueError("nothing to compare with")
    return [[str(d), *(_ratio(column[d], base) for column in columns)] for d in digits]


def _sweep(pairs: object) -> list[tuple[int, float | None]]:
    if not isinstance(pairs, list):
        raise TypeError("times are missing")
    for pair in pairs:
        digits, seconds = pair if isinstance(pair, list) and len(pair) == 2 else (0, None)
        whole = isinstance(digits, int) and not isinstance(digits, bool) and digits > 0
        known = seconds is None or (isinstance(seconds, float) and 0 < seconds < math.inf)
        if not (whole and known):
            raise ValueError(f"{pair!r:.60} is no time at a number of digits")
    return [(digits, seconds) for digits, seconds in pairs]


def _ratio(seconds: float | None, base: float) -> str | None:
    """Three digits are more than a machine repeats."""
    return None if seconds is None else f"{float(f'{seconds / base:.3g}'):.15g}"
