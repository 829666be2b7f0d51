"""sgm-verify report: run the verification, say what was found, write it down."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

import verify
from verify import summary
from verify.commands import options
from verify.errors import OutOfDomain


@click.command("report")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder for results.json.",
)
@options.as_json
def command(out: Path, as_json: bool) -> int:
    """Verify the ground truth: engines against each other, closed forms, the main theorem's bound.

    Prints a summary and writes results.json. Exit code 1 if anything failed.
    """
    checks = track(
        summary.run(),
        total=len(summary.CHECKS),
        console=Console(stderr=True),
        description="verifying",
    )
    outcomes = list(checks)
    results = _results(outcomes)
    _write(out / "results.json", results)
    if as_json:
        options.emit(results)
    else:
        _print(outcomes, out)
    return 0 if all(outcome.passed for outcome in outcomes) else 1


def _results(outcomes: list[summary.Outcome]) -> dict[str, Any]:
    libraries = ("python-flint", "mpmath", "gmpy2")
    return {
        "format": "sgm-verify results 1",
        "version": verify.__version__,
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in libraries},
        "digits": summary.DIGITS,
        "checks": [{**asdict(outcome), "passed": outcome.passed} for outcome in outcomes],
        "complete": True,  # last key: a file cut short is recognisably incomplete
    }


def _write(path: Path, results: dict[str, Any]) -> None:
    """All or nothing: the old file stays until the new one is whole."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(
            json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        partial.replace(path)
    except OSError as error:
        raise OutOfDomain(f"--out {path.parent}: cannot be written ({error.strerror})") from error


def _print(outcomes: list[summary.Outcome], out: Path) -> None:
    console = Console(width=110)
    rows = Table("check", "result", "effective", "vacuous", "shown", title="What was verified")
    for outcome in outcomes:
        result = "[green]passed[/]" if outcome.passed else "[red]FAILED[/]"
        shown = escape(outcome.failure or outcome.statement)
        rows.add_row(outcome.name, result, str(outcome.effective), str(outcome.vacuous), shown)
    console.print(rows)
    engines = next(o for o in outcomes if o.name == "three engines agree")
    console.print(f"engines: {engines.detail}")
    failed = [o.name for o in outcomes if not o.passed]
    verdict = f"FAILED: {', '.join(failed)}" if failed else "everything passed"
    console.print(f"{verdict}; written to {out / 'results.json'}")
