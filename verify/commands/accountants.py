"""sgm-verify accountants: whole accountants, judged by the exact epsilon of the runs they are asked about."""

from __future__ import annotations

import datetime
import itertools
import secrets
from collections.abc import Iterator
from contextlib import ExitStack

import click

import verify
from verify.accountants import panel, record
from verify.accountants.judged import JudgedRun, ask, search
from verify.accountants.promises import Promise
from verify.accountants.runs import Named, fresh, ordinary, others
from verify.commands import options, progress
from verify.conformance import targets
from verify.conformance.harness import Harness, Limits
from verify.errors import OutOfDomain
from verify.results import document
from verify.results.accountants import Accountants


@click.command("accountants")
@click.argument("specs", nargs=-1, metavar="[LIBRARY[==VERSION]]...")
@click.option(
    "--command", "program", help="A program that speaks the protocol and has one accountant."
)
@click.option(
    "--promise",
    type=click.Choice([str(p) for p in Promise]),
    default=str(Promise.UPPER),
    show_default=True,
    help="What the program of --command says its numbers are.",
)
@click.option(
    "--python", help="Interpreter that has LIBRARY installed, instead of a cached environment."
)
@click.option("--ordinary", "only_ordinary", is_flag=True, help="The twelve ordinary runs only.")
@click.option(
    "--fresh",
    "count",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Runs drawn anew.",
)
@click.option(
    "--seed", type=click.IntRange(0), help="Of the fresh runs.  [default: drawn, and printed]"
)
@click.option(
    "--search",
    "seconds",
    type=click.FloatRange(0),
    default=0.0,
    help="Seconds to look for each accountant's worst answer.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds for one answer.",
)
@options.as_json
def command(
    specs: tuple[str, ...],
    program: str | None,
    promise: str,
    python: str | None,
    only_ordinary: bool,
    count: int,
    seed: int | None,
    seconds: float,
    time_limit: float,
    as_json: bool,
) -> None:
    """Ask accountants for the epsilon, delta and noise of whole runs, and judge the answers by the exact values.

    Without a LIBRARY: dp-accounting, Opacus, prv-accountant, autodp and TensorFlow Privacy, installed into cached environments.
    An upper bound below the exact epsilon is UNSAFE, an interval that does not contain it misses; estimates get their
    error. Exit code 1 if a promise is broken.

    \b
    sgm-verify accountants --ordinary
    sgm-verify accountants opacus==1.6.0 --fresh 50 --search 60
    sgm-verify accountants --command 'python mine.py' --promise upper --json
    """
    if program is not None and (specs or python):
        raise OutOfDomain("give either libraries or --command PROGRAM")
    if python is not None and len(specs) != 1:
        raise OutOfDomain("--python goes with one library")
    seed = secrets.randbelow(10**9) if seed is None else seed
    asked = list(_runs(only_ordinary, 0 if only_ordinary else count, seed))
    judged = _judge(_accountants(specs, program, promise, python), asked, seed, seconds, time_limit)
    if as_json:
        date = datetime.datetime.now(datetime.UTC).date().isoformat()
        results = tuple(verdict.as_result() for verdict in judged)
        found = Accountants(
            date=date, sgm_verify=verify.__version__, seed=seed, accountants=results
        )
        click.echo(document.as_text(found), nl=False)
    else:
        click.echo("\n".join(record.lines(judged)))
        click.echo(f"fresh runs: seed {seed}")
    if record.bad(judged):
        raise SystemExit(1)


def _runs(only_ordinary: bool, count: int, seed: int) -> Iterator[Named]:
    yield from ordinary()
    if not only_ordinary:
        yield from others()
    yield from fresh(seed, count)


def _accountants(
    specs: tuple[str, ...], program: str | None, promise: str, python: str | None
) -> list[panel.Accountant]:
    if program is not None:
        words = targets.program(program).command
        return [panel.program(words, Promise(promise))]
    found = (panel.accountants(spec, python) for spec in specs or panel.ORDINARY)
    return list(itertools.chain.from_iterable(found))


def _judge(
    accountants: list[panel.Accountant], asked: list[Named], seed: int, seconds: float, limit: float
) -> list[record.AskedAccountant]:
    """One program a library; every accountant is asked everything, then searched."""
    judged = []
    with progress.parts() as (begin, advance), ExitStack() as stack:
        programs = {
            one.command: stack.enter_context(
                Harness(list(one.command), Limits(limit, max(limit, 60.0)))
            )
            for one in accountants
        }
        for one in accountants:
            begin(str(one), len(asked))
            cases: list[JudgedRun] = []
            for case in ask(one, programs[one.command], asked):
                cases.append(case)
                advance()
            worst = search(one, programs[one.command], seed, seconds) if seconds else None
            judged.append(record.AskedAccountant(one, (*cases, *([worst] if worst else []))))
    return judged
