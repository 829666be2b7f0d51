"""What is lost by accounting with RDP: its epsilon over the exact one, as a run gets longer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.accounting.history import history
from verify.accounting.questions import Account
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.numbers.budget import Deadline
from verify.report.draw.drawing import COLOURS
from verify.report.draw.plot import Job, Plot, Row, Table, geometric

DELTA = "1e-5"
DIGITS = 6
COLUMNS = Q, SIGMA, STEPS, EXACT, RDP, EXCESS = (
    "q", "σ", "steps", "exact ε", "ε by RDP", "ε by RDP / exact ε",
)  # fmt: skip
RUNS = (
    ("0.0001", "0.8"),
    ("0.001", "0.8"),
    ("0.001", "2"),
    ("0.01", "0.8"),
    ("0.01", "2"),
    ("0.1", "4"),
)
_MARKERS = "os^Dvp"


def jobs(profile: str) -> list[Job]:
    steps = geometric(30, 1e6, 17 if profile == "full" else 10)
    return [(q, sigma, str(round(float(n)))) for q, sigma in RUNS for n in steps]


def rows(q: str, sigma: str, steps: str) -> list[Row]:
    """One run, both directions; nothing is drawn where the exact epsilon is 0 or has no six digits."""
    phases = history([(q, sigma, steps)])
    exact = Account(phases).epsilon(DELTA, DIGITS)
    delta = Fraction(DELTA)
    bound = over_list(
        RenyiCurve(phases, DIGITS + 4, Deadline()), delta, "cks", "dp-accounting"
    ).epsilon
    known = exact.lo > 0 and exact.certain_digits() >= DIGITS - 1
    return [
        {
            Q: q,
            SIGMA: sigma,
            STEPS: steps,
            EXACT: exact.hi_str(DIGITS) if known else None,
            RDP: bound.hi_str(DIGITS),
            EXCESS: f"{float(bound.hi) / float(exact.hi):.5g}" if known else None,
        }
    ]


def draw(axes: Any, table: Table) -> None:
    for (q, sigma), colour, marker in zip(RUNS, COLOURS * 2, _MARKERS, strict=False):
        one = table.where(Q, q).where(SIGMA, sigma)
        axes.loglog(
            *one.numbers(STEPS, EXCESS),
            f"{marker}-",
            color=colour,
            markersize=4,
            label=f"q = {q}, σ = {sigma}",
        )
    axes.set(xlabel="steps", ylabel="ε by RDP / exact ε")
    axes.legend()


def finding(table: Table) -> str:
    steps, excess = table.numbers(STEPS, EXCESS)
    longest = [x for n, x in zip(steps, excess, strict=True) if n == max(steps)]
    return (
        f"ε by RDP is {min(excess):.4g} to {max(excess):.3g} times the exact one, most where the "
        f"exact ε is small; after {max(steps):.0f} steps {min(longest):.4g} to {max(longest):.4g} "
        "times."
    )


FIGURES = (
    Plot(
        id="rdp-loss",
        kind="rdp-loss",
        place=70,
        title=f"What RDP loses: its ε over the exact ε at δ = {DELTA}",
        caption=(
            "How to read it: each mark "
            "is one run, both directions of neighbours; RDP takes the best of dp-accounting's default orders with the "
            "conversion of Canonne, Kamath and Steinke. A missing mark has an exact ε of 0, or one with fewer digits."
        ),
        parameters={"delta": DELTA},
        columns=COLUMNS,
        jobs=jobs,
        rows=rows,
        draw=draw,
        found=finding,
    ),
)
