"""sgm-verify claims: what the paper claims, what is true of it, and how that is known."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from verify.claims.discovery import Installed
from verify.claims.kernel import theorems, with_kernel, with_proofs
from verify.claims.model import Checked, Claim, Finding
from verify.claims.running import as_result, differs, hardest, run, score, tally
from verify.commands import options, progress
from verify.errors import OutOfDomain
from verify.escaping import printable
from verify.parallel import cores
from verify.results import document, kernel
from verify.results.claims import ClaimsRun, Recorded
from verify.results.errata import Found, errata
from verify.results.evidence import Level, Profile, Role, Theorem, against, strongest

RECORDED = "recorded.json"  # beside a claim package's modules, written by --record


@click.command("claims")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--check", is_flag=True, help="Check the claims, all or those named, and compare.")
@options.profile
@click.option("--json", "as_json", is_flag=True, help="With --check: print one JSON document.")
@options.jobs
@click.option(
    "--kernel",
    "formal",
    type=click.Path(path_type=Path),
    help="Result file of a formal development, in place of the installed one.",
)
@click.option("--errata", "as_errata", is_flag=True, help="The paper's errors, each told once.")
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
    sgm-verify claims                                  the table
    sgm-verify claims closed-form/lemma-10/statement   one claim, checked and explained
    sgm-verify claims --errata                         the errors, checked, gravest first
    sgm-verify claims --check                          all of them; exit 1 if one differs or a wrong variant survives
    sgm-verify claims --check closed-form --json       all below an id

    An id names a claim, or all claims below it. `sgm-verify schema claims` prints the format of --json.
    """
    installed = context.find_object(Installed) or Installed.here()  # a test gives its own
    if not installed.claims:
        raise OutOfDomain("no claims are installed (entry-point group sgm_verify.claims)")
    if record and (not check or ids):
        raise OutOfDomain("--record goes with --check of all claims")
    if as_errata and (check or as_json):
        raise OutOfDomain("--errata goes without --check and --json")
    if as_json and not check:
        raise OutOfDomain("--json goes with --check")
    if formal and not (check or ids or as_errata):
        raise OutOfDomain("--kernel goes with --check, --errata, or with a claim's id")
    chosen = select(installed.claims, ids)
    proved = theorems([kernel.read(formal)] if formal else installed.formal)
    if as_errata:
        click.echo("\n".join(_errata(chosen, Profile(profile), proved)))
    elif check:
        checked = _check(chosen, Profile(profile), as_json, jobs or cores(), proved)
        if record:
            _record(installed, checked)
        if any(differs(c, checked[c.id].finding) or checked[c.id].survivors for c in chosen):
            raise click.exceptions.Exit(1)
    elif ids:
        for claim in chosen:
            finding = with_kernel(claim, claim.check(Profile(profile)), proved)
            click.echo("\n".join(_in_full(claim, finding)))
    else:
        click.echo("\n".join(_table(chosen, _recorded(installed))))


def select(claims: Mapping[str, Claim], ids: tuple[str, ...]) -> list[Claim]:
    """The claims that are named, or lie below what is named; all of them if nothing is."""
    if not ids:
        return list(claims.values())
    chosen: set[str] = set()
    for wanted in ids:
        below = wanted.rstrip("/") + "/"
        found = {name for name in claims if name == wanted or name.startswith(below)}
        if not found:
            raise OutOfDomain(f"no claim {wanted!r:.80}; sgm-verify claims lists them")
        chosen |= found
    return [claim for name, claim in claims.items() if name in chosen]


def _check(
    claims: list[Claim],
    profile: Profile,
    as_json: bool,
    jobs: int,
    proved: Mapping[str, Theorem],
) -> dict[str, Checked]:
    by_id = {claim.id: claim for claim in claims}
    shown: dict[str, Checked] = {}
    with progress.parts() as (begin, advance):
        begin("claims", len(claims))

        def done(checked: Checked) -> None:
            claim = by_id[checked.id]
            shown[claim.id] = with_proofs(claim, checked, proved)
            if not as_json:
                click.echo(_line(claim, shown[claim.id]))
            advance()

        run(claims, profile, workers=min(jobs, len(claims)), done=done)
    if as_json:
        click.echo(document.as_text(_document(by_id, shown, profile)), nl=False)
    else:
        found = list(shown.values())
        click.echo("\n".join(["", *_counts(by_id, found), str(score(found))]))
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
    level = strongest(finding.evidence) or "-"
    text = f"{claim.id:<52} {finding.verdict:<18} {level:<17} {finding.seconds:6.2f} s"
    if refuting := against(finding.evidence):
        text += f"  counterexample: {refuting}"
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


def _table(claims: list[Claim], recorded: Mapping[str, Level | None]) -> Iterator[str]:
    levels = {
        c.id: (recorded[c.id] or "none") if c.id in recorded else "not recorded" for c in claims
    }
    width = max(len(c.id) for c in claims)
    yield f"{'id':<{width}}  {'verdict':<18} {'evidence':<17} severity"
    for c in claims:
        yield f"{c.id:<{width}}  {c.verdict:<18} {levels[c.id]:<17} {c.severity}"
    yield ""
    yield f"{len(claims)} claims"
    yield _tally("verdict", (c.verdict for c in claims))
    yield _tally("evidence", levels.values())
    yield _tally("severity", (c.severity for c in claims))


def _in_full(claim: Claim, finding: Finding) -> Iterator[str]:
    yield f"{claim.id}  ({claim.place}, {claim.kind})"
    yield ""
    yield textwrap.indent(textwrap.fill(" ".join(claim.words.split()), 94), "  ")
    yield ""
    yield f"  statement  {claim.statement}"
    yield f"  domain     {claim.domain}"
    yield f"  verdict    {finding.verdict}; severity {claim.severity}"
    if claim.repair:
        yield f"  corrected  {claim.repair}"
    if claim.erratum:
        found = Found(claim.erratum, (as_result(claim, Checked(claim.id, finding, {})),))
        yield f"  erratum    {claim.erratum.title}"
        yield from _told(found)
    if why := differs(claim, finding):
        yield f"  DIFFERS    {_plain(why)}"
    for role in Role:
        for e in (e for e in finding.evidence if e.role is role):
            counts = f"{e.effective} effective, {e.vacuous} vacuous"
            yield f"  {role:<14} {e.level} ({counts}): {_plain(e.text)}"
    for name in claim.broken:
        yield f"  must fail      {name}"
    if claim.unbreakable:
        yield f"  no variant     {claim.unbreakable}"
    yield f"  reproduce      sgm-verify claims --check {claim.id}"
    yield ""


def _told(error: Found) -> Iterator[str]:
    """The lines of an erratum, wrapped below their names."""
    for name, text in error.told():
        yield textwrap.fill(
            _plain(text),
            98,
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
            finding = with_kernel(claim, claim.check(profile), proved)
            results.append(as_result(claim, Checked(claim.id, finding, {})))
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
