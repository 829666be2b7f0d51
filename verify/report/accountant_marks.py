"""Answers of accountants as marks: what their figures share, and nothing that computes."""

from __future__ import annotations

import itertools
from typing import Any

from verify.report.drawing import COLOURS
from verify.report.plot import Table

WHO, ERROR, RULING = "accountant", "answer / exact ε − 1", "verdict"
"""Columns that the figures of accountants share."""
_MARKERS = "os^Dvp<>*XP"


def names(table: Table) -> list[str]:
    """Who answered, in order."""
    return list(dict.fromkeys(str(row[table.columns.index(WHO)]) for row in table.rows))


def marks(axes: Any, table: Table, x: str, y: str, who: list[str]) -> None:
    """The answers of each, with a marker of its own."""
    styles = zip(itertools.cycle(_MARKERS), itertools.cycle(COLOURS), strict=False)
    for name, (marker, colour) in zip(who, styles, strict=False):
        axes.plot(
            *table.where(WHO, name).numbers(x, y), marker, color=colour, markersize=4, label=name
        )
