"""Run the parts of the verification, or take what is unchanged from the cache: results.json."""

from __future__ import annotations

import platform
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

import verify
from verify.audit import ground_truth
from verify.claims.discovery import Installed
from verify.claims.kernel import about_numbers, about_runs, theorems
from verify.claims.model import Checked
from verify.claims.running import as_result, score
from verify.report import figures
from verify.report.collect import claims_part, families_part, sources, table_part
from verify.report.collect.cache import Cache
from verify.report.draw.plot import Plot, RecordedFigure
from verify.report.figures.accountants import recorded as recorded_accountants
from verify.report.pages import conclusions
from verify.results.claims import ClaimResult
from verify.results.evidence import Profile
from verify.results.families import Family, Member
from verify.results.matrix import RECORDS, Matrix, matrix
from verify.results.report import (
    Kernel,
    Provenance,
    Results,
    Shown,
    Unreadable,
    UsedTheorem,
)

CONFORMANCE = (
    "conformance"  # below the folder of the report: what sgm-verify check --json has written
)


@dataclass(frozen=True)
class Plan:
    """What to run, where the parts are, and whom to tell. By default all that is installed."""

    profile: Profile = Profile.QUICK
    workers: int = 2
    folder: Path = Path("reports")
    cache: Cache = field(default_factory=lambda: Cache(None))
    start: Callable[[str, int], None] = lambda name, total: None
    advance: Callable[[], None] = lambda: None
    installed: Installed = field(default_factory=Installed.here)
    checks: Mapping[str, ground_truth.Check] = field(default_factory=lambda: ground_truth.CHECKS)
    figures: Sequence[Plot] = figures.ALL


def collect(plan: Plan) -> Results:
    """Everything that was found."""
    truth = truths(plan)
    checked = claims(plan)
    rows = tuple(as_result(plan.installed.claims[name], c) for name, c in checked.items())
    judged, unreadable = families(plan)
    records, unusable = recorded_figures(plan)
    asked, unread = accountants(plan)
    unreadable = tuple(dict.fromkeys((*unreadable, *unusable, *unread)))
    drawn = figures.compute_all(
        str(plan.profile), plan.cache, plan.workers, plan.start, plan.advance, plan.figures
    )
    return Results(
        provenance=provenance(plan, [m for family in judged for m in family.members], records),
        numbers=conclusions.numbers(rows, judged),
        ground_truth=truth,
        claims=rows,
        score=score(checked.values()),
        kernel=kernel(plan, rows),
        table_1=table_1(plan),
        figures=(*drawn, *(record.figure for record in records.values())),
        families=judged,
        unreadable=unreadable,
        not_covered=conclusions.not_covered(
            rows,
            plan.profile,
            formal=bool(plan.installed.formal),
            libraries=bool(judged),
            missing=tuple(plot for plot in plan.figures if plot.file and plot.id not in records),
        ),
        failures=conclusions.failures(truth, rows, unreadable),
        changes=None,
        accountants=asked,
        foundations={k: v for p in plan.installed.papers for k, v in p.foundations.items()},
    )


def _source_of(check: ground_truth.Check) -> str:
    """What a check is, by its source; one made inside another function is like no other."""
    try:
        return sources.of_function(check)
    except ValueError:
        return uuid.uuid4().hex


def truths(plan: Plan) -> tuple[Shown, ...]:
    """The engines against each other and against what is known exactly."""
    key = sources.digest(
        ["ground truth 3", *plan.checks, *map(_source_of, plan.checks.values()),
         sources.of_module("verify.audit.ground_truth")]
    )  # fmt: skip
    plan.start("ground truth", len(plan.checks))
    stored = plan.cache.get(key)
    if stored is not None:
        return msgspec.convert(stored, tuple[Shown, ...])
    rows = []
    for shown in ground_truth.run(plan.checks):
        rows.append(shown)
        plan.advance()
    if all(row.passed for row in rows):
        plan.cache.put(key, msgspec.to_builtins(rows))
    return tuple(rows)


def claims(plan: Plan) -> dict[str, Checked]:
    everything = plan.installed.claims.values()
    plan.start("claims", len(everything))
    return claims_part.check(
        everything,
        plan.profile,
        plan.cache,
        plan.workers,
        theorems(plan.installed.formal),
        lambda _: plan.advance(),
    )


def kernel(plan: Plan, rows: Sequence[ClaimResult]) -> Kernel | None:
    """The formal development, every theorem with the claims that rest on it."""
    if not plan.installed.formal:
        return None
    formal = plan.installed.formal[0]
    users: dict[str, list[str]] = {}
    for row in rows:
        claim = plan.installed.claims[row.id]
        for name in (*claim.kernel, *claim.kernel_against):
            users.setdefault(name, []).append(row.id)
    used = (
        UsedTheorem(t.name, t.file, t.line, t.statement, t.axioms, tuple(users.get(t.name, ())))
        for t in formal.theorems
    )
    return Kernel(
        formal.coq,
        formal.digest,
        formal.allowed,
        tuple(used),
        about_numbers(plan.installed.verdicts),
        about_runs(plan.installed.runs),
    )


def table_1(plan: Plan) -> tuple[Any, ...]:
    plan.start("table 1", len(table_part.POINTS))
    return tuple(table_part.table_1(plan.advance))


def families(plan: Plan) -> tuple[tuple[Family, ...], tuple[Unreadable, ...]]:
    """What was found about libraries, and the files that could not be used."""
    return families_part.read_all(plan.folder / CONFORMANCE, plan.installed.verdicts)


def accountants(plan: Plan) -> tuple[Matrix | None, tuple[Unreadable, ...]]:
    """The recorded answers about whole runs, summed up, and the files that could not be used."""
    records, unusable = [], []
    for name in RECORDS:
        try:
            found = recorded_accountants(plan.folder / name)
        except (OSError, ValueError) as error:
            unusable.append(Unreadable(name, str(error)[:300]))
        else:
            records += [found] if found else []
    return matrix(*records) if records else None, tuple(unusable)


def recorded_figures(plan: Plan) -> tuple[dict[str, RecordedFigure], tuple[Unreadable, ...]]:
    """The figures of what other commands have recorded, by id; bad files among the unreadable ones."""
    found: dict[str, RecordedFigure] = {}
    unusable: dict[str, Unreadable] = {}
    for plot in plan.figures:
        if plot.read is None:
            continue
        try:
            record = plot.read(plan.folder / plot.file)
        except (OSError, ValueError) as error:
            unusable[plot.file] = Unreadable(plot.file, str(error)[:300])
        else:
            found |= {plot.id: record} if record else {}
    return found, tuple(unusable.values())


def provenance(
    plan: Plan, judged: Iterable[Member], records: Mapping[str, RecordedFigure]
) -> Provenance:
    commit, clean = sources.commit()
    keys = [claims_part.key(claim, plan.profile) for claim in plan.installed.claims.values()]
    inputs = {"arithmetic": sources.arithmetic(), "claims": sources.digest(keys)}
    if plan.installed.formal:
        inputs["formal development"] = plan.installed.formal[0].digest
    inputs |= {f"{CONFORMANCE}/{row.file}": row.sha256 for row in judged}
    for name in RECORDS[1:]:  # the first is a figure's
        with suppress(OSError):
            inputs[name] = sources.file_digest(plan.folder / name)
    files = {plot.id: plot.file for plot in plan.figures}
    inputs |= {files[name]: record.sha256 for name, record in records.items()}
    seeds = {"claims": "fixed in the source of each check"}
    seeds |= {f"{CONFORMANCE}/{row.file}": row.seed for row in judged}
    return Provenance(
        sgm_verify=verify.__version__,
        python=platform.python_version(),
        libraries=sources.versions(),
        commit=commit,
        clean=clean,
        profile=plan.profile,
        digits=ground_truth.DIGITS,
        seeds=seeds,
        inputs=inputs,
    )
