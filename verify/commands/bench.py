"""sgm-verify bench: speed, as ratios."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from verify import bench
from verify.commands import options


@click.command("bench")
@click.option("--quick", is_flag=True, help="Every seventh point only.")
@options.as_json
def command(quick: bool, as_json: bool) -> None:
    """Time the certified engine (50 digits) against mpmath.quad (50 digits) and dp-accounting (doubles).

    The comparison with dp-accounting needs it installed: pip install 'sgm-verify[bench]'. Takes one
    to two minutes.
    """
    progress = track(
        bench.run(quick), total=len(bench.points(quick)), console=Console(stderr=True),
        description="timing",
    )  # fmt: skip
    result = bench.summary(list(progress))
    if as_json:
        options.emit(result)
    else:
        _print(result)


def _print(result: dict[str, Any]) -> None:
    console = Console(width=110)
    table = Table("sigma", "points", "x faster than mpmath.quad", "x as long as dp-accounting")
    for sigma in bench.NOISES:
        rows = [p for p in result["points"] if p["sigma"] == sigma]
        faster = bench.geometric_mean([p["quad"] / p["certified"] for p in rows])
        slower = bench.geometric_mean(
            [p["certified"] / p["dp_accounting"] for p in rows if p["dp_accounting"]]
        )
        table.add_row(f"{sigma:g}", str(len(rows)), _ratio(faster), _ratio(slower))
    faster = result["times_faster_than_mpmath_quad"]
    slower = result["times_as_long_as_dp_accounting"]
    table.add_row("all", str(len(result["points"])), _ratio(faster), _ratio(slower), style="bold")
    console.print(table)
    console.print("dp-accounting is timed at fractional orders only; geometric means of ratios.")
    for title, key in (("digits", "against_digits"), ("alpha", "against_alpha")):
        sweep = result[key]
        base = sweep["seconds"][0][1]
        parts = ", ".join(f"{x:g}: {t / base:.2f}" for x, t in sweep["seconds"])
        console.print(
            f"time against {title} (first = 1): {parts}; grows like {title}^{sweep['growth']:.2f}"
        )


def _ratio(value: float | None) -> str:
    return "not installed" if value is None else f"{value:.2f}"
