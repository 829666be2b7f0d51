"""What a check found, as text for people."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.conformance.judge import Grade
from verify.conformance.judged import Case, Judged, log_ratio
from verify.conformance.question import Question

_WIDTH = 80


def where(question: Question) -> str:
    """A point in one line."""
    return f"q={question.q!r} sigma={question.sigma!r} alpha={question.alpha!r}"


def summary_line(name: str, found: Judged) -> str:
    """What was found, in one line."""
    counts = ", ".join(f"{n} {grade}" for grade, n in found.counts.items() if n)
    broken = ", ".join(f"{n} not {what}" for what, n in found.by_property().items() if n)
    word = (
        "conforms" if found.conforms else "does not conform" if found.answered else "harness failed"
    )
    parts = [counts, f"properties: {broken}" if broken else ""]
    if found.protocol:
        parts.append(f"{len(found.protocol)} protocol violations")
    return f"{name}: {word}: {len(found.cases)} points: " + "; ".join(p for p in parts if p)


def case_lines(title: str, case: Case) -> list[str]:
    """A case in full: point, answer, truth."""
    j = case.judgement
    lines = [f"{title}: {where(case.question)}"]
    if j.grade is not Grade.NO_ANSWER:
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


def text(name: str, found: Judged, smallest: Case | None = None) -> str:
    """The whole outcome for a terminal."""
    lines = [summary_line(name, found), "", *flag_table(found), ""]
    for grade in (Grade.UNSAFE, Grade.OVERSTATED):
        lines += _worst(found, grade)
    if reasons := found.why_no_answer():
        lines.append("no answer: " + ", ".join(f"{n} {kind}" for kind, n in reasons.items()))
        silent = next(c for c in found.cases if c.judgement.grade is Grade.NO_ANSWER)
        lines += case_lines("for example", silent)
    lines += _properties(found)
    if lost := found.cancelled():
        deepest = max(lost, key=lambda case: case.judgement.bits_lost)
        lines.append(f"digits lost to cancellation, inside the floor: {len(lost)} points")
        lines += case_lines("for example", deepest)
    if smallest is not None:
        lines += case_lines("smallest failing point found", smallest)
    lines += [f"protocol violation: {line}" for line in found.protocol[:3]]
    return "\n".join([*lines, time_line(found)])


def flag_table(found: Judged) -> list[str]:
    """Counts by flag and grade, plain text that can be copied."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("flag", no_wrap=True)
    for grade in Grade:
        table.add_column(str(grade), justify="right", min_width=max(map(len, grade.split())))
    for flag, counts in found.by_flag().items():
        table.add_row(flag, *(str(counts[grade] or ".") for grade in Grade))
    console = Console(width=_WIDTH, color_system=None, force_terminal=False)
    with console.capture() as shown:
        console.print(table)
    return [line.rstrip() for line in shown.get().splitlines()]


def _worst(found: Judged, grade: Grade) -> list[str]:
    case, far = found.worst(grade), found.worst_ratio(grade)
    if case is None or far is None:
        return []
    lines = case_lines(f"worst {grade}", case)
    return lines if far.id == case.id else [*lines, *case_lines(f"farthest {grade}", far)]


def _properties(found: Judged) -> Iterator[str]:
    for name, n in found.by_property().items():
        if n:
            first = next(v for v in found.violations if v.property == name)
            shown = "; ".join(
                f"{v!r} at {where(q)}" for q, v in zip(first.questions, first.values, strict=True)
            )
            yield f"not {name}: {n} times, for example {shown}"


def time_line(found: Judged) -> str:
    """How long it took; a program that gave no number has no time for one."""
    times = found.seconds()
    each = "no answer to take the time of"
    if times.median is not None:
        each = f"{1e6 * times.median:.0f} microseconds a call (median), {times.longest:.3f} s the longest"
    return f"time: {times.total:.1f} s in all, {each}; {found.restarts} restarts"
