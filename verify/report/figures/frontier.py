"""Where the bound is true: the largest order over q and sigma."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.bounds.largest_order import Ending, largest_order, shared_digits
from verify.report.collect.grids import grid_of_sweep
from verify.report.draw.drawing import INK, cells
from verify.report.draw.plot import Cell, Job, Plot, Row, Table

COLUMNS = Q, SIGMA, LARGEST = ("q", "σ", "largest α")


def jobs(profile: str) -> list[Job]:
    """The grid of the built-in sweep; of a quick report every second line of it."""
    thin = 1 if profile == "full" else 2
    rates, noises, _ = grid_of_sweep("frontier")
    return [(q, sigma) for q in rates[::thin] for sigma in noises[::thin]]


def rows(q: str, sigma: str) -> list[Row]:
    """One cell."""
    bracket = largest_order(Ending.BOUND, Fraction(q), Fraction(sigma))
    return [{Q: q, SIGMA: sigma, LARGEST: shared_digits(bracket)}]


def false_from_the_start(cell: Cell) -> bool:
    return cell is None


def draw(axes: Any, table: Table) -> None:
    cells(
        axes, *table.grid(Q, SIGMA, LARGEST), "largest order α",
        hatched=false_from_the_start, hatch_colour=INK,
    )  # fmt: skip
    left, top = axes.get_xlim()[0], axes.get_ylim()[1]
    axes.plot([left, 0.2, 0.2], [4, 4, top], "--", color="#ffffff", linewidth=1.5)
    axes.set(xlabel="sampling rate q", ylabel="noise σ")


def finding(table: Table) -> str:
    true = table.numbers(Q, SIGMA)[0]
    holds = table.numbers(LARGEST)[0]
    return (
        f"the formula is true at some orders in {len(holds)} of {len(true)} cells, up to α "
        f"= {min(holds):.3g} in the least of them and {max(holds):.3g} in the best."
    )


FIGURES = (
    Plot(
        id="frontier",
        kind="frontier",
        place=40,
        title="Where the bound is true: the largest order α over q and σ",
        caption=(
            "How to read it: each cell gives, by its brightness, the order up to which ε ≤ 2q²α/σ² is true "
            "(certified change of sign). Hatched cells: false already at α = 1.001. The theorem asks for "
            "q ≤ 1/5 and σ ≥ 4, the part framed by the dashed lines."
        ),
        columns=COLUMNS,
        jobs=jobs,
        rows=rows,
        draw=draw,
        found=finding,
    ),
)
