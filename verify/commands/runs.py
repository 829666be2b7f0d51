"""What the accounting commands share: a run on the command line or in a file, and its JSON."""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from verify import strict_json
from verify.accounting.history import (
    RELATION,
    SAMPLING,
    History,
    checked_notions,
    checked_steps,
    history,
)
from verify.accounting.tight import Bracketed
from verify.certified import Certified, double_above
from verify.commands.options import number_json
from verify.errors import OutOfDomain, PrecisionExhausted
from verify.point import Number, shown

F = TypeVar("F", bound=Callable[..., Any])
Typed = tuple[Number, Number, Number]
"""q, sigma and steps of a phase, as they were written."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run that was asked about, and how it was written."""

    phases: History
    typed: tuple[Typed, ...]


MAX_FILE = 10_000_000
_SHOWN = 20  # phases of a run that are repeated on a page

_WHAT = {
    "--q": "Sampling rate in [0, 1], taken exactly as written.",
    "--sigma": "Noise multiplier.",
    "--steps": "Number of steps.",
}


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """--q --sigma --steps, or --history FILE; --relation and --sampling, which name what is meant.

    The command gets the :class:`AskedRun` that they describe, as ``run``.
    """

    @functools.wraps(command)
    def f(
        q: str | None,
        sigma: str | None,
        steps: str | None,
        file: Path | None,
        relation: str,
        sampling: str,
        **rest: Any,
    ) -> None:
        command(run=read_run(q, sigma, steps, file, relation, sampling), **rest)

    for option in (
        click.option(
            "--sampling", default=SAMPLING, show_default=True, help="How batches are drawn."
        ),
        click.option("--relation", default=RELATION, show_default=True, help="Which neighbours."),
        click.option(
            "--history",
            "file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Several phases: CSV with columns q, sigma, steps, or a JSON list of objects.",
        ),
        *(click.option(name, help=text) for name, text in reversed(_WHAT.items())),
    ):
        f = option(f)
    return f


def digits_option(f: F) -> F:
    return click.option(
        "--digits", type=int, default=20, show_default=True, help="Significant digits."
    )(f)


def read_run(
    q: str | None,
    sigma: str | None,
    steps: str | None,
    file: Path | None,
    relation: str,
    sampling: str,
) -> AskedRun:
    """The run that the options describe."""
    checked_notions(relation, sampling)
    if file is not None:
        if (q, sigma, steps) != (None, None, None):
            raise OutOfDomain("--history and --q, --sigma, --steps exclude each other")
        typed = tuple(read_phases(_text_of(file)))
        return AskedRun(history(typed), typed)
    if q is None or sigma is None or steps is None:
        raise OutOfDomain("give --q, --sigma and --steps, or --history FILE")
    return AskedRun(history([(q, sigma, steps)]), ((q, sigma, steps),))


def _text_of(file: Path) -> str:
    if file.stat().st_size > MAX_FILE:
        raise OutOfDomain(f"{file}: a history of more than {MAX_FILE} bytes")
    try:
        return file.read_text(encoding="utf-8-sig")  # spreadsheets put a mark in front
    except (OSError, UnicodeError) as error:
        raise OutOfDomain(f"{file}: cannot be read as text: {error}"[:200]) from error


def read_phases(text: str) -> list[Typed]:
    """Phases from CSV (decimals as written) or JSON (numbers are doubles, strings exact).

    >>> read_phases("q,sigma,steps\\n0.01,1.1,100\\n")
    [('0.01', '1.1', '100')]
    >>> read_phases('[{"q": "1/3", "sigma": 2, "steps": 5}]')
    [('1/3', 2, 5)]
    """
    try:
        if text.lstrip().startswith(("[", "{")):
            rows = strict_json.loads(text)
            rows = [rows] if isinstance(rows, dict) else rows
        else:
            rows = _csv_rows(text)
        return [(row["q"], row["sigma"], row["steps"]) for row in rows]
    except OutOfDomain:  # which is a ValueError
        raise
    except strict_json.GivenTwice as error:
        raise OutOfDomain(f"a history: {error}") from error
    except (KeyError, TypeError, ValueError, RecursionError, csv.Error) as error:
        raise OutOfDomain(
            "a history is CSV or JSON with q, sigma and steps in every row"
        ) from error


def _csv_rows(text: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    names = reader.fieldnames or ()
    if len(set(names)) != len(names):
        raise strict_json.GivenTwice("a column stands twice in its header")
    rows = list(reader)
    for number, row in enumerate(rows, 1):
        # a decimal comma makes one column more: 0,01 would be read as 0
        if None in row or None in row.values():
            raise OutOfDomain(f"a history: row {number} has not as many columns as the header")
    return rows


def described(run: AskedRun) -> str:
    """The run in a line or two, its numbers as they were written."""
    lines = [f"q = {q}, sigma = {sigma}, {n} steps" for q, sigma, n in run.typed[:_SHOWN]]
    if len(run.typed) > _SHOWN:
        lines.append(f"and {len(run.typed) - _SHOWN} phases more")
    lines = lines if run.phases else ["nothing is released"]
    return "\n".join([*lines, "Poisson sampling; neighbours add or remove one record"])


def run_json(run: AskedRun) -> dict[str, Any]:
    return {
        "relation": RELATION,
        "sampling": SAMPLING,
        "history": [
            {"q": q, "sigma": sigma, "steps": checked_steps(n)} for q, sigma, n in run.typed
        ],
    }


def certified_json(number: Certified, digits: int) -> dict[str, Any]:
    """Ends and doubles; a bracket with fewer digits says so, and has no doubles if it cannot."""
    try:
        result: dict[str, Any] = dict(number_json(number, digits))
    except PrecisionExhausted:
        result = {"lo": number.lo_str(digits + 3), "hi": number.hi_str(digits + 3)}
        result |= {"double": None, "double_up": double_above(number.hi).hex()}
    if isinstance(number, Bracketed):
        result["fewer_digits"] = number.certain_digits()
    return result


def in_words(number: Certified) -> str:
    """A number for people: its certain digits, or its ends when it has few."""
    if isinstance(number, Bracketed):
        known = number.certain_digits()
        return f"{number}  ({f'{known} digits' if known else 'no digit'} certain: a bracket)"
    return str(number)


def in_short(x: Fraction | None) -> str:
    """A parameter for people; None is infinity."""
    return "inf" if x is None else shown(x)


def doubles_line(number: Certified) -> str:
    try:
        return f"{number.to_double()!r}, rounded up {number.to_double_up()!r}"
    except PrecisionExhausted:
        return f"not known; surely at most {double_above(number.hi)!r}"
