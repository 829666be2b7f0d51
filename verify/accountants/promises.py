"""What an accountant promises, and whether an answer keeps it.

An upper bound that lies below the exact value is UNSAFE; one end of an interval that lies on the wrong side of it makes the
interval miss. An estimate promises nothing and gets its error. The tolerance is that of every other verdict: what is within a
millionth of the truth (or 1e-12) changes nothing for anybody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verify.certified import Bound, Certified

RELATIVE, ABSOLUTE = Fraction(1, 10**6), Fraction(1, 10**12)


class Promise(StrEnum):
    """What an accountant says of its numbers."""

    UPPER = "upper"
    LOWER = "lower"
    ESTIMATE = "estimate"


class Ruling(StrEnum):
    """What became of one answer."""

    KEPT = "kept"
    UNSAFE = "UNSAFE"
    MISSES = "misses"
    ESTIMATED = "estimated"
    VACUOUS = "vacuous"
    NO_ANSWER = "no answer"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class RunJudgement:
    """A ruling, with the answer over the exact value, less one (None where there is none)."""

    ruling: Ruling
    error: float | None = None


def judge(promise: Promise, answer: float | None, truth: Certified) -> RunJudgement:
    """An answer for epsilon or delta against the interval that contains the exact value.

    >>> exact = Certified.exactly(Fraction(2))
    >>> [str(judge(Promise.UPPER, x, exact).ruling) for x in (2.5, 2.0 - 1e-9, 1.99)]
    ['kept', 'kept', 'UNSAFE']
    """
    if answer is None or math.isnan(answer):
        return RunJudgement(Ruling.NO_ANSWER)
    if math.isinf(answer):
        return _infinite(promise, answer, truth)
    return RunJudgement(
        _ruling(promise, Fraction(answer), truth.lo, truth.hi), _error(answer, truth)
    )


def _infinite(promise: Promise, answer: float, truth: Certified) -> RunJudgement:
    exact = truth.lo == truth.hi == answer
    if exact:
        return RunJudgement(
            Ruling.KEPT if promise is not Promise.ESTIMATE else Ruling.ESTIMATED, 0.0
        )
    empty = answer > 0 if promise is Promise.UPPER else answer < 0
    if promise is not Promise.ESTIMATE and empty:
        return RunJudgement(Ruling.VACUOUS)
    return RunJudgement(Ruling.NO_ANSWER if promise is Promise.ESTIMATE else Ruling.UNSAFE)


def _ruling(promise: Promise, answer: Fraction, low: Bound, high: Bound) -> Ruling:
    if promise is Promise.ESTIMATE:
        return Ruling.ESTIMATED
    if promise is Promise.UPPER:
        if answer >= _less(high):
            return Ruling.KEPT
        return Ruling.UNSAFE if answer < _less(low) else Ruling.UNDECIDED
    if answer <= _more(low):
        return Ruling.KEPT
    return Ruling.MISSES if answer > _more(high) else Ruling.UNDECIDED


def _less(x: Bound) -> Bound:
    return x if isinstance(x, float) else x - max(abs(x) * RELATIVE, ABSOLUTE)


def _more(x: Bound) -> Bound:
    return x if isinstance(x, float) else x + max(abs(x) * RELATIVE, ABSOLUTE)


def _error(answer: float, truth: Certified) -> float | None:
    """answer/truth - 1, by the end of the interval that is nearer to the answer."""
    ends = [x for x in (truth.lo, truth.hi) if not isinstance(x, float) and x > 0]
    errors = [float(Fraction(answer) / x - 1) for x in ends]
    return min(errors, key=abs) if errors else None


def judge_sigma(
    answer: float | None, achieved: Certified | None, target: Fraction, least: float
) -> RunJudgement:
    """A noise multiplier: does the run with it meet the target delta, and how much more noise than needed is it?

    ``achieved`` is the exact delta of the run with that noise, ``least`` the smallest noise that meets the target.
    """
    if answer is None or math.isnan(answer) or achieved is None:
        return RunJudgement(Ruling.NO_ANSWER)
    if math.isinf(answer):
        return RunJudgement(Ruling.VACUOUS)
    excess = answer / least - 1
    if achieved.hi <= _more(target):
        return RunJudgement(Ruling.KEPT, excess)
    return RunJudgement(Ruling.UNSAFE if achieved.lo > _more(target) else Ruling.UNDECIDED, excess)
