"""When did a fault come, and when did it go? The same vectors asked of many releases of a library.

    python -m verify.judge.check.history opacus 0.9.0 0.15.0 1.0.0 1.6.0 --out reports/history

Only the published vectors are asked, in one order, so that two releases are compared at the same points.
"""

from __future__ import annotations

import datetime
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import click

import verify
from verify.judge.check.checking import Request, check
from verify.judge.protocol import libraries, targets
from verify.judge.protocol.harness import Harness, HarnessFailed, Limits
from verify.judge.protocol.session import Extent
from verify.judge.show.record import number
from verify.judge.verdict.compare import compare
from verify.judge.verdict.grading import Direction, Grade, Region
from verify.judge.verdict.judged import Case, Judged
from verify.numbers.errors import SgmError
from verify.results import document
from verify.results.history import Fault, History, Release
from verify.vectors import store

_NOTHING_ELSE = Extent(fresh=0, calls=0, age=0.0, busy=0.0)
_LIMITS = Limits(seconds=10.0)


def history(
    name: str,
    versions: Iterable[str],
    date: str,
    progress: Callable[[str], None] = lambda line: None,
    groups: tuple[str, ...] = (),
) -> History:
    """Ask every release; one that cannot be asked is listed with the reason."""
    vectors = store.select(store.load(), groups=groups)
    releases: list[Release] = []
    before: Judged | None = None
    for version in versions:
        try:
            found = _check_release(
                f"{name}=={version}", Request(vectors, plan=_NOTHING_ELSE, training=False)
            )
        except HarnessFailed as error:
            releases.append(Release(version, problem=libraries.reason(error)))
        else:
            releases.append(release(version, found, before))
            before = found
        progress(line(releases[-1]))
    return History(
        target=name,
        date=date,
        sgm_verify=verify.__version__,
        vectors_sha256=hashlib.sha256((store.DATA / "manifest.json").read_bytes()).hexdigest(),
        points=len(vectors),
        releases=tuple(releases),
    )


def _check_release(spec: str, request: Request) -> Judged:
    target = targets.release(spec)
    with Harness(list(target.command), _LIMITS, request.seed) as harness:
        found = check(harness, request).found
    if not found.answered:
        raise HarnessFailed("no answer to any question")
    return found


def release(version: str, found: Judged, before: Judged | None) -> Release:
    """What a release's answers amount to, beside those of the one before."""
    said = "\n".join(f"{c.id} {c.answer.value!r}" for c in sorted(found.cases, key=lambda c: c.id))
    compared = compare(found, before) if before is not None else None
    trained = [c.judgement.relative for c in found.within(Region.TRAINING).cases]
    return Release(
        version=version,
        answers_sha256=hashlib.sha256(said.encode()).hexdigest(),
        verdicts=found.counts,
        directions=found.directions,
        worst_in_training=number(max(trained, key=abs, default=0.0)),
        better=len(compared.better) if compared else 0,
        worse=len(compared.worse) if compared else 0,
        faults=tuple(_faults(found.cases)),
    )


def _faults(cases: Iterable[Case]) -> list[Fault]:
    counts: dict[str, Counter[object]] = {}
    for case in cases:
        kind = case.judgement.direction or case.judgement.grade
        counts.setdefault(case.id.partition("/")[0], Counter())[kind] += 1
    found = [
        Fault(group, n[Direction.UNSAFE], n[Direction.OVERSTATED], n[Grade.NO_ANSWER])
        for group, n in counts.items()
    ]
    return [fault for fault in found if fault.unsafe or fault.overstated or fault.no_answer]


def line(found: Release) -> str:
    """A release for people."""
    if found.problem:
        return f"{found.version:<10} cannot be asked: {found.problem}"
    unsafe, over = (
        found.directions.get(way, 0) for way in (Direction.UNSAFE, Direction.OVERSTATED)
    )
    changed = f", {found.better} better, {found.worse} worse" if found.better or found.worse else ""
    silent = found.verdicts.get(Grade.NO_ANSWER, 0)
    return f"{found.version:<10} {unsafe} UNSAFE, {over} overstated, {silent} no answer{changed}"


@click.command()
@click.argument("name")
@click.argument("versions", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
@click.option("--date", help="Date to record (default: today).")
def main(name: str, versions: tuple[str, ...], out: Path, date: str | None) -> None:
    """Ask the published vectors of many releases of a library and record what came out."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    try:
        found = history(name, versions, date or today, lambda text: click.echo(text))
        document.write(out / f"{name}.json", document.as_text(found))
    except SgmError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
