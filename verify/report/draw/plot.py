"""What a figure is: certified numbers, words and a drawing, together in one file of ``figures``.

Columns have names; rows are made and read by them. The numbers of a figure are computed job by job,
over processes; the drawing is made from the finished :class:`~verify.results.figure.Figure` alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.parallel import each
from verify.results.figure import Figure

Row = Mapping[str, str | None]
Job = tuple[str, ...]
Cell = str | None


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a figure, by the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def numbers(self, *names: str) -> list[list[float]]:
        """Columns as numbers, of the rows that have all of them.

        >>> Table(("x", "y"), (("1", "2"), ("3", None))).numbers("y", "x")
        [[2.0], [1.0]]
        """
        places = [self.columns.index(name) for name in names]
        kept = [[row[p] for p in places] for row in self.rows if all(row[p] for p in places)]
        return [[float(str(row[i])) for row in kept] for i in range(len(names))]

    def where(self, name: str, value: str) -> Table:
        """The rows that have this value in that column."""
        place = self.columns.index(name)
        return Table(self.columns, tuple(row for row in self.rows if row[place] == value))

    def grid(self, x: str, y: str, value: str) -> tuple[list[float], list[float], list[list[Cell]]]:
        """Rows over a grid as a matrix, line by line along y; None where there is no number."""
        a, b, c = (self.columns.index(name) for name in (x, y, value))
        found = {(float(str(r[a])), float(str(r[b]))): r[c] for r in self.rows}
        xs, ys = (sorted({place[i] for place in found}) for i in (0, 1))
        return xs, ys, [[found.get((x, y)) for x in xs] for y in ys]


@dataclass(frozen=True, slots=True)
class RecordedFigure:
    """A figure from a record that another command wrote, the digest of its file, and why it is out
    of date (if it is)."""

    figure: Figure
    sha256: str
    outdated: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """One figure. ``rows`` and ``draw`` are functions of its file, so that a digest can follow them.

    Without ``jobs`` and ``rows`` its numbers are recorded, not computed: ``read`` makes the figure
    from ``file`` in the folder of the report (None if there is no such file, ValueError for a bad
    one).
    """

    id: str
    kind: str  # figures of one kind are drawn alike
    place: int  # where it stands on the page: ascending
    title: str
    caption: str
    columns: tuple[str, ...]
    draw: Callable[[Any, Table], None]  # onto axes of matplotlib
    jobs: Callable[[str], Sequence[Job]] | None = (
        None  # profile -> arguments, for each call of rows
    )
    rows: Callable[..., list[Row]] | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    read: Callable[[Path], RecordedFigure | None] | None = None
    found: Callable[[Table], str] | None = None  # what the numbers say, in a sentence

    def filled(self, rows: Iterable[Sequence[Cell]]) -> Figure:
        """The figure with its numbers; its caption begins with what they say."""
        table = Table(self.columns, tuple(tuple(row) for row in rows))
        said = f"Found: {self.found(table)} " if self.found and table.rows else ""
        return Figure(
            id=self.id, kind=self.kind, title=self.title, caption=said + self.caption,
            parameters=dict(self.parameters), columns=table.columns, rows=table.rows,
        )  # fmt: skip


def compute(
    plot: Plot, jobs: Sequence[Job], workers: int, done: Callable[[], None] = lambda: None
) -> list[list[Cell]]:
    """All rows of a figure, in the order of the jobs."""
    rows: list[list[Cell]] = []
    run = functools.partial(_rows_of_job, plot.id, plot.columns, plot.rows)
    for found in each(run, jobs, min(workers, len(jobs))):
        rows += found
        done()
    return rows


def _rows_of_job(
    name: str, columns: Sequence[str], rows: Callable[..., list[Row]] | None, job: Job
) -> list[list[Cell]]:
    """The rows of one job in the order of the columns; every column has to be there."""
    if rows is None:
        raise ValueError(f"figure {name}: recorded, not computed")
    made = []
    for row in rows(*job):
        if set(row) != set(columns):
            raise ValueError(f"figure {name}: {sorted(row)} are not its columns")
        made.append([row[column] for column in columns])
    return made


def geometric(low: float, high: float, count: int) -> list[str]:
    """Rates or orders at equal ratios, rounded to three digits so that they can be quoted.

    >>> geometric(1, 100, 3)
    ['1', '10', '100']
    """
    ratio = (high / low) ** (1 / (count - 1))
    return [f"{float(f'{low * ratio**k:.3g}'):.10g}" for k in range(count)]
