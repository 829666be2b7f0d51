"""sgm-verify audit: do certified intervals contain the truth?"""

from __future__ import annotations

import math
import re
import shlex
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from verify.audit.campaign import (
    ALL_KINDS,
    RUN,
    RUN_KINDS,
    Counts,
    CountsRow,
    Key,
    RunCase,
    jobs_of,
    run,
    run_found,
)
from verify.audit.containment import ITSELF, Containment, intervals, judge, shrink
from verify.audit.kinds import KINDS, AuditCase
from verify.commands import options
from verify.moments.engines import Moment
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, OutOfReach
from verify.numbers.point import Point, exact_text
from verify.parallel import Door, open_door
from verify.support.screen import show, width

DEFAULT_SECONDS = 60.0
MOST_SILENT = 0.01  # the share of containments that may be left without an answer
_SAY_EVERY = 10.0


@click.command("audit")
@click.option("--seconds", type=float, help=f"How long to draw points.  [{DEFAULT_SECONDS:g}]")
@click.option("--points", type=int, help="How many points to draw, instead of --seconds.")
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same points.")
@click.option("--jobs", type=int, help="Processes; 0: none but this one.  [all cores]")
@click.option("--dask", metavar="ADDRESS", help="Run on a dask cluster instead.")
@click.option(
    "--kind", "kinds", multiple=True, help="Only this kind of points or runs; may be repeated."
)
@click.option("--number", type=int, help="With --kind: the one test of a run that has this number.")
@options.as_json
@click.option("--q", help="Audit one interval, given by --q, --sigma, --order and --digits.")
@click.option("--sigma")
@click.option("--order", help="alpha for A, 1 - alpha for B.")
@click.option("--digits", type=int)
@click.option("--log", is_flag=True, help="E[g^order ln g] instead of ln E[g^order].")
@click.option("--with", "beside", help="Further orders computed in one go with it: 2,5/2,-3.")
def command(
    seconds: float | None,
    points: int | None,
    seed: int,
    jobs: int | None,
    dask: str | None,
    kinds: tuple[str, ...],
    number: int | None,
    as_json: bool,
    q: str | None,
    sigma: str | None,
    order: str | None,
    digits: int | None,
    log: bool,
    beside: str | None,
) -> None:
    """Put certified intervals to the test: does each contain the truth?

    At random and adversarial points the interval with d digits must contain the same engine's interval
    with d + 25 digits, and that of the other certified route: the binomial sum in balls at whole
    orders, FLINT's rigorous quadrature at all others. Random whole runs are asked in two ways that share as
    little as possible, or on contours that are made bad on purpose. What fails is printed as one line to
    run again, and the exit code is 1.

    \b
    sgm-verify audit --seconds 600
    sgm-verify audit --points 100000 --seed 7 --kind 'blocks that touch'
    sgm-verify audit --q 1e-4 --sigma 1.63 --order 42 --digits 30
    """
    if any(x is not None for x in (q, sigma, order, digits, beside)) or log:
        if q is None or sigma is None or order is None or digits is None:
            raise OutOfDomain("for one interval give --q, --sigma, --order and --digits")
        if kinds or seconds is not None or points is not None or number is not None:
            raise OutOfDomain("one interval takes no --seconds, --points, --kind or --number")
        _one(_case(q, sigma, order, digits, log, beside), as_json)
        return
    unknown = [name for name in kinds if name not in ALL_KINDS]
    if unknown:
        raise OutOfDomain(f"no kind {unknown[0]!r}; there are {', '.join(ALL_KINDS)}")
    if number is not None:
        if len(kinds) != 1 or kinds[0] not in RUN_KINDS or number < 0:
            raise OutOfDomain("--number needs one --kind of runs, and must not be negative")
        _one_run(RunCase(kinds[0], number))
        return
    if seconds is not None and points is not None:
        raise OutOfDomain("--seconds and --points exclude each other")
    seconds = None if points is not None else DEFAULT_SECONDS if seconds is None else seconds
    if (points is not None and points < 1) or (seconds is not None and not 0 < seconds < math.inf):
        raise OutOfDomain("--seconds and --points must be positive")
    _many(open_door(jobs, dask), seed, tuple(kinds) or ALL_KINDS, seconds, points, as_json)


# -- one interval --------------------------------------------------------------------------


def _case(q: str, sigma: str, order: str, digits: int, log: bool, beside: str | None) -> AuditCase:
    point = Point.of(q, sigma, 1)
    if not 1 <= digits <= 10_000:
        raise OutOfDomain(f"digits = {digits}: must be a whole number from 1 to 10000")
    moment = Moment(point.q, point.sigma, _order(order), log)
    if log and moment.order not in (0, 1):
        raise OutOfDomain("--log: the order must be 0 or 1")
    if log and beside:
        raise OutOfDomain("--log and --with exclude each other")
    return AuditCase(
        moment, digits, tuple(_order(text) for text in beside.split(",")) if beside else ()
    )


def _order(text: str) -> Fraction:
    """Any finite rational, negative ones included (Point takes alpha >= 1 only)."""
    magnitude = text.strip().removeprefix("-")
    if re.fullmatch(r"0+(\.0*)?|\.0+", magnitude):
        return Fraction(0)
    try:
        size = Point.of(0, magnitude, 1).sigma
    except OutOfDomain as error:
        raise OutOfDomain(f"order = {text!r:.60}: must be a finite number") from error
    return -size if text.strip().startswith("-") else size


def _one(case: AuditCase, as_json: bool) -> None:
    _, interval = next(intervals(case))
    if interval is None:
        raise OutOfReach(f"{case.moment}: no interval of {case.digits} digits")
    findings = [f for f in judge(case) if f.case == case]
    number, places = Certified(interval.lo, interval.hi), case.digits + 10
    low, high = number.lo_str(places), number.hi_str(places)
    if as_json:
        routes = [
            {"route": f.route, "verdict": f.verdict.value, "share": f.share} for f in findings
        ]
        options.emit({"command": runnable(case), "lo": low, "hi": high, "routes": routes})
    else:
        click.echo(f"{case.moment}, {case.digits} digits\nfrom {low}\nto   {high}")
        for f in findings:
            click.echo(f"{f.verdict.value:<10} {f.route:<10} {_share(f.share)}")
    if any(f.verdict is not Containment.CONTAINED for f in findings):
        raise SystemExit(1)


def _one_run(case: RunCase) -> None:
    """One test of a whole run, and what was seen."""
    found = run_found(case)
    history = getattr(found.case, "history", None)
    click.echo("; ".join(map(str, history)) if history else str(found.case))
    click.echo(f"epsilon = {exact_text(found.case.epsilon)}: {found.detail}")
    verdicts = {True: "contained", False: "outside", None: "vacuous"}
    click.echo(verdicts[found.ok])
    if found.ok is not True:
        raise SystemExit(1)


def runnable_run(case: RunCase) -> str:
    """The command that repeats this test alone."""
    return f"sgm-verify audit --kind {shlex.quote(case.kind)} --number {case.number}"


def runnable(case: AuditCase) -> str:
    """The command that audits this interval alone."""
    m = case.moment
    q, sigma, order = (exact_text(x) for x in (m.q, m.sigma, m.order))
    more = " --log" if m.log else ""
    if case.beside:
        more += f" --with={','.join(exact_text(s) for s in case.beside)}"
    return f"sgm-verify audit --q {q} --sigma {sigma} --order={order} --digits {case.digits}{more}"


# -- many ------------------------------------------------------------------------------------


def _many(
    opened: AbstractContextManager[Door],
    seed: int,
    kinds: tuple[str, ...],
    seconds: float | None,
    points: int | None,
    as_json: bool,
) -> None:
    start = time.monotonic()
    limit = math.inf if seconds is None else seconds
    tally, interrupted = Counts(), False
    with _progress(start, seconds) as show, opened as door:
        try:
            todo = jobs_of(seed, kinds, points)
            for part in run(door, todo, lambda: time.monotonic() - start >= limit):
                tally += part
                show(tally)
        except KeyboardInterrupt:
            interrupted = True
    elapsed = time.monotonic() - start
    simplest = shrink(tally.failures[0]) if tally.failures and not interrupted else None
    lack = lacking(tally, kinds)
    missed = not_reached(tally, kinds)
    if as_json:
        told = {"lacking": lack, "not_reached": missed, "interrupted": interrupted}
        options.emit(as_json_of(tally, seed, elapsed, simplest) | told)
    else:
        _print(tally, seed, elapsed, simplest)
        if missed:
            words = f"not reached in this time, hence not tested: {', '.join(missed)}"
            click.echo(textwrap.fill(words, width(), break_on_hyphens=False))
    if interrupted:
        click.echo("sgm-verify: interrupted", err=True)
        raise SystemExit(130)
    failed = bool(tally.failures or tally.false_runs)
    if failed or lack:
        if not failed:
            click.echo(f"sgm-verify: the audit shows too little: {lack}", err=True)
        raise SystemExit(1)


def not_reached(tally: Counts, kinds: tuple[str, ...]) -> list[str]:
    """The kinds of which not one test was made."""
    return [kind for kind in kinds if kind not in tally.busy]


def lacking(tally: Counts, kinds: tuple[str, ...]) -> str | None:
    """Why the audit did not succeed although nothing failed; None if it did succeed."""
    total = tally.total()
    for kind in kinds:
        drawn = tally.total(lambda key, kind=kind: key[0] == kind and key[2] != ITSELF)  # type: ignore[misc]  # binds the loop variable
        if kind in tally.busy and not drawn.contained:
            return f"no containment by the other route among {kind!r}"
    if total.undecided:
        return f"{total.undecided} undecided"
    if total.unanswered > MOST_SILENT * (total.contained + total.unanswered):
        return f"{total.unanswered} of {total.contained + total.unanswered} without an answer"
    return None if total.contained else "nothing was tested"


@contextmanager
def _progress(start: float, seconds: float | None) -> Iterator[Callable[[Counts], None]]:
    """Progress on standard error: one line that is updated on a terminal, otherwise a new line
    every ten seconds."""
    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task, said = bar.add_task("auditing"), -math.inf

        def show(tally: Counts) -> None:
            nonlocal said
            row = tally.total()
            text = f"{tally.points} points, {row.contained} contained, {row.outside} outside"
            if seconds is not None:
                left = max(0.0, seconds - (time.monotonic() - start))
                text += f", about {left:.0f} s left"
            bar.update(task, description=text)
            if not console.is_terminal and time.monotonic() - said >= _SAY_EVERY:
                said = time.monotonic()
                click.echo(text, err=True)

        yield show


# -- what is shown ---------------------------------------------------------------------------


def as_json_of(
    tally: Counts, seed: int, seconds: float, simplest: AuditCase | None
) -> dict[str, Any]:
    """The whole tally, rows in the order of the kinds."""
    return {
        "seed": seed,
        "points": tally.points,
        "seconds": round(seconds, 3),
        "containments": tally.total().contained,
        "outside": tally.total().outside,
        "rows": [
            {"kind": kind, "family": family, "route": route, "contained": row.contained,
             "outside": row.outside, "undecided": row.undecided, "unanswered": row.unanswered,
             "tightest": row.tightest if row.tightest < math.inf else None,
             "vacuous": row.vacuous, "largest_error": row.largest or None}
            for (kind, family, route), row in sorted(tally.rows.items())
        ],
        "cpu_seconds": {kind: round(t, 3) for kind, t in sorted(tally.busy.items())},
        "failures": [runnable(case) for case in tally.failures],
        "simplest_failure": runnable(simplest) if simplest else None,
        "no_answer": [runnable(case) for case in tally.silent],
        "false_runs": [runnable_run(case) for case in tally.false_runs],
    }  # fmt: skip


def _print(tally: Counts, seed: int, seconds: float, simplest: AuditCase | None) -> None:
    console = Console(width=width(), highlight=False)
    _print_runs(console, tally)
    if not any(name in tally.busy for name in KINDS):
        return
    by_kind = _table("kind of points", *_COUNTS, "a CPU s")
    for name in (name for name in KINDS if name in tally.busy):
        rows = tally.total(lambda key, name=name: key[0] == name)  # type: ignore[misc]  # binds the loop variable
        rate = rows.contained / tally.busy[name] if tally.busy[name] else 0.0
        by_kind.add_row(name, *_cells(tally, lambda key, name=name: key[0] == name), f"{rate:.0f}")  # type: ignore[misc]  # binds the loop variable
    show(console, by_kind)
    by_family = _table("numbers", *_COUNTS)
    for family in sorted({key[1] for key in tally.rows} - {RUN}):
        by_family.add_row(family, *_cells(tally, lambda key, f=family: key[1] == f))  # type: ignore[misc]  # binds the loop variable
    by_family.add_row("all", *_cells(tally, lambda key: key[1] != RUN), style="bold")
    show(console, by_family)
    total = tally.total(lambda key: key[1] != RUN)
    console.print(
        f"seed {seed}: {tally.points} points, {total.contained} containments in {seconds:.1f} s "
        f"({total.contained / seconds:.0f} a second); tightest: the truth is {_share(total.tightest)}"
    )
    if tally.silent:
        console.print(f"{total.unanswered} without an answer; the simplest:")
        click.echo(runnable(tally.silent[0]))
    if simplest is not None:
        console.print(
            f"{total.outside} containments FAIL; the simplest interval found that is false:"
        )
        click.echo(runnable(simplest))


PROVED_ALONE = 0.1  # a bound whose errors stay below that share of it is guarded by its proof alone


def _print_runs(console: Console, tally: Counts) -> None:
    """Tests of whole runs by kind, the looseness of the bounds, and the first that fails."""
    drawn = [name for name in RUN_KINDS if name in tally.busy]
    if not drawn:
        return
    table = _table("kind of run", "contained", "outside", "vacuous", "error/bound", "CPU s")
    loose = []
    for name in drawn:
        row = tally.total(lambda key, name=name: key[0] == name)  # type: ignore[misc]  # binds the loop variable
        share = f"{row.largest:.1e}" if row.largest else "-"
        counts = row.contained, row.outside, row.vacuous
        table.add_row(name, *map(str, counts), share, f"{tally.busy[name]:.1f}")
        if 0 < row.largest < PROVED_ALONE:
            loose.append(name)
    show(console, table)
    console.print("error/bound: the largest error seen, as a share of the bound put to the test")
    if loose:
        console.print(
            f"below {PROVED_ALONE:g}, hence guarded by the proof alone up to that factor: {', '.join(loose)}"
        )
    if tally.false_runs:
        console.print(f"{len(tally.false_runs)} tests of runs FAIL; one of them:")
        click.echo(runnable_run(tally.false_runs[0]))


def _table(*heads: str) -> Table:
    """Narrow enough for 80 columns."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(heads[0], no_wrap=True)
    for head in heads[1:]:
        table.add_column(head, justify="right")
    return table


_COUNTS = ("in itself", "other route", "outside", "open", "silent", "tightest")


def _cells(tally: Counts, chosen: Callable[[Key], bool]) -> tuple[str, ...]:
    itself = tally.total(lambda key: chosen(key) and key[2] == ITSELF)
    other = tally.total(lambda key: chosen(key) and key[2] != ITSELF)
    both: CountsRow = itself + other
    counts = itself.contained, other.contained, both.outside, both.undecided, both.unanswered
    return (*(str(n) for n in counts), f"{both.tightest:.1e}" if both.contained else "-")


def _share(share: float) -> str:
    side = "inside" if share >= 0 else "outside"
    return f"{abs(share):.3g} of the width {side} the nearer end"
