"""Fractional orders: the paper's series summed as it stands, and accelerated."""

from __future__ import annotations

from typing import Any

from proofs_checks.quantities.truncation import errors
from verify.report.draw.drawing import COLOURS, INK
from verify.report.draw.plot import Job, Plot, Row, Table

Q, SIGMA, ALPHA = "0.5", "1", "1.1"
COUNTS = (2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 36, 43, 51, 60, 80, 100, 150, 200, 300, 500, 700, 1000)  # fmt: skip
ACCELERATED_UP_TO = 60  # more would only show the working precision
COLUMNS = TERMS, PLAIN, ACCELERATED, PROVED = (
    "terms",
    "plain error",
    "accelerated error",
    "proved bound",
)


def jobs(profile: str) -> list[Job]:
    return [(Q, SIGMA, ALPHA)]


def rows(q: str, sigma: str, alpha: str) -> list[Row]:
    """All of them: the sums share their terms."""
    return [
        {TERMS: str(e.terms), PLAIN: e.plain, ACCELERATED: e.accelerated, PROVED: e.proved}
        for e in errors(q, sigma, alpha, COUNTS, ACCELERATED_UP_TO)
    ]


def draw(axes: Any, table: Table) -> None:
    dots = {"marker": "o", "markersize": 3.5}
    axes.loglog(*table.numbers(TERMS, PLAIN), "--", color=COLOURS[0], label="plain sum", **dots)
    squares = {"marker": "s", "markersize": 3.5}
    axes.loglog(*table.numbers(TERMS, ACCELERATED), color=INK, label="accelerated", **squares)
    axes.loglog(*table.numbers(TERMS, PROVED), ":", color=COLOURS[1], label="its proved bound")
    axes.set(xlabel="terms", ylabel="error of A")
    axes.legend(loc="lower right")


def finding(table: Table) -> str:
    terms, plain, accelerated = table.numbers(TERMS, PLAIN, ACCELERATED)
    return (
        f"after {terms[-1]:g} terms the plain sum is off by {plain[-1]:.1e}, the accelerated one by "
        f"{accelerated[-1]:.1e}."
    )


FIGURES = (
    Plot(
        id="series",
        kind="series",
        place=50,
        title="Fractional orders: the series summed as it stands, and accelerated",
        caption=(
            "How to read it: error of A after so many terms (q = 1/2, σ = 1, α = 1.1). The plain sum "
            "(dashed) gains digits only with powers of the number of terms; the accelerated one (solid) "
            "gains 0.77 digits with every term and stays below its proved bound (dotted)."
        ),
        parameters={"q": Q, "sigma": SIGMA, "alpha": ALPHA},
        columns=COLUMNS,
        jobs=jobs,
        rows=rows,
        draw=draw,
        found=finding,
    ),
)
