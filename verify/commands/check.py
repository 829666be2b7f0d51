"""sgm-verify check: judge any implementation, in any language."""

from __future__ import annotations

import datetime
import hashlib
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

import verify
from verify.conformance import libraries, record, render
from verify.conformance.harness import Harness, HarnessFailed, Limits, run
from verify.conformance.judge import Direction, Grade
from verify.conformance.judged import Asked, Case, Judged, judged, questions
from verify.conformance.question import printable
from verify.conformance.search import search
from verify.errors import OutOfDomain
from verify.results.conformance import as_text
from verify.results.document import write
from verify.results.vectors import QUANTITIES, Vector
from verify.vectors import store

_DEFAULT = Limits()
_MEGABYTES = _DEFAULT.memory >> 20
_ALLOWED: dict[str, Grade | Direction] = {
    "no-answer": Grade.NO_ANSWER,
    "overstated": Direction.OVERSTATED,
}


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for; the fields are the parameters of the command."""

    library: str | None
    program: str | None
    python: str | None
    quantity: str
    flags: tuple[str, ...]
    groups: tuple[str, ...]
    seed: int
    time_limit: float | None
    restarts: int
    memory: int
    strict: bool
    allow: tuple[str, ...]
    seconds: float | None
    shrink: float
    self_test: bool
    listed: bool
    date: str | None
    json_file: Path | None
    junit_file: Path | None

    def limits(self) -> Limits:
        """A time limit that is given holds from the first question on, imports or not."""
        seconds = self.time_limit or _DEFAULT.seconds
        start = self.time_limit or _DEFAULT.start_seconds
        return Limits(seconds, start, memory=self.memory << 20, restarts=self.restarts)

    def vectors(self) -> tuple[Vector, ...]:
        return store.select(store.load(), self.flags, self.groups)

    def more(self, vectors: tuple[Vector, ...]) -> list[Asked]:
        """Training runs at all orders, unless the check is of a part only."""
        if self.quantity != "rdp" or self.flags or self.groups:
            return []
        from verify.conformance import effect

        there = {(v.q, v.sigma, v.alpha) for v in vectors}
        return [
            point
            for point in effect.asked()
            if (point.question.q, point.question.sigma, point.question.alpha) not in there
        ]

    def target(self) -> libraries.Target:
        """The program to judge."""
        if (self.library is None) == (self.program is None):
            raise OutOfDomain("give either a library (such as opacus==1.6.0) or --command PROGRAM")
        if self.library is not None:
            return libraries.target(self.library, self.python)
        if self.python is not None:
            raise OutOfDomain("--python goes with a library, not with --command")
        program = self.program or ""
        try:
            words = shlex.split(program)
        except ValueError as error:
            raise OutOfDomain(f"--command {printable(program)!r}: {error}") from error
        if not words:
            raise OutOfDomain("--command: empty")
        return libraries.Target(Path(words[0]).name, "", tuple(words))

    def reproduce(self, target: libraries.Target) -> str:
        """The command that asks the same again, with the same exit code."""
        words = ["sgm-verify", "check"]
        if self.program is None:
            words.append(f"{target.name}=={target.version}")
            words += ["--python", self.python] if self.python else []
        else:
            words += ["--command", self.program]
        words += ["--quantity", self.quantity] if self.quantity != "rdp" else []
        words += [word for flag in self.flags for word in ("--flag", flag)]
        words += [word for group in self.groups for word in ("--group", group)]
        words += ["--strict"] if self.strict else []
        words += ["--time-limit", f"{self.time_limit:g}"] if self.time_limit else []
        words += ["--restarts", str(self.restarts)] if self.restarts != _DEFAULT.restarts else []
        words += ["--memory", str(self.memory)] if self.memory != _MEGABYTES else []
        words += [word for name in self.allow for word in ("--allow", name)]
        return shlex.join([*words, "--seed", str(self.seed)])


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
    help="Seconds for one answer, also the first.  [default: "
    f"{_DEFAULT.seconds:g}, and {_DEFAULT.start_seconds:g} for the first after a start]",
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
    default=_MEGABYTES,
    show_default=True,
    help="Megabytes the program may use.",
)
@click.option("--strict", is_flag=True, help="Answers that are merely adequate fail, too.")
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
@click.option("--list", "listed", is_flag=True, help="List the libraries known by name instead.")
@click.option("--date", "date", help="Date to record (default: today).")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the outcome as JSON."
)
@click.option("--junit", "junit_file", type=click.Path(path_type=Path), help="Write JUnit XML.")
def command(**given: Any) -> None:
    """Judge an implementation of the sampled Gaussian's Rényi divergence.

    \b
    sgm-verify check opacus==1.6.0
    sgm-verify check dp-accounting --search 60
    sgm-verify check --command "./my-accountant --fast"

    Exit code 0: conforms; 1: does not; 2: the program could not be judged, or bad input.
    """
    options = Options(**given)
    if options.listed:
        _list()
    elif options.self_test:
        _self_test(options)
    else:
        _check(options)


def _list() -> None:
    for library in libraries.known().values():
        click.echo(f"{library.name}=={library.version}")
        click.echo(f"    {library.about}")


def _self_test(options: Options) -> None:
    from verify.conformance.selftest import lines

    rejected, wrong, total = 0, 0, 0
    for line in lines(options.vectors()):
        click.echo(str(line))
        wrong += not line.as_expected
        if not line.healthy:
            total += 1
            rejected += line.as_expected
    click.echo(f"{rejected} of {total} known-wrong implementations rejected")
    sys.exit(1 if wrong else 0)


def _check(options: Options) -> None:
    try:
        target = options.target()
        vectors = options.vectors()
        with Harness(list(target.command), options.limits(), options.seed) as harness:
            if options.seconds is not None:
                _hunt(options, target, harness, options.seconds)
            found, smallest = _ask(options, harness, vectors)
    except (HarnessFailed, store.BadVectors) as error:
        raise click.ClickException(str(error)) from error  # exit code 2
    about = _run(options, target)
    made = record.document(about, found, smallest)
    name = f"{target.name} {target.version}"
    click.echo(render.text(name, found, smallest, made.clusters))
    click.echo(f"reproduce: {about.reproduce}")
    if not found.answered and harness.log:
        tail = harness.log[-180:].decode("utf-8", "replace")
        click.echo(f"the program's log ends: {printable(tail)}", err=True)
    if options.json_file is not None:
        write(options.json_file, as_text(made))
    if options.junit_file is not None:
        write(options.junit_file, record.junit_text(about, found))
    sys.exit(found.exit_code)


def _ask(
    options: Options, harness: Harness, vectors: tuple[Vector, ...]
) -> tuple[Judged, Case | None]:
    """Every vector, and the smallest point that fails if one does."""
    more = options.more(vectors)
    ask = [*questions(vectors, options.quantity), *((p.id, p.question) for p in more)]
    answers = run(harness, ask, options.seed)
    found = judged(
        vectors, options.quantity, answers, protocol=harness.violations, more=more,
        restarts=max(0, harness.starts - 1), strict=options.strict,
        allowed=[_ALLOWED[name] for name in options.allow],
    )  # fmt: skip
    if not (options.shrink and found.answered and found.failures):
        return found, None
    hunted = search(harness, options.quantity, options.shrink, options.seed, options.strict)
    grave = hunted.worst()
    return found, None if grave is None else hunted.smallest[grave]


def _hunt(options: Options, target: libraries.Target, harness: Harness, seconds: float) -> NoReturn:
    found = search(harness, options.quantity, seconds, options.seed, options.strict)
    click.echo(f"{target.name} {target.version}: {found.asked} points in {seconds:g} s of search")
    if found.skipped:
        click.echo(f"{found.skipped} points skipped: no certified value within the time")
    for title, case in (("worst UNSAFE", found.unsafe), ("worst overstated", found.overstated)):
        if case is not None:
            click.echo("\n".join(render.case_lines(title, case)))
    for kind, case in found.smallest.items():
        title = f"smallest point found that is {kind}"
        click.echo("\n".join(render.case_lines(title, case)))
    if not found.smallest:
        click.echo("nothing found")
    sys.exit(2 if not found.asked else 1 if found.worst() else 0)


def _run(options: Options, target: libraries.Target) -> record.Run:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return record.Run(
        target=target.name,
        version=target.version,
        reproduce=options.reproduce(target),
        quantity=options.quantity,
        seed=options.seed,
        strict=options.strict,
        vectors_sha256=hashlib.sha256((store.DATA / "manifest.json").read_bytes()).hexdigest(),
        tool_version=verify.__version__,
        date=options.date or today,
    )
