"""sgm-verify value: the number, certified."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TextIO

import click

from verify import moments
from verify.batch import points
from verify.budget import Deadline, checked_digits, checked_seconds
from verify.certified import Certified
from verify.commands import options
from verify.curve import evaluate_many
from verify.divergence import QUANTITIES, evaluate, reduced
from verify.engines import Moment
from verify.errors import OutOfDomain, OutOfReach, SgmError
from verify.point import Point

LABELS = {
    "log_a": "ln A",
    "log_b": "ln B",
    "rdp": "epsilon",
    "rdp_reverse": "epsilon reverse",
}


@click.command("value")
@click.option("--q", metavar="Q", help="Sampling rate in [0, 1], taken exactly as written.")
@click.option("--sigma", metavar="SIGMA", help="Noise multiplier > 0.")
@click.option(
    "--alpha",
    "alphas",
    metavar="ALPHA[,ALPHA...]",
    multiple=True,
    help="Order >= 1, or inf. Several (with commas, or the option repeated) give a CSV line each.",
)
@click.option(
    "--input",
    "source",
    type=click.File("r", encoding="utf-8"),
    help="Many points: a CSV file with columns q, sigma, alpha, or JSON lines; - for standard input.",
)
@options.digits
@options.as_json
@click.option(
    "--cross-check", is_flag=True, help="Confirm by the independent engines, and show their values."
)
@options.max_seconds
def command(
    q: str | None,
    sigma: str | None,
    alphas: tuple[str, ...],
    source: TextIO | None,
    digits: int,
    as_json: bool,
    cross_check: bool,
    max_seconds: float,
) -> None:
    """Certified ln A, ln B and epsilon (both directions), with correctly rounded doubles.

    \b
    sgm-verify value --q 0.01 --sigma 1.1 --alpha 8.5
    sgm-verify value --q 0.01 --sigma 1.1 --alpha 1.5,2,4,8,16,32
    sgm-verify value --q 1/3 --sigma 0x1.8p0 --alpha inf --digits 100 --json
    sgm-verify value --input points.csv > values.csv

    Numbers on the command line and in CSV mean the decimal as written; JSON numbers mean doubles.
    """
    digits, max_seconds = checked_digits(digits), checked_seconds(max_seconds)
    asked = Asked(digits, cross_check, max_seconds)
    given = [name for name, v in (("--q", q), ("--sigma", sigma), ("--alpha", alphas)) if v]
    if source is not None:
        if given:
            raise OutOfDomain(f"{given[0]} and --input exclude each other")
        _print(_shown(Record.of(point, asked) for point in points(source)), as_json)
        return
    if len(given) < 3 or q is None or sigma is None:
        raise OutOfDomain("give --q, --sigma and --alpha, or --input")
    orders = [alpha for text in alphas for alpha in text.split(",")]
    asked_points = [Point.of(q, sigma, alpha) for alpha in orders]
    if len(asked_points) > 1:
        _print(_curve(asked_points, asked), as_json)
    elif as_json:
        options.emit(Record.of(asked_points[0], asked).as_json())
    else:
        click.echo(Record.of(asked_points[0], asked).as_text())


@dataclass(frozen=True, slots=True)
class Asked:
    """How a value is wanted; the seconds are for each number."""

    digits: int
    cross_check: bool
    max_seconds: float


Check = moments.CrossCheck | str
"""What the engines say of a number, or why there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything about one point."""

    point: Point
    digits: int
    values: dict[str, Certified]
    checks: dict[str, Check]

    @classmethod
    def of(cls, point: Point, asked: Asked) -> Record:
        """Each moment is computed once: ln A and epsilon come from the same."""
        values: dict[str, Certified] = {}
        checks: dict[str, Check] = {}
        seen: dict[Moment, tuple[Certified, Check]] = {}
        for name in QUANTITIES:
            check: Check = "closed form at infinite order"
            if point.alpha is None:
                values[name] = evaluate(name, point, asked.digits, False, asked.max_seconds)
            else:
                moment, scale = reduced(name, point)
                if moment not in seen:
                    seen[moment] = _evaluated(moment, asked)
                value, check = seen[moment]
                values[name] = value.scaled(scale)
                check = check if isinstance(check, str) else check.scaled(scale)
            if asked.cross_check:
                checks[name] = check
        return cls(point, asked.digits, values, checks)

    def as_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {**options.point_json(self.point), "digits": self.digits}
        for name, value in self.values.items():
            result[name] = options.number_json(value, self.digits)
        if self.checks:
            result["cross_check"] = {name: self._check_json(c) for name, c in self.checks.items()}
        return result

    def _check_json(self, check: Check) -> dict[str, Any]:
        if isinstance(check, str):
            return {"note": check}
        places = self.digits + 3
        engines: dict[str, Any] = {
            name: {
                "lo": Certified(v.lo, v.hi).lo_str(places),
                "hi": Certified(v.lo, v.hi).hi_str(places),
            }
            for name, v in check.values.items()
        }
        engines |= {name: {"out_of_reach": why} for name, why in check.unreachable.items()}
        return {"engines": engines, "agreement_digits": check.agreement}

    def as_text(self) -> str:
        lines = [str(self.point)]
        for name, value in self.values.items():
            lines.append(f"{LABELS[name]:<16} {value.text(self.digits)}")
        lines.append("")
        lines.append(f"{'as a double':<16} {'nearest':<26} {'rounded up':<26} nearest, hexadecimal")
        for name, value in self.values.items():
            near, up = value.to_double(), value.to_double_up()
            lines.append(f"{LABELS[name]:<16} {near!r:<26} {up!r:<26} {near.hex()}")
        if self.checks:
            lines += ["", "cross-check"]
            lines += [
                line for name, c in self.checks.items() for line in self._check_lines(name, c)
            ]
        return "\n".join(lines)

    def _check_lines(self, name: str, check: Check) -> Iterator[str]:
        if isinstance(check, str):
            yield f"{LABELS[name]:<16} {check}"
            return
        yield f"{LABELS[name]:<16} engines agree to {check.agreement} digits"
        for engine, value in check.values.items():
            yield f"  {engine:<14} {Certified(value.lo, value.hi)}"
        for engine, why in check.unreachable.items():
            yield f"  {engine:<14} out of reach: {why}"


def _evaluated(moment: Moment, asked: Asked) -> tuple[Certified, Check]:
    """A moment, and the engines' verdict on it (without ``cross_check``: nothing worth reading)."""
    deadline, check = Deadline(asked.max_seconds), "exact closed form"
    if asked.cross_check and moments.closed_form(moment) is None:
        try:
            found = moments.cross_check(moment, asked.digits, deadline)
        except OutOfReach as error:
            check = f"not confirmed: {error}"
        else:
            return moments.known(moment, found.values[moments.REFERENCE], asked.max_seconds), found
    return moments.certified(moment, asked.digits, deadline), check


def _curve(many: list[Point], asked: Asked) -> Iterator[Record]:
    """Records of many orders. They share their nodes, unless witnesses or more time are needed."""
    columns: list[list[Certified]] = []
    if not asked.cross_check:
        with suppress(
            SgmError
        ):  # then order by order: one that fails does not take the others along
            columns = [
                evaluate_many(name, many, asked.digits, asked.max_seconds)
                for name in ("log_a", "log_b")
            ]
    for index, point in enumerate(many):
        if not columns or point.alpha is None or point.alpha == 1:
            yield Record.of(point, asked)
            continue
        a, b = (column[index] for column in columns)
        scale = 1 / (point.alpha - 1)
        values = {"log_a": a, "log_b": b, "rdp": a.scaled(scale), "rdp_reverse": b.scaled(scale)}
        yield Record(point, asked.digits, values, {})


COLUMNS = (
    "q",
    "sigma",
    "alpha",
    "log_a",
    "log_b",
    "rdp",
    "rdp_reverse",
    "rdp_double",
    "rdp_double_up",
)


def _print(records: Iterator[Record], as_json: bool) -> None:
    """Stream the records out; what was printed before an error stays valid."""
    for number, record in enumerate(records):
        if as_json:
            options.emit(record.as_json())
        else:
            if number == 0:
                click.echo(",".join(COLUMNS))
            click.echo(_csv_line(record))
        sys.stdout.flush()


def _csv_line(record: Record) -> str:
    rdp = record.values["rdp"]
    row = [
        *options.point_json(record.point).values(),
        *(record.values[name].text(record.digits) for name in QUANTITIES),
        repr(rdp.to_double()),
        repr(rdp.to_double_up()),
    ]
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(row)
    return out.getvalue()


def _shown(stream: Iterator[Record]) -> Iterator[Record]:
    """Progress on standard error while results go to a file."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from stream
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed} points"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("points", total=None)
        for record in stream:
            yield record
            progress.advance(task)
