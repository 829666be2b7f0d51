"""Judge an accountant's Python functions directly, for test suites: no processes, known failures excused."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from verify.judge.protocol.question import Answer, printable
from verify.judge.runs.draws import DrawnQuestion
from verify.judge.runs.judged import JudgedRuns, case_of
from verify.judge.runs.promises import Promise
from verify.judge.runs.question import ADD_REMOVE, POISSON, Quantity
from verify.judge.runs.record import answer_text
from verify.judge.verdict.judged import AnyJudged

Functions = dict[Quantity, Callable[..., float]]
_SHOWN = 5


def ask(functions: Functions, point: DrawnQuestion) -> Answer:
    """Call the function of the quantity; an exception is an answer, too."""
    question, begin = point.question, time.perf_counter()
    function = functions[question.quantity]
    given = {"delta": question.delta, "epsilon": question.epsilon}
    named = {name: x for name, x in given.items() if x is not None}
    try:
        if question.quantity is Quantity.SIGMA:
            ((q, _, steps),) = question.history
            value = float(function(q, steps, **named))
        else:
            value = float(function(list(question.history), *named.values()))
    except Exception as error:  # noqa: BLE001  # whatever the function under test raises
        return Answer("error", detail=printable(f"{type(error).__name__}: {error}"))
    return Answer("value", value, seconds=time.perf_counter() - begin)


def judge_functions(
    functions: Functions, points: Iterable[DrawnQuestion], promise: Promise, strict: bool = False
) -> JudgedRuns:
    """Every question that a function is there for, judged.

    A function of a history is not told the sampling and the relation: it is asked about Poisson
    sampling and add/remove only.
    """
    cases = [
        case_of(point, ask(functions, point), promise)
        for point in points
        if point.question.quantity in functions
        and (point.question.sampling, point.question.relation) == (POISSON, ADD_REMOVE)
    ]
    return AnyJudged(tuple(cases), (), (), 0, frozenset(), strict)


def complaints(found: JudgedRuns) -> list[str]:
    """What is wrong; empty if all is well."""
    failures = found.failures
    if not failures:
        return []
    lines = [f"{len(failures)} of {len(found.cases)} questions fail"]
    for case in sorted(failures, key=lambda case: -abs(case.judgement.relative))[:_SHOWN]:
        lines.append(f"{case.judgement.label}: {case.id}: {case.question}")
        lines.append(f"    answer {answer_text(case)}")
        lines.append(f"    exact  {case.truth.lo_str(15)}")
    return lines
