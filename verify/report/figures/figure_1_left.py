"""Figure 1 of the paper, left: up to which order its theorem applies, and up to which its bound is true."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from verify.bounds.largest_order import Ending, largest_order, shared_digits
from verify.report.draw.drawing import COLOURS, INK
from verify.report.draw.plot import Job, Plot, Row, Table, geometric

COLUMNS = Q, BY_4, BY_5, LEAST, EXACT = ("q", "by (4)", "by (5)", "minimum", "exact")


def jobs(sigma: str, profile: str) -> list[Job]:
    rates = geometric(1e-6, 0.2, 60 if profile == "full" else 30)
    return [(sigma, q) for q in rates]


def rows(sigma: str, q: str) -> list[Row]:
    """The largest orders at one rate."""
    first, second, exact = (largest_order(c, Fraction(q), Fraction(sigma)) for c in Ending)
    least = None if first is None or second is None else min(first, second)
    brackets = {BY_4: first, BY_5: second, LEAST: least, EXACT: exact}
    return [{Q: q, **{name: shared_digits(bracket) for name, bracket in brackets.items()}}]


def draw(axes: Any, table: Table) -> None:
    axes.loglog(*table.numbers(Q, EXACT), color=INK, label="exact: bound true up to here")
    axes.loglog(*table.numbers(Q, BY_4), "--", color=COLOURS[0], label="condition (4)")
    axes.loglog(*table.numbers(Q, BY_5), "-.", color=COLOURS[1], label="condition (5)")
    axes.loglog(
        *table.numbers(Q, LEAST),
        ":",
        color=COLOURS[2],
        marker="o",
        markersize=3.5,
        label="minimum of the two",
    )
    axes.set(xlabel="sampling rate q", ylabel="largest order α")
    axes.legend()


def finding(table: Table) -> str:
    promised, true = table.numbers(LEAST, EXACT)
    gain = [b / a for a, b in zip(promised, true, strict=True)]
    return f"the bound is true up to {min(gain):.3g} to {max(gain):.3g} times the order that the theorem promises."


FIGURES = tuple(
    Plot(
        id=f"figure-1-left-sigma-{sigma}",
        kind="conditions",
        place=10,
        title=f"Figure 1, left, re-computed: largest order α against q, σ = {sigma}",
        caption=(
            "How to read it: up to the solid line the bound 2q²α/σ² is true; the theorem promises it "
            "up to the dotted line, the lower of its two conditions. The gap between them is what the proof gives away."
            " Every point is a certified change of sign, to the digits in the table."
        ),
        parameters={"sigma": sigma},
        columns=COLUMNS,
        jobs=functools.partial(jobs, sigma),
        rows=rows,
        draw=draw,
        found=finding,
    )
    for sigma in ("4", "10")
)
