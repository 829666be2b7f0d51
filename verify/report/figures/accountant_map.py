"""Where accountants err: the error of each over steps and delta (``accountants``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from verify.report.collect import sources
from verify.report.draw.accountant_marks import BROKEN, ERROR, RULING, WHO, lines_of, names
from verify.report.draw.drawing import COLOURS
from verify.report.draw.plot import Plot, RecordedFigure, Table
from verify.report.draw.ticks import log_ticks
from verify.report.figures import accountants
from verify.report.figures.accountants import FILE
from verify.results.accountants import Accountants

COLUMNS = _, STEPS, DELTA, _, _ = WHO, "steps", "δ", ERROR, RULING
GREY = "#8f9499"
_CLASSES: tuple[tuple[str, Callable[[float, str], bool], str, str], ...] = (
    ("to 1 %", lambda error, ruling: ruling not in BROKEN and abs(error) <= 0.01, "o", COLOURS[1]),
    ("to 10 %", lambda error, ruling: ruling not in BROKEN and 0.01 < abs(error) <= 0.1, "D", GREY),
    ("above", lambda error, ruling: ruling not in BROKEN and abs(error) > 0.1, "s", COLOURS[2]),
    ("broken promise", lambda _, ruling: ruling in BROKEN, "X", COLOURS[0]),
)
"""How far an answer is from the exact one: each with a marker and a colour of its own; the gravest is drawn last."""


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
                yield one.title, str(steps), str(case.delta), f"{case.error:.4g}", case.ruling


def draw(axes: Any, table: Table) -> None:
    """One line an accountant, over steps on the left and over δ on the right."""
    who = names(table)
    axes.set_axis_off()
    for left, column, label in ((0.26, STEPS, "steps"), (0.65, DELTA, "δ")):
        panel = axes.inset_axes((left, 0.06, 0.35, 0.86))
        lines_of(panel, who)
        for name, fits, marker, colour in _CLASSES:
            xs, ys = _points(table, who, column, fits)
            panel.plot(
                xs,
                ys,
                marker,
                color=colour,
                markersize=4.5,
                alpha=0.8,
                linestyle="none",
                label=name,
            )
        panel.set_xscale("log")
        log_ticks(panel.xaxis)
        panel.set_xlabel(label)
        if column == DELTA:
            panel.tick_params(axis="y", labelleft=False)
            panel.legend(ncols=4, fontsize="small", loc="lower right", bbox_to_anchor=(1.02, 1.0))


def _points(
    table: Table, who: list[str], column: str, fits: Callable[[float, str], bool]
) -> tuple[list[float], list[float]]:
    """Where the answers of a class stand, each on the line of its accountant."""
    xs, ys = [], []
    for row in table.rows:
        known = dict(zip(table.columns, map(str, row), strict=True))
        if fits(float(known[ERROR]), known[RULING]):
            xs.append(float(known[column]))
            ys.append(float(who.index(known[WHO])))
    return xs, ys


def finding(table: Table) -> str:
    errors = [abs(error) for error in table.numbers(ERROR)[0]]
    broken = sum(len(table.where(RULING, ruling).rows) for ruling in BROKEN)
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
        "How to read it: one line an accountant, each mark a run asked for its ε, on the left over "
        "its steps, on the right over its δ. Shape and colour say how far the answer is from the "
        "exact ε. A red cross is a promise that was broken: an upper bound below the exact value, "
        "or a lower one above it."
    ),
    columns=COLUMNS,
    draw=draw,
    found=finding,
    file=FILE,
    read=read,
)
FIGURES = (MAP,)
