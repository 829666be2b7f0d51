"""A small real run: some claims, some rows of every figure, one check of the ground truth."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verify.audit import ground_truth
from verify.bench.engines import engines_digest
from verify.claims.discovery import Installed
from verify.report import figures
from verify.report.collect import collect
from verify.report.collect.cache import Cache
from verify.report.draw.drawings import draw_all
from verify.report.draw.plot import Job, Plot
from verify.results import conformance, document
from verify.results.bench import AgainstAlpha, AgainstDigits, AgainstOrders, Bench, DigitTime
from verify.results.report import Results

CLAIMS = (
    "main-theorem/exponential",
    "main-theorem/logarithm",
    "a-geq-b/theorem-5/jacobian",
    "main-theorem/conversion",
    "closed-form/z0/r0",
)


def case(q: float, alpha: float, bits: float, verdict: str = "wrong") -> dict[str, Any]:
    return {
        "id": f"{q}-{alpha}", "q": q, "sigma": 2.0, "alpha": alpha, "answer": 0.001, "reason": "",
        "truth_lo": "0.00123", "truth_hi": "0.00124", "truth": 0.00123, "verdict": verdict,
        "direction": "UNSAFE", "region": "training runs", "relative": -0.2, "bits_lost": bits,
    }  # fmt: skip


def conformance_file(target: str = "some-accountant") -> dict[str, Any]:
    """What ``sgm-verify check --json`` writes, for a library that has failures."""
    failures = [case(10.0**-k, 1.5 * 2**j, 5.0 * k + j) for k in range(1, 5) for j in range(3)]
    verdicts = {"exact": 20, "full": 30, "adequate": 20, "inexact": 10, "wrong": 15, "no answer": 5}
    listed = itertools.product(
        (0.5, 2.0, 40.0), (1e-12, 1e-5, 0.01, 0.7), (1.001, 3.0, 20.5, 300.0, "inf")
    )
    points = itertools.cycle(listed)
    errs = {"inexact": "overstated", "wrong": "UNSAFE"}
    rows = [
        ["some", q, sigma, alpha, None if silent else 0.001, name, errs.get(name), "extremes",
         None if silent else (7.0 * k) % 53, "crash" if silent else ""]
        for name, n in verdicts.items()
        for k, (sigma, q, alpha) in zip(range(n), points, strict=False)
        for silent in [name == "no answer"]
    ]  # fmt: skip
    content = {
        "format": "sgm-verify conformance 3", "target": target, "version": "1.2.3", "date": "2026-01-02", "sgm_verify": "0.1.0",
        "reproduce": f"sgm-verify check {target}==1.2.3 --seed 0", "quantity": "rdp", "seed": 0,
        "strict": False, "rule": "the usual", "vectors_sha256": "ab" * 32, "points": 100,
        "conforms": False, "summary": f"{target} 1.2.3: does not conform", "verdicts": verdicts,
        "no_answer": {"crash": 5}, "properties": {"monotone": 2, "positive": 0}, "by_flag": {},
        "regions": {"extremes": {
            "verdicts": verdicts, "directions": {"UNSAFE": 15, "overstated": 10},
            "worst": {"UNSAFE": failures[0]},
        }},
        "bits_lost": failures[-1], "smallest_failing": None, "failures": {"wrong": failures},
        "violations": [], "protocol_violations": {"count": 0, "first": []}, "restarts": 0,
        "seconds": {"total": 1.0, "median": 0.5, "longest": 0.5},
        "cases": {"columns": list(conformance.COLUMNS), "rows": rows},
    }  # fmt: skip
    found = msgspec.convert(content, conformance.Conformance)
    closed: dict[str, Any] = json.loads(conformance.as_text(found))
    return closed


def bench_record() -> Bench:
    """A small bench, as ``sgm-verify bench`` makes it."""

    def sweep(*seconds: float | None) -> tuple[DigitTime, ...]:
        return tuple(map(DigitTime, (15, 100, 1000), seconds))

    engines = {
        "trapezoid": sweep(0.001, 0.004, 0.1),
        "series": sweep(0.01, 0.05, 5.0),
        "quadrature": sweep(0.05, 1.0, None),
    }
    return Bench(
        date=datetime.date(2026, 1, 2),
        engines_sha256=engines_digest(),
        digits=50,
        points=(),
        curves=(),
        times_faster_than_mpmath_quad=None,
        double_as_long_as_dp_accounting=None,
        curve_as_long_as_dp_accounting=None,
        dp_accounting_points=0,
        against_digits=AgainstDigits("", engines, {"whole": "not at this order"}, 1.5),
        against_alpha=AgainstAlpha((), 0.0),
        against_orders=AgainstOrders(20, ()),
    )


def bench_file() -> str:
    """What ``sgm-verify bench --json`` writes."""
    return document.as_text(bench_record())


def thinned(plot: Plot) -> Plot:
    """The same figure with fewer points; a map keeps a whole grid."""

    every_job = plot.jobs
    if every_job is None:
        return plot

    def jobs(profile: str) -> list[Job]:
        every = list(every_job(profile))
        if plot.kind not in ("ratio", "frontier"):
            return every[:: max(1, len(every) // 12)]
        rates, others = (sorted({job[i] for job in every})[::8] for i in (-2, -1))
        return [job for job in every if job[-2] in rates and job[-1] in others]

    return dataclasses.replace(plot, jobs=jobs)


@pytest.fixture(scope="session")
def small() -> collect.Plan:
    """Fewer claims, checks and points; each of them the real one."""
    here = Installed.here()
    claims = {name: claim for name, claim in here.claims.items() if name in CLAIMS}
    assert len(claims) == len(CLAIMS)
    check = "orders 0 and 1"
    return collect.Plan(
        workers=1,
        installed=dataclasses.replace(here, claims=claims),
        checks={check: ground_truth.CHECKS[check]},
        figures=tuple(thinned(plot) for plot in figures.ALL),
    )


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a report reads: results of checks, and a recorded bench."""
    made = tmp_path_factory.mktemp("reports")
    (made / "conformance").mkdir()
    (made / "conformance" / "some.json").write_text(json.dumps(conformance_file()))
    (made / "bench.json").write_text(bench_file())
    return made


@pytest.fixture(scope="session")
def plan(small: collect.Plan, store: Path, folder: Path) -> collect.Plan:
    return dataclasses.replace(small, folder=folder, cache=Cache(store))


@pytest.fixture(scope="session")
def results(plan: collect.Plan) -> Results:
    return collect.collect(plan)


@pytest.fixture(scope="session")
def drawings(results: Results) -> dict[str, str]:
    """Drawn once: drawing is what takes the time."""
    return draw_all(results)
