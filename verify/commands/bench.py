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

    The comparison with dp-accounting needs it installed: pip install 'sgm-verify[bench]'. All three
    engines are timed against the number of digits; the report draws that from

    \b
        sgm-verify bench --json > reports/bench.json

    Takes two to three minutes.
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
    digits, alpha = result["against_digits"], result["against_alpha"]
    base = digits["seconds"]["trapezoid"][0][1]
    console.print(
        f"time against digits, trapezoid at {bench.DIGIT_SWEEP[0]} digits = 1; "
        f"it grows like digits^{digits['growth']:.2f}"
    )
    for name, sweep in digits["seconds"].items():
        console.print(f"    {name}: {_relative(sweep, base)}")
    console.print(
        f"time against alpha (first = 1): {_relative(alpha['seconds'], alpha['seconds'][0][1])}; "
        f"grows like alpha^{alpha['growth']:.2f}"
    )


def _relative(sweep: list[tuple[float, float | None]], base: float) -> str:
    return ", ".join(
        f"{x:g}: " + ("too long" if t is None else f"{t / base:.2f}") for x, t in sweep
    )


def _ratio(value: float | None) -> str:
    return "not installed" if value is None else f"{value:.2f}"
