"""sgm-verify bench: speed, as ratios."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from verify import bench
from verify.commands import options


@click.command("bench")
@click.option("--quick", is_flag=True, help="Every seventh point only.")
@click.option("--accounting", is_flag=True, help="Time the accountant of whole runs instead.")
@options.as_json
def command(quick: bool, accounting: bool, as_json: bool) -> None:
    """Time the certified engine against mpmath.quad and dp-accounting, in one run.

    Fifty digits against mpmath.quad at fifty; a correctly rounded double against dp-accounting's; all
    its default orders at 20 certified digits against its doubles. The comparison with dp-accounting
    needs it installed: pip install 'sgm-verify[bench]'. Three engines are timed against the number
    of digits; the report draws that from

    \b
        sgm-verify bench --json > reports/bench.json

    Takes two to four minutes. With --accounting: the tight epsilon of twelve runs (both directions, 20
    digits) against dp-accounting's PLD accountant, and RDP over its default orders against its own.
    """
    if accounting:
        _accounting(as_json)
        return
    progress = track(
        bench.run(quick), total=len(bench.points(quick)) + len(bench.curves(quick)),
        console=Console(stderr=True), description="timing",
    )  # fmt: skip
    result = bench.summary(list(progress))
    if as_json:
        options.emit(result)
    else:
        _print(result)


def _accounting(as_json: bool) -> None:
    from verify.accounting import bench as accountant  # not needed for the engines

    rows, growth = accountant.measure(), accountant.growth()
    if as_json:
        options.emit({"runs": [asdict(row) for row in rows], "growth": growth})
    else:
        click.echo(accountant.text(rows, growth))


def _print(result: dict[str, Any]) -> None:
    console = Console(width=80)
    table = Table(
        "sigma", "50 digits: x faster\nthan mpmath.quad", "double: x as long\nas dp-accounting",
        "156 orders: x as long\nas dp-accounting",
    )  # fmt: skip
    for sigma in bench.NOISES:
        rows = [p for p in result["points"] if p["sigma"] == sigma]
        curves = [c for c in result["curves"] if c["sigma"] == sigma]
        table.add_row(
            f"{sigma:g}",
            _ratio(_mean(rows, "quad", "certified")),
            _ratio(_mean(rows, "double", "dp_accounting")),
            _ratio(_mean(curves, "certified", "dp_accounting")),
        )
    table.add_row(
        "all",
        _ratio(result["times_faster_than_mpmath_quad"]),
        _ratio(result["double_as_long_as_dp_accounting"]),
        _ratio(result["curve_as_long_as_dp_accounting"]),
        style="bold",
    )
    console.print(table)
    console.print(
        f"Geometric means of ratios over {len(result['points'])} points (doubles: fractional orders "
        f"only) and {len(result['curves'])} curves."
    )
    digits, alpha, orders = (result[f"against_{x}"] for x in ("digits", "alpha", "orders"))
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
    first = orders["seconds"][0][1]
    console.print(f"time against orders (one = 1): {_relative(orders['seconds'], first)}")


def _mean(rows: list[dict[str, Any]], above: str, below: str) -> float | None:
    return bench.geometric_mean([r[above] / r[below] for r in rows if r[above] and r[below]])


def _relative(sweep: list[tuple[float, float | None]], base: float) -> str:
    return ", ".join(
        f"{x:g}: " + ("too long" if t is None else f"{t / base:.2f}") for x, t in sweep
    )


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
