"""sgm-verify statement: the paragraph about privacy for a model card."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from verify.accounting.history import checked_delta
from verify.accounting.questions import Account
from verify.accounting.tight import out_of_time
from verify.claims.proving import kept_certificate
from verify.commands import options, runs
from verify.commands.statement_text import (
    Statement,
    as_html,
    as_markdown,
    as_text,
    command_line,
)
from verify.frameworks.logs import read_file
from verify.numbers.budget import DEFAULT_SECONDS, Deadline, checked_seconds
from verify.numbers.errors import OutOfDomain

_FORMATS = {"text": as_text, "markdown": as_markdown, "html": as_html}
_ASKED_DIGITS = 12


@click.command("statement")
@runs.raw_run_options
@click.option("--delta", help="Failure probability in [0, 1].")
@click.option(
    "--runs",
    "several",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Several runs: CSV or JSON with a row for each run. Columns: name, delta, and options without their "
    "dashes (records, batch, epochs, sigma, sampling, ...).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMATS)),
    default="text",
    show_default=True,
    help="Format of the output.",
)
@options.as_json
@options.max_seconds
def command(
    delta: str | None,
    several: Path | None,
    form: str,
    as_json: bool,
    max_seconds: float,
    **given: Any,
) -> None:
    """What may be said about the privacy of a run: a paragraph to paste, its facts as JSON, and a digest.

    \b
    sgm-verify statement --records 50000 --batch 512 --epochs 20 --sigma 0.9 \\
        --sampling poisson --delta 1e-5
    sgm-verify statement --runs runs.csv --format markdown
    """
    seconds = checked_seconds(max_seconds)
    if several is not None:
        if delta is not None or any(v not in (None, False, "1") for v in given.values()):
            raise OutOfDomain("--runs and the options of a single run exclude each other")
        rows = [_row(row, number) for number, row in enumerate(read_file(several, ()), 1)]
        if not rows:
            raise OutOfDomain(f"{several}: there is no run in it")
    elif delta is None:
        raise OutOfDomain("--delta is missing")
    else:
        rows = [("", given, delta)]
    found = [_statement(*row, Deadline(seconds)) for row in rows]
    if as_json:
        options.emit(
            {"statements": [{**one.facts, "sha256": one.digest} for one in found]}
            if several is not None
            else {**found[0].facts, "sha256": found[0].digest}
        )
        return
    click.echo(_FORMATS[form](found))


def _row(row: dict[str, Any], number: int) -> tuple[str, dict[str, Any], str]:
    """One run of a file: its name, its options, its delta."""
    given = {str(k).replace("-", "_"): v for k, v in row.items() if v not in (None, "")}
    name, delta = str(given.pop("name", f"run {number}")), given.pop("delta", None)
    if delta is None:
        raise OutOfDomain(f"{name}: delta is missing")
    dropped = str(given.pop("drop_last", "")).lower() in ("true", "1", "yes")
    if unknown := [k for k in given if k not in runs.OPTION_NAMES or k == "file"]:
        known = ", ".join(["name", "delta", *(k for k in runs.OPTION_NAMES if k != "file")])
        raise OutOfDomain(f"{name}: no option {unknown[0]!s:.40}; a run has {known}")
    return name, {k: str(v) for k, v in given.items()} | {"drop_last": dropped}, str(delta)


def _statement(name: str, given: dict[str, Any], delta: str, whole: Deadline) -> Statement:
    try:
        asked = runs.read_run(**given)
        found = Account(asked.run, max(whole.left(), 1e-9)).epsilon(
            checked_delta(delta), _ASKED_DIGITS
        )
    except OutOfDomain as error:
        raise OutOfDomain(f"{name}: {error}" if name else str(error)) from None
    shown = {"history" if k == "file" else k: v for k, v in given.items()}
    if shown.get("group") == "1":
        del shown["group"]
    if found.hi == math.inf:
        if found.lo != math.inf and out_of_time(found):
            late = whole.exceeded()
            raise type(late)(f"{name}: {late}") if name else late
        least = f"at delta = {delta} it is infinite" if found.lo == math.inf else "none is proved"
        raise OutOfDomain(
            f"{f'{name}: ' if name else ''}a statement needs a finite epsilon: {least}"
        )
    allowed = None if whole.seconds == DEFAULT_SECONDS else f"{whole.seconds:g}"
    command = command_line({**shown, "delta": delta, "max_seconds": allowed})
    theorem = kept_certificate(asked.phases, checked_delta(delta)) if asked.phases else None
    return Statement(name, asked, delta, found, command, theorem)
