"""Phases of a run in a file: CSV or JSON, numbers as they were written."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from verify.numbers.errors import OutOfDomain
from verify.support import strict_json

MAX_FILE = 10_000_000
NEEDED = ("sigma", "steps")


def read_file(file: Path, needed: tuple[str, ...] = NEEDED) -> list[dict[str, Any]]:
    """The rows of a file, each with the names that are needed."""
    if file.stat().st_size > MAX_FILE:
        raise OutOfDomain(f"{file}: a history of more than {MAX_FILE} bytes")
    try:
        text = file.read_text(encoding="utf-8-sig")  # spreadsheets put a mark in front
    except UnicodeError as error:
        raise OutOfDomain(f"{file}: must be text in UTF-8: {error}"[:200]) from error
    except OSError as error:
        raise OutOfDomain(f"{file}: cannot be read: {error}"[:200]) from error
    return read_phases(text, needed)


def read_phases(text: str, needed: tuple[str, ...] = NEEDED) -> list[dict[str, Any]]:
    """Phases from CSV (decimals as written) or JSON (numbers are doubles, strings exact).

    A row has q, sigma and steps; it may also name its sampling, epochs, records and limit.

    >>> read_phases("q,sigma,steps\\n0.01,1.1,100\\n")
    [{'q': '0.01', 'sigma': '1.1', 'steps': '100'}]
    >>> read_phases('[{"q": "1/3", "sigma": 2, "steps": 5}]')
    [{'q': '1/3', 'sigma': 2, 'steps': 5}]
    """
    try:
        if text.lstrip().startswith(("[", "{")):
            rows = strict_json.loads(text)
            rows = [rows] if isinstance(rows, dict) else rows
        else:
            rows = _csv_rows(text)
        found = [{str(name): value for name, value in row.items()} for row in rows]
    except OutOfDomain:  # which is a ValueError
        raise
    except strict_json.GivenTwice as error:
        raise OutOfDomain(f"a history: {error}") from error
    except (AttributeError, TypeError, ValueError, RecursionError, csv.Error) as error:
        raise OutOfDomain(
            "a history is CSV or JSON with q, sigma and steps in every row"
        ) from error
    for number, row in enumerate(found, 1):
        if missing := [name for name in needed if name not in row]:
            raise OutOfDomain(
                f"a history is CSV or JSON with q, sigma and steps in every row: row {number} has no {missing[0]}"
            )
    return found


def _csv_rows(text: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    names = reader.fieldnames or ()
    if len(set(names)) != len(names):
        raise strict_json.GivenTwice("a column stands twice in its header")
    rows = list(reader)
    for number, row in enumerate(rows, 1):
        # a decimal comma makes one column more: 0,01 would be read as 0
        if None in row or None in row.values():
            raise OutOfDomain(f"a history: row {number} has not as many columns as the header")
    return rows
