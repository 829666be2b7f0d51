"""What digits cost: time of every engine against digits, from what ``sgm-verify bench --json`` has written.

Times differ from run to run, so the report does not take them itself: equal inputs would not give equal
bytes. It draws a recorded run, as ratios, and says when the engines have changed since. The curves are
the engines of ``ENGINES`` that reach the point of the bench; those with proved intervals are solid.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

from verify.bench.engines import DIGIT_POINT, engines_digest
from verify.moments.agreement import REFERENCE
from verify.moments.engines import ENGINES
from verify.report.collect import sources
from verify.report.draw.drawing import COLOURS, INK
from verify.report.draw.plot import Cell, Plot, RecordedFigure, Table
from verify.results import document
from verify.results.bench import Bench
from verify.results.document import BadDocument

FILE = "bench.json"
DIGITS = "digits"
OLD = " The engines have changed since the run."
OUTDATED = "of other engines (sgm-verify bench --json > reports/bench.json)"
_MARKERS = "os^Dvp"


def draw(axes: Any, table: Table) -> None:
    styles = zip(itertools.cycle(_MARKERS), itertools.cycle((INK, *COLOURS)), strict=False)
    for name, (marker, colour) in zip(table.columns[1:], styles, strict=False):
        proved = name in ENGINES and ENGINES[name].proved
        axes.loglog(
            *table.numbers(DIGITS, name), f"{marker}{'-' if proved else '--'}", color=colour,
            markersize=4, label=f"{name}, certified" if proved else name,
        )  # fmt: skip
    axes.set(xlabel="digits", ylabel="time, as a multiple")
    axes.legend()


def read(path: Path) -> RecordedFigure | None:
    """What was recorded; None without a file, an error for a bad one."""
    if not path.exists():
        return None
    try:
        bench = document.from_text(path.read_bytes(), Bench)
    except BadDocument as error:
        raise ValueError(f"not a whole {document.format_of(Bench)!r} ({error})") from error
    outdated = "" if bench.engines_sha256 == engines_digest() else OUTDATED
    caption = f"{TIMES.caption} Measured {bench.date}." + (OLD if outdated else "")
    plot = replace(TIMES, caption=caption, columns=(DIGITS, *bench.against_digits.engines))
    return RecordedFigure(plot.filled(ratios(bench)), sources.file_digest(path), outdated)


def ratios(bench: Bench) -> list[list[Cell]]:
    """Digits, and the time of each engine as a multiple of the shortest of the first."""
    sweeps = list(bench.against_digits.engines.values())
    base = sweeps[0][0].seconds
    return [
        [str(times[0].digits), *(_ratio(time.seconds, base) for time in times)]
        for times in zip(*sweeps, strict=True)
    ]


def _ratio(seconds: float | None, base: float | None) -> Cell:
    """Three digits are more than a machine repeats."""
    return f"{float(f'{seconds / base:.3g}'):.15g}" if seconds and base else None


def finding(table: Table) -> str:
    """Of the first engine: what the most digits cost; of the others: how much more each takes for as many."""
    first = table.columns[1]
    digits, times = table.numbers(DIGITS, first)
    others = {name: table.numbers(first, name) for name in table.columns[2:]}
    more = {
        name: max(b / a for a, b in zip(*pair, strict=True))
        for name, pair in others.items()
        if pair[0]
    }
    said = ", ".join(f"{name} up to {times:.3g}" for name, times in more.items())
    return (
        f"{digits[-1]:g} digits take the {first} {times[-1] / times[0]:.3g} times as long as {digits[0]:g}"
        + (f"; for as many digits as it gives, {said} times as long." if said else ".")
    )


TIMES = Plot(
    id="times",
    kind="times",
    place=60,
    title="What digits cost: time of the engines against the number of digits",
    caption=(
        f"How to read it: time for one number (ln A at q = {DIGIT_POINT.q}, σ = {DIGIT_POINT.sigma}, "
        f"α = {DIGIT_POINT.order}) as a multiple of what the {REFERENCE}, which answers fractional orders, takes "
        "for the fewest digits; the others are the independent engines it is checked with. Solid lines prove their "
        "intervals, dashed ones estimate their error. A missing point took too long. Taken from "
        "a recorded run of sgm-verify bench; other machines and runs differ."
    ),
    parameters={
        "q": str(DIGIT_POINT.q),
        "sigma": str(DIGIT_POINT.sigma),
        "alpha": str(DIGIT_POINT.order),
    },
    columns=(DIGITS, *ENGINES),
    draw=draw,
    found=finding,
    file=FILE,
    read=read,
)
FIGURES = (TIMES,)
