"""sgm-verify report: run the verification, say what was found, write it down."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from verify.commands import options, progress
from verify.numbers.errors import OutOfDomain
from verify.parallel import cores
from verify.report.collect import cache, model
from verify.report.collect.collect import Plan, collect
from verify.report.pages import build, diff
from verify.results import document
from verify.results.evidence import Profile, Verdict
from verify.results.report import Change, Results
from verify.support import extras
from verify.support.escaping import printable
from verify.support.folders import cache_folder

_LISTED = 40


@click.command("report")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder for the report; its conformance/*.json and bench.json are read.",
)
@options.profile
@options.jobs
@click.option(
    "--diff",
    "old",
    type=click.Path(dir_okay=False, path_type=Path),
    help="An older results.json: list what changed, here and in the report.",
)
@click.option("--fresh", is_flag=True, help="Compute everything again instead of reusing results.")
@click.option("--json", "as_json", is_flag=True, help="Print results.json in place of the summary.")
@click.pass_context
def command(
    context: click.Context,
    out: Path,
    profile: str,
    jobs: int | None,
    old: Path | None,
    fresh: bool,
    as_json: bool,
) -> int:
    """Run the whole verification and write the report.

    Ground truth, claims, formal proofs, libraries and figures: results.json, and from it
    report.html and the pages it leads to (no network), report.md, figures/*.svg, junit.xml, and manifest.json with
    their digests. What has not changed since an earlier run is reused. Exit code 1 if anything failed.
    `sgm-verify schema results` prints the format of results.json.
    """
    extras.need("report")
    before = None if old is None else document.read(old, Results)
    last = _last(out)
    drawings = build.begin(out)
    start = time.monotonic()
    store = cache.Cache(None if fresh else cache_folder("report"))
    with progress.parts() as (begin, advance):
        plan = replace(
            context.ensure_object(Plan),  # a test gives a smaller one
            profile=Profile(profile),
            workers=jobs or cores(),
            folder=out,
            cache=store,
            start=begin,
            advance=advance,
        )
        results = collect(plan)
        if before is not None:
            results = diff.with_changes(results, before)
        begin("writing", 1)
        digests = build.write(out, results, store, drawings)
    if as_json:
        click.echo(document.as_text(results), nl=False)
    else:
        click.echo("\n".join(in_short(results, out, digests)))
        if before is None and last is not None:
            found = tuple(diff.changes(last, results))
            click.echo("\n".join(_changes(f"since the last report in {out}", found)))
        click.echo(
            f"{time.monotonic() - start:.1f} s; {store.computed} results computed, {store.reused} reused"
        )
    return 1 if results.failures else 0


def in_short(results: Results, out: Path, digests: dict[str, str]) -> Iterator[str]:
    """What a person can act on, in a few lines."""
    n = results.numbers
    yield (
        f"{n.claims} claims checked, {n.proved} proved by kernel or symbolically, "
        f"{n.refuted} refuted, {n.libraries} libraries judged"
    )
    for claim in model.by_severity(results.claims, Verdict.REFUTED):
        yield f"  {claim.severity:<16} {claim.id} ({claim.place})"
    passed = sum(row.passed for row in results.ground_truth)
    yield f"ground truth: {passed} of {len(results.ground_truth)} checks passed"
    kernel = results.kernel
    yield "formal proofs: " + (
        f"{len(kernel.theorems)} theorems" if kernel else "no result of the present sources"
    )
    for family in results.families:
        found = (
            f"{family.good} of {family.points} answers right, effect on epsilon: {family.effect}"
        )
        yield printable(f"libraries: {family.name}: {found}")
    if results.changes is not None:
        yield from _changes("since the older report", results.changes.rows)
    for failure in results.failures:
        yield printable(f"FAILED: {failure}")
    yield f"written to {out}: {', '.join(name for name in digests if '/' not in name)}, figures/"
    yield "everything passed" if not results.failures else "the verification FAILED"


def _last(out: Path) -> Results | None:
    """The report that is about to be replaced, if there is one of this format."""
    try:
        return document.read(out / "results.json", Results)
    except OutOfDomain:
        return None


def _changes(since: str, rows: Sequence[Change]) -> Iterator[str]:
    plural = "" if len(rows) == 1 else "s"
    yield f"{since}: {len(rows)} change{plural}" if rows else f"{since}: nothing changed"
    for row in rows[:_LISTED]:
        yield printable(f"  {row.what}: {row.before[:60]} -> {row.after[:60]}")
    if len(rows) > _LISTED:
        yield f"  and {len(rows) - _LISTED} more (--diff puts them into the report)"
