"""sgm-verify bench: speed, as ratios."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click
from rich.console import Console
from rich.table import Table

from verify import bench
from verify.commands import options, progress
from verify.results import document
from verify.results.bench import Bench, CurveTimes, PointTimes


@click.command("bench")
@click.option("--quick", is_flag=True, help="Every seventh point only.")
@click.option("--accounting", is_flag=True, help="Time the accountant of whole runs instead.")
@options.as_json
def command(quick: bool, accounting: bool, as_json: bool) -> None:
    """Time the certified engine against mpmath.quad and dp-accounting, in one run.

    Fifty digits against mpmath.quad at fifty; a correctly rounded double against dp-accounting's; all
    its default orders at 20 certified digits against its doubles. The comparison with dp-accounting
    needs it installed: pip install 'sgm-verify[bench]'. Every engine is timed against the number
    of digits; the report draws that from

    \b
        sgm-verify bench --json > reports/bench.json

    Takes two to four minutes. With --accounting: the tight epsilon of twelve runs (both directions, 20
    digits) against dp-accounting's PLD accountant, and RDP over its default orders against its own.
    """
    if accounting:
        _accounting(as_json)
        return
    show(measured(bench.QUICK if quick else bench.FULL), as_json=as_json)


def measured(course: bench.Course) -> Bench:
    """The whole course, with a bar while it lasts."""
    timings = []
    with progress.parts() as (begin, advance):
        begin("timing", course.steps)
        for timing in bench.run(course):
            timings.append(timing)
            advance()
    return bench.summary(timings)


def show(result: Bench, *, as_json: bool) -> None:
    """As a document, or for people."""
    if as_json:
        click.echo(document.as_text(result), nl=False)
    else:
        _print(result)


def _accounting(as_json: bool) -> None:
    from verify.accounting import bench as accountant  # not needed for the engines

    rows, growth = accountant.measure(), accountant.growth()
    if as_json:
        options.emit({"runs": [asdict(row) for row in rows], "growth": growth})
    else:
        click.echo(accountant.text(rows, growth))


def _print(result: Bench) -> None:
    console = Console(width=80)
    table = Table(
        "sigma", "50 digits: x faster\nthan mpmath.quad", "double: x as long\nas dp-accounting",
        "156 orders: x as long\nas dp-accounting",
    )  # fmt: skip
    for sigma in bench.NOISES:
        rows = [p for p in result.points if p.sigma == sigma]
        curves = [c for c in result.curves if c.sigma == sigma]
        table.add_row(
            f"{sigma:g}",
            _ratio(_mean(rows, "quad", "certified")),
            _ratio(_mean(rows, "double", "dp_accounting")),
            _ratio(_mean(curves, "certified", "dp_accounting")),
        )
    table.add_row(
        "all",
        _ratio(result.times_faster_than_mpmath_quad),
        _ratio(result.double_as_long_as_dp_accounting),
        _ratio(result.curve_as_long_as_dp_accounting),
        style="bold",
    )
    console.print(table)
    console.print(
        f"Geometric means of ratios over {len(result.points)} points (doubles: fractional orders "
        f"only) and {len(result.curves)} curves."
    )
    _print_sweeps(console, result)


def _print_sweeps(console: Console, result: Bench) -> None:
    digits, alpha, orders = result.against_digits, result.against_alpha, result.against_orders
    reference, sweep = next(iter(digits.engines.items()))
    base = sweep[0].seconds
    console.print(
        f"time against digits, {reference} at {sweep[0].digits} digits = 1; "
        f"it grows like digits^{digits.growth:.2f}"
    )
    for name, times in digits.engines.items():
        console.print(f"    {name}: {_relative(((t.digits, t.seconds) for t in times), base)}")
    for name in digits.unreachable:
        console.print(f"    {name}: does not reach this point")
    by_alpha = [(t.alpha, t.seconds) for t in alpha.times]
    console.print(
        f"time against alpha (first = 1): {_relative(by_alpha, by_alpha[0][1])}; "
        f"grows like alpha^{alpha.growth:.2f}"
    )
    by_count = [(t.orders, t.seconds) for t in orders.times]
    console.print(f"time against orders (one = 1): {_relative(by_count, by_count[0][1])}")


def _mean(rows: Iterable[PointTimes | CurveTimes], above: str, below: str) -> float | None:
    pairs = [(getattr(row, above), getattr(row, below)) for row in rows]
    return bench.geometric_mean([a / b for a, b in pairs if a and b])


def _relative(sweep: Iterable[tuple[float, float | None]], base: float | None) -> str:
    return ", ".join(
        f"{x:g}: " + (f"{t / base:.2f}" if t and base else "too long") for x, t in sweep
    )


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
