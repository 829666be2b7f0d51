"""Answers of accountants as marks: what their figures share, and nothing that computes."""

from __future__ import annotations

import itertools
from typing import Any

from verify.report.draw.drawing import COLOURS
from verify.report.draw.plot import Table

WHO, ERROR, RULING = "accountant", "answer / exact ε − 1", "verdict"
"""Columns that the figures of accountants share."""
BROKEN = ("UNSAFE", "misses")
"""Verdicts on a promise that was broken."""
_MARKERS = "os^Dvp<>*XP"


def names(table: Table) -> list[str]:
    """Who answered, in order."""
    return list(dict.fromkeys(str(row[table.columns.index(WHO)]) for row in table.rows))


def lines_of(axes: Any, who: list[str]) -> None:
    """One line an accountant, the first on top, its name at the left."""
    axes.set_yticks(range(len(who)), labels=who)
    axes.set_ylim(len(who) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, labelsize="small")
    for place in range(len(who)):
        axes.axhline(place, color="#999999", linewidth=0.3, zorder=0)


def marks(axes: Any, table: Table, x: str, y: str, who: list[str]) -> None:
    """The answers of each, with a marker of its own."""
    styles = zip(itertools.cycle(_MARKERS), itertools.cycle(COLOURS), strict=False)
    for name, (marker, colour) in zip(who, styles, strict=False):
        axes.plot(
            *table.where(WHO, name).numbers(x, y), marker, color=colour, markersize=4, label=name
        )
