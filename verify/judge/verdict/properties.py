"""What must hold of any implementation, whether or not the truth is known.

Epsilon is never negative, never above alpha/(2 sigma^2) (the value without sampling), never decreasing
in the order, and continuous where the order passes an integer. Only the answers are looked at, with the one
tolerance of all verdicts: answers that are all adequate break no property.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.judge.protocol.question import Askable, Question
from verify.judge.verdict.grading import ADEQUATE, tolerance

NAMES = ("nonnegative", "bounded", "nondecreasing", "continuous", "repeatable")
"""The last is not looked for here: only whoever asks a question twice can see it (``session``)."""
_NEAR = 2.0**-20


@dataclass(frozen=True, slots=True)
class Violation:
    """A property that the answers break, and the questions that show it."""

    property: str
    questions: tuple[Askable, ...]
    values: tuple[float, ...]


def violations(answers: Mapping[Question, float]) -> list[Violation]:
    """All violations among finite answers to rdp questions of finite order.

    >>> bad = Question("rdp", 0.5, 1.0, 2.0)
    >>> [v.property for v in violations({bad: -0.25})]
    ['nonnegative']
    """
    usable = {
        question: value
        for question, value in answers.items()
        if question.quantity == "rdp" and math.isfinite(value) and math.isfinite(question.alpha)
    }
    return [*_single(usable), *_pairs(usable)]


def _single(answers: Mapping[Question, float]) -> Iterator[Violation]:
    for question, value in answers.items():
        if Fraction(value) < -tolerance(question, Fraction(0)):
            yield Violation("nonnegative", (question,), (value,))
        most = Fraction(question.alpha) / (2 * Fraction(question.sigma) ** 2)
        if Fraction(value) > most + tolerance(question, most):
            yield Violation("bounded", (question,), (value,))


def _pairs(answers: Mapping[Question, float]) -> Iterator[Violation]:
    chains: dict[tuple[float, float], list[Question]] = {}
    for question in answers:
        chains.setdefault((question.q, question.sigma), []).append(question)
    for chain in chains.values():
        chain.sort(key=lambda question: question.alpha)
        for a, b in itertools.pairwise(chain):
            low, high = Fraction(answers[a]), Fraction(answers[b])
            if low > high + _noise(a, low) + _noise(b, high):
                yield Violation("nondecreasing", (a, b), (answers[a], answers[b]))
            if _near_integer(a.alpha, b.alpha) and _jump(a, low, b, high):
                yield Violation("continuous", (a, b), (answers[a], answers[b]))


def _noise(question: Question, size: Fraction) -> Fraction:
    """How far the truth can be from an adequate answer: 1e-6 of the truth is a little more of the answer."""
    return tolerance(question, size * (1 + 2 * ADEQUATE))


def _near_integer(a: float, b: float) -> bool:
    return a > 1 and b - a < _NEAR and (a.is_integer() or b.is_integer())


def _jump(a: Question, low: Fraction, b: Question, high: Fraction) -> bool:
    """Whether ln A grows by more between the two than it can.

    ln A is convex in the order, at least 0, and at most alpha (alpha-1)/(2 sigma^2); so its slope at
    alpha is at most (ln A(2 alpha) - ln A(alpha))/alpha <= (2 alpha - 1)/sigma^2.
    """
    slope = (2 * Fraction(b.alpha) - 1) / Fraction(b.sigma) ** 2
    allowed = slope * (Fraction(b.alpha) - Fraction(a.alpha))
    before, after = Fraction(a.alpha) - 1, Fraction(b.alpha) - 1
    grown = high * after - low * before
    noise = _noise(a, low) * before + _noise(b, high) * after
    return not -noise <= grown <= allowed + noise
