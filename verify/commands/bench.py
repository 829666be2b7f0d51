"""sgm-verify bench: speed, as ratios."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click
from rich.console import Console
from rich.table import Table

from verify.bench import engines
from verify.commands import options, progress
from verify.numbers.errors import OutOfDomain
from verify.results import document
from verify.results.bench import Bench, CurveTimes, PointTimes
from verify.support.screen import fitted, width
from verify.support.screen import show as show_table


@click.command("bench")
@click.option("--quick", is_flag=True, help="Every seventh point only.")
@click.option("--accounting", is_flag=True, help="Time the accountant of whole runs instead.")
@click.option(
    "--samplings", is_flag=True, help="Time replaced records and random allocation instead."
)
@click.option(
    "--random",
    "runs",
    type=click.IntRange(3, 100_000),
    metavar="N",
    help="Time N random runs, and two thirds as many random calibrations, instead.",
)
@click.option("--seed", type=int, default=0, help="With --random: same seed, same runs.  [0]")
@options.as_json
def command(
    quick: bool, accounting: bool, samplings: bool, runs: int | None, seed: int, as_json: bool
) -> None:
    """Time the certified engine against mpmath.quad and dp-accounting, in one run.

    Fifty digits against mpmath.quad at fifty; a correctly rounded double against dp-accounting's; all
    its default orders at 20 certified digits against its doubles. The comparison with dp-accounting
    needs it installed: pip install '.[bench]' in a checkout. Every engine is timed against the number
    of digits; the report draws that from

    \b
        sgm-verify bench --json > reports/bench.json

    Takes two to four minutes. With --accounting: the tight epsilon of twelve runs (both directions, 20
    digits) against dp-accounting's PLD accountant, RDP over its default orders against its own, and the least
    noise for a target against its calibration by PLD. With --samplings: ten runs with one record replaced against
    dp-accounting's PLD accountant with REPLACE_ONE, and random allocation at 10,000 batches an epoch. With --random:
    how much longer the slowest of random runs and calibrations take than the median.
    """
    if accounting + samplings + (runs is not None) > 1:
        raise OutOfDomain("--accounting, --samplings and --random exclude each other")
    if runs is not None:
        _random(runs, seed, as_json)
        return
    if samplings:
        _samplings(quick, as_json)
        return
    if accounting:
        _accounting(as_json)
        return
    show(measure(engines.QUICK if quick else engines.FULL), as_json=as_json)


def measure(course: engines.Course) -> Bench:
    """The whole course, with a bar while it lasts."""
    timings = []
    with progress.parts() as (begin, advance):
        begin("timing", course.steps)
        for timing in engines.run(course):
            timings.append(timing)
            advance()
    return engines.summary(timings)


def show(result: Bench, *, as_json: bool) -> None:
    """As a document, or for people."""
    if as_json:
        click.echo(document.as_text(result), nl=False)
    else:
        _print(result)


def _accounting(as_json: bool) -> None:
    from verify.bench import accounting as accountant  # not needed for the engines

    rows, growth, noises = accountant.measure(), accountant.growth(), accountant.calibrations()
    asked = accountant.measure_following()
    if as_json:
        told = {"runs": [asdict(row) for row in rows], "growth": growth}
        told |= {"every step": [asdict(one) for one in asked]}
        options.emit(told | {"calibrations": [asdict(row) for row in noises]})
    else:
        click.echo(fitted(accountant.text(rows, growth, asked)))
        click.echo(accountant.calibration_text(noises))


def _random(count: int, seed: int, as_json: bool) -> None:
    from verify.bench import spread  # not needed for the engines

    found = []
    with progress.parts() as (begin, advance):
        for draw, number in ((spread.runs, count), (spread.calibrations, count * 2 // 3)):
            begin(draw.__name__, number)
            found.append(draw(number, seed, advance))
    if as_json:
        options.emit({"seed": seed, "spreads": [asdict(one) for one in found]})
    else:
        click.echo(fitted("\n".join(map(spread.text, found))))


def _samplings(quick: bool, as_json: bool) -> None:
    from verify.bench import epochs, mixtures  # not needed for the engines

    part = 3 if quick else 1
    try:
        replaced = mixtures.ratios(mixtures.RUNS[::part])
    except ImportError:
        replaced = []
    allotted = epochs.measure_allocations(epochs.SIGMAS[::part])
    if as_json:
        rows = [asdict(row) | {"run": [float(x) for x in row.run]} for row in replaced]
        options.emit({"replaced": rows, "allocation": [asdict(row) for row in allotted]})
        return
    click.echo(fitted(mixtures.text(replaced)) if replaced else "dp-accounting is not installed: pip install '.[bench]' in a checkout")  # fmt: skip
    click.echo(fitted(epochs.text(allotted)))


def _print(result: Bench) -> None:
    console = Console(width=width())
    table = Table(
        "sigma", "50 digits: x faster\nthan mpmath.quad", "double: x as long\nas dp-accounting",
        "156 orders: x as long\nas dp-accounting",
    )  # fmt: skip
    for sigma in engines.NOISES:
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
    show_table(console, table)
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
    console.print(
        f"time against the number of orders, from 1.1 to 63 (one = 1): {_relative(by_count, by_count[0][1])}"
    )


def _mean(rows: Iterable[PointTimes | CurveTimes], above: str, below: str) -> float | None:
    pairs = [(getattr(row, above), getattr(row, below)) for row in rows]
    return engines.geometric_mean([a / b for a, b in pairs if a and b])


def _relative(sweep: Iterable[tuple[float, float | None]], base: float | None) -> str:
    return ", ".join(
        f"{x:g}: " + (f"{t / base:.2f}" if t and base else "too long") for x, t in sweep
    )


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
