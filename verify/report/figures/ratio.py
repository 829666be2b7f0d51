"""How tight the bound is: the exact epsilon divided by it, over q and alpha."""

from __future__ import annotations

from typing import Any

from verify.bounds.table import Truth
from verify.bounds.tightness import tightness
from verify.numbers.point import Point
from verify.report.collect.grids import grid_of_sweep
from verify.report.draw.drawing import cells
from verify.report.draw.plot import Cell, Job, Plot, Row, Table

SIGMA = "4"
DIGITS = 8
COLUMNS = Q, ALPHA, RATIO, APPLIES = ("q", "α", "ε/bound", "theorem applies")


def jobs(profile: str) -> list[Job]:
    """One sigma of the built-in sweep of the slack; of a quick report every second line."""
    thin = 1 if profile == "full" else 2
    rates, _, orders = grid_of_sweep("slack")
    return [(SIGMA, q, alpha) for q in rates[::thin] for alpha in orders[::thin]]


def rows(sigma: str, q: str, alpha: str) -> list[Row]:
    """One cell."""
    found = tightness(Point.of(q, sigma, alpha), DIGITS)
    applies = "yes" if found.applies is Truth.TRUE else "no"
    return [{Q: q, ALPHA: alpha, RATIO: found.ratio.lo_str(5), APPLIES: applies}]


def above_one(cell: Cell) -> bool:
    return cell is not None and float(cell) > 1


def draw(axes: Any, table: Table) -> None:
    cells(
        axes, *table.grid(Q, ALPHA, RATIO), "ε / bound", limits=(0.25, 4), extend="max",
        ticks={0.25: "1/4", 0.5: "1/2", 1: "1", 2: "2", 4: "4"},
        hatched=above_one, hatch_colour="#555555",
    )  # fmt: skip
    inside = table.where(APPLIES, "yes")
    axes.plot(*inside.numbers(Q, ALPHA), ".", color="#ffffff", markersize=3)
    axes.set(xlabel="sampling rate q", ylabel="order α")


def finding(table: Table) -> str:
    inside = table.where(APPLIES, "yes").numbers(RATIO)[0]
    every = table.numbers(RATIO)[0]
    wrong = sum(ratio > 1 for ratio in inside)
    return (
        f"where the theorem applies ε is {min(inside):.3g} to {max(inside):.3g} of the bound. The formula is false in "
        f"{sum(ratio > 1 for ratio in every)} of {len(every)} cells, {wrong or 'none'} of them "
        "where the theorem applies."
    )


FIGURES = (
    Plot(
        id="ratio",
        kind="ratio",
        place=30,
        title=f"How tight the bound is: ε divided by 2q²α/σ², σ = {SIGMA}",
        caption=(
            "How to read it: each cell is one certified value; dark cells have a small ratio. Dots mark the "
            "points where the theorem's conditions hold: near 1/4 the bound is four times ε. "
            "Hatched cells have a ratio above 1: the formula is false there."
        ),
        parameters={"sigma": SIGMA},
        columns=COLUMNS,
        jobs=jobs,
        rows=rows,
        draw=draw,
        found=finding,
    ),
)
