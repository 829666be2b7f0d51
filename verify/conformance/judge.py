"""The grade of one answer, and the noise floor that makes it fair.

Double arithmetic cannot do everything: a healthy implementation has an error of ln A of some units
of 2^-53 (alpha ln alpha + ln A + 1). Sixteen such units are allowed, on ln A and not on epsilon,
because dividing by alpha - 1 and taking the log of 1 + 1e-20 destroy relative digits in any
straightforward double program. Where the answer is inside that floor but its relative digits are gone,
the point is counted as *cancelled*, beside the grade; ``strict`` scales the floor with ln A, so that
such an answer fails.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from verify.certified import Bound
from verify.conformance.question import Answer, Question, printable
from verify.results.conformance import GOOD, Grade
from verify.results.vectors import Expected

FLOOR_UNITS = 16
_UNIT = Fraction(1, 2**53)
_SUBNORMAL = Fraction(1, 2**1074)

__all__ = ["FLOOR_UNITS", "GOOD", "Grade", "Judgement", "factor", "floor", "judge", "strict_floor"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A grade, with the facts behind it.

    ``excess`` is the error of ln A over the floor (signed: negative understates; 0 if no number was
    given), ``bits_lost`` the bits of the 53 that the answer has wrong.
    """

    grade: Grade
    excess: float
    bits_lost: float
    cancelled: bool
    reason: str = ""


def judge(question: Question, truth: Expected, answer: Answer, strict: bool = False) -> Judgement:
    """Compare an answer with the truth."""
    low, high = truth.bounds()
    if answer.kind != "value" or answer.value is None:
        return Judgement(Grade.NO_ANSWER, 0.0, 0.0, False, _reason(answer))
    value = answer.value
    if math.isnan(value):
        return Judgement(Grade.NO_ANSWER, 0.0, 0.0, False, "nan")
    if isinstance(low, float) or isinstance(high, float):  # the truth is +inf
        if value == math.inf:
            return Judgement(Grade.CORRECT, 0.0, 0.0, False)
        return Judgement(Grade.UNSAFE, -math.inf, 53.0, False, "finite where the truth is infinite")
    if math.isinf(value):
        if value > 0:
            return Judgement(Grade.NO_ANSWER, 0.0, 0.0, False, "inf")
        return Judgement(Grade.UNSAFE, -math.inf, 53.0, False, "minus infinity")
    error = _error(Fraction(value), low, high)
    lost = _bits_lost(error, low)
    if value == truth.nearest:
        return Judgement(Grade.CORRECT, 0.0, 0.0, False)
    scale = factor(question)
    relative = strict_floor(question, high)
    cancelled = abs(error) * scale > relative
    allowed = relative if strict else floor(question, high)
    excess = _ratio(error * scale, allowed)
    if abs(error) <= Fraction(math.ulp(truth.nearest)):
        return Judgement(Grade.ULP, excess, lost, False)
    if abs(error) * scale <= allowed:
        return Judgement(Grade.ACCURATE, excess, lost, cancelled)
    grade = Grade.OVERSTATED if error > 0 else Grade.UNSAFE
    return Judgement(grade, excess, lost, cancelled)


def factor(question: Question) -> Fraction:
    """What turns the quantity asked for into ln A (or ln B); 1 for the limit alpha = 1.

    >>> factor(Question("rdp", 0.5, 1.0, 3.5)), factor(Question("log_a", 0.5, 1.0, 3.5))
    (Fraction(5, 2), Fraction(1, 1))
    """
    if question.quantity.startswith("log") or question.alpha in (1.0, math.inf):
        return Fraction(1)
    return Fraction(question.alpha) - 1


def floor(question: Question, size: Fraction) -> Fraction:
    """The error of ln A allowed where the quantity asked for is ``size``."""
    alpha = 1.0 if math.isinf(question.alpha) else question.alpha
    steps = Fraction(alpha * math.log(alpha)) + abs(size) * factor(question) + 1
    return FLOOR_UNITS * _UNIT * steps


def strict_floor(question: Question, size: Fraction) -> Fraction:
    """The same, relative to ln A where that is below 1; never above the plain floor.

    A small A - 1 goes like q^2 e^{1/sigma^2}, so rounding sigma once moves it by about 1/sigma^2 units:
    that many more are allowed, and never less than subnormal doubles can say.
    """
    unit = FLOOR_UNITS * _UNIT / Fraction(question.sigma) ** 2
    log = abs(size) * factor(question)
    plain = floor(question, size)
    return min(plain, (plain + unit) * min(Fraction(1), log) + 4 * _SUBNORMAL * factor(question))


def _error(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The least error that is certain: zero inside the enclosure."""
    return value - high if value > high else value - low if value < low else Fraction(0)


def _bits_lost(error: Fraction, size: Bound) -> float:
    if error == 0:
        return 0.0
    if size == 0:
        return 53.0
    return min(53.0, max(0.0, 53.0 + _log2(abs(error)) - _log2(abs(Fraction(size)))))


def _log2(x: Fraction) -> float:
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    return shift + math.log2(float(x / Fraction(2) ** shift))


def _ratio(error: Fraction, allowed: Fraction) -> float:
    try:
        return float(error / allowed)
    except OverflowError:
        return math.inf if error > 0 else -math.inf


def _reason(answer: Answer) -> str:
    return f"{answer.kind}: {printable(answer.detail)}" if answer.detail else answer.kind
