"""All answers of one accountant, each against the exact value of the run that was asked about."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from verify.accountants.panel import Accountant
from verify.accountants.promises import Promise, Ruling, RunJudgement, judge, judge_sigma
from verify.accountants.question import Phases, Quantity, RunQuestion
from verify.accountants.runs import Named, fresh, nearby
from verify.accounting.account import Account
from verify.accounting.calibrate import calibrate
from verify.accounting.history import history
from verify.certified import Certified
from verify.conformance.harness import Harness
from verify.conformance.question import Answer
from verify.errors import SgmError

DIGITS = 12
TRUTH_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run asked about: the answer, the exact value (None if there is none within reach), the ruling."""

    name: str
    question: RunQuestion
    answer: Answer
    truth: Certified | None
    judgement: RunJudgement


def ask(accountant: Accountant, harness: Harness, named: Iterable[Named]) -> Iterator[JudgedRun]:
    """Put the questions one after the other."""
    for name, question in named:
        asked = replace(question, accountant=accountant.name)
        answer = harness.ask(asked)
        yield judged(name, asked, answer, accountant.promise)


def judged(name: str, question: RunQuestion, answer: Answer, promise: Promise) -> JudgedRun:
    """One answer against the truth. Where that is out of reach the ruling is UNDECIDED, never a pass."""
    try:
        if question.quantity is Quantity.SIGMA:
            return _judged_sigma(name, question, answer)
        exact = truth(question)
    except SgmError:
        return JudgedRun(name, question, answer, None, RunJudgement(Ruling.UNDECIDED))
    return JudgedRun(name, question, answer, exact, judge(promise, answer.value, exact))


@functools.lru_cache(maxsize=4096)
def _value(quantity: Quantity, phases: Phases, at: float) -> Certified:
    run = Account(history(phases), TRUTH_SECONDS)
    return run.epsilon(at, DIGITS) if quantity is Quantity.EPSILON else run.delta(at, DIGITS)


def truth(question: RunQuestion) -> Certified:
    """The exact epsilon at the delta, or delta at the epsilon."""
    at = question.delta if question.quantity is Quantity.EPSILON else question.epsilon
    if at is None:
        raise ValueError("a question has the delta or the epsilon it is asked at")
    return _value(question.quantity, question.history, at)


@functools.lru_cache(maxsize=64)
def least_noise(q: float, steps: int, epsilon: float, delta: float) -> float:
    """The smallest noise multiplier that meets the target."""
    return float(calibrate(epsilon=epsilon, delta=delta, q=q, steps=steps).value)


def _judged_sigma(name: str, question: RunQuestion, answer: Answer) -> JudgedRun:
    ((q, _, steps),) = question.history
    epsilon, delta = question.epsilon, question.delta
    if epsilon is None or delta is None:
        raise ValueError("noise is asked for at an epsilon and a delta")
    least = least_noise(q, steps, epsilon, delta)
    achieved = None
    if answer.value is not None and 0.05 <= answer.value <= 1e6:
        achieved = _value(Quantity.DELTA, ((q, answer.value, steps),), epsilon)
    ruling = judge_sigma(answer.value, achieved, Fraction(delta), least)
    return JudgedRun(name, question, answer, Certified.exactly(Fraction(least)), ruling)


BAD = (Ruling.UNSAFE, Ruling.MISSES)


def badness(case: JudgedRun) -> float:
    """How far on the wrong side an answer is; larger is worse."""
    error = case.judgement.error
    if error is None:
        return -1.0
    return -error if case.judgement.ruling is not Ruling.MISSES else error


def search(
    accountant: Accountant,
    harness: Harness,
    seed: int,
    seconds: float,
    show: Callable[[JudgedRun], None] = lambda case: None,
) -> JudgedRun | None:
    """Look for the worst answer: draws, then steps from the worst so far, until the time is over."""
    random, stop = Random(seed), time.monotonic() + seconds
    worst: JudgedRun | None = None
    for name, start in fresh(seed, 10**6):
        if time.monotonic() >= stop:
            break
        question = (
            start if worst is None or random.random() < 0.3 else nearby(worst.question, random)
        )
        (case,) = ask(accountant, harness, [(name, question)])
        if worst is None or badness(case) > badness(worst):
            worst = case
            show(case)
    return worst


def smallest(cases: Iterable[JudgedRun]) -> JudgedRun | None:
    """The bad answer that is easiest to write down."""
    bad = [case for case in cases if case.judgement.ruling in BAD]
    return min(bad, key=lambda case: (len(str(case.question)), case.name), default=None)
