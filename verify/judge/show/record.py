"""A check as files for machines: the document of ``--json``, and JUnit XML."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from verify.judge.causes import grouping
from verify.judge.causes.snippets import snippet
from verify.judge.causes.theorems import Prove
from verify.judge.show.render import case_lines, summary_line, where
from verify.judge.verdict import effect
from verify.judge.verdict.grading import GOOD, RULE, Direction, Grade, Region
from verify.judge.verdict.judged import Case, Judged, most_bits_lost
from verify.judge.verdict.properties import Violation
from verify.results.conformance import (
    COLUMNS,
    Broken,
    Cases,
    Cluster,
    Conformance,
    Effect,
    Number,
    Point,
    ProtocolViolations,
    Row,
    Seconds,
    Surroundings,
    Tally,
)
from verify.support import junit

_LISTED = 10


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """What was checked, how, and when."""

    target: str
    version: str
    reproduce: str
    quantity: str
    seed: int
    strict: bool
    vectors_sha256: str
    tool_version: str
    date: str
    surroundings: Surroundings = field(default_factory=Surroundings)
    course: tuple[str, ...] = ()


def document(
    run: CheckRecord, found: Judged, smallest: Case | None = None, prove: Prove | None = None
) -> Conformance:
    """Everything that was found, as the document that is written; with theorems if they are asked for."""
    counts = found.counts
    return Conformance(
        target=run.target,
        version=run.version,
        date=run.date,
        sgm_verify=run.tool_version,
        reproduce=run.reproduce,
        surroundings=run.surroundings,
        course=run.course,
        quantity=run.quantity,
        seed=run.seed,
        strict=run.strict,
        rule=RULE,
        vectors_sha256=run.vectors_sha256,
        points=len(found.cases),
        conforms=found.conforms,
        summary=summary_line(f"{run.target} {run.version}", found),
        verdicts=counts,
        no_answer=found.why_no_answer(),
        properties=found.by_property(),
        by_flag={f: {g: n for g, n in c.items() if n} for f, c in found.by_flag().items()},
        regions={region: _tally(found.within(region)) for region in Region},
        bits_lost=_maybe(most_bits_lost(found)),
        smallest_failing=_maybe(smallest),
        clusters=tuple(_cluster(run, cluster, prove) for cluster in grouping.clusters(found)),
        effects=tuple(map(_effect, effect.effects(found.cases))),
        failures={g: _failures(found, g) for g in Grade if g not in GOOD and counts[g]},
        violations=tuple(map(_violation_record, _firsts(found))),
        excused=len(found.excused),
        stale=found.stale,
        protocol_violations=ProtocolViolations(
            count=len(found.protocol), first=tuple(found.protocol[:3])
        ),
        restarts=found.restarts,
        seconds=_seconds(found),
        cases=Cases(columns=COLUMNS, rows=tuple(map(_row, found.cases))),
    )


def _tally(found: Judged) -> Tally:
    worst = {direction: found.worst(direction) for direction in Direction}
    return Tally(
        verdicts=found.counts,
        directions=found.directions,
        worst={direction: _point(case) for direction, case in worst.items() if case is not None},
    )


def _cluster(run: CheckRecord, found: grouping.Cluster, prove: Prove | None) -> Cluster:
    unsafe = found.smallest_unsafe
    proved = prove(unsafe) if prove is not None and unsafe is not None else None
    return Cluster(
        name=found.name,
        points=len(found.cases),
        regions=found.regions(),
        verdicts=found.verdicts(),
        cause=found.mistake,
        shown=found.shown,
        change=found.change,
        notes=found.notes,
        smallest=_point(found.smallest),
        snippet=snippet(run.target, run.version, run.reproduce, found.smallest),
        theorem=None if isinstance(proved, str) else proved,
        not_proved=proved if isinstance(proved, str) else "",
    )


def _effect(found: effect.Effect) -> Effect:
    run = found.run
    return Effect(
        run=run.name,
        q=run.q,
        sigma=run.sigma,
        steps=run.steps,
        delta=run.delta,
        orders=found.orders,
        true=found.true,
        given=None if found.given is None else number(found.given),
        factor=None if found.factor is None else number(found.factor),
    )


def _maybe(case: Case | None) -> Point | None:
    return None if case is None else _point(case)


def _failures(found: Judged, grade: Grade) -> tuple[Point, ...]:
    return tuple(_point(c) for c in found.cases if c.judgement.grade is grade)[:_LISTED]


def _firsts(found: Judged) -> Iterator[Violation]:
    """An example of each property that is broken."""
    for name, n in found.by_property().items():
        if n:
            yield next(v for v in found.violations if v.property == name)


def _violation_record(violation: Violation) -> Broken:
    return Broken(
        property=violation.property,
        points=tuple(map(where, violation.questions)),
        values=tuple(map(number, violation.values)),
    )


def _point(case: Case) -> Point:
    row = _row(case)
    return Point(
        id=case.id,
        q=row.q,
        sigma=row.sigma,
        alpha=row.alpha,
        answer=row.answer,
        reason=case.judgement.reason,
        truth_lo=case.truth.lo,
        truth_hi=case.truth.hi,
        truth=number(case.truth.nearest),
        verdict=row.verdict,
        direction=row.direction,
        region=row.region,
        relative=number(case.judgement.relative),
        bits_lost=row.bits_lost,
    )


def _row(case: Case) -> Row:
    grade, alpha = case.judgement.grade, case.question.alpha
    return Row(
        group=case.id.partition("/")[0],
        q=float(case.question.q),
        sigma=float(case.question.sigma),
        alpha="inf" if alpha == math.inf else float(alpha),
        answer=None if case.answer.value is None else number(case.answer.value),
        verdict=grade,
        direction=case.judgement.direction,
        region=case.judgement.region,
        bits_lost=None if grade is Grade.NO_ANSWER else round(case.judgement.bits_lost, 2),
        reason=case.judgement.reason,
    )


def _seconds(found: Judged) -> Seconds:
    times = found.seconds()
    return Seconds(
        total=round(times.total, 6),
        median=None if times.median is None else round(times.median, 6),
        longest=None if times.longest is None else round(times.longest, 6),
    )


def number(x: float) -> Number:
    """A double as JSON can say it."""
    if math.isfinite(x):
        return float(x)
    return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"


def junit_text(run: CheckRecord, found: Judged) -> str:
    """One test case a point and one a property; grades that fail are failures, known ones are skipped."""
    return junit.junit(f"{run.target} {run.version}", _junit_cases(run.target, found))


def _junit_cases(target: str, found: Judged) -> Iterator[junit.JUnitCase]:
    failing = {case.id for case in found.failures}
    for case in found.cases:
        seconds = case.answer.seconds
        if case.id in failing:
            detail = "\n".join(case_lines("point", case))
            yield junit.JUnitCase(target, case.id, case.judgement.label, detail, seconds)
        elif case.id in found.excused:
            known = f"known failure: {case.judgement.label}"
            yield junit.JUnitCase(target, case.id, seconds=seconds, skipped=known)
        else:
            yield junit.JUnitCase(target, case.id, seconds=seconds)
    counts = {**found.by_property(), "protocol": len(found.protocol), "stale": len(found.stale)}
    for name, n in counts.items():
        yield junit.JUnitCase("properties", name, f"{n} violations" if n else "")
