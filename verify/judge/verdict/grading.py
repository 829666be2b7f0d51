"""The verdict on one answer: how accurate epsilon is, which way it errs, and whether training runs ask for it.

Everything is measured on epsilon itself, which is what users add up over their steps:

    exact     the double nearest to the truth, or off by at most one ulp
    full      relative error up to 1e-12, or no more than 8 ulps in q, sigma and alpha explain
    adequate  relative error up to 1e-6, or absolute error up to 1e-12: a million steps move epsilon
              by at most 1e-6
    inexact   relative error up to 1 %
    wrong     everything else

An answer worse than adequate has a direction: overstated above the truth; below it *low* by up to a
ten-thousandth, if no published run's epsilon changes (``effect.mark_unsafe``), and UNSAFE from there on. A negative
answer is measured like any other: clamping it at zero earns nothing that the zero itself is not worth.
A strict check fails adequate answers, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from verify.judge.protocol.question import Answer, Question, printable
from verify.judge.verdict.conditioning import bounds_nearby
from verify.judge.verdict.training import region
from verify.numbers.certified import Bound
from verify.results.conformance import GOOD, STRICTLY_GOOD, Direction, Grade, Region
from verify.results.vectors import Expected

FULL = Fraction(1, 10**12)
ADEQUATE = Fraction(1, 10**6)
INEXACT = Fraction(1, 100)
LITTLE = Fraction(1, 10**4)
ABSOLUTE = Fraction(1, 10**12)
RULE = (
    "on epsilon: exact to 1 ulp; full to 1e-12 or what 8 ulps of the parameters explain; "
    "adequate to 1e-6, or 1e-12 absolute; inexact to 1 %"
)

__all__ = [
    "GOOD",
    "RULE",
    "STRICTLY_GOOD",
    "Direction",
    "Grade",
    "Judgement",
    "Region",
    "factor",
    "judge",
    "tolerance",
]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, with the facts behind it.

    ``direction`` is None unless the answer is worse than adequate. ``relative`` is the error over the
    truth (signed: negative understates; 0 if no number was given, infinite if the truth is 0),
    ``bits_lost`` the bits of the 53 that the answer has wrong.
    """

    grade: Grade
    direction: Direction | None
    region: Region
    relative: float
    bits_lost: float
    reason: str = ""

    @property
    def silent(self) -> bool:
        """Whether there was no number to measure."""
        return self.grade is Grade.NO_ANSWER

    def good(self, strict: bool) -> bool:
        """Whether the answer passes."""
        return self.grade in (STRICTLY_GOOD if strict else GOOD)

    @property
    def label(self) -> str:
        """Grade and direction in words."""
        return f"{self.grade}, {self.direction}" if self.direction else str(self.grade)


def judge(question: Question, truth: Expected, answer: Answer) -> Judgement:
    """Compare an answer with the truth.

    >>> truth = Expected.of("0.5", "0.5", 0.5, 0.5)
    >>> judge(Question("rdp", 1.0, 2.0, 4.0), truth, Answer("value", 0.49)).label
    'wrong, UNSAFE'
    """
    where = region(question)
    low, high = truth.bounds()
    value = answer.value
    if answer.kind != "value" or value is None:
        return Judgement(Grade.NO_ANSWER, None, where, 0.0, 0.0, _reason(answer))
    if math.isnan(value):
        return Judgement(Grade.NO_ANSWER, None, where, 0.0, 0.0, "nan")
    if isinstance(low, float) or isinstance(high, float):  # the truth is +inf
        if value == math.inf:
            return Judgement(Grade.EXACT, None, where, 0.0, 0.0)
        reason = "finite where the truth is infinite"
        return Judgement(Grade.WRONG, Direction.UNSAFE, where, -1.0, 53.0, reason)
    if value == math.inf:
        return Judgement(Grade.NO_ANSWER, None, where, 0.0, 0.0, "inf")
    if value == -math.inf:
        reason = "minus infinity"
        return Judgement(Grade.WRONG, Direction.UNSAFE, where, -math.inf, 53.0, reason)
    if value == truth.nearest:
        return Judgement(Grade.EXACT, None, where, 0.0, 0.0)
    error = _error(Fraction(value), low, high)
    grade = _grade(question, truth, Fraction(value), error)
    direction = None
    if grade not in GOOD:
        little = error >= -LITTLE * low
        direction = (
            Direction.OVERSTATED if error > 0 else Direction.LOW if little else Direction.UNSAFE
        )
    return Judgement(grade, direction, where, _over(error, low), _bits_lost(error, low))


def _grade(question: Question, truth: Expected, value: Fraction, error: Fraction) -> Grade:
    size = Fraction(truth.bounds()[0])
    if abs(error) <= Fraction(math.ulp(truth.nearest)):
        return Grade.EXACT
    if abs(error) <= FULL * size:
        return Grade.FULL
    least, most = bounds_nearby(question)
    if least <= value <= most:
        return Grade.FULL
    if abs(error) <= tolerance(question, size):
        return Grade.ADEQUATE
    return Grade.INEXACT if abs(error) <= INEXACT * size else Grade.WRONG


def tolerance(question: Question, size: Fraction) -> Fraction:
    """The error of an answer of that size that is adequate; the one tolerance of all rules.

    >>> float(tolerance(Question("rdp", 0.5, 1.0, 3.0), Fraction(2)))
    2e-06
    """
    return max(ADEQUATE * abs(size), ABSOLUTE * factor(question))


def factor(question: Question) -> Fraction:
    """What turns epsilon into the quantity asked for: alpha - 1 for ln A and ln B, else 1.

    >>> factor(Question("rdp", 0.5, 1.0, 3.5)), factor(Question("log_a", 0.5, 1.0, 3.5))
    (Fraction(1, 1), Fraction(5, 2))
    """
    if not question.quantity.startswith("log") or math.isinf(question.alpha):
        return Fraction(1)
    return Fraction(question.alpha) - 1


def _error(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The least error that is certain: zero inside the enclosure."""
    return value - high if value > high else value - low if value < low else Fraction(0)


def _over(error: Fraction, size: Fraction) -> float:
    if error == 0:
        return 0.0
    try:
        return float(error / size)
    except (OverflowError, ZeroDivisionError):
        return math.inf if error > 0 else -math.inf


def _bits_lost(error: Fraction, size: Bound) -> float:
    if error == 0:
        return 0.0
    if size == 0:
        return 53.0
    return min(53.0, max(0.0, 53.0 + _log2(abs(error)) - _log2(abs(Fraction(size)))))


def _log2(x: Fraction) -> float:
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    return shift + math.log2(float(x / Fraction(2) ** shift))


def _reason(answer: Answer) -> str:
    return f"{answer.kind}: {printable(answer.detail)}" if answer.detail else answer.kind
