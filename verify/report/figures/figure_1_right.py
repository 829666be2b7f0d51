"""Figure 1 of the paper, right: the exact epsilon against the closed-form bound."""

from __future__ import annotations

import functools
from typing import Any

from verify.bounds.tightness import tightness
from verify.numbers.point import Point
from verify.report.draw.drawing import COLOURS, INK
from verify.report.draw.plot import Job, Plot, Row, Table, geometric

DIGITS = 8

COLUMNS = ALPHA, EXACT, BOUND, RATIO = ("α", "exact ε", "bound 2q²α/σ²", "ε/bound")


def jobs(q: str, sigma: str, top: float, profile: str) -> list[Job]:
    return [(q, sigma, a) for a in geometric(1.25, top, 120 if profile == "full" else 60)]


def rows(q: str, sigma: str, alpha: str) -> list[Row]:
    """Both at one order."""
    found = tightness(Point.of(q, sigma, alpha), DIGITS)
    epsilon, bound = (x.lo_str(DIGITS) for x in (found.epsilon, found.bound))
    return [{ALPHA: alpha, EXACT: epsilon, BOUND: bound, RATIO: found.ratio.lo_str(5)}]


def draw(axes: Any, table: Table) -> None:
    axes.loglog(*table.numbers(ALPHA, EXACT), color=INK, label="exact ε")
    axes.loglog(*table.numbers(ALPHA, BOUND), "--", color=COLOURS[0], label=BOUND)
    axes.set(xlabel="order α", ylabel="ε")
    axes.legend()


def finding(table: Table) -> str:
    orders, ratios = table.numbers(ALPHA, RATIO)
    true = [a for a, ratio in zip(orders, ratios, strict=True) if ratio <= 1]
    false = [a for a, ratio in zip(orders, ratios, strict=True) if ratio > 1]
    ends = f"; it fails from α = {min(false):g} on" if false else ""
    return f"ε is at least {min(ratios):.3g} of the bound, which is true up to α = {max(true):g}{ends} (orders of this grid)."


FIGURES = tuple(
    Plot(
        id=f"figure-1-right-sigma-{sigma}",
        kind="epsilon",
        place=20,
        title=f"Figure 1, right, re-computed: exact ε against the bound, q = {q}, σ = {sigma}",
        caption=(
            "How to read it: the exact ε (solid) against the closed-form bound (dashed). Where the solid "
            "line is below the dashed one the bound is true; they meet at the exact order of the left "
            "panel. The paper does not state the parameters of its panel; these are ours."
        ),
        parameters={"q": q, "sigma": sigma},
        columns=COLUMNS,
        jobs=functools.partial(jobs, q, sigma, top),
        rows=rows,
        draw=draw,
        found=finding,
    )
    for q, sigma, top in (("0.01", "4", 400), ("0.001", "10", 3000))
)
