"""Judge a Python function directly, for test suites: no processes, known failures excused."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from verify.judge.protocol.question import Answer, printable
from verify.judge.show.render import case_lines, where
from verify.judge.verdict.exceptions import Known, excuse
from verify.judge.verdict.judged import Asked, Judged, case_of, points_of_vectors, sum_up
from verify.results.vectors import Vector

Implementation = Callable[[float, float, float], float]
_SHOWN = 5


def ask(function: Implementation, vectors: Iterable[Vector]) -> dict[str, Answer]:
    """Call the function at every vector."""
    return ask_at(function, points_of_vectors(vectors, "rdp"))


def ask_at(function: Implementation, points: Iterable[Asked]) -> dict[str, Answer]:
    """Call the function at every point; an exception is an answer, too."""
    answers = {}
    for point in points:
        at, begin = point.question, time.perf_counter()
        try:
            value = float(function(at.q, at.sigma, at.alpha))
            answer = Answer("value", value, seconds=time.perf_counter() - begin)
        except Exception as error:  # noqa: BLE001  # whatever the function under test raises
            answer = Answer("error", detail=printable(f"{type(error).__name__}: {error}"))
        answers[point.id] = answer
    return answers


def complaints(found: Judged) -> list[str]:
    """What is wrong: failures and broken properties. Empty if all is well."""
    lines = []
    if failures := found.failures:
        lines.append(f"{len(failures)} of {len(found.cases)} points fail")
        worst = sorted(failures, key=lambda case: -abs(case.judgement.relative))
        for case in worst[:_SHOWN]:
            lines += case_lines(case.judgement.label, case)
    for violation in found.violations[:_SHOWN]:
        lines.append(f"not {violation.property}: {', '.join(map(where, violation.questions))}")
    return lines


def judge_function(
    function: Implementation,
    points: Iterable[Asked],
    *,
    strict: bool = False,
    known: Iterable[Known] = (),
) -> Judged:
    """What a function says at the points, judged; known failures are excused, and unused ones listed as stale."""
    points = list(points)
    answers = ask_at(function, points)
    found = sum_up((case_of(point, answers[point.id]) for point in points), strict=strict)
    seen = [exception for exception in known if not exception.in_a_process]
    return excuse(found, seen, whole=False)
