"""delta over epsilon of one run, exact, with what accountants answered about it (``accountants``)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from verify.accounting.history import history
from verify.accounting.questions import Account
from verify.report.collect import sources
from verify.report.draw.accountant_marks import WHO, marks, names
from verify.report.draw.drawing import INK
from verify.report.draw.plot import Plot, RecordedFigure, Table
from verify.report.figures import accountants
from verify.report.figures.accountants import FILE
from verify.results.accountants import Accountants, RunAnswer, RunPhase

COLUMNS = _, ASKED, EPSILON, DELTA = WHO, "asked for", "ε", "δ"
EXACT = "exact"
_DIGITS, _POINTS = 6, 30


def read(path: Path) -> RecordedFigure | None:
    """The run about which most was asked; None without a record, or if nothing fits."""
    found = accountants.recorded(path)
    run = None if found is None else _most_asked(found)
    if found is None or run is None:
        return None
    told = f"q = {run.q:g}, σ = {run.sigma:g}, {run.steps} steps"
    plot = replace(CURVE, title=f"{CURVE.title}: {told}")
    return RecordedFigure(plot.filled(rows(found, run)), sources.file_digest(path))


def _most_asked(found: Accountants) -> RunPhase | None:
    count = Counter(
        case.history[0] for one in found.accountants for case in one.cases if _fits(case)
    )
    return max(count, key=lambda run: (count[run], run.steps), default=None)


def _fits(case: RunAnswer) -> bool:
    """One phase, and an answer that is a point of this plane."""
    answer = case.answer
    known = isinstance(answer, float) and math.isfinite(answer) and answer > 0
    return known and len(case.history) == 1 and case.quantity != "sigma" and case.numbers == "float"


def rows(found: Accountants, run: RunPhase) -> Iterator[tuple[str, str, str, str]]:
    """All answers about the run, then the exact curve as far as they reach."""
    answers = []
    for one in found.accountants:
        for case in one.cases:
            if not _fits(case) or case.history[0] != run:
                continue
            given = case.delta if case.quantity == "epsilon" else case.epsilon
            answer = str(case.answer)
            pair = (answer, str(given)) if case.quantity == "epsilon" else (str(given), answer)
            answers.append((one.title, case.quantity, *pair))
    yield from answers
    farthest = max(float(epsilon) for _, _, epsilon, _ in answers)
    least = min(float(delta) for *_, delta in answers)
    assert run.q is not None  # Poisson sampling
    assert run.sigma is not None  # not a question for noise
    exact = Account(history([(run.q, run.sigma, run.steps)]))
    for k in range(1, _POINTS + 1):
        epsilon = farthest * k / _POINTS
        delta = exact.delta(epsilon, _DIGITS)
        yield EXACT, "delta", str(epsilon), delta.hi_str(_DIGITS)
        if delta.hi < least / 10:  # below all answers
            return


def draw(axes: Any, table: Table) -> None:
    axes.plot(*table.where(WHO, EXACT).numbers(EPSILON, DELTA), color=INK, label=EXACT)
    who = [name for name in names(table) if name != EXACT]
    marks(axes, table, EPSILON, DELTA, who)
    axes.set_yscale("log")
    axes.set(xlabel=EPSILON, ylabel=DELTA)
    axes.legend(fontsize="x-small")


def finding(table: Table) -> str:
    curve = sorted(zip(*table.where(WHO, EXACT).numbers(DELTA, EPSILON), strict=True))
    who = [name for name in names(table) if name != EXACT]
    least, most = curve[0][1], curve[-1][1]
    return (
        f"{len(table.rows) - len(curve)} answers of {len(who)} accountants, and the exact curve for ε from "
        f"{min(least, most):.3g} to {max(least, most):.3g}; the answers differ by up to "
        f"{_largest_ratio(table):.3g} times at one δ."
    )


def _largest_ratio(table: Table) -> float:
    """The largest ratio of two answers for an epsilon at the same delta."""
    answers: dict[float, list[float]] = {}
    asked = Table(table.columns, tuple(row for row in table.rows if row[0] != EXACT))
    for epsilon, delta in zip(*asked.where(ASKED, "epsilon").numbers(EPSILON, DELTA), strict=True):
        answers.setdefault(delta, []).append(epsilon)
    return max((max(found) / min(found) for found in answers.values()), default=1.0)


CURVE = Plot(
    id="privacy-curve",
    kind="privacy-curve",
    place=75,
    title="δ over ε of one run, and what accountants answered",
    caption=(
        "How to read it: the line is the exact δ(ε), both directions of neighbours. Each mark is "
        "an answer: an ε at a given δ, or a δ at a given ε. A mark above or right of the line "
        "overstates, one below or left of it promises more privacy than there is."
    ),
    columns=COLUMNS,
    draw=draw,
    found=finding,
    file=FILE,
    read=read,
)
FIGURES = (CURVE,)
