"""How far accountants of whole runs are from the exact epsilon, from what ``sgm-verify accountants --json`` has written.

Libraries have to be installed to be asked, so the report does not ask them itself: it draws a recorded run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from verify.report import sources
from verify.report.accountant_marks import ERROR, RULING, WHO, marks, names
from verify.report.plot import Plot, RecordedFigure, Table
from verify.results import document
from verify.results.accountants import Accountants, RunAnswer
from verify.results.document import BadDocument

FILE = "accountants.json"
COLUMNS = _, RUN, EXACT, ANSWER, _, _ = WHO, "run", "exact ε", "answer", ERROR, RULING


def draw(axes: Any, table: Table) -> None:
    """Errors on both sides of zero, over eight orders of magnitude."""
    marks(axes, table, EXACT, ERROR, names(table))
    axes.axhline(0, color="#555555", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1e-6)
    axes.set(xlabel="exact ε of the run", ylabel="answer / exact ε − 1")
    axes.legend(fontsize="x-small", loc="lower right")


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
                name = f"{one.library} {one.name}".strip()
                yield (
                    name,
                    case.run,
                    case.truth_hi,
                    str(case.answer),
                    f"{case.error:.4g}",
                    case.ruling,
                )


def _found(found: Accountants) -> str:
    """The finding, first: who broke a promise, and how often."""
    asked = sum(len(one.cases) for one in found.accountants)
    broken = {
        f"{one.library} {one.name}": count
        for one in found.accountants
        if (count := sum(map(_bad, one.cases)))
    }
    if not broken:
        return f"Found: none of {asked} answers breaks its accountant's promise."
    told = ", ".join(f"{name} ({count})" for name, count in broken.items())
    return f"Found: of {asked} answers {sum(broken.values())} break their accountant's promise: {told}."


def _bad(case: RunAnswer) -> bool:
    return case.ruling in ("UNSAFE", "misses")


ACCOUNTANTS = Plot(
    id="accountants",
    kind="accountants",
    place=80,
    title="Accountants of whole runs: their ε against the exact one",
    caption=(
        "How to read it: each mark is one run; above the line an accountant overstates ε, below it understates. Upper bounds "
        "belong above, lower bounds below; estimates may lie on either side."
    ),
    columns=COLUMNS,
    draw=draw,
    file=FILE,
    read=read,
)
FIGURES = (ACCOUNTANTS,)
