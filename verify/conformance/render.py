"""An outcome as text for people, JSON for machines and JUnit XML for continuous integration."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from verify.conformance.judge import FLOOR_UNITS, GOOD, Verdict
from verify.conformance.outcome import Case, Outcome, log_ratio
from verify.conformance.question import Question

FORMAT = 1
COLUMNS = ("group", "q", "sigma", "alpha", "answer", "verdict", "bits_lost")
"""What the file of an outcome says about every single point."""
_LISTED = 10
_CONTROL = re.compile(r"[^\x09\x0a\x0d\x20-\ud7ff\ue000-\ufffd]")


@dataclass(frozen=True, slots=True)
class Run:
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


def where(question: Question) -> str:
    """A point in one line."""
    return f"q={question.q!r} sigma={question.sigma!r} alpha={question.alpha!r}"


def summary_line(run: Run, found: Outcome) -> str:
    """The outcome in one line."""
    counts = ", ".join(f"{n} {verdict}" for verdict, n in found.counts.items() if n)
    broken = ", ".join(f"{n} not {name}" for name, n in found.by_property().items() if n)
    word = (
        "conforms" if found.conforms else "does not conform" if found.judged else "harness failed"
    )
    parts = [counts, f"properties: {broken}" if broken else ""]
    if found.protocol:
        parts.append(f"{len(found.protocol)} protocol violations")
    return f"{run.target} {run.version}: {word}: {len(found.cases)} points: " + "; ".join(
        p for p in parts if p
    )


def case_lines(title: str, case: Case) -> list[str]:
    """A case in full: point, answer, truth."""
    j = case.judgement
    lines = [f"{title}: {where(case.question)}"]
    if j.verdict is not Verdict.NO_ANSWER:
        lines.append(f"    answer {case.answer.value!r}{_compared(log_ratio(case))}")
        lines.append(f"    truth  {case.truth.lo}")
        lines.append(f"    error of ln A {j.excess:+.3g} floors, {j.bits_lost:.0f} bits lost")
    else:
        lines.append(f"    {j.reason}; truth {case.truth.nearest!r}")
    return lines


def _compared(ratio: float) -> str:
    if not math.isfinite(ratio) or ratio > 700:
        return ""
    if abs(ratio) < 1e-3:
        return f", off by {math.expm1(ratio):+.3g} of the truth"
    return f", {math.exp(ratio):.6g} times the truth"


def text(run: Run, found: Outcome, smallest: Case | None = None) -> str:
    """The whole outcome for a terminal."""
    lines = [summary_line(run, found), ""]
    lines.append(f"{'flag':<18}" + "".join(f"{v:>19}" for v in Verdict))
    for flag, counts in found.by_flag().items():
        lines.append(f"{flag:<18}" + "".join(f"{counts[v] or '.':>19}" for v in Verdict))
    lines.append("")
    for verdict in (Verdict.UNSAFE, Verdict.OVERSTATED):
        case = found.worst(verdict)
        if case is not None:
            lines += case_lines(f"worst {verdict}", case)
        far = found.worst_ratio(verdict)
        if far is not None and case is not None and far.id != case.id:
            lines += case_lines(f"farthest {verdict}", far)
    if reasons := found.why_no_answer():
        lines.append("no answer: " + ", ".join(f"{n} {name}" for name, n in reasons.items()))
        silent = next(c for c in found.cases if c.judgement.verdict is Verdict.NO_ANSWER)
        lines += case_lines("for example", silent)
    for name, n in found.by_property().items():
        if n:
            first = next(v for v in found.violations if v.property == name)
            shown = "; ".join(
                f"{v!r} at {where(q)}" for q, v in zip(first.questions, first.values, strict=True)
            )
            lines.append(f"not {name}: {n} times, for example {shown}")
    if lost := found.cancelled():
        deepest = max(lost, key=lambda case: case.judgement.bits_lost)
        lines.append(f"digits lost to cancellation, inside the floor: {len(lost)} points")
        lines += case_lines("for example", deepest)
    if smallest is not None:
        lines += case_lines("smallest failing point found", smallest)
    for line in found.protocol[:3]:
        lines.append(f"protocol violation: {line}")
    seconds = found.seconds()
    lines.append(
        f"time: {seconds['total']:.1f} s in all, {1e6 * seconds['median']:.0f} microseconds a call "
        f"(median), {seconds['longest']:.3f} s the longest; {found.restarts} restarts"
    )
    lines.append(f"reproduce: {run.reproduce}")
    return "\n".join(lines)


# -- JSON ----------------------------------------------------------------------------------


def as_json(run: Run, found: Outcome, smallest: Case | None = None) -> dict[str, Any]:
    """The outcome as plain data; the last key says that nothing is missing."""
    return {
        "format": FORMAT,
        "target": run.target,
        "version": run.version,
        "date": run.date,
        "sgm_verify": run.tool_version,
        "reproduce": run.reproduce,
        "quantity": run.quantity,
        "seed": run.seed,
        "strict": run.strict,
        "floor": f"{FLOOR_UNITS} * 2^-53 * (alpha ln alpha + ln A + 1), on ln A",
        "vectors_sha256": run.vectors_sha256,
        "points": len(found.cases),
        "conforms": found.conforms,
        "summary": summary_line(run, found),
        "verdicts": {str(v): n for v, n in found.counts.items()},
        "no_answer": found.why_no_answer(),
        "properties": found.by_property(),
        "by_flag": {f: {str(v): n for v, n in c.items() if n} for f, c in found.by_flag().items()},
        "worst": {
            str(v): _case(case)
            for v in (Verdict.UNSAFE, Verdict.OVERSTATED)
            if (case := found.worst(v)) is not None
        },
        "farthest": {
            str(v): _case(case)
            for v in (Verdict.UNSAFE, Verdict.OVERSTATED)
            if (case := found.worst_ratio(v)) is not None
        },
        "cancelled": {
            "points": len(found.cancelled()),
            "examples": [_case(c) for c in found.cancelled()[:1]],
        },
        "bits_lost": None if (most := found.most_bits_lost()) is None else _case(most),
        "smallest_failing": None if smallest is None else _case(smallest),
        "failures": {
            str(v): [_case(c) for c in found.cases if c.judgement.verdict is v][:_LISTED]
            for v in Verdict
            if v not in GOOD and found.counts[v]
        },
        "violations": [_violation(v) for v in _firsts(found)],
        "protocol_violations": {"count": len(found.protocol), "first": list(found.protocol[:3])},
        "restarts": found.restarts,
        "seconds": {name: _finite(s) for name, s in found.seconds().items()},
        "cases": {"columns": list(COLUMNS), "rows": [_row(case) for case in found.cases]},
        "complete": True,
    }


def json_text(run: Run, found: Outcome, smallest: Case | None = None) -> str:
    """The outcome as a JSON file: indented, but every point on one line, so that a diff shows points."""
    content = as_json(run, found, smallest)
    rows = content["cases"].pop("rows")
    lines = ",\n   ".join(json.dumps(row, allow_nan=False) for row in rows)
    content["cases"]["rows"] = []
    text = json.dumps(content, indent=1, allow_nan=False)
    head, empty, tail = text.rpartition('"rows": []')
    return f'{head}"rows": [\n   {lines}\n  ]{tail}\n' if empty and rows else f"{text}\n"


def _firsts(found: Outcome) -> list[Any]:
    names = [name for name, n in found.by_property().items() if n]
    return [next(v for v in found.violations if v.property == name) for name in names]


def _violation(violation: Any) -> dict[str, Any]:
    return {
        "property": violation.property,
        "points": [where(q) for q in violation.questions],
        "values": [_number(v) for v in violation.values],
    }


def _case(case: Case) -> dict[str, Any]:
    silent = case.judgement.verdict is Verdict.NO_ANSWER  # nothing was said, so nothing was lost
    return {
        "id": case.id,
        "q": case.question.q,
        "sigma": case.question.sigma,
        "alpha": _number(case.question.alpha),
        "answer": None if case.answer.value is None else _number(case.answer.value),
        "reason": case.judgement.reason,
        "truth_lo": case.truth.lo,
        "truth_hi": case.truth.hi,
        "truth": _number(case.truth.nearest),
        "verdict": str(case.judgement.verdict),
        "floors": _number(case.judgement.excess),
        "bits_lost": None if silent else round(case.judgement.bits_lost, 2),
    }


def _row(case: Case) -> list[Any]:
    full = {**_case(case), "group": case.id.partition("/")[0]}
    return [full[name] for name in COLUMNS]


def _number(x: float) -> float | str:
    return x if math.isfinite(x) else repr(x)


def _finite(x: float) -> float | None:
    return round(x, 6) if math.isfinite(x) else None


# -- JUnit ---------------------------------------------------------------------------------


def junit(run: Run, found: Outcome) -> str:
    """One test case a point and one a property; verdicts that fail are failures."""
    failing = {case.id for case in found.failures}
    rows = []
    for case in found.cases:
        body = ""
        if case.id in failing:
            message = quoteattr(_clean(str(case.judgement.verdict)))
            detail = escape(_clean("\n".join(case_lines("point", case))))
            body = f"<failure message={message}>{detail}</failure>"
        rows.append(
            f"<testcase classname={quoteattr(_clean(run.target))} name={quoteattr(_clean(case.id))} "
            f'time="{case.answer.seconds:.6f}">{body}</testcase>'
        )
    broken = found.by_property() | {"protocol": len(found.protocol)}
    for name, n in broken.items():
        body = f'<failure message="{n} violations"/>' if n else ""
        rows.append(f'<testcase classname="properties" name="{name}">{body}</testcase>')
    failed = len(failing) + sum(1 for n in broken.values() if n)
    head = (
        f'<testsuite name={quoteattr(_clean(f"{run.target} {run.version}"))} tests="{len(rows)}" '
        f'failures="{failed}" errors="0" skipped="0">'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        + head
        + "\n"
        + "\n".join(rows)
        + "\n</testsuite>\n"
    )


def _clean(text: str) -> str:
    return _CONTROL.sub("?", text)
