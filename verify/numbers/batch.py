"""Points from outside, one at a time: CSV with a header, or JSON lines.

A number in CSV means the decimal that is written; a JSON number means the double that every JSON
reader makes of it, a JSON string the decimal. Nothing is read ahead, so a pipe may be endless. A row
that is no point does not end the others: it carries its error, and whatever it held.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point
from verify.support import strict_json

NAMES = ("q", "sigma", "alpha")
MAX_LINE = 20_000


@dataclass(frozen=True, slots=True)
class InputRow:
    """A line of the input: all its fields as they were written, and the point, or why it is none."""

    line: int
    fields: dict[str, object]
    point: Point | OutOfDomain


@dataclass(frozen=True, slots=True)
class PointStream:
    """Rows still to be read; the columns of a CSV file, None for JSON lines."""

    columns: tuple[str, ...] | None
    rows: Iterator[InputRow] = field(repr=False)


def read(lines: Iterable[str]) -> PointStream:
    """Lines of either format, told apart by the first character.

    >>> batch = read(["q,sigma,alpha,note", "0.50,1,2,mine", "7,1,2,"])
    >>> batch.columns
    ('q', 'sigma', 'alpha', 'note')
    >>> for row in batch.rows:
    ...     print(row.fields["q"], row.fields["note"], row.point)
    0.50 mine q = 0.5, sigma = 1, alpha = 2
    7  line 3: q = '7': must be a number in [0, 1]
    """
    numbered = _number_lines(lines)
    first = next(numbered, None)
    if first is None:
        raise OutOfDomain("no points: the input is empty")
    number, text = first
    if isinstance(text, OutOfDomain):
        raise text
    if text.startswith("{"):
        return PointStream(None, _json_rows(number, text, numbered))
    header = tuple(_column(name) for name in _fields(number, text))
    if not set(NAMES) <= set(header) or len(set(header)) != len(header):
        raise OutOfDomain(f"line {number}: a header with columns q, sigma, alpha is needed")
    return PointStream(header, _csv_rows(header, numbered))


def _column(name: str) -> str:
    name = name.strip()
    return name.lower() if name.lower() in NAMES else name


def _number_lines(lines: Iterable[str]) -> Iterator[tuple[int, str | OutOfDomain]]:
    """Lines that are not blank, with their numbers; one that cannot be a row is an error."""
    iterator = iter(lines)
    number = 0
    while True:
        number += 1
        try:
            line = next(iterator)
        except StopIteration:
            return
        except UnicodeDecodeError as error:  # nothing after it can be told
            raise OutOfDomain(f"line {number}: not UTF-8 text") from error
        if len(line) > MAX_LINE or "\0" in line:
            yield number, OutOfDomain(f"line {number}: not a line of CSV or JSON")
            continue
        text = line.strip().lstrip("\ufeff")
        if text:
            yield number, text


def _csv_rows(
    header: tuple[str, ...], numbered: Iterator[tuple[int, str | OutOfDomain]]
) -> Iterator[InputRow]:
    for number, text in numbered:
        fields: list[str] = []
        try:
            if isinstance(text, OutOfDomain):
                raise text
            fields = _fields(number, text)
            point: Point | OutOfDomain = _point(number, _by_name(number, header, fields))
        except OutOfDomain as error:
            point = error
        yield InputRow(number, dict(zip(header, fields, strict=False)), point)


def _by_name(number: int, header: tuple[str, ...], fields: list[str]) -> dict[str, object]:
    if len(fields) != len(header):
        raise OutOfDomain(f"line {number}: {len(fields)} fields, the header has {len(header)}")
    return dict(zip(header, fields, strict=True))


def _json_rows(
    number: int, first: str, numbered: Iterator[tuple[int, str | OutOfDomain]]
) -> Iterator[InputRow]:
    yield _json_row(number, first)
    for number, text in numbered:
        yield _json_row(number, text)


def _json_row(number: int, text: str | OutOfDomain) -> InputRow:
    fields: dict[str, object] = {}
    try:
        if isinstance(text, OutOfDomain):
            raise text
        fields = _json_fields(number, text)
        return InputRow(number, fields, _point(number, fields))
    except OutOfDomain as error:
        return InputRow(number, fields, error)


def _fields(number: int, text: str) -> list[str]:
    try:
        return next(csv.reader([text], strict=True))
    except (csv.Error, StopIteration) as error:
        raise OutOfDomain(f"line {number}: not a line of CSV") from error


def _json_fields(number: int, text: str) -> dict[str, object]:
    try:
        value = strict_json.loads(text)
    except strict_json.GivenTwice as error:
        raise OutOfDomain(f"line {number}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise OutOfDomain(f"line {number}: not a JSON object") from error
    if not isinstance(value, dict):
        raise OutOfDomain(f"line {number}: not a JSON object")
    return value


def _point(number: int, fields: dict[str, object]) -> Point:
    missing = [name for name in NAMES if name not in fields]
    if missing:
        raise OutOfDomain(f"line {number}: {', '.join(missing)} missing")
    try:
        return Point.of(*(fields[name] for name in NAMES))  # type: ignore[arg-type]  # Point.of judges
    except OutOfDomain as error:
        raise OutOfDomain(f"line {number}: {error}") from error
