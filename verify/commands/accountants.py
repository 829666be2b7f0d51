"""sgm-verify accountants: whole accountants, judged by the exact epsilon of the runs they are asked about."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.commands import options as shared
from verify.numbers.errors import OutOfDomain
from verify.results.run_vectors import RELATIONS, SAMPLINGS
from verify.support.screen import fitted

if TYPE_CHECKING:
    from verify.judge.runs.options import RunOptions
    from verify.results.accountants import Accountants

_file = click.Path(path_type=Path)
_PROVING_SECONDS = 1200.0  # for the theorem on one answer


@click.command("accountants")
@click.argument("specs", nargs=-1, metavar="[LIBRARY[==VERSION] | MODULE:FUNCTION]...")
@shared.in_order(
    click.option("--command", "program", help="A program that speaks the protocol and has one accountant."),
    click.option("--promise", type=click.Choice(["upper", "lower", "estimate"]), default="upper", show_default=True,
                 help="What a program or a function promises that its numbers are."),
    click.option("--checkout", type=_file, help="Folder with the code of LIBRARY to judge, instead of a release."),
    click.option("--python", help="Interpreter that has LIBRARY or MODULE, instead of a cached environment."),
    click.option("--with", "beside", multiple=True,
                 help="Also install this requirement, such as numpy==1.26.4 (repeatable)."),
    click.option("--only", multiple=True, help="Only this accountant of the libraries, such as pld (repeatable)."),
    click.option("--quantity", "quantities", multiple=True, type=click.Choice(["epsilon", "delta", "sigma"]),
                 help="Only this quantity (repeatable)."),
    click.option("--sampling", "samplings", multiple=True, type=click.Choice(SAMPLINGS), metavar="NAME",
                 default=("poisson",), show_default=True, help="A sampling that a program or a function accounts for (repeatable)."),
    click.option("--relation", "relations", multiple=True, type=click.Choice(RELATIONS), default=("add/remove",),
                 show_default=True, help="A relation of neighbours that it accounts for (repeatable)."),
    click.option("--flag", "flags", multiple=True, help="Only vectors with this flag (repeatable)."),
    click.option("--group", "groups", multiple=True, help="Only this group of vectors (repeatable)."),
    click.option("--domain", default="",
                 help="What is supported: 'phases<=1, delta>=1e-12', 'q<=0.5, sigma>=0.3', ..."),
    click.option("--ordinary", is_flag=True, help="The twelve ordinary runs only."),
    click.option("--quick", is_flag=True,
                 help="A first look: ordinary runs and some drawn ones, nothing asked twice, no waiting."),
    click.option("--fresh", type=click.IntRange(0),
                 help="Number of new random questions.  [default: 120; 15 with --quick]"),
    click.option("--seed", type=click.IntRange(0),
                 help="Seed of the random questions and of the order.  [default: drawn, and printed]"),
    click.option("--search", type=click.FloatRange(0), default=0.0,
                 help="After that, look for each accountant's worst answer for so many seconds."),
    click.option("--time-limit", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True,
                 help="Seconds for one answer, not counting those in which the machine was busy with others."),
    click.option("--memory", type=click.IntRange(16), default=4096, show_default=True,
                 help="Megabytes the program may use."),
    click.option("--strict", is_flag=True, help="Estimates that are off by more than a thousandth fail, too."),
    click.option("--allow", multiple=True, type=click.Choice(["no-answer", "overstated", "low"]),
                 help="Verdicts that do not fail the check."),
    click.option("--exceptions", type=_file, help="TOML file of known failures (docs/conformance.md)."),
    click.option("--cheats", is_flag=True,
                 help="Judge the accountants that cheat instead, and say how long it took (minutes)."),
    click.option("--list", "listed", is_flag=True,
                 help="List the libraries whose accountants are known, with what each promises."),
    click.option("--date", help="Date to record (default: today)."),
    click.option("--prove", is_flag=True, help="Prove of every UNSAFE epsilon that it is not valid (needs Coq)."),
    shared.as_json,
    click.option("--out", type=_file, help="Write the JSON into this file."),
    click.option("--junit", "junit_file", type=_file, help="Write JUnit XML."),
)  # fmt: skip
def command(**given: Any) -> None:
    """Ask accountants for the epsilon, delta and noise of whole runs, and judge the answers by the exact values.

    Without a LIBRARY: dp-accounting, Opacus, prv-accountant, autodp and TensorFlow Privacy,
    installed into cached environments. An upper bound below the exact value is low or UNSAFE, a
    lower one above it misses; estimates get their error; no answer, nan, infinity and a thousand
    times the truth are failures, too. Exit code 0: all conform; 1: one does not, or never gives a
    number; 2: bad input, or one cannot be started.

    \b
    sgm-verify accountants --ordinary
    sgm-verify accountants opacus==1.6.0 --only prv --search 60
    sgm-verify accountants mylib.accountant:epsilon --quick
    sgm-verify accountants --command 'python mine.py' --promise upper --json
    """
    from verify.judge.runs.options import RunOptions

    prove = given.pop("prove")
    if prove and given["as_json"]:
        raise OutOfDomain("--prove and --json exclude each other: --prove prints theorems as text")
    asked = RunOptions.of(given)
    if asked.listed:
        _list(asked.as_json)
    elif asked.cheats:
        _cheats(asked)
    else:
        _check(asked, prove)


def _list(as_json: bool) -> None:
    from verify.judge.protocol import libraries
    from verify.judge.runs import panel

    found = {
        name: {
            accountant: {"promise": str(promise), "documented": panel.documented_promises(library).get(accountant, "")}
            for accountant, promise in panel.promises(library).items()
        }
        for name, library in libraries.known_libraries().items()
        if panel.promises(library)
    }  # fmt: skip
    if as_json:
        shared.emit(found)
        return
    for name, accountants in found.items():
        click.echo(f"{name}=={libraries.known_libraries()[name].version}")
        for accountant, said in accountants.items():
            click.echo(fitted(f"    {accountant}: {said['promise']}"))
            if said["documented"]:
                click.echo(fitted(f"        {said['documented']}"))


def _cheats(asked: RunOptions) -> None:
    from verify.judge.selftest.accountants.found_out import lines

    wrong = 0
    for line in lines(asked.seed):
        if asked.as_json:
            shared.emit(line.as_dict())
        else:
            click.echo(str(line))
        wrong += not line.as_expected
    sys.exit(1 if wrong else 0)


def _check(asked: RunOptions, prove: bool) -> None:
    from verify.commands import progress
    from verify.judge.protocol.harness import HarnessFailed
    from verify.judge.runs import record
    from verify.results import document
    from verify.vectors.store import BadVectors

    try:
        with progress.parts() as (begin, advance):
            examined = asked.run(begin, advance)
    except (HarnessFailed, BadVectors) as error:
        raise click.ClickException(str(error)) from error
    made = asked.document(examined)
    if asked.as_json:
        click.echo(document.as_text(made), nl=False)
    else:
        click.echo(fitted("\n".join(record.lines(examined))))
        click.echo(f"reproduce: {asked.reproduce()}")
        for line in _theorems(made) if prove else ():
            click.echo(line)
    if asked.out is not None:
        document.write(asked.out, document.as_text(made))
    if asked.junit_file is not None:
        document.write(asked.junit_file, record.junit_text(examined))
    sys.exit(record.exit_code(examined))


def _theorems(made: Accountants) -> Iterator[str]:
    """A theorem on every epsilon that is too small, or why there is none."""
    from verify.accounting.history import phase
    from verify.claims.proving import refutation_of_run

    for case in (case for one in made.accountants for case in one.cases):
        about = (case.ruling, case.quantity, case.sampling, case.relation)
        if about == ("UNSAFE", "epsilon", "poisson", "add/remove") and isinstance(
            case.answer, float
        ):
            phases = tuple(phase(p.q or 0, p.sigma or 0, p.steps) for p in case.history)
            yield f"\n{case.run}: {case.answer!r}"
            yield refutation_of_run(phases, case.delta or 0.0, case.answer, _PROVING_SECONDS)
