"""What a check found, as text for people."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator

from verify.judge.causes.theorems import again
from verify.judge.protocol.question import Askable
from verify.judge.verdict import effect
from verify.judge.verdict.grading import Direction, Grade, Region
from verify.judge.verdict.judged import Case, Judged
from verify.results.conformance import Cluster

_WIDTH = 80


def where(question: Askable) -> str:
    """A question in one line."""
    return str(question)


def summary_line(name: str, found: Judged) -> str:
    """What was found, in one line."""
    counts = ", ".join(f"{n} {grade}" for grade, n in found.counts.items() if n)
    broken = ", ".join(f"{n} not {what}" for what, n in found.by_property().items() if n)
    word = (
        "conforms" if found.conforms else "does not conform" if found.answered else "never answered"
    )
    errs = ", ".join(f"{n} {direction}" for direction, n in found.directions.items() if n)
    parts = [counts, errs, f"properties: {broken}" if broken else ""]
    if found.protocol:
        parts.append(f"{len(found.protocol)} protocol violations")
    return f"{name}: {word}: {len(found.cases)} points: " + "; ".join(p for p in parts if p)


def case_lines(title: str, case: Case) -> list[str]:
    """A case in full: point, answer, truth."""
    j = case.judgement
    lines = [f"{title}: {where(case.question)}"]
    if j.grade is not Grade.NO_ANSWER:
        lines.append(f"    answer {case.answer.value!r}{_comparison_text(case)}")
        lines.append(f"    truth  {case.truth.lo}")
        lines.append(f"    {j.label}; {j.region}")
    else:
        lines.append(f"    {j.reason}; truth {case.truth.nearest!r}")
    return lines


def _comparison_text(case: Case) -> str:
    relative = case.judgement.relative
    if not math.isfinite(relative):
        return ""
    if -1 < relative < -1e-3 or relative > 1e-3:
        return f", {1 + relative:.6g} times the truth"
    return f", off by {relative:+.3g} of the truth"


def text(
    name: str, found: Judged, smallest: Case | None = None, clusters: Iterable[Cluster] = ()
) -> str:
    """The whole outcome for a terminal."""
    touched = effect.effects(found.cases)
    lines = [*_wrap_words(effect.answer(touched)), *effect.lines(touched), ""] if touched else []
    lines += [*_wrap_words(summary_line(name, found)), "", *region_table(found), ""]
    lines += [line for cluster in clusters for line in cluster_lines(cluster)]
    lines += [*flag_table(found), ""]
    for region in Region:
        lines += _worst(found, region)
    if reasons := found.why_no_answer():
        lines.append("no answer: " + ", ".join(f"{n} {kind}" for kind, n in reasons.items()))
        silent = next(c for c in found.cases if c.judgement.grade is Grade.NO_ANSWER)
        lines += case_lines("for example", silent)
    lines += _properties(found)
    if smallest is not None:
        lines += case_lines("smallest failing point found", smallest)
    lines += [f"protocol violation: {line}" for line in found.protocol[:3]]
    if found.excused:
        lines.append(f"known failures, not counted: {len(found.excused)} points")
    lines += [f"stale exception, {line}" for line in found.stale]
    return "\n".join([*lines, time_line(found)])


def cluster_lines(cluster: Cluster) -> list[str]:
    """A cause with its points, for people; the snippet can be copied."""
    where = ", ".join(f"{n} in {region}" for region, n in cluster.regions.items() if n)
    kinds = ", ".join(f"{n} {kind}" for kind, n in cluster.verdicts.items())
    told = [("cause", cluster.cause), ("shown", cluster.shown), ("change", cluster.change)]
    told += [("flag", note) for note in cluster.notes]
    return [
        f"{cluster.name}: {cluster.points} points ({where}; {kinds})",
        *(
            line
            for title, words in told
            if words
            for line in _wrap_words(words, f"    {title + ':':<8}")
        ),
        *(f"    | {line}" for line in cluster.snippet.splitlines()),
        *theorem_lines(cluster),
        "",
    ]


def theorem_lines(cluster: Cluster) -> list[str]:
    """What the kernel says of the smallest UNSAFE answer, if it was asked."""
    if cluster.theorem is None:
        return [f"    no theorem: {cluster.not_proved}"] if cluster.not_proved else []
    proved = cluster.theorem
    return [
        f"    THEOREM (Coq, {len(proved.axioms)} axioms): {proved.words}",
        *(f"    | {line.strip()}" for line in proved.theorem.splitlines()),
        f"    again: {again(proved)}",
    ]


def _wrap_words(words: str, title: str = "") -> list[str]:
    """Words for a terminal of 80 columns; what continues stands below the first, or is set in."""
    return textwrap.wrap(
        title + words,
        _WIDTH,
        subsequent_indent=" " * (len(title) or 4),
        break_long_words=False,
        break_on_hyphens=False,
    )


def region_table(found: Judged) -> list[str]:
    """Counts by region and verdict."""
    rows = []
    for region in Region:
        part = found.within(region)
        counts = (*part.counts.values(), *part.directions.values())
        rows.append([str(region), *(str(n or ".") for n in counts)])
    return _table(["", *map(str, Grade), "UNSAFE", "over", "low"], rows)


def percent(relative: float) -> str:
    """A relative error for people.

    >>> percent(-0.03), percent(2e-5), percent(49.0), percent(-1.5)
    ('-3%', '+0.002%', '50 times', 'negative')
    """
    if relative >= 1:
        return f"{1 + relative:.3g} times"
    return "negative" if relative < -1 else "zero" if relative == -1 else f"{100 * relative:+.3g}%"


def flag_table(found: Judged) -> list[str]:
    """Counts by flag and grade, plain text that can be copied."""
    rows = [
        [flag, *(str(counts[grade] or ".") for grade in Grade)]
        for flag, counts in found.by_flag().items()
    ]
    return _table(["flag", *map(str, Grade)], rows)


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(head[0], no_wrap=True)
    for title in head[1:]:
        table.add_column(title, justify="right", min_width=max(map(len, title.split())))
    for row in rows:
        table.add_row(*row)
    console = Console(width=_WIDTH, color_system=None, force_terminal=False)
    with console.capture() as shown:
        console.print(table)
    return [line.rstrip() for line in shown.get().splitlines()]


def _worst(found: Judged, region: Region) -> list[str]:
    part = found.within(region)
    cases = [(direction, part.worst(direction)) for direction in Direction]
    return [
        line
        for direction, case in cases
        if case is not None
        for line in case_lines(f"worst {direction} in {region}", case)
    ]


def _properties(found: Judged) -> Iterator[str]:
    for name, n in found.by_property().items():
        if n:
            first = next(v for v in found.violations if v.property == name)
            shown = "; ".join(
                f"{v!r} at {where(q)}" for q, v in zip(first.questions, first.values, strict=True)
            )
            yield from _wrap_words(f"not {name}: {n} times, for example {shown}")


def time_line(found: Judged) -> str:
    """How long it took; a program that gave no number has no time for one."""
    times = found.seconds()
    each = "no answer to take the time of"
    if times.median is not None:
        each = f"a call {1e6 * times.median:.0f} microseconds (median), {times.longest:.3f} s the longest"
    return f"time: {times.total:.1f} s; {each}; {found.restarts} restarts"
