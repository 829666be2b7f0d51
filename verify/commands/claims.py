"""sgm-verify claims: what the paper claims, what is true of it, and how that is known."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from verify.claims.discovery import Installed
from verify.claims.kernel import theorems, with_proofs
from verify.claims.model import Checked, Claim, Finding
from verify.claims.running import as_result, differs, hardest, run, score, tally
from verify.commands import options, progress
from verify.commands.suggest import did_you_mean
from verify.errors import OutOfDomain
from verify.escaping import printable
from verify.parallel import cores
from verify.results import document, kernel
from verify.results.claims import ClaimsRun, Outcome, Outcomes, Recorded
from verify.results.errata import Found, errata
from verify.results.evidence import Level, Profile, Role, Theorem, against, strongest

RECORDED = "recorded.json"  # beside a claim package's modules, written by --record
_SHORT = {  # words of a table in 80 columns
    "holds-with-repair": "repaired",
    "certified-region": "region",
    "certified-points": "points",
    "misprint, proof correct": "misprint",
    "not the published definition": "definition",
}


@click.command("claims")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--check", is_flag=True, help="Check the claims, all or those named, and compare.")
@options.profile
@options.as_json
@options.jobs
@click.option(
    "--kernel",
    "formal",
    type=click.Path(path_type=Path),
    help="Result file of a formal development, in place of the installed one.",
)
@click.option(
    "--errata",
    "as_errata",
    is_flag=True,
    help="The paper's errors, each told once, with what its check finds.",
)
@click.option("--record", is_flag=True, help="With --check: keep the evidence found for the table.")
@click.pass_context
def command(
    context: click.Context,
    ids: tuple[str, ...],
    check: bool,
    profile: str,
    as_json: bool,
    jobs: int | None,
    formal: Path | None,
    as_errata: bool,
    record: bool,
) -> None:
    """The paper's claims: a table, one claim in full, or a check of them.

    \b
    sgm-verify claims                                  the table, as recorded
    sgm-verify claims closed-form/lemma-10/statement   one claim in full
    sgm-verify claims --errata                         the paper's errors
    sgm-verify claims --check                          all of them, checked again
    sgm-verify claims --check closed-form --json       all below an id

    An id names a claim, or all claims below it. --check exits with 1 if one differs from what is recorded, or
    if a variant that is wrong on purpose survives. Without --check nothing is computed, the answer is the
    recorded outcome, at once; only --errata runs the checks that find its counterexamples, which takes a
    minute. `sgm-verify schema outcomes` prints the format of its --json,
    `sgm-verify schema claims` that of --check --json.
    """
    installed = context.find_object(Installed) or Installed.here()  # a test gives its own
    if not installed.claims:
        raise OutOfDomain("no claims are installed (entry-point group sgm_verify.claims)")
    if record and (not check or ids):
        raise OutOfDomain("--record goes with --check of all claims")
    if as_errata and (check or as_json):
        raise OutOfDomain("--errata goes without --check and --json")
    if formal and not (check or ids or as_errata):
        raise OutOfDomain("--kernel goes with --check, --errata, or with a claim's id")
    chosen = select(installed.claims, ids)
    proved = theorems([kernel.read(formal)] if formal else installed.formal)
    if as_errata:
        click.echo("\n".join(_errata(chosen, Profile(profile), proved)))
        return
    if check:
        checked = _check(chosen, Profile(profile), as_json, jobs or cores(), proved, ids)
        if record:
            _record(installed, checked)
        if any(differs(c, checked[c.id].finding) or checked[c.id].survivors for c in chosen):
            raise click.exceptions.Exit(1)
        return
    recorded = _recorded(installed)
    outcomes = Outcomes(claims=tuple(outcome(c, recorded, proved) for c in chosen))
    if as_json:
        click.echo(document.as_text(outcomes), nl=False)
    elif ids:
        for one in outcomes.claims:
            click.echo("\n".join([*_head(one), *_tail(one)]))
    else:
        click.echo("\n".join(_table(outcomes.claims)))


def outcome(
    claim: Claim, recorded: Mapping[str, Level | None], proved: Mapping[str, Theorem]
) -> Outcome:
    """A claim with what is recorded of it."""
    return Outcome(
        id=claim.id,
        place=claim.place,
        kind=claim.kind,
        domain=claim.domain,
        statement=claim.statement,
        words=claim.words,
        repair=claim.repair,
        verdict=claim.verdict,
        severity=claim.severity,
        checked=claim.id in recorded,
        strongest=recorded.get(claim.id),
        erratum=claim.erratum.title if claim.erratum else "",
        theorems=tuple(name for name in (*claim.kernel, *claim.kernel_against) if name in proved),
        broken=tuple(claim.broken),
        unbreakable=claim.unbreakable,
        unknown=claim.unknown,
        reproduce=f"sgm-verify claims --check {claim.id}",
    )


def select(claims: Mapping[str, Claim], ids: tuple[str, ...]) -> list[Claim]:
    """The claims that are named, or lie below what is named; all of them if nothing is."""
    if not ids:
        return list(claims.values())
    chosen: set[str] = set()
    for wanted in ids:
        below = wanted.rstrip("/") + "/"
        found = {name for name in claims if name == wanted or name.startswith(below)}
        if not found:
            alike = did_you_mean(wanted, [*claims, *{name.partition("/")[0] for name in claims}])
            raise OutOfDomain(f"no claim {wanted!r:.80}{alike} (sgm-verify claims lists them)")
        chosen |= found
    return [claim for name, claim in claims.items() if name in chosen]


def _check(
    claims: list[Claim],
    profile: Profile,
    as_json: bool,
    jobs: int,
    proved: Mapping[str, Theorem],
    explained: tuple[str, ...] = (),
) -> dict[str, Checked]:
    """Check; those named by their own ids are explained in full."""
    by_id = {claim.id: claim for claim in claims}
    shown: dict[str, Checked] = {}
    with progress.parts() as (begin, advance):
        names = iter([*by_id, ""])
        begin("claims", len(claims), next(names))

        def done(checked: Checked) -> None:
            claim = by_id[checked.id]
            shown[claim.id] = with_proofs(claim, checked, proved)
            if not as_json:
                if claim.id in explained:
                    one = outcome(claim, {claim.id: None}, proved)
                    found = _found(claim, shown[claim.id].finding)
                    click.echo("\n".join([*_head(one), *found, *_tail(one)]))
                click.echo(_line(claim, shown[claim.id]))
            advance(next(names))

        run(claims, profile, workers=min(jobs, len(claims)), done=done)
    if as_json:
        click.echo(document.as_text(_document(by_id, shown, profile)), nl=False)
    else:
        found = list(shown.values())
        click.echo("\n".join(["", *map(_wrapped, _counts(by_id, found))]))
        click.echo("\n".join(map(_wrapped, str(score(found)).splitlines())))
    return shown


def _document(claims: dict[str, Claim], found: dict[str, Checked], profile: Profile) -> ClaimsRun:
    return ClaimsRun(
        profile=profile,
        claims=tuple(as_result(claims[name], checked) for name, checked in found.items()),
        score=score(found.values()),
        seconds={name: round(checked.finding.seconds, 3) for name, checked in found.items()},
    )


def _line(claim: Claim, checked: Checked) -> str:
    finding = checked.finding
    level = _short(strongest(finding.evidence) or "-")
    text = f"{claim.id:<46} {_short(finding.verdict):<9} {level:<9} {finding.seconds:6.2f} s"
    if refuting := against(finding.evidence):
        text += f"\n  counterexample: {refuting}"
    if why := differs(claim, finding):
        text += f"\n  DIFFERS: {_plain(why)}"
    return text + "".join(f"\n  broken variant survived: {name}" for name in checked.survivors)


def _plain(text: str) -> str:
    """On one line, and nothing that a terminal obeys."""
    return printable(" ".join(text.split()))


def _counts(claims: Mapping[str, Claim], found: list[Checked]) -> Iterator[str]:
    levels = (strongest(c.finding.evidence) or "no evidence" for c in found)
    yield _tally("verdict", (c.finding.verdict for c in found))
    yield _tally("evidence", levels)
    yield _tally("severity", (claims[c.id].severity for c in found))
    if largest := hardest(found):
        said = (f"{c.id} ({boxes} boxes, {c.finding.seconds:.1f} s)" for c, boxes in largest)
        yield "largest interval proofs: " + ", ".join(said)


def _tally(name: str, values: Iterable[str]) -> str:
    counts = tally(values)
    return f"{name + ':':<10}" + ", ".join(f"{n} {value}" for value, n in counts.items())


def _short(word: str) -> str:
    return _SHORT.get(word, word)


def _table(claims: Iterable[Outcome]) -> Iterator[str]:
    rows = list(claims)
    levels = {c.id: (c.strongest or "none") if c.checked else "not recorded" for c in rows}
    width = max(len(c.id) for c in rows)
    yield f"{'id':<{width}} {'verdict':<8} {'evidence':<8} severity"
    for c in rows:
        level = _short(levels[c.id]) if c.checked else "?"
        yield f"{c.id:<{width}} {_short(c.verdict):<8} {level:<8} {_short(c.severity)}"
    yield ""
    yield f"{len(rows)} claims; as recorded, --check establishes them again"
    for name, counts in (
        ("verdict", (c.verdict for c in rows)),
        ("evidence", levels.values()),
        ("severity", (c.severity for c in rows)),
    ):
        yield _wrapped(_tally(name, counts))


def _wrapped(text: str) -> str:
    """A line of the summary, in 80 columns."""
    return textwrap.fill(
        text, 80, subsequent_indent=" " * 10, break_on_hyphens=False, break_long_words=False
    )


def _field(name: str, text: str) -> str:
    """A line, or several below each other, of a claim in full."""
    return textwrap.fill(
        f"  {name:<14} {_plain(text)}",
        80,
        subsequent_indent=" " * 17,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _head(claim: Outcome) -> Iterator[str]:
    yield f"{claim.id}  ({claim.place}, {claim.kind})"
    yield ""
    yield textwrap.indent(textwrap.fill(" ".join(claim.words.split()), 78), "  ")
    yield ""
    yield _field("statement", claim.statement)
    yield _field("domain", claim.domain)
    level = (claim.strongest or "none") if claim.checked else "not recorded"
    evidence = f"; evidence {level}" if claim.strongest or not claim.checked else ""
    yield _field("verdict", f"{claim.verdict}{evidence}; severity {claim.severity}")
    if claim.repair:
        yield _field("corrected", claim.repair)
    if claim.erratum:
        yield _field("erratum", claim.erratum)
    if claim.theorems:
        yield _field("theorems", ", ".join(claim.theorems))


def _found(claim: Claim, finding: Finding) -> Iterator[str]:
    if claim.erratum:
        yield from _told(Found(claim.erratum, (as_result(claim, Checked(claim.id, finding, {})),)))
    if why := differs(claim, finding):
        yield _field("DIFFERS", why)
    for role in Role:
        for e in (e for e in finding.evidence if e.role is role):
            counts = f"{e.effective} effective, {e.vacuous} vacuous"
            yield _field(role, f"{e.level} ({counts}): {e.text}")


def _tail(claim: Outcome) -> Iterator[str]:
    for name in claim.broken:
        yield _field("must fail", name)
    if claim.unbreakable:
        yield _field("no variant", claim.unbreakable)
    yield f"  {'reproduce':<14} {claim.reproduce}"
    yield ""


def _told(error: Found) -> Iterator[str]:
    """The lines of an erratum, wrapped below their names."""
    for name, text in error.told():
        yield textwrap.fill(
            _plain(text),
            80,
            initial_indent=f"    {name:<16} ",
            subsequent_indent=" " * 21,
            break_on_hyphens=False,
        )


def _errata(claims: list[Claim], profile: Profile, proved: Mapping[str, Theorem]) -> Iterator[str]:
    """The errors among the claims: each claim is checked, for its counterexample."""
    results = []
    with progress.parts() as (begin, advance):
        those = [claim for claim in claims if claim.erratum]
        begin("claims with an erratum", len(those))
        for claim in those:
            checked = Checked(claim.id, claim.check(profile), {})
            results.append(as_result(claim, with_proofs(claim, checked, proved)))
            advance()
    for number, error in enumerate(errata(results), 1):
        yield f"{number}. {error.erratum.title}  ({error.severity})"
        yield from _told(error)
        yield from (f"    {'claim':<16} {c.id} ({c.place})" for c in error.claims)
        for c in error.claims:
            if c.differs:
                yield f"    DIFFERS: {c.id}: {_plain(c.differs)}"
        yield ""


def _recorded(installed: Installed) -> dict[str, Level | None]:
    """The evidence that the last recorded check found, by id."""
    found: dict[str, Level | None] = {}
    for package in installed.packages:
        path = Path(package.__path__[0]) / RECORDED
        if path.is_file():
            found |= document.read(path, Recorded).levels
    return found


def _record(installed: Installed, checked: Mapping[str, Checked]) -> None:
    for package in installed.packages:
        levels = {
            name: strongest(checked[name].finding.evidence)
            for name, claim in sorted(installed.claims.items())
            if claim.module.startswith(package.__name__ + ".")
        }
        path = Path(package.__path__[0]) / RECORDED
        document.write(path, document.as_text(Recorded(levels=levels)))
