"""Points from outside, one at a time: CSV with a header, or JSON lines.

A number in CSV means the decimal that is written; a JSON number means the double that every JSON
reader makes of it, a JSON string the decimal. Nothing is read ahead, so a pipe may be endless.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator

from verify.errors import OutOfDomain
from verify.point import Point

NAMES = ("q", "sigma", "alpha")
MAX_LINE = 20_000


def points(lines: Iterable[str]) -> Iterator[Point]:
    """Parse lines of either format, told apart by the first character.

    >>> [str(p) for p in points(["q,sigma,alpha", "0.5,1,2"])]
    ['q = 0.5, sigma = 1, alpha = 2']
    >>> [str(p) for p in points(['{"q": "1/3", "sigma": 1, "alpha": "inf"}'])]
    ['q = 1/3, sigma = 1, alpha = inf']
    """
    rows = _rows(lines)
    first = next(rows, None)
    if first is None:
        raise OutOfDomain("no points: the input is empty")
    number, text = first
    if text.startswith("{"):
        yield _json_point(number, text)
        for number, text in rows:
            yield _json_point(number, text)
        return
    header = [name.strip().lower() for name in _fields(number, text)]
    if sorted(set(header) & set(NAMES)) != sorted(NAMES) or len(set(header)) != len(header):
        raise OutOfDomain(f"line {number}: a header with columns q, sigma, alpha is needed")
    for number, text in rows:
        fields = _fields(number, text)
        if len(fields) != len(header):
            raise OutOfDomain(f"line {number}: {len(fields)} fields, the header has {len(header)}")
        yield _point(number, dict(zip(header, fields, strict=True)))


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    iterator = iter(lines)
    number = 0
    while True:
        number += 1
        try:
            line = next(iterator)
        except StopIteration:
            return
        except UnicodeDecodeError as error:
            raise OutOfDomain(f"line {number}: not UTF-8 text") from error
        if len(line) > MAX_LINE or "\0" in line:
            raise OutOfDomain(f"line {number}: not a line of CSV or JSON")
        text = line.strip().lstrip("\ufeff")
        if text:
            yield number, text


def _fields(number: int, text: str) -> list[str]:
    try:
        return next(csv.reader([text], strict=True))
    except (csv.Error, StopIteration) as error:
        raise OutOfDomain(f"line {number}: not a line of CSV") from error


def _json_point(number: int, text: str) -> Point:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OutOfDomain(f"line {number}: not a JSON object") from error
    if not isinstance(value, dict):
        raise OutOfDomain(f"line {number}: not a JSON object")
    return _point(number, value)


def _point(number: int, fields: dict[str, object]) -> Point:
    missing = [name for name in NAMES if name not in fields]
    if missing:
        raise OutOfDomain(f"line {number}: {', '.join(missing)} missing")
    try:
        return Point.of(*(fields[name] for name in NAMES))  # type: ignore[arg-type]  # Point.of judges
    except OutOfDomain as error:
        raise OutOfDomain(f"line {number}: {error}") from error
