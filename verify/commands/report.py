"""sgm-verify report: run the verification, say what was found, write it down."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import click

from verify.claims import Profile
from verify.commands import options, progress
from verify.errors import OutOfDomain
from verify.folders import cache_folder
from verify.report import build, cache, diff, model
from verify.report.collect import Plan, collect
from verify.report.junit import clean

_LISTED = 40


@click.command("report")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder for the report; its conformance/*.json and bench.json are read.",
)
@click.option(
    "--profile",
    type=click.Choice([str(p) for p in Profile]),
    default=str(Profile.QUICK),
    show_default=True,
    help="How much to do for each claim and figure.",
)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes.  [default: cores]")
@click.option(
    "--diff",
    "old",
    type=click.Path(dir_okay=False, path_type=Path),
    help="An older results.json: list what changed, here and in the report.",
)
@click.option("--fresh", is_flag=True, help="Compute everything again instead of reusing results.")
@options.as_json
def command(
    out: Path, profile: str, jobs: int | None, old: Path | None, fresh: bool, as_json: bool
) -> int:
    """Run the whole verification and write the report.

    Ground truth, claims, formal proofs, libraries and figures: results.json, and from it
    report.html (one file, no network), report.md, figures/*.svg and junit.xml. What has not changed
    since an earlier run is reused. Exit code 1 if anything failed.
    """
    before = None if old is None else model.read(old)
    last = _last(out)
    drawings = build.begin(out)
    start = time.monotonic()
    store = cache.Cache(None if fresh else cache_folder("report"))
    with progress.parts() as (begin, advance):
        plan = Plan(Profile(profile), jobs or os.cpu_count() or 1, out, store, begin, advance)
        results = collect(plan)
        if before is not None:
            results = diff.with_changes(results, before)
        begin("writing", 1)
        digests = build.write(out, results, store, drawings)
    if as_json:
        options.emit(results)
    else:
        click.echo("\n".join(summary(results, out, digests)))
        if before is None and last is not None:
            found = list(diff.changes(last, results))
            click.echo("\n".join(_changes(f"since the last report in {out}", found)))
        click.echo(
            f"{time.monotonic() - start:.1f} s; {store.computed} results computed, {store.reused} reused"
        )
    return 1 if results["failures"] else 0


def summary(results: model.Results, out: Path, digests: dict[str, str]) -> Iterator[str]:
    """What a person can act on, in a few lines."""
    n = results["numbers"]
    yield (
        f"{n['claims']} claims checked, {n['proved']} proved by kernel or symbolically, "
        f"{n['refuted']} refuted, {n['libraries']} libraries judged"
    )
    for claim in model.by_severity(results["claims"], "refuted"):
        yield f"  {claim['severity']:<16} {claim['id']} ({claim['place']})"
    passed = sum(row["passed"] for row in results["ground_truth"])
    yield f"ground truth: {passed} of {len(results['ground_truth'])} checks passed"
    kernel = results["kernel"]
    proved = f"{len(kernel['theorems'])} theorems" if kernel else "no result of the present sources"
    yield f"formal proofs: {proved}"
    for row in results["libraries"]:
        yield clean(f"library: {row['summary'] or row['target']}")
    if results["changes"] is not None:
        yield from _changes("since the older report", results["changes"]["rows"])
    for failure in results["failures"]:
        yield clean(f"FAILED: {failure}")
    yield f"written to {out}: {', '.join(name for name in digests if '/' not in name)}, figures/"
    yield "everything passed" if not results["failures"] else "the verification FAILED"


def _last(out: Path) -> model.Results | None:
    """The report that is about to be replaced, if there is one of this format."""
    try:
        return model.read(out / "results.json")
    except OutOfDomain:
        return None


def _changes(since: str, rows: list[diff.Change]) -> Iterator[str]:
    plural = "" if len(rows) == 1 else "s"
    yield f"{since}: {len(rows)} change{plural}" if rows else f"{since}: nothing changed"
    for row in rows[:_LISTED]:
        yield clean(f"  {row['what']}: {row['before'][:60]} -> {row['after'][:60]}")
    if len(rows) > _LISTED:
        yield f"  and {len(rows) - _LISTED} more (--diff puts them into the report)"
