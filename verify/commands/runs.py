"""What the accounting commands share: a run on the command line or in a file, and its JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from verify.accounting.history import (
    RELATION,
    SAMPLING,
    History,
    checked_notions,
    history,
)
from verify.accounting.tight import Bracketed
from verify.certified import Certified
from verify.commands.options import number_json
from verify.errors import OutOfDomain, PrecisionExhausted
from verify.point import Number, exact_text, shown

F = TypeVar("F", bound=Callable[..., Any])

_WHAT = {
    "--q": "Sampling rate in [0, 1], taken exactly as written.",
    "--sigma": "Noise multiplier.",
    "--steps": "Number of steps.",
}


def run_options(f: F) -> F:
    """--q --sigma --steps, or --history FILE; --relation and --sampling, which name what is meant."""
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
) -> History:
    """The run that the options describe."""
    checked_notions(relation, sampling)
    if file is not None:
        if (q, sigma, steps) != (None, None, None):
            raise OutOfDomain("--history and --q, --sigma, --steps exclude each other")
        return history(read_phases(file.read_text(encoding="utf-8")))
    if q is None or sigma is None or steps is None:
        raise OutOfDomain("give --q, --sigma and --steps, or --history FILE")
    return history([(q, sigma, steps)])


def read_phases(text: str) -> list[tuple[Number, Number, Number]]:
    """Phases from CSV (decimals as written) or JSON (numbers are doubles, strings exact).

    >>> read_phases("q,sigma,steps\\n0.01,1.1,100\\n")
    [('0.01', '1.1', '100')]
    >>> read_phases('[{"q": "1/3", "sigma": 2, "steps": 5}]')
    [('1/3', 2, 5)]
    """
    try:
        rows = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else list(csv.DictReader(io.StringIO(text)))
        )
        return [(row["q"], row["sigma"], row["steps"]) for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise OutOfDomain(
            "a history is CSV or JSON with q, sigma and steps in every row"
        ) from error


def described(phases: History) -> str:
    """The run in a line or two."""
    lines = [f"q = {shown(p.q)}, sigma = {shown(p.sigma)}, {p.steps} steps" for p in phases]
    lines = lines or ["nothing is released"]
    return "\n".join([*lines, "Poisson sampling; neighbours add or remove one record"])


def run_json(phases: History) -> dict[str, Any]:
    return {
        "relation": RELATION,
        "sampling": SAMPLING,
        "history": [
            {"q": exact_text(p.q), "sigma": exact_text(p.sigma), "steps": p.steps} for p in phases
        ],
    }


def certified_json(number: Certified, digits: int) -> dict[str, Any]:
    """Ends and doubles; a bracket with fewer digits says so, and has no doubles if it cannot."""
    try:
        result: dict[str, Any] = dict(number_json(number, digits))
    except PrecisionExhausted:
        result = {"lo": number.lo_str(digits + 3), "hi": number.hi_str(digits + 3)}
        result |= {"double": None, "double_up": None}
    if isinstance(number, Bracketed):
        result["fewer_digits"] = number.certain_digits()
    return result


def in_words(number: Certified) -> str:
    """A number for people: its certain digits, or its ends when it has few."""
    if isinstance(number, Bracketed):
        return f"{number.lo_str(8)} .. {number.hi_str(8)}  (few steps: a bracket)"
    return str(number)


def in_short(x: Fraction | None) -> str:
    """A parameter for people; None is infinity."""
    return "inf" if x is None else shown(x)


def doubles_line(number: Certified) -> str:
    try:
        return f"{number.to_double()!r}, rounded up {number.to_double_up()!r}"
    except PrecisionExhausted:
        return "not known to all digits of a double"
