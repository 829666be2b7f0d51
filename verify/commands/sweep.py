"""sgm-verify sweep: many points, resumable, over processes or a cluster."""

from __future__ import annotations

import contextlib
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import click

from verify.commands import options
from verify.numbers.budget import checked_seconds
from verify.numbers.errors import OutOfDomain
from verify.parallel import open_door
from verify.support.screen import fitted, width
from verify.sweeps.computations import COMPUTATIONS
from verify.sweeps.database import NotASweep, log_of
from verify.sweeps.export import export
from verify.sweeps.place import resolve_path
from verify.sweeps.run import How, sweep
from verify.sweeps.schema import JOURNALS
from verify.sweeps.spec import Spec, built_in, check_size, load
from verify.sweeps.store import Store, good

VERIFIED = (
    5_000_000  # rows that are read again, in some 5 us each, before a file is called complete
)


@click.command("sweep")
@click.argument("spec_name", metavar="[SPEC]", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File of results; a half-finished file is continued.",
)
@click.option("--export", "exports", multiple=True, type=click.Path(path_type=Path),
              help="Write the finished rows to this .csv or .parquet file (repeatable).")  # fmt: skip
@click.option("--jobs", type=int, help="Processes (default: one a core; 0: none, all in this one).")
@click.option("--dask", metavar="ADDRESS",
              help="A dask scheduler (tcp://host:8786, or its file.json) instead of processes.")  # fmt: skip
@click.option("--library", help="Ask this library instead of the spec's (such as opacus==1.6.0).")
@click.option("--resume/--no-resume", default=True, show_default=True,
              help="Go on with a half-finished file, or refuse it.")  # fmt: skip
@click.option("--retry-errors", is_flag=True, help="Compute points that ended in an error again.")
@click.option("--yes", is_flag=True, help="Accept a sweep of more than 10^7 points.")
@click.option("--journal", type=click.Choice(JOURNALS),
              help="SQLite's journal; rollback for network file systems (default: wal).")  # fmt: skip
@options.max_seconds
@click.option("--quiet", is_flag=True, help="No progress on standard error.")
@click.option("--list", "listing", is_flag=True, help="List built-in specs and computations.")
@click.option(
    "--bench",
    is_flag=True,
    help="Measure what a sweep costs beside a plain loop (--yes: memory up to 10^6 points).",
)
@options.as_json
def command(
    spec_name: str | None,
    out: Path | None,
    exports: tuple[Path, ...],
    jobs: int | None,
    dask: str | None,
    library: str | None,
    resume: bool,
    retry_errors: bool,
    yes: bool,
    journal: str | None,
    max_seconds: float,
    quiet: bool,
    listing: bool,
    bench: bool,
    as_json: bool,
) -> None:
    """Compute at every point of SPEC (a TOML file, or the name of a built-in one).

    \b
    sgm-verify sweep frontier --out frontier.sqlite --export frontier.parquet
    sgm-verify sweep my.toml --out run.sqlite --jobs 8
    sgm-verify sweep my.toml --out run.sqlite --dask tcp://head:8786
    sgm-verify sweep --out run.sqlite --export run.csv       (of a finished file)

    Run the same command again after any interruption: what is in the file is not computed twice. See
    docs/sweeps.md for specs. Exit code 0: every point has its value; 1: some ended in an error, are
    undecided or false, or the sweep could not be finished; 2: bad input; 130: interrupted.
    """
    if listing:
        _list(as_json)
        return
    if bench:
        if spec_name is not None or out is not None:
            raise OutOfDomain("--bench measures points of its own: no SPEC, no --out")
        options.hear_terminate()
        _bench(jobs, dask, yes, quiet, as_json)
        return
    if out is None:
        raise OutOfDomain("--out FILE is missing (or --list)")
    _check_targets(exports)
    _check_names(exports, out, spec_name)
    options.hear_terminate()
    spec = load(spec_name, library) if spec_name is not None else _spec_of(out, library)
    how = How(checked_seconds(max_seconds), journal, not quiet, retry_errors)
    record = _finished_record(spec, out, bool(exports)) if not retry_errors else None
    verified = record is None or bool(exports) or record["rows"] <= VERIFIED
    if record is None:
        check_size(spec, yes)
        if not resume and out.exists():
            raise OutOfDomain(f"{out}: exists already, and --no-resume was given")
        try:
            with open_door(jobs, dask) as door:
                record = sweep(spec, out, door, how)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"{out} is safe; run the same command again to continue"
            ) from None
    written = {str(target): export(out, target) for target in exports}
    _report(out, spec, {**record, "verified": verified}, written, as_json)
    sys.exit(0 if good(record["counts"]) else 1)


def _check_targets(exports: tuple[Path, ...]) -> None:
    """Check before a long computation that its results can be exported afterwards."""
    for target in exports:
        if target.suffix not in (".csv", ".parquet"):
            raise OutOfDomain(f"--export {target}: must end in .csv or .parquet")
        if not target.absolute().parent.is_dir():
            raise OutOfDomain(f"--export {target}: there is no directory {target.parent}")
        if target.suffix == ".parquet":
            try:
                import pyarrow.parquet  # noqa: F401  # whether it can be had is the question
            except ImportError as error:
                raise OutOfDomain(
                    "Parquet needs pyarrow: pip install '.[parquet]' in a checkout"
                ) from error


def _check_names(exports: tuple[Path, ...], out: Path, spec_name: str | None) -> None:
    """Refuse an export that would replace the results, a file that belongs to them, the spec, or
    another export."""
    file = resolve_path(out)
    taken = {Path(f"{file}{end}"): "--out" for end in ("", "-wal", "-shm", "-journal", ".lock")}
    if spec_name is not None and Path(spec_name).exists():
        taken[resolve_path(Path(spec_name))] = "the spec"
    for target in exports:
        for other, what in taken.items():
            if resolve_path(target) == other or _same(target, other):
                raise OutOfDomain(f"--export {target}: would overwrite {what} ({other})")
        taken[resolve_path(target)] = "another --export"


def _same(one: Path, other: Path) -> bool:
    """Whether two names are links to one file."""
    return one.exists() and other.exists() and one.samefile(other)


def _spec_of(out: Path, library: str | None) -> Spec:
    if library is not None:
        raise OutOfDomain("--library goes with a SPEC")
    with Store.read(out) as store:
        return store.spec


def _finished_record(spec: Spec, out: Path, exported: bool) -> dict[str, Any] | None:
    """The closing record of a file that is complete already, and as it was closed (an export looks
    for itself). A finished file is opened for writing only to end what somebody else left beside it."""
    if not out.is_file() or out.stat().st_size == 0:
        return None
    with contextlib.suppress(NotASweep), Store.read(out) as store:
        record = store.closed if store.spec.text == spec.text else None
        if record is not None and not exported and record["rows"] <= VERIFIED:
            store.verify()
        return record
    return None  # whoever opens it for writing will judge


def _report(
    out: Path, spec: Spec, record: dict[str, Any], written: dict[str, int], as_json: bool
) -> None:
    log = log_of(out)
    if log is not None:
        click.echo(f"sgm-verify: {out}: a reader has it open, so that {log.name} still belongs to it: "
                   "run this again before you copy it", err=True)  # fmt: skip
    if as_json:
        options.emit({"file": str(out), "spec": spec.digest, **record, "exports": written})
        return
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(record["counts"].items()))
    again = record["points"] - record["rows"]
    more = f", {again:,} points given more than once" if again else ""
    if not record["verified"]:
        more += "; too many to be read again now: --export compares them with the closing record"
    click.echo(f"{out}: complete, {record['rows']:,} rows ({counts}){more}")
    for target, rows in written.items():
        click.echo(f"{target}: {rows:,} rows")


def _list(as_json: bool) -> None:
    specs = {name: load(name) for name in built_in()}
    if as_json:
        options.emit(
            {
                "specs": {
                    n: {"title": s.title, "points": s.count, **json.loads(s.text)}
                    for n, s in specs.items()
                },
                "computations": {c.name: c.summary for c in COMPUTATIONS.values()},
            }
        )
        return
    click.echo("Built-in specs (sgm-verify sweep NAME --out FILE):")
    for name, spec in specs.items():
        click.echo(f"  {name:16} {spec.count:>9,} points")
        click.echo(textwrap.indent(textwrap.fill(spec.title, width() - 6), "      "))
    click.echo("\nWhat can be computed ([compute] what = ...):")
    for computation in COMPUTATIONS.values():
        text = f"  {computation.name:16} {computation.summary}"
        click.echo(textwrap.fill(text, width(), subsequent_indent=" " * 19))


def _bench(jobs: int | None, dask: str | None, yes: bool, quiet: bool, as_json: bool) -> None:
    from verify.bench import sweeps

    def say(line: str) -> None:
        if not quiet:
            click.echo(line, err=True)

    result = sweeps.measure(jobs, dask, yes, say)
    options.emit(result) if as_json else click.echo(fitted(sweeps.text(result)))
