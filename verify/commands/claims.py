"""sgm-verify claims: what the paper claims, what is true of it, and how that is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import click

from verify.claims.discovery import Installed
from verify.claims.kernel import theorems, with_proofs
from verify.claims.model import Checked, Claim
from verify.claims.paper import Paper, papers
from verify.claims.running import as_result, differs, run, score
from verify.commands import claims_text, options, progress
from verify.commands.claims_places import is_erratum, numbered, stands_at
from verify.commands.suggest import did_you_mean
from verify.numbers.errors import OutOfDomain
from verify.parallel import cores
from verify.results import document, kernel
from verify.results.claims import ClaimOutcome, ClaimsRun, Outcomes, Recorded
from verify.results.errata import errata
from verify.results.evidence import Level, Profile, Theorem, strongest

Named = TypeVar("Named", Claim, ClaimOutcome)

RECORDED = "recorded.json"  # beside a claim package's modules, written by --record


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
    help="The paper's errors, each listed once, with the counterexample; --check finds it again.",
)
@click.option(
    "--record", is_flag=True, help="With --check: record the evidence that the table shows."
)
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
    sgm-verify claims "Theorem 11"                     by its printed name
    sgm-verify claims --errata                         the paper's errors
    sgm-verify claims "erratum 5"                      one of them
    sgm-verify claims --check                          all of them, checked again
    sgm-verify claims --check closed-form --json       all below an id

    An id names a claim, or all claims below it; a printed name
    (Theorem 11, Lemma 6, eq. 5, Table 1) all claims that stand there. --check exits with 1 if one
    differs from what is recorded, or if a variant that is wrong on purpose survives.
    Without --check nothing is computed, the answer is what was recorded, at once, and needs no
    package for the checks. `sgm-verify schema outcomes` prints the format of its --json,
    `sgm-verify schema claims` that of --check --json.
    """
    as_errata = as_errata or any(map(is_erratum, ids))
    if not check and (light := _light(context, formal)) is not None:
        if record:
            raise OutOfDomain("--record goes with --check of all claims")
        if as_errata and as_json:
            raise OutOfDomain("--errata goes without --json")
        _show_light(light, ids, as_json, as_errata)
        return
    installed = context.find_object(Installed) or Installed.here()  # a test gives its own
    if not installed.claims:
        raise OutOfDomain("no claims are installed (entry-point group sgm_verify.claims)")
    if record and (not check or ids):
        raise OutOfDomain("--record goes with --check of all claims")
    if as_errata and as_json:
        raise OutOfDomain("--errata goes without --json")
    if as_errata and record:
        raise OutOfDomain("--errata goes without --record")
    if formal and not (check or ids or as_errata):
        raise OutOfDomain("--kernel goes with --check, --errata, or with a claim's id")
    if as_errata:
        ids = numbered(ids, _read_recorded(installed).errata)
    chosen = select(installed.claims, ids)
    proved = theorems([kernel.read(formal)] if formal else installed.formal)
    if as_errata:
        kept = () if check or formal else _read_recorded(installed).errata
        wanted = {claim.id for claim in chosen}
        if kept:
            click.echo("\n".join(claims_text.errata(kept, wanted)))
        else:
            click.echo("\n".join(_errata(chosen, Profile(profile), proved)))
        return
    if check:
        checked = _check(chosen, Profile(profile), as_json, jobs or cores(), proved, ids)
        if record:
            _record(installed, checked, proved)
        if any(differs(c, checked[c.id].finding) or checked[c.id].survivors for c in chosen):
            raise click.exceptions.Exit(1)
        return
    recorded = _recorded_levels(installed)
    outcomes = Outcomes(claims=tuple(outcome(c, recorded, proved) for c in chosen))
    _show(outcomes, as_json, bool(ids))


def outcome(
    claim: Claim, recorded: Mapping[str, Level | None], proved: Mapping[str, Theorem]
) -> ClaimOutcome:
    """A claim with what is recorded of it."""
    return ClaimOutcome(
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


def select(claims: Mapping[str, Named], ids: tuple[str, ...]) -> list[Named]:
    """The claims that are named, or lie below what is named; all of them if nothing is."""
    if not ids:
        return list(claims.values())
    chosen: set[str] = set()
    for wanted in ids:
        below = wanted.rstrip("/") + "/"
        found = {name for name in claims if name == wanted or name.startswith(below)}
        found = found or {name for name, c in claims.items() if stands_at(wanted, c.place)}
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
                    found = claims_text.finding_lines(claim, shown[claim.id].finding)
                    click.echo("\n".join([*claims_text.head(one), *found, *claims_text.tail(one)]))
                click.echo(claims_text.line(claim, shown[claim.id]))
            advance(next(names))

        run(claims, profile, workers=min(jobs, len(claims)), done=done)
    if as_json:
        click.echo(document.as_text(_document(by_id, shown, profile)), nl=False)
    else:
        found = list(shown.values())
        click.echo("\n".join(["", *map(claims_text.wrap_line, claims_text.counts(by_id, found))]))
        click.echo("\n".join(map(claims_text.wrap_line, str(score(found)).splitlines())))
    return shown


def _document(claims: dict[str, Claim], found: dict[str, Checked], profile: Profile) -> ClaimsRun:
    return ClaimsRun(
        profile=profile,
        claims=tuple(as_result(claims[name], checked) for name, checked in found.items()),
        score=score(found.values()),
        seconds={name: round(checked.finding.seconds, 3) for name, checked in found.items()},
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
    for error in errata(results):
        yield from claims_text.erratum(error.as_part())
        for c in error.claims:
            if c.differs:
                yield f"    DIFFERS: {c.id}: {claims_text.plain(c.differs)}"
        yield ""


def _recorded_levels(installed: Installed) -> dict[str, Level | None]:
    """The evidence that the last recorded check found, by id."""
    return _read_recorded(installed).levels


def _read_recorded(installed: Installed) -> Recorded:
    return recorded_of(installed.papers)


def recorded_of(which: Iterable[Paper]) -> Recorded:
    """What the last recorded check of these papers found."""
    paths = [paper.folder() / RECORDED for paper in which]
    found = [document.read(path, Recorded) for path in paths if path.is_file()]
    return Recorded(
        levels={name: level for one in found for name, level in one.levels.items()},
        outcomes=tuple(outcome for one in found for outcome in one.outcomes),
        errata=tuple(error for one in found for error in one.errata),
    )


def _light(context: click.Context, formal: Path | None) -> Recorded | None:
    """What is recorded: shown at once, and without the packages that the claims need.

    None if a paper has recorded nothing, or if a test or --kernel brings something else.
    """
    if context.find_object(Installed) or formal:
        return None
    kept = [recorded_of([paper]) for paper in papers()]
    return recorded_of(papers()) if kept and all(one.outcomes for one in kept) else None


def _show_light(kept: Recorded, ids: tuple[str, ...], as_json: bool, as_errata: bool) -> None:
    by_id = {one.id: one for one in kept.outcomes}
    chosen = select(by_id, numbered(ids, kept.errata) if as_errata else ids)
    if as_errata:
        click.echo("\n".join(claims_text.errata(kept.errata, {one.id for one in chosen})))
    else:
        _show(Outcomes(claims=tuple(chosen)), as_json, bool(ids))


def _show(outcomes: Outcomes, as_json: bool, named: bool) -> None:
    if as_json:
        click.echo(document.as_text(outcomes), nl=False)
    elif named:
        for one in outcomes.claims:
            click.echo("\n".join([*claims_text.head(one), *claims_text.tail(one)]))
    else:
        click.echo("\n".join(claims_text.table(outcomes.claims)))


def _record(
    installed: Installed, checked: Mapping[str, Checked], proved: Mapping[str, Theorem]
) -> None:
    for paper in installed.papers:
        ours = {
            name: claim
            for name, claim in installed.claims.items()
            if claim.module.startswith(paper.package + ".")
        }
        levels = {name: strongest(checked[name].finding.evidence) for name in sorted(ours)}
        found = errata(as_result(claim, checked[name]) for name, claim in ours.items())
        kept = Recorded(
            levels=levels,
            outcomes=tuple(outcome(claim, levels, proved) for claim in ours.values()),
            errata=tuple(error.as_part() for error in found),
        )
        document.write(paper.folder() / RECORDED, document.as_text(kept))
