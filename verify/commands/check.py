"""sgm-verify check: judge any implementation, in any language."""

from __future__ import annotations

import datetime
import hashlib
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import click

import verify
from verify.conformance import libraries, render
from verify.conformance.harness import Harness, HarnessFailed, Limits, run
from verify.conformance.judge import Verdict
from verify.conformance.outcome import Case, outcome, questions
from verify.conformance.question import printable
from verify.conformance.search import Found, search
from verify.errors import OutOfDomain, SgmError
from verify.vectors import store
from verify.vectors.model import QUANTITIES

_DEFAULT = Limits()
_ALLOWED = {"no-answer": Verdict.NO_ANSWER, "overstated": Verdict.OVERSTATED}


@click.command("check")
@click.argument("library", required=False)
@click.option(
    "--command", "program", help="A program that speaks the harness protocol, with arguments."
)
@click.option(
    "--python", help="Interpreter that has LIBRARY installed, instead of a cached environment."
)
@click.option(
    "--quantity",
    type=click.Choice(QUANTITIES),
    default="rdp",
    show_default=True,
    help="What to ask.",
)
@click.option("--flag", "flags", multiple=True, help="Only vectors with this flag (repeatable).")
@click.option("--group", "groups", multiple=True, help="Only this group of vectors (repeatable).")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Order of the questions; course of a search.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=_DEFAULT.seconds,
    show_default=True,
    help="Seconds for one answer.",
)
@click.option(
    "--restarts",
    type=click.IntRange(0),
    default=_DEFAULT.restarts,
    show_default=True,
    help="How often a program that failed is started again.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    default=4096,
    show_default=True,
    help="Megabytes the program may use.",
)
@click.option("--strict", is_flag=True, help="Digits lost to cancellation count as errors, too.")
@click.option(
    "--allow",
    multiple=True,
    type=click.Choice(list(_ALLOWED)),
    help="Verdicts that do not fail the check.",
)
@click.option(
    "--search",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    help="Hunt beyond the vectors for that many seconds.",
)
@click.option(
    "--shrink",
    "shrink",
    type=click.FloatRange(0),
    default=5.0,
    show_default=True,
    help="Seconds to look for the smallest failing point, if any fails.",
)
@click.option("--self-test", is_flag=True, help="Judge the known-wrong implementations instead.")
@click.option("--date", "date", help="Date to record (default: today).")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the outcome as JSON."
)
@click.option("--junit", "junit_file", type=click.Path(path_type=Path), help="Write JUnit XML.")
def command(
    library: str | None,
    program: str | None,
    python: str | None,
    quantity: str,
    flags: tuple[str, ...],
    groups: tuple[str, ...],
    seed: int,
    time_limit: float,
    restarts: int,
    memory: int,
    strict: bool,
    allow: tuple[str, ...],
    seconds: float | None,
    shrink: float,
    self_test: bool,
    date: str | None,
    json_file: Path | None,
    junit_file: Path | None,
) -> None:
    """Judge an implementation of the sampled Gaussian's Rényi divergence.

    \b
    sgm-verify check opacus==1.6.0
    sgm-verify check dp-accounting --search 60
    sgm-verify check --command "./my-accountant --fast"

    Exit code 0: conforms; 1: does not; 2: the program could not be judged, or bad input.
    """
    if self_test:
        _self_test(flags, groups)
        return
    try:
        target = _target(library, program, python)
        vectors = store.select(store.load(), flags, groups)
        limits = Limits(time_limit, memory=memory << 20, restarts=restarts)
        found, hunted, smallest = None, None, None
        with Harness(list(target.command), limits, seed) as harness:
            if seconds is None:
                answers = run(harness, questions(vectors, quantity), seed)
                found = outcome(
                    vectors, quantity, answers, protocol=harness.violations,
                    restarts=max(0, harness.starts - 1), strict=strict,
                    allowed=[_ALLOWED[name] for name in allow],
                )  # fmt: skip
                log = harness.log
                if shrink and found.judged and found.failures:
                    smallest = _smallest(search(harness, quantity, shrink, seed, strict))
            else:
                hunted = search(harness, quantity, seconds, seed, strict)
    except (HarnessFailed, store.BadVectors) as error:
        raise click.ClickException(str(error)) from error  # exit code 2
    if hunted is not None:
        click.echo(_hunt_text(target, hunted, seconds or 0.0))
        sys.exit(2 if not hunted.asked else 1 if hunted.worst() else 0)
    if found is None:
        raise SgmError("nothing was checked")
    more = _changed("--time-limit", time_limit, _DEFAULT.seconds) + _changed(
        "--restarts", restarts, _DEFAULT.restarts
    )
    record = _record(target, library, program, quantity, seed, strict, flags, groups, date, more)
    click.echo(render.text(record, found, smallest))
    if not found.judged and log:
        click.echo(
            f"the program's log ends: {printable(log[-180:].decode('utf-8', 'replace'))}", err=True
        )
    _write(json_file, lambda: render.json_text(record, found, smallest))
    _write(junit_file, lambda: render.junit(record, found))
    sys.exit(found.exit_code)


def _self_test(flags: tuple[str, ...], groups: tuple[str, ...]) -> None:
    from verify.conformance.selftest import lines

    rejected, wrong, total = 0, 0, 0
    for line in lines(store.select(store.load(), flags, groups)):
        click.echo(str(line))
        wrong += not line.as_expected
        if line.name != "healthy":
            total += 1
            rejected += line.as_expected
    click.echo(f"{rejected} of {total} known-wrong implementations rejected")
    sys.exit(1 if wrong else 0)


def _target(library: str | None, program: str | None, python: str | None) -> libraries.Target:
    if (library is None) == (program is None):
        raise OutOfDomain("give either a library (such as opacus==1.6.0) or --command PROGRAM")
    if program is not None:
        if python is not None:
            raise OutOfDomain("--python goes with a library, not with --command")
        try:
            words = shlex.split(program)
        except ValueError as error:
            raise OutOfDomain(f"--command {printable(program)!r}: {error}") from error
        if not words:
            raise OutOfDomain("--command: empty")
        return libraries.Target(Path(words[0]).name, "", tuple(words))
    return libraries.target(library or "", python)


def _changed(option: str, value: float, default: float) -> list[str]:
    return [] if value == default else [option, f"{value:g}"]


def _record(
    target: libraries.Target,
    library: str | None,
    program: str | None,
    quantity: str,
    seed: int,
    strict: bool,
    flags: tuple[str, ...],
    groups: tuple[str, ...],
    date: str | None,
    more: list[str],
) -> render.Run:
    words = ["sgm-verify", "check"]
    words += [f"{target.name}=={target.version}"] if library else ["--command", program or ""]
    words += ["--quantity", quantity] if quantity != "rdp" else []
    words += [word for flag in flags for word in ("--flag", flag)]
    words += [word for group in groups for word in ("--group", group)]
    words += ["--strict"] if strict else []
    words += [*more, "--seed", str(seed)]
    digest = hashlib.sha256((store.DATA / "manifest.json").read_bytes()).hexdigest()
    today = date or datetime.datetime.now(datetime.UTC).date().isoformat()
    return render.Run(
        target.name, target.version, shlex.join(words), quantity, seed, strict, digest,
        verify.__version__, today,
    )  # fmt: skip


def _smallest(found: Found) -> Case | None:
    grave = found.worst()
    return None if grave is None else found.smallest[grave]


def _hunt_text(target: libraries.Target, found: Found, seconds: float) -> str:
    lines = [f"{target.name} {target.version}: {found.asked} points in {seconds:g} s of search"]
    if found.skipped:
        lines.append(f"{found.skipped} points skipped: no certified value within the time")
    for title, case in (("worst UNSAFE", found.unsafe), ("worst overstated", found.overstated)):
        if case is not None:
            lines += render.case_lines(title, case)
    for verdict, case in found.smallest.items():
        lines += render.case_lines(f"smallest point found that is {verdict}", case)
    if not found.smallest:
        lines.append("nothing found")
    return "\n".join(lines)


def _write(path: Path | None, content: Callable[[], str]) -> None:
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content(), encoding="utf-8")
    except OSError as error:
        raise OutOfDomain(f"{path}: cannot be written ({error.strerror})") from error
