"""Run the parts of the verification, or take what is unchanged from the cache: results.json."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

import verify
from verify import ground_truth
from verify.claims.discovery import Installed
from verify.claims.kernel import theorems
from verify.claims.model import Checked
from verify.claims.running import as_result, score
from verify.report import (
    captions,
    claims_part,
    conclusions,
    curves,
    libraries_part,
    series_error,
    sources,
    table_part,
    times_part,
)
from verify.report.cache import Cache
from verify.results.claims import ClaimResult
from verify.results.evidence import Profile
from verify.results.figure import Figure
from verify.results.report import (
    Kernel,
    Library,
    Provenance,
    Results,
    Shown,
    Unreadable,
    UsedTheorem,
)

CONFORMANCE = (
    "conformance"  # below the folder of the report: what sgm-verify check --json has written
)
Jobs = Callable[[str], Iterable[tuple[str, list[Any]]]]


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
    figures: Jobs = curves.jobs


def collect(plan: Plan) -> Results:
    """Everything that was found."""
    truth = truths(plan)
    checked = claims(plan)
    rows = tuple(as_result(plan.installed.claims[name], c) for name, c in checked.items())
    judged, unreadable = libraries(plan)
    times, unusable = recorded_times(plan)
    unreadable += unusable
    return Results(
        provenance=provenance(plan, judged, times),
        numbers=conclusions.numbers(rows, judged),
        ground_truth=truth,
        claims=rows,
        score=score(checked.values()),
        kernel=kernel(plan, rows),
        table_1=table_1(plan),
        figures=(*figures(plan), *((times.figure,) if times else ())),
        libraries=judged,
        unreadable=unreadable,
        not_covered=conclusions.not_covered(
            rows,
            plan.profile,
            formal=bool(plan.installed.formal),
            libraries=bool(judged),
            times=times is not None,
        ),
        failures=conclusions.failures(truth, rows, unreadable),
        changes=None,
    )


def truths(plan: Plan) -> tuple[Shown, ...]:
    """The engines against each other and against what is known exactly."""
    key = sources.digest(["ground truth 2", *plan.checks, sources.of_module("verify.ground_truth")])
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
    return Kernel(formal.coq, formal.digest, formal.allowed, tuple(used))


def table_1(plan: Plan) -> tuple[Any, ...]:
    plan.start("table 1", len(table_part.POINTS))
    return tuple(table_part.table_1(plan.advance))


def figures(plan: Plan) -> list[Figure]:
    """Figure by figure, the certified numbers with title and caption."""
    made = []
    own = [Path(m.__file__ or "").read_bytes() for m in (curves, series_error)]
    for name, todo in plan.figures(str(plan.profile)):
        plan.start(f"figure {name}", len(todo))
        key = sources.digest(["figure 1", name, sources.arithmetic(), *own, repr(todo)])
        rows = plan.cache.get(key)
        if rows is None:
            rows = curves.compute(todo, plan.workers, plan.advance)
            plan.cache.put(key, rows)
        made.append(as_figure({"id": name, **captions.FIGURES[name], "rows": rows}))
    return made


def as_figure(content: Mapping[str, Any]) -> Figure:
    return msgspec.convert(content, Figure)


def libraries(plan: Plan) -> tuple[tuple[Library, ...], tuple[Unreadable, ...]]:
    """What was found about libraries, and the files that could not be used."""
    return sorted_out(*libraries_part.read_all(plan.folder / CONFORMANCE))


def sorted_out(
    found: Iterable[dict[str, Any]], bad: Iterable[dict[str, str]]
) -> tuple[tuple[Library, ...], tuple[Unreadable, ...]]:
    """Rows in their classes; a row that does not fit is a file that cannot be used."""
    judged, unreadable = [], [msgspec.convert(_printable(row), Unreadable) for row in bad]
    for row in found:
        try:
            judged.append(msgspec.convert(_printable(row), Library))
        except msgspec.ValidationError as error:
            unreadable.append(Unreadable(_printable(f"{CONFORMANCE}/{row['file']}"), str(error)))
    return tuple(judged), tuple(unreadable)


def _printable(value: Any) -> Any:
    """Lone surrogates (names of files may hold some) made visible: JSON in UTF-8 has none."""
    if isinstance(value, dict):
        return {_printable(k): _printable(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


@dataclass(frozen=True)
class Times:
    """A recorded bench: its figure, the digest of its file, whether it is of the present engines."""

    figure: Figure
    sha256: str
    current: bool


def recorded_times(plan: Plan) -> tuple[Times | None, tuple[Unreadable, ...]]:
    """The recorded bench, if there is one; its file among the unreadable ones if it is bad."""
    try:
        found = times_part.read(plan.folder / times_part.FILE)
    except (OSError, ValueError, TypeError) as error:
        return None, (Unreadable(times_part.FILE, str(error)[:300]),)
    if found is None:
        return None, ()
    return Times(as_figure(found["figure"]), found["sha256"], found["current"]), ()


def provenance(plan: Plan, judged: Iterable[Library], times: Times | None) -> Provenance:
    commit, clean = sources.commit()
    keys = [claims_part.key(claim, plan.profile) for claim in plan.installed.claims.values()]
    inputs = {"arithmetic": sources.arithmetic(), "claims": sources.digest(keys)}
    if plan.installed.formal:
        inputs["formal development"] = plan.installed.formal[0].digest
    inputs |= {f"{CONFORMANCE}/{row.file}": row.sha256 for row in judged}
    if times:
        inputs[times_part.FILE] = times.sha256
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
