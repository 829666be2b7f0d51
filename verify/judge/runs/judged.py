"""Answers about runs, each against the exact value: cases of the one class that steps have, too."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.judge.protocol.harness import Harness
from verify.judge.protocol.question import Answer, printable
from verify.judge.runs.draws import DrawnQuestion, nearby, searching
from verify.judge.runs.promises import Promise, Ruling, RunJudgement, judge, judge_sigma
from verify.judge.runs.question import NumberType, Quantity, RunQuestion
from verify.judge.runs.truth import truth, value
from verify.judge.verdict.judged import AnyCase, AnyJudged
from verify.numbers.certified import Certified
from verify.numbers.errors import SgmError
from verify.results.conformance import Region

RunCase = AnyCase[RunQuestion, Certified, RunJudgement]
JudgedRuns = AnyJudged[RunQuestion, Certified, RunJudgement]
_NOISES = (0.05, 1e6)  # noise that is accounted for
MUCH = 10  # times the least noise: what is below is never absurd


def case_of(point: DrawnQuestion, answer: Answer, promise: Promise) -> RunCase:
    """A question with its answer, judged."""
    judgement = _judgement(point, answer, promise)
    where = region(point.question)
    reason = judgement.reason or (
        f"{answer.kind}: {printable(answer.detail)}" if answer.detail else answer.kind
    )
    if judgement.ruling in (Ruling.KEPT, Ruling.ESTIMATED):
        reason = ""
    judgement = RunJudgement(judgement.grade, judgement.error, reason, where)
    return AnyCase(point.id, point.flags, point.question, point.truth, answer, judgement)


def _judgement(point: DrawnQuestion, answer: Answer, promise: Promise) -> RunJudgement:
    given = answer.value if answer.kind == "value" else None
    question = point.question
    if question.quantity is not Quantity.SIGMA:
        found = judge(promise, given, point.truth, question.quantity)
        loose = question.quantity is Quantity.DELTA and promise is Promise.UPPER
        return _of_use(question, given, found) if loose and found.ruling is Ruling.ABSURD else found
    least = float(point.truth.hi)
    ((q, _, steps),) = question.history
    achieved = None
    try:
        if given is not None and _NOISES[0] <= given < least and promise is not Promise.ESTIMATE:
            achieved = value(Quantity.DELTA, ((q, given, steps),), question.epsilon or 0.0)
    except SgmError:
        return RunJudgement(Ruling.UNDECIDED)
    found = judge_sigma(promise, given, achieved, Fraction(question.delta or 0.0), least)
    wasteful = given is not None and given > MUCH * least and promise is Promise.UPPER
    return _of_much_noise(question, given, found) if wasteful else found


def _of_much_noise(question: RunQuestion, given: float | None, found: RunJudgement) -> RunJudgement:
    """Far more noise than is needed, judged by the epsilon that the run with it has: the target is
    a bound of that one."""
    if given is None or found.ruling is not Ruling.KEPT:
        return found
    ((q, _, steps),) = question.history
    try:
        exact = value(Quantity.EPSILON, ((q, given, steps),), question.delta or 0.0)
    except SgmError:  # it is enough noise in any case
        return found
    as_epsilon = judge(Promise.UPPER, question.epsilon, exact, Quantity.EPSILON)
    return RunJudgement(as_epsilon.ruling, found.error)


def _of_use(question: RunQuestion, given: float | None, found: RunJudgement) -> RunJudgement:
    """A bound of delta far above the exact one, judged by the epsilon that it wastes.

    The question and the answer are a point (epsilon, delta), as they would be if epsilon had been
    the answer for that delta. The verdict is the same: one point, one verdict. A delta of 1 says
    nothing.
    """
    if given is None or question.epsilon is None or given >= 1:
        return found
    try:
        exact = truth(replace(question, quantity=Quantity.EPSILON, delta=given, epsilon=None))
    except SgmError:
        return RunJudgement(Ruling.UNDECIDED, found.error)
    as_epsilon = judge(Promise.UPPER, question.epsilon, exact, Quantity.EPSILON)
    return RunJudgement(as_epsilon.ruling, found.error)


def region(question: RunQuestion) -> Region:
    """Whether training runs as they are published ask this."""
    ordinary = (
        all(math.isnan(q) or 1e-5 <= q <= 0.2 for q, _, _ in question.history)
        and all(not sigma < 0.5 and not sigma > 12 for _, sigma, _ in question.history)
        and (question.delta is None or question.delta >= 1e-10)
        and question.numbers in (NumberType.FLOAT, NumberType.INT, NumberType.FLOAT64)
    )
    return Region.TRAINING if ordinary else Region.EXTREMES


def badness(case: RunCase) -> float:
    """How far on the wrong side an answer is; larger is worse."""
    error = case.judgement.error
    if error is None:
        return -1.0
    return -error if case.judgement.ruling is not Ruling.MISSES else error


def search(
    ask: Callable[[RunQuestion], Answer],
    promise: Promise,
    seed: int,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> RunCase | None:
    """Look for the worst answer: draws, then steps from the worst so far, until the time is over."""
    rng, stop = Random(seed), clock() + seconds
    worst: RunCase | None = None
    for number, start in enumerate(searching(seed)):
        if clock() >= stop:
            break
        question = start if worst is None or rng.random() < 0.3 else nearby(worst.question, rng)
        try:
            exact = truth(question)
        except SgmError:
            continue
        point = DrawnQuestion(f"search/{number}", ("Search",), question, exact)
        case = case_of(point, ask(question), promise)
        if worst is None or badness(case) > badness(worst):
            worst = case
    return worst


def smallest(cases: Iterable[RunCase]) -> RunCase | None:
    """The failure that is easiest to write down."""
    return min(cases, key=lambda case: (len(str(case.question)), case.id), default=None)


def asker(harness: Harness, accountant: str) -> Callable[[RunQuestion], Answer]:
    """Puts questions to one accountant of a program."""
    return lambda question: harness.ask(replace(question, accountant=accountant))
