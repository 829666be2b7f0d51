"""How far accountants of whole runs are from the exact epsilon, from what
``sgm-verify accountants --json`` has written.

Libraries have to be installed to be asked, so the report does not ask them itself: it draws a recorded run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from verify.report.collect import sources
from verify.report.draw.accountant_marks import BROKEN, ERROR, RULING, WHO, lines_of, names
from verify.report.draw.drawing import COLOURS, INK
from verify.report.draw.plot import Plot, RecordedFigure, Table
from verify.results import document
from verify.results.accountants import Accountants, RunAnswer
from verify.results.document import BadDocument
from verify.results.matrix import RECORDS

FILE = RECORDS[0]
COLUMNS = WHO, "run", "exact ε", "answer", ERROR, RULING
_TICKS = {
    -1.0: "−100 %",
    -0.01: "−1 %",
    -1e-4: "−0.01 %",
    0.0: "exact",
    1e-4: "0.01 %",
    1e-2: "1 %",
    1.0: "2×",
    100.0: "100×",
    1e4: "1e4×",
}


def draw(axes: Any, table: Table) -> None:
    """One line an accountant, its errors on both sides of zero, over ten orders of magnitude."""
    who = names(table)
    lines_of(axes, who)
    for place, name in enumerate(who):
        one = table.where(WHO, name)
        kept = Table(one.columns, tuple(row for row in one.rows if row[-1] not in BROKEN))
        errors = [max(error, -1.0) for error in kept.numbers(ERROR)[0]]
        axes.plot(errors, [place] * len(errors), "o", color=COLOURS[1], markersize=4, alpha=0.5)
        for ruling in BROKEN:
            errors = [max(error, -1.0) for error in one.where(RULING, ruling).numbers(ERROR)[0]]
            axes.plot(errors, [place] * len(errors), "X", color=COLOURS[0], markersize=7)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xscale("symlog", linthresh=1e-6)
    axes.set_xlim(-3, 1e5)
    axes.set_xticks(list(_TICKS), labels=list(_TICKS.values()))
    axes.minorticks_off()
    axes.tick_params(axis="x", labelsize="small")
    axes.set_xlabel("too small   ←   answer against exact ε   →   too large")


def recorded(path: Path) -> Accountants | None:
    """What was recorded; None without a file, an error for a bad one."""
    if not path.exists():
        return None
    try:
        return document.from_text(path.read_bytes(), Accountants)
    except BadDocument as error:
        raise ValueError(f"not a whole {document.format_of(Accountants)!r} ({error})") from error


def read(path: Path) -> RecordedFigure | None:
    found = recorded(path)
    if found is None:
        return None
    caption = f"{_found(found)} {ACCOUNTANTS.caption} Recorded {found.date}, fresh runs with seed {found.seed}."
    plot = replace(ACCOUNTANTS, caption=caption)
    return RecordedFigure(plot.filled(rows(found)), sources.file_digest(path))


def rows(found: Accountants) -> Iterator[tuple[str | None, ...]]:
    """Every answer for an epsilon whose exact value is known and not 0."""
    for one in found.accountants:
        for case in one.cases:
            if case.quantity == "epsilon" and case.truth_hi and case.error is not None:
                yield (
                    one.title,
                    case.run,
                    case.truth_hi,
                    str(case.answer),
                    f"{case.error:.4g}",
                    case.ruling,
                )


def _found(found: Accountants) -> str:
    """The finding, first: who broke a promise, and how often."""
    asked = sum(len(one.cases) for one in found.accountants)
    broken = {one.title: count for one in found.accountants if (count := sum(map(_bad, one.cases)))}
    if not broken:
        return f"Found: none of {asked} answers breaks its accountant's promise."
    told = ", ".join(f"{name} ({count})" for name, count in broken.items())
    return f"Found: of {asked} answers {sum(broken.values())} break their accountant's promise: {told}."


def _bad(case: RunAnswer) -> bool:
    return case.ruling in BROKEN


ACCOUNTANTS = Plot(
    id="accountants",
    kind="accountants",
    place=80,
    title="Accountants of whole runs: their ε against the exact one",
    caption=(
        "How to read it: one line an accountant, each mark one run; right of the middle it "
        "overstates ε, left of it understates. Upper bounds belong to the right, lower bounds to "
        "the left; estimates may lie on either side. A red cross is a broken promise."
    ),
    columns=COLUMNS,
    draw=draw,
    file=FILE,
    read=read,
)
FIGURES = (ACCOUNTANTS,)
