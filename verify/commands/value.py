"""sgm-verify value: the number, certified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from verify.commands import options, streams
from verify.moments import agreement
from verify.moments.curve import evaluate_many
from verify.moments.divergence import QUANTITIES, evaluate, moment_and_factor
from verify.moments.engines import Moment
from verify.numbers.batch import NAMES, InputRow, read
from verify.numbers.budget import Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, OutOfReach, SgmError
from verify.numbers.point import Point
from verify.support.screen import fitted, table

LABELS = {
    "log_a": "ln A",
    "log_b": "ln B",
    "rdp": "epsilon",
    "rdp_reverse": "epsilon reverse",
}


@click.command("value")
@click.option("--q", metavar="Q", help="Sampling rate in [0, 1], taken exactly as written.")
@options.sigma("Noise multiplier > 0.", metavar="SIGMA")
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
@click.option("--strict", is_flag=True, help="Stop at the first row of --input without an answer.")
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
    strict: bool,
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

    Numbers on the command line and in CSV mean the decimal as written; JSON numbers mean doubles, JSON
    strings the decimal. CSV in, CSV out; JSON lines in, JSON lines out (--json: always JSON). Other
    columns are kept. A row without an answer is reported, the rest goes on, and the exit code is 2 (no
    point) or 1 (no answer).
    """
    digits, max_seconds = checked_digits(digits), checked_seconds(max_seconds)
    asked = Wanted(digits, cross_check, max_seconds)
    given = [name for name, v in (("--q", q), ("--sigma", sigma), ("--alpha", alphas)) if v]
    if source is not None:
        if given:
            raise OutOfDomain(f"{given[0]} and --input exclude each other")
        raise click.exceptions.Exit(_stream(source, asked, as_json, strict))
    if len(given) < 3 or q is None or sigma is None:
        raise OutOfDomain("give --q, --sigma and --alpha, or --input")
    orders = [alpha for text in alphas for alpha in text.split(",")]
    rows = [InputRow(0, parameters_as_written(q, sigma, a), Point.of(q, sigma, a)) for a in orders]
    if len(rows) > 1:
        writer = streams.Writer(None if as_json else COLUMNS, rows[0].fields)
        for row, record in zip(rows, _curve(rows, asked), strict=True):
            writer.good(row, record)
        return
    record = Record.of(Point.of(q, sigma, orders[0]), asked, rows[0].fields)
    if as_json:
        options.emit({**rows[0].fields, **record.results()})
    else:
        click.echo(record.as_text())


def parameters_as_written(q: object, sigma: object, alpha: object) -> dict[str, object]:
    """The parameters as they were written, for the answer to repeat."""
    return {"q": q, "sigma": sigma, "alpha": alpha}


def _stream(source: TextIO, asked: Wanted, as_json: bool, strict: bool) -> int:
    batch = read(source)
    columns = None if as_json or batch.columns is None else COLUMNS
    rows = streams.with_progress(batch.rows, _lines_in(source))
    writer = streams.Writer(columns, batch.columns or ())
    return streams.answer(rows, lambda row, p: Record.of(p, asked, row.fields), writer, strict)


def _lines_in(source: TextIO) -> int | None:
    """About how many points a file has (nobody knows of a pipe): for the time that is left."""
    file = Path(source.name)
    if not file.is_file():
        return None
    with file.open("rb") as lines:
        return sum(1 for _ in lines) - 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a value is wanted; the seconds are for each number."""

    digits: int
    cross_check: bool
    max_seconds: float


Check = agreement.CrossCheck | str
"""What the engines say of a number, or why there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything about one point; ``typed`` are its parameters as they were written."""

    typed: Mapping[str, object]
    digits: int
    values: dict[str, Certified]
    checks: dict[str, Check]

    @classmethod
    def of(cls, point: Point, asked: Wanted, typed: Mapping[str, object] | None = None) -> Record:
        """Each moment is computed once: ln A and epsilon come from the same."""
        values: dict[str, Certified] = {}
        checks: dict[str, Check] = {}
        seen: dict[Moment, tuple[Certified, Check]] = {}
        for name in QUANTITIES:
            check: Check = "closed form at infinite order"
            if point.alpha is None:
                values[name] = evaluate(name, point, asked.digits, False, asked.max_seconds)
            else:
                moment, scale = moment_and_factor(name, point)
                if moment not in seen:
                    seen[moment] = _evaluate(moment, asked)
                value, check = seen[moment]
                values[name] = value.scaled(scale)
                check = check if isinstance(check, str) else check.scaled(scale)
            if asked.cross_check:
                checks[name] = check
        return cls(typed or options.point_json(point), asked.digits, values, checks)

    def results(self) -> dict[str, Any]:
        result: dict[str, Any] = {"digits": self.digits}
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

    def cells(self) -> list[str]:
        rdp = self.values["rdp"]
        values = [self.values[name].text(self.digits) for name in QUANTITIES]
        return [*values, repr(rdp.to_double()), repr(rdp.to_double_up())]

    def as_text(self) -> str:
        lines = [", ".join(f"{name} = {self.typed[name]}" for name in NAMES)]
        for name, value in self.values.items():
            lines.append(fitted(f"{LABELS[name]:<16} {value.text(self.digits)}"))
        rows = []
        for name, value in self.values.items():
            near, up = value.to_double(), value.to_double_up()
            rows.append((LABELS[name], repr(near), repr(up)))
            rows.append(("", near.hex(), up.hex()))
        head = ("as a double", "nearest", "rounded up")
        lines += ["", *table(head, rows, lambda name, near, up: f"{name:<16} {near:<24} {up}")]
        if self.checks:
            lines += ["", "cross-check"]
            lines += [
                fitted(line)
                for name, c in self.checks.items()
                for line in self._check_lines(name, c)
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


def _evaluate(moment: Moment, asked: Wanted) -> tuple[Certified, Check]:
    """A moment, and the engines' verdict on it (without ``cross_check``: nothing worth reading)."""
    deadline, check = Deadline(asked.max_seconds), "exact closed form"
    if asked.cross_check and agreement.closed_form(moment) is None:
        try:
            found = agreement.cross_check(moment, asked.digits, deadline)
        except OutOfReach as error:
            check = f"not confirmed: {error}"
        else:
            return agreement.certified_from(
                moment, found.values[agreement.REFERENCE], asked.max_seconds
            ), found
    return agreement.certified(moment, asked.digits, deadline), check


def _curve(rows: list[InputRow], asked: Wanted) -> Iterator[Record]:
    """Records of many orders. They share their nodes, unless witnesses or more time are needed."""
    many = [row.point for row in rows if isinstance(row.point, Point)]
    columns: list[list[Certified]] = []
    if not asked.cross_check:
        with suppress(
            SgmError
        ):  # then order by order: one that fails does not take the others along
            columns = [
                evaluate_many(name, many, asked.digits, asked.max_seconds)
                for name in ("log_a", "log_b")
            ]
    for index, (row, point) in enumerate(zip(rows, many, strict=True)):
        if not columns or point.alpha is None or point.alpha == 1:
            yield Record.of(point, asked, row.fields)
            continue
        a, b = (column[index] for column in columns)
        scale = 1 / (point.alpha - 1)
        values = {"log_a": a, "log_b": b, "rdp": a.scaled(scale), "rdp_reverse": b.scaled(scale)}
        yield Record(row.fields, asked.digits, values, {})


COLUMNS = (*QUANTITIES, "rdp_double", "rdp_double_up")
