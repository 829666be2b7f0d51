"""One record of output for each point of input: CSV for CSV, JSON lines for JSON lines.

A record repeats all fields of its row as they were written, and adds the results, or the error. Fields
of the input that have the name of a result are replaced: the output of a run can be the input of another.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import click

from verify.commands import options, progress
from verify.numbers.batch import InputRow
from verify.numbers.errors import OutOfDomain, SgmError
from verify.numbers.point import Point

ERROR = "error"


class StreamResult(Protocol):
    """What is known of a point, in the two formats; ``cells`` stand in the order of the columns."""

    def cells(self) -> list[str]: ...
    def results(self) -> dict[str, Any]: ...


class Writer:
    """Prints one record for each row, at once; bad rows are also reported on standard error."""

    def __init__(self, columns: tuple[str, ...] | None, given: Iterable[str]) -> None:
        """With the columns of the results and those given: CSV; with None: JSON lines."""
        self.columns = columns
        self.kept = [name for name in given if name not in {*(columns or ()), ERROR}]
        if columns is not None:
            _csv_line([*self.kept, *columns, ERROR])

    def good(self, row: InputRow, found: StreamResult) -> None:
        if self.columns is None:
            kept = {name: x for name, x in row.fields.items() if name != ERROR}
            options.emit({**kept, **found.results()})
        else:
            _csv_line([*self._given_fields(row), *found.cells(), ""])

    def bad(self, row: InputRow, error: SgmError) -> None:
        click.echo(f"sgm-verify: {error}", err=True)
        if self.columns is None:
            told = {"kind": type(error).__name__, "message": str(error)}
            options.emit({**_sayable(row.fields), "line": row.line, ERROR: told})
        else:
            _csv_line([*self._given_fields(row), *("" for _ in self.columns), str(error)])

    def _given_fields(self, row: InputRow) -> list[object]:
        return [row.fields.get(name, "") for name in self.kept]


def _sayable(fields: dict[str, object]) -> dict[str, object]:
    """NaN and Infinity, which Python's reader takes, are no JSON: they go back as texts."""
    return {
        name: str(x) if isinstance(x, float) and not math.isfinite(x) else x
        for name, x in fields.items()
    }


def answer(
    rows: Iterable[InputRow],
    compute: Callable[[InputRow, Point], StreamResult],
    writer: Writer,
    strict: bool,
) -> int:
    """Answer the rows in their order. The exit code is 0, 1 if a row has no answer, or 2 if a row
    is not a point."""
    code = 0
    for row in rows:
        try:
            if isinstance(row.point, OutOfDomain):
                raise row.point
            writer.good(row, compute(row, row.point))
        except SgmError as error:
            if strict:
                raise
            writer.bad(row, error if error is row.point else _with_line_number(row, error))
            code = max(code, 2 if isinstance(error, OutOfDomain) else 1)
    return code


def _with_line_number(row: InputRow, error: SgmError) -> SgmError:
    return type(error)(f"line {row.line}: {type(error).__name__}: {error}")


def _csv_line(cells: list[Any]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    click.echo(out.getvalue())


def with_progress(rows: Iterator[InputRow], total: int | None) -> Iterator[InputRow]:
    """The same rows, with progress on standard error while results go to a file."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from rows
        return
    with progress.parts() as (begin, advance):
        begin("points", total)
        for row in rows:
            yield row
            advance(f"line {row.line + 1}")
