"""sgm-verify check: judge any implementation, in any language."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.commands import options as shared
from verify.support.screen import fitted, width

if TYPE_CHECKING:
    from verify.judge.check.options import Options

_QUANTITIES = ("log_a", "log_b", "rdp", "rdp_reverse")
_file = click.Path(path_type=Path)


@click.command("check")
@click.argument("what", required=False, metavar="[LIBRARY | MODULE:FUNCTION]")
@shared.in_order(
    click.option("--command", "program", help="A program that speaks the harness protocol, with arguments."),
    click.option("--checkout", type=_file, help="Folder with the code of LIBRARY to judge, instead of a release."),
    click.option("--python", help="Interpreter that has LIBRARY or MODULE, instead of an environment made here."),
    click.option("--with", "beside", multiple=True,
                 help="Also install this requirement, such as numpy==1.26.4 (repeatable)."),
    click.option("--against", help="Another LIBRARY or MODULE:FUNCTION to ask the same, and compare."),
    click.option("--quantity", type=click.Choice(_QUANTITIES), default="rdp", show_default=True, help="What to ask."),
    click.option("--flag", "flags", multiple=True, help="Only vectors with this flag (repeatable)."),
    click.option("--group", "groups", multiple=True, help="Only this group of vectors (repeatable)."),
    click.option("--domain", default="", help="What is supported: 'alpha>=2, whole', 'q<=0.5, sigma>=0.3', ..."),
    click.option("--seed", type=click.IntRange(0),
                 help="Fresh points, order of questions, course of a search.  [default: drawn, and printed]"),
    click.option("--quick", is_flag=True, help="A first look: few fresh points, nothing asked twice, no waiting."),
    click.option("--fresh", type=click.IntRange(0, 90_000), default=0,
                 help="So many more fresh points, asked of copies of the program (beyond: sgm-verify sweep "
                      "library-fresh)."),
    click.option("--jobs", type=int, help="Copies that --fresh asks  [all cores]; 0: all in one process."),
    click.option("--dask", metavar="ADDRESS", help="Ask the copies on a dask cluster instead."),
    click.option("--time-limit", type=click.FloatRange(0, min_open=True),
                 help="Seconds for one answer, also the first.  [default: 30, and 60 for the first after a start]"),
    click.option("--patience", type=click.FloatRange(0), default=300.0, show_default=True,
                 help="Seconds in all to wait for answers that do not come."),
    click.option("--restarts", type=click.IntRange(0), default=40, show_default=True,
                 help="How often a program that failed is started again."),
    click.option("--memory", type=click.IntRange(16), default=4096, show_default=True,
                 help="Megabytes the program may use."),
    click.option("--strict", is_flag=True, help="Answers that are merely adequate fail, too."),
    click.option("--allow", multiple=True, type=click.Choice(["no-answer", "overstated", "low"]),
                 help="Verdicts that do not fail the check."),
    click.option("--exceptions", type=_file, help="TOML file of known failures (docs/conformance.md)."),
    click.option("--search", type=click.FloatRange(0, min_open=True), help="After that, look for wrong answers for so many seconds."),
    click.option("--shrink", type=click.FloatRange(0), default=5.0, show_default=True,
                 help="Seconds to look for the smallest failing point, if any fails."),
    click.option("--prove", is_flag=True,
                 help="A Coq theorem for the smallest UNSAFE answer of each cause (half a minute each)."),
    click.option("--self-test", is_flag=True, help="Judge the known-wrong implementations instead."),
    click.option("--cheats", is_flag=True,
                 help="Judge the programs that cheat instead, and say how long it took (minutes)."),
    click.option("--list", "listed", is_flag=True, help="List the libraries known by name instead."),
    click.option("--date", help="Date to record (default: today)."),
    shared.as_json,
    click.option("--out", type=_file, help="Write the JSON into this file."),
    click.option("--junit", "junit_file", type=_file, help="Write JUnit XML."),
    click.option("--badge", "badge_file", type=_file, help="Write a badge (JSON, shields.io endpoint)."),
)  # fmt: skip
def command(**given: Any) -> None:
    """Judge an implementation of the sampled Gaussian's Rényi divergence.

    \b
    sgm-verify check opacus==1.6.0
    sgm-verify check mylib.accountant:compute_rdp --quick
    sgm-verify check --command "./my-accountant --fast"
    sgm-verify check dp-accounting==0.6.0 --against dp-accounting==0.4.3

    Asks the published vectors and fresh points, many of them twice, for about a minute.
    Exit code 0: conforms; 1: does not, or never gives a number; 2: bad input, or it cannot be started.
    """
    from verify.judge.check.options import Options

    options = Options.of(given)
    if options.listed:
        _list(options.as_json)
    elif options.self_test:
        _self_test(options)
    elif options.cheats:
        _cheats(options)
    else:
        _check(options)


def _list(as_json: bool) -> None:
    from verify.judge.protocol import libraries

    if as_json:
        found = libraries.known_libraries().values()
        shared.emit({x.name: {"version": x.version, "about": x.about} for x in found})
        return
    for library in libraries.known_libraries().values():
        click.echo(f"{library.name}=={library.version}")
        click.echo(textwrap.indent(textwrap.fill(library.about, width() - 4), "    "))


def _self_test(options: Options) -> None:
    from verify.judge.selftest.selftest import lines

    rejected, wrong, total = 0, 0, 0
    for line in lines(options.vectors()):
        if options.as_json:  # a line each
            told = {"conforms": line.found.conforms, "as_expected": line.as_expected}
            shared.emit({"name": line.name, **told})
        else:
            click.echo(str(line))
        wrong += not line.as_expected
        if not line.healthy:
            total += 1
            rejected += line.as_expected
    if not options.as_json:
        click.echo(f"{rejected} of {total} known-wrong implementations rejected")
    sys.exit(1 if wrong else 0)


def _cheats(options: Options) -> None:
    from verify.judge.selftest.found_out import lines

    missed = 0
    for line in lines(options.request()):
        if options.as_json:  # a line each
            shared.emit(line.as_dict())
        else:
            click.echo(str(line))
        missed += not line.found_out
    sys.exit(1 if missed else 0)


def _check(options: Options) -> None:
    from verify.judge.causes import theorems
    from verify.judge.check import running
    from verify.judge.protocol.harness import HarnessFailed
    from verify.judge.show import badge, record, render
    from verify.results.conformance import as_text
    from verify.results.document import write
    from verify.vectors.store import BadVectors

    try:
        done = running.run(options, _say)
    except (HarnessFailed, BadVectors) as error:
        raise click.ClickException(str(error)) from error  # exit code 2
    about, found, smallest = done.about(options), done.checked.found, done.checked.smallest
    prove = theorems.proving(done.target.title, _say) if options.prove else None
    made = record.document(about, found, smallest, prove)
    if options.as_json:
        click.echo(as_text(made), nl=False)
    else:
        click.echo(fitted(render.text(done.target.title, found, smallest, made.clusters)))
        for line in done.lines():
            click.echo(line)
    for warning in done.warnings():
        click.echo(warning, err=True)
    if options.out is not None:
        write(options.out, as_text(made))
    if options.junit_file is not None:
        write(options.junit_file, record.junit_text(about, found))
    if options.badge_file is not None:
        write(options.badge_file, badge.badge(found))
    sys.exit(done.exit_code)


def _say(line: str) -> None:
    click.echo(line, err=True)
