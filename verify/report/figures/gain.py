"""What do I gain? The noise that ordinary targets need, by the exact curve and by way of RDP."""

from __future__ import annotations

from typing import Any

from verify.judge.show.gain import TARGETS, gain
from verify.report.draw.drawing import COLOURS
from verify.report.draw.plot import Job, Plot, Row, Table

COLUMNS = RUN, EPSILON, DELTA, EXACT, RDP, SAVED, SPENT = (
    "run",
    "target ε",
    "δ",
    "σ, exact",
    "σ by RDP",
    "noise saved",
    "exact ε of the run with RDP's σ",
)
_BY_NAME = {target.run: target for target in TARGETS}
_GREY = "#9aa0a6"
_HALF = 0.18  # of the height of a bar's row


def jobs(profile: str) -> list[Job]:
    return [(name,) for name in _BY_NAME]


def rows(name: str) -> list[Row]:
    target = _BY_NAME[name]
    found = gain(target)
    return [
        {
            RUN: name,
            EPSILON: target.epsilon,
            DELTA: target.delta,
            EXACT: f"{found.exact:.6g}",
            RDP: str(found.rdp),
            SAVED: f"{100 * found.saved:.2g} %",
            SPENT: f"{found.spent:.5g}",
        }
    ]


def draw(axes: Any, table: Table) -> None:
    """Two bars for each run, what is saved written beside them."""
    labels = []
    for place, row in enumerate(table.rows):
        run, epsilon, delta, exact, rdp, saved, _ = map(str, row)
        labels.append(f"{run}\nε = {epsilon}, δ = {delta}")
        for shift, noise, colour, name in (
            (-_HALF, rdp, _GREY, RDP),
            (_HALF, exact, COLOURS[1], EXACT),
        ):
            label = name if place == 0 else None
            axes.barh(place + shift, float(noise), 2 * _HALF, color=colour, label=label)
        axes.text(float(rdp) + 0.02, place, f"{saved} less", va="center", fontsize="small")
    axes.set_yticks(range(len(labels)), labels, fontsize="small")
    axes.invert_yaxis()
    axes.set_xlabel("noise multiplier σ that meets the target")
    axes.set_xlim(0, 1.2 * max(table.numbers(RDP)[0]))
    axes.legend(loc="upper right")


def finding(table: Table) -> str:
    shares = [float(str(row[COLUMNS.index(SAVED)]).removesuffix(" %")) for row in table.rows]
    return (
        f"for the same target the exact curve needs {min(shares):g} to {max(shares):g} % less noise "
        "than RDP, most where q is small."
    )


FIGURES = (
    Plot(
        id="gain",
        kind="gain",
        place=5,
        title="What do I gain? The noise that a target needs, exact and by RDP",
        caption=(
            "How to read it: for each run and target, the smallest noise multiplier that is proved "
            "to meet it (sgm-verify calibrate), and the smallest one with which a certified RDP "
            "accountant shows the same (dp-accounting's default orders, the conversion of Canonne, "
            "Kamath and Steinke). Poisson sampling, add/remove."
        ),
        columns=COLUMNS,
        jobs=jobs,
        rows=rows,
        draw=draw,
        found=finding,
    ),
)
