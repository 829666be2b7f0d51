"""How wide text for people may be, and what becomes of wider text on a narrow terminal.

A terminal of 80 columns, a file and a pipe get the text as it is.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDEST, NARROWEST = 80, 40
_GAP = 2  # spaces between columns that were moved together


def width() -> int:
    """Columns of the terminal, from 40 to 80; 80 where the output goes to a file or a pipe, which
    is the same everywhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDEST
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def fitted(text: str) -> str:
    """The text; on a narrow terminal its long lines are folded, to below their second column if it has room.

    No word is broken: a path, a digest or a number stays whole.
    """
    if width() == WIDEST:
        return text
    return "\n".join(map(_folded, text.split("\n")))


def _folded(line: str) -> str:
    if len(line) <= width():
        return line
    room = max(0, width() - max(map(len, line.split())))
    second = re.match(r" *\S.*?  +(?=\S)", line)
    if second and second.end() <= room:
        return _fill(line, second.end())
    return _fill(line, min(len(line) - len(line.lstrip()) + 2, room))


def _fill(line: str, indent: int) -> str:
    return textwrap.fill(
        line,
        width(),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], line: Callable[..., str]
) -> list[str]:
    """The lines of a table, each made by ``line`` from its cells.

    On a terminal that is too narrow for them the columns move together, or each row becomes a block of "name: value".
    """
    every = [tuple(head), *map(tuple, rows)]
    lines = [line(*cells) for cells in every]
    if width() == WIDEST or _fits(lines):
        return lines
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    lines = [(" " * _GAP).join(map(str.ljust, row, widths)).rstrip() for row in every]
    return lines if _fits(lines) else blocks(every[0], every[1:])


def _fits(lines: Iterable[str]) -> bool:
    return all(len(part) <= width() for line in lines for part in line.split("\n"))


def blocks(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Each row as its first cell, and below it the others with the names of their columns; empty cells are left out."""
    made = [head[0]] if head[0] else []
    for first, *others in rows:
        pairs = [(name, text) for name, text in zip(head[1:], others, strict=True) if text]
        cells = [_whole(f"{name}: {text}") for name, text in pairs]
        said = [_fill(first.strip(), 2)] if first else []
        made += [*said, _fill("  " + ", ".join(cells), 2).replace("\0", " ")]
    return made


def show(console: Console, made: Table) -> None:
    """A table of rich; on a narrow terminal its rows as blocks."""
    if width() == WIDEST:
        console.print(made)
        return
    head = [" ".join(str(column.header).split()) for column in made.columns]
    rows = zip(*([str(cell) for cell in column.cells] for column in made.columns), strict=True)
    console.print("\n".join([*blocks(head, rows), ""]), markup=False, highlight=False)


def _whole(cell: str) -> str:
    """A cell that has room on a line is kept on one."""
    return cell.replace(" ", "\0") if len(cell) < width() - 3 else cell
