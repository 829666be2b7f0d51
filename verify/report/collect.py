"""Run the parts of the verification, or take what is unchanged from the cache: results.json."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import verify
from verify import claim_runner as runner
from verify import summary
from verify.bounds import table
from verify.certified import Certified
from verify.claims import Profile
from verify.divergence import evaluate
from verify.point import Point
from verify.report import captions, claims_part, figures, libraries_part, model, plot, sources
from verify.report.cache import Cache
from verify.report.figures import times as times_part

CONFORMANCE = (
    "conformance"  # below the folder of the report: what sgm-verify check --json has written
)
TABLE_POINTS = (
    ("0.01", "4", "8"),
    ("0.001", "10", "64"),
    ("0.01", "0.5", "2"),
    ("0.1", "1.1", "16"),
)
"""Where the rows of Table 1 are compared: two points inside the paper's region, two outside."""


@dataclass(frozen=True)
class Plan:
    """What to run, where the parts are, and whom to tell."""

    profile: Profile = Profile.QUICK
    workers: int = 2
    folder: Path = Path("reports")
    cache: Cache = field(default_factory=lambda: Cache(None))
    start: Callable[[str, int], None] = lambda name, total: None
    advance: Callable[[], None] = lambda: None


def collect(plan: Plan) -> model.Results:
    """Everything that was found, closed and checked against the schema."""
    truth = ground_truth(plan)
    kernel = formal()
    checked = claims(plan)
    rows = [claims_part.row(c) for c in checked]
    score = asdict(runner.score(c.result for c in checked))
    libraries, unreadable = libraries_part.read_all(plan.folder / CONFORMANCE)
    times, unusable = recorded_times(plan)
    drawn = figure_data(plan) + ([times["figure"]] if times else [])
    body = {
        "provenance": provenance(plan, checked, kernel, libraries, times),
        "numbers": numbers(rows, libraries),
        "ground_truth": truth,
        "claims": rows,
        "score": {**score, "survivors": list(score["survivors"])},
        "kernel": kernel and with_users(kernel, checked),
        "table_1": table_1(plan),
        "figures": drawn,
        "libraries": libraries,
        "unreadable": unreadable + unusable,
        "not_covered": not_covered(rows, kernel, libraries, times, plan.profile),
        "failures": failures(truth, rows, unreadable + unusable),
        "changes": None,
    }
    return model.closed(body)


def ground_truth(plan: Plan) -> list[dict[str, Any]]:
    """The engines against each other and against what is known exactly."""
    key = sources.digest(["ground truth 2", sources.of_module(summary.__name__)])
    plan.start("ground truth", len(summary.CHECKS))
    rows: list[dict[str, Any]] | None = plan.cache.get(key)
    if rows is None:
        rows = []
        for outcome in summary.run():
            rows.append({**asdict(outcome), "passed": outcome.passed})
            plan.advance()
        if all(row["passed"] for row in rows):
            plan.cache.put(key, rows)
    return rows


def claims(plan: Plan) -> list[claims_part.Checked]:
    everything = list(runner.discover().values())
    plan.start("claims", len(everything))
    return claims_part.check(
        everything,
        plan.profile,
        plan.cache,
        plan.workers,
        runner.installed_kernel_results(),
        lambda _: plan.advance(),
    )


def formal() -> dict[str, Any] | None:
    """The formal development's result, if there is one made from the present sources."""
    for package in runner.packages():
        name = f"{package.__name__}.kernel"
        if find_spec(name) is not None:
            result = import_module(name).read_result()
            if result:
                return {key: result[key] for key in ("coq", "digest", "allowed", "theorems")}
    return None


def with_users(kernel: dict[str, Any], checked: list[claims_part.Checked]) -> dict[str, Any]:
    """Every theorem with the claims that rest on it."""
    users: dict[str, list[str]] = {}
    for c in checked:
        for name in (*c.claim.kernel, *c.claim.kernel_against):
            users.setdefault(name, []).append(c.claim.id)
    theorems = [{**t, "claims": users.get(t["name"], [])} for t in kernel["theorems"]]
    return {**kernel, "theorems": theorems}


def figure_data(plan: Plan) -> list[dict[str, Any]]:
    """Figure by figure, the certified numbers with title and caption."""
    made = figures.compute_all(
        str(plan.profile), plan.cache, plan.workers, plan.start, plan.advance
    )
    return [plot.plain(figure) for figure in made]


def recorded_times(plan: Plan) -> tuple[dict[str, Any] | None, list[dict[str, str]]]:
    """The figure of times if a bench was recorded; its file among the unreadable ones if it is bad."""
    try:
        return times_part.read(plan.folder / times_part.FILE), []
    except (OSError, ValueError, TypeError) as error:
        return None, [{"file": times_part.FILE, "reason": str(error)[:300]}]


def table_1(plan: Plan) -> list[dict[str, Any]]:
    """Every row of the paper's Table 1 at some points, next to the truth."""
    plan.start("table 1", len(TABLE_POINTS))
    points = []
    for q, sigma, alpha in TABLE_POINTS:
        point = Point.of(q, sigma, alpha)
        epsilon = evaluate("rdp", point, 30, True, 60.0)
        rows = [
            {
                "name": row.name,
                "source": row.source,
                "formula": row.formula,
                "conditions": [{"text": c.text, "truth": str(c.truth)} for c in row.conditions],
                "applies": str(row.applies),
                "bound": None if row.epsilon is None else _bound(row.epsilon),
                "holds": None if row.holds is None else str(row.holds),
                "remark": row.remark,
            }
            for row in table(point)
        ]
        points.append(
            {"q": q, "sigma": sigma, "alpha": alpha, "epsilon": epsilon.lo_str(20), "rows": rows}
        )
        plan.advance()
    return points


def _bound(value: Certified) -> str:
    whole = str(value) if value.lo == value.hi else ""
    return whole if whole and len(whole) <= 12 else value.lo_str(8)


def provenance(
    plan: Plan,
    checked: list[claims_part.Checked],
    kernel: dict[str, Any] | None,
    libraries: list[dict[str, Any]],
    times: dict[str, Any] | None,
) -> dict[str, Any]:
    commit, clean = sources.commit()
    keys = [claims_part.key(c.claim, plan.profile) for c in checked]
    inputs = {"arithmetic": sources.arithmetic(), "claims": sources.digest(keys)}
    if kernel:
        inputs["formal development"] = kernel["digest"]
    inputs |= {f"{CONFORMANCE}/{row['file']}": row["sha256"] for row in libraries}
    if times:
        inputs[times_part.FILE] = times["sha256"]
    seeds = {"claims": "fixed in the source of each check"}
    seeds |= {f"{CONFORMANCE}/{row['file']}": row["seed"] for row in libraries}
    return {
        "sgm_verify": verify.__version__,
        "python": platform.python_version(),
        "libraries": sources.versions(),
        "commit": commit,
        "clean": clean,
        "profile": str(plan.profile),
        "digits": summary.DIGITS,
        "seeds": seeds,
        "inputs": inputs,
    }


def numbers(claims: list[dict[str, Any]], libraries: list[dict[str, Any]]) -> dict[str, int]:
    """The four numbers at the top."""
    decided = [c for c in claims if c["verdict"] != "unknown"]
    return {
        "claims": len(claims),
        "proved": sum(c["strongest"] in ("kernel", "symbolic") for c in decided),
        "refuted": sum(c["verdict"] == "refuted" for c in claims),
        "libraries": len({row["target"] for row in libraries}),  # versions of one count once
    }


def not_covered(
    claims: list[dict[str, Any]],
    kernel: dict[str, Any] | None,
    libraries: list[dict[str, Any]],
    times: dict[str, Any] | None,
    profile: Profile,
) -> list[str]:
    """What a reader must not take from this report; the parts that depend on the run first."""
    said = []
    unknown = [c["id"] for c in claims if c["verdict"] == "unknown"]
    if unknown:
        said.append(f"Unknown, neither confirmed nor refuted: {', '.join(unknown)}.")
    weak = [c for c in claims if c["strongest"] in ("certified-points", "sampled")]
    if weak:
        said.append(
            f"{len(weak)} claims rest on single points (certified or sampled): between the points they "
            "are not proved."
        )
    if kernel is None:
        said.append(
            "Formal proofs: there is no result made from the present sources (make formal)."
        )
    if not libraries:
        said.append("Libraries: none was judged in this run (sgm-verify check NAME --json ...).")
    if times is None:
        said.append("Running times: none recorded (sgm-verify bench --json > reports/bench.json).")
    if profile is Profile.QUICK:
        said.append("The quick profile tries fewer sampled points than the full one.")
    return said + list(captions.NOT_COVERED)


def failures(
    truth: list[dict[str, Any]], claims: list[dict[str, Any]], unreadable: list[dict[str, str]]
) -> list[str]:
    """What makes the run fail: each in one line."""
    said = [
        f"ground truth: {r['name']}: {r['failure'] or 'no effective case'}"
        for r in truth
        if not r["passed"]
    ]
    said += [f"claim {c['id']}: {c['differs']}" for c in claims if c["differs"]]
    for c in claims:
        said += [
            f"claim {c['id']}: broken variant survived: {n}"
            for n, f in c["broken"].items()
            if f == "survived"
        ]
    return said + [f"{u['file']}: {u['reason']}" for u in unreadable]
