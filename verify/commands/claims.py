"""sgm-verify claims: what the paper claims, what is true of it, and how that is known."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from verify import claim_runner as runner
from verify.claims import Claim, Outcome, Profile, Role
from verify.commands import options
from verify.errors import OutOfDomain

RECORDED = "recorded.json"  # beside a claim package's modules, written by --record


@click.command("claims")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--check", is_flag=True, help="Check the claims, all or those named, and compare.")
@click.option(
    "--profile",
    type=click.Choice([str(p) for p in Profile]),
    default=str(Profile.QUICK),
    show_default=True,
    help="How much to do for each claim.",
)
@options.as_json
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes.  [default: cores]")
@click.option(
    "--kernel",
    type=click.Path(path_type=Path),
    help="Result file of a formal development, in place of the installed one.",
)
@click.option("--record", is_flag=True, help="With --check: keep the evidence found for the table.")
def command(
    ids: tuple[str, ...],
    check: bool,
    profile: str,
    as_json: bool,
    jobs: int | None,
    kernel: Path | None,
    record: bool,
) -> None:
    """The paper's claims: a table, one claim in full, or a check of them.

    \b
    sgm-verify claims                                  the table
    sgm-verify claims closed-form/lemma-10/statement   one claim, checked and explained
    sgm-verify claims --check                          all of them; exit 1 if one differs
    sgm-verify claims --check closed-form --json       all below an id

    An id names a claim, or all claims below it.
    """
    everything = runner.discover()
    if not everything:
        raise OutOfDomain("no claims are installed (entry-point group sgm_verify.claims)")
    chosen = select(everything, ids)
    proved = runner.kernel_results(kernel) if kernel else runner.installed_kernel_results()
    if record and (not check or ids):
        raise OutOfDomain("--record goes with --check of all claims")
    if check:
        checked = _check(chosen, Profile(profile), as_json, jobs or os.cpu_count() or 1, proved)
        if record:
            _record(chosen, checked)
        if any(runner.differs(c, checked[c.id].outcome) for c in chosen):
            raise click.exceptions.Exit(1)
    elif as_json or kernel:
        raise OutOfDomain("--json and --kernel go with --check")
    elif ids:
        for claim in chosen:
            outcome = runner.with_kernel(claim, claim.check(Profile(profile)), proved)
            click.echo("\n".join(_in_full(claim, outcome)))
    else:
        click.echo("\n".join(_table(chosen)))


def select(claims: dict[str, Claim], ids: tuple[str, ...]) -> list[Claim]:
    """The claims that are named, or lie below what is named; all of them if nothing is."""
    if not ids:
        return list(claims.values())
    chosen: dict[str, Claim] = {}
    for wanted in ids:
        found = {
            i: c for i, c in claims.items() if i == wanted or i.startswith(wanted.rstrip("/") + "/")
        }
        if not found:
            raise OutOfDomain(f"no claim {wanted!r:.80}; sgm-verify claims lists them")
        chosen |= found
    return [c for i, c in claims.items() if i in chosen]


def _check(
    claims: list[Claim], profile: Profile, as_json: bool, jobs: int, proved: dict[str, str]
) -> dict[str, runner.Result]:
    by_id = {claim.id: claim for claim in claims}
    shown: list[runner.Result] = []

    def show(result: runner.Result) -> None:
        claim = by_id[result.id]
        outcome = runner.with_kernel(claim, result.outcome, proved)
        result = runner.Result(result.id, outcome, result.variants)
        shown.append(result)
        if as_json:
            text = json.dumps(_as_json(claim, result), ensure_ascii=False)
            click.echo(("" if len(shown) == 1 else ",\n") + text, nl=False)
        else:
            click.echo(_line(claim, result))

    if as_json:
        click.echo('{"claims": [')
    with _progress(len(claims)) as advance:

        def done(result: runner.Result) -> None:
            show(result)
            advance()

        runner.run(claims, profile, workers=min(jobs, len(claims)), done=done)
    score = runner.score(shown)
    if as_json:
        # Written last: a document without it was cut short (and is no JSON either).
        click.echo('\n], "score": ' + json.dumps(str(score)) + ', "complete": true}')
    else:
        click.echo("\n".join(["", *_counts(by_id, shown), str(score)]))
    return {result.id: result for result in shown}


def _as_json(claim: Claim, result: runner.Result) -> dict[str, object]:
    outcome = result.outcome
    row: dict[str, object] = {
        "id": claim.id,
        "place": claim.place,
        "kind": claim.kind,
        "severity": claim.severity,
        "verdict": outcome.verdict,
        "evidence": [
            {
                "level": e.level,
                "effective": e.effective,
                "vacuous": e.vacuous,
                "detail": e.detail,
                "role": e.role,
            }
            for e in outcome.evidence
        ],
        "seconds": round(outcome.seconds, 3),
        "recorded": claim.verdict,
        "broken": {n: "rejected" if o.refuses else "survived" for n, o in result.variants.items()},
    }
    if why := runner.differs(claim, outcome):
        row["differs"] = why
    return row


def _line(claim: Claim, result: runner.Result) -> str:
    level = runner.strongest(result.outcome) or "-"
    text = (
        f"{claim.id:<52} {result.outcome.verdict:<18} {level:<17} {result.outcome.seconds:6.2f} s"
    )
    if why := runner.differs(claim, result.outcome):
        text += f"\n  DIFFERS: {plain(why)}"
    return text + "".join(f"\n  broken variant survived: {name}" for name in result.survivors)


def plain(text: str) -> str:
    """One line without control characters.

    >>> plain("a\\tb\\x1b[31m")
    'a b\\\\x1b[31m'
    """
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _counts(claims: dict[str, Claim], results: list[runner.Result]) -> Iterator[str]:
    levels = (runner.strongest(r.outcome) or "no evidence" for r in results)
    yield _tally("verdict", (r.outcome.verdict for r in results))
    yield _tally("evidence", levels)
    yield _tally("severity", (claims[r.id].severity for r in results))
    if hardest := runner.hardest(results):
        shown = (f"{r.id} ({boxes} boxes, {r.outcome.seconds:.1f} s)" for r, boxes in hardest)
        yield "largest interval proofs: " + ", ".join(shown)


def _tally(name: str, values: Iterator[str]) -> str:
    counts = runner.tally(values)
    return f"{name + ':':<10}" + ", ".join(f"{n} {value}" for value, n in counts.items())


def _table(claims: list[Claim]) -> Iterator[str]:
    recorded = _recorded()
    width = max(len(c.id) for c in claims)
    yield f"{'id':<{width}}  {'verdict':<18} {'evidence':<17} severity"
    for c in claims:
        level = recorded.get(c.id, "not recorded")
        yield f"{c.id:<{width}}  {c.verdict:<18} {level:<17} {c.severity}"
    yield ""
    yield f"{len(claims)} claims"
    yield _tally("verdict", (c.verdict for c in claims))
    yield _tally("evidence", (recorded.get(c.id, "not recorded") for c in claims))
    yield _tally("severity", (c.severity for c in claims))


def _in_full(claim: Claim, outcome: Outcome) -> Iterator[str]:
    yield f"{claim.id}  ({claim.place}, {claim.kind})"
    yield ""
    yield textwrap.indent(textwrap.fill(" ".join(claim.words.split()), 94), "  ")
    yield ""
    yield f"  statement  {claim.statement}"
    yield f"  domain     {claim.domain}"
    yield f"  verdict    {outcome.verdict}; severity {claim.severity}"
    if claim.repair:
        yield f"  corrected  {claim.repair}"
    if why := runner.differs(claim, outcome):
        yield f"  DIFFERS    {plain(why)}"
    for role in Role:
        for e in (e for e in outcome.evidence if e.role is role):
            counts = f"{e.effective} effective, {e.vacuous} vacuous"
            yield f"  {role:<14} {e.level} ({counts}): {plain(e.detail)}"
    for name in claim.broken:
        yield f"  must fail      {name}"
    if claim.unbreakable:
        yield f"  no variant     {claim.unbreakable}"
    yield f"  reproduce      sgm-verify claims --check {claim.id}"
    yield ""


def _recorded() -> dict[str, str]:
    """The evidence that the last recorded check found, by id."""
    found: dict[str, str] = {}
    for package in runner.packages():
        path = Path(package.__path__[0]) / RECORDED
        if path.is_file():
            found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def _record(claims: list[Claim], results: dict[str, runner.Result]) -> None:
    for package in runner.packages():
        levels = {
            c.id: runner.strongest(results[c.id].outcome) or "none"
            for c in claims
            if c.module.startswith(package.__name__ + ".")
        }
        path = Path(package.__path__[0]) / RECORDED
        path.write_text(json.dumps(levels, indent=1) + "\n", encoding="utf-8")


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error while results go elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("claims", total=total)
        yield lambda: progress.advance(task)
