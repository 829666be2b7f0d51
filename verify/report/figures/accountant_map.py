"""Where accountants err: the error of each over steps and delta (``accountants``)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from verify.report import sources
from verify.report.accountant_marks import ERROR, RULING, WHO, names
from verify.report.drawing import INK, colours, scale
from verify.report.figures import accountants
from verify.report.figures.accountants import FILE
from verify.report.plot import Plot, RecordedFigure, Table
from verify.results.accountants import Accountants

COLUMNS = _, STEPS, DELTA, _, _ = WHO, "steps", "δ", ERROR, RULING
_ACROSS, _LIMITS = 4, (1e-7, 1e2)
_BROKEN = ("UNSAFE", "misses")


def read(path: Path) -> RecordedFigure | None:
    found = accountants.recorded(path)
    if found is None:
        return None
    plot = replace(MAP, caption=f"{MAP.caption} Recorded {found.date}.")
    return RecordedFigure(plot.filled(rows(found)), sources.file_digest(path))


def rows(found: Accountants) -> Iterator[tuple[str, str, str, str, str]]:
    """Every answer for an epsilon whose error is known."""
    for one in found.accountants:
        for case in one.cases:
            if case.quantity == "epsilon" and case.error is not None:
                steps = sum(phase.steps for phase in case.history)
                name = f"{one.library} {one.name}".strip()
                yield name, str(steps), str(case.delta), f"{case.error:.4g}", case.ruling


def draw(axes: Any, table: Table) -> None:
    """One panel an accountant, all with one scale of colours."""
    from matplotlib.colors import LogNorm

    who = names(table)
    down = max(1, math.ceil(len(who) / _ACROSS))
    axes.set_axis_off()
    mapped = None
    for i, name in enumerate(who):
        row, column = divmod(i, _ACROSS)
        place = (column / _ACROSS, 1 - (row + 1) / down, 0.82 / _ACROSS, 0.62 / down)
        panel = axes.inset_axes(place)
        one = table.where(WHO, name)
        steps, deltas, errors = one.numbers(STEPS, DELTA, ERROR)
        sizes = [min(max(abs(e), _LIMITS[0]), _LIMITS[1]) for e in errors]
        mapped = panel.scatter(
            steps, deltas, c=sizes, norm=LogNorm(*_LIMITS), cmap=colours(), s=14, linewidths=0
        )
        for ruling in _BROKEN:
            broken = one.where(RULING, ruling).numbers(STEPS, DELTA)
            panel.plot(*broken, "x", color=INK, markersize=6, markeredgewidth=1.2)
        panel.set(xscale="log", yscale="log", xlim=(0.5, 1e8), ylim=(1e-26, 1))
        panel.set_xticks([1, 1e3, 1e6], labels=["1", "1e3", "1e6"])
        panel.set_yticks([1e-20, 1e-10], labels=["1e-20", "1e-10"])
        panel.minorticks_off()
        panel.tick_params(labelsize=7)
        panel.set_title(name, fontsize=6.5)
    if mapped is not None:
        scale(axes, mapped, "|answer / exact ε − 1|", "both")


def found(table: Table) -> str:
    errors = [abs(error) for error in table.numbers(ERROR)[0]]
    broken = sum(len(table.where(RULING, ruling).rows) for ruling in _BROKEN)
    return (
        f"of {len(errors)} answers for an ε {sum(error <= 1e-6 for error in errors)} are within 1e-6 of the exact one, "
        f"{sum(error > 0.1 for error in errors)} are off by more than 10 %, and {broken} break a promise."
    )


MAP = Plot(
    id="accountant-map",
    kind="accountant-map",
    place=85,
    title="Where accountants err: over steps and δ",
    caption=(
        "How to read it: one panel an accountant, steps to the right, δ upwards; each mark is a run asked for its ε, its colour how far the "
        "answer is from the exact ε. A cross is a promise that was broken: an upper bound below the exact value, or a lower one above it."
    ),
    columns=COLUMNS,
    draw=draw,
    found=found,
    file=FILE,
    read=read,
)
FIGURES = (MAP,)
