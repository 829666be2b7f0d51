"""The certified value at any point, in the form in which vectors are published."""

from __future__ import annotations

import functools

from verify.judge.protocol.question import Question
from verify.moments.divergence import evaluate
from verify.numbers.point import Point
from verify.results.vectors import Expected
from verify.vectors.generate import published_form

_SECONDS = 20.0


@functools.lru_cache(maxsize=16384)
def truth(question: Question) -> Expected:
    """What is true there; an error of the engine if that cannot be had in time.

    >>> truth(Question("rdp", 0.01, 1.1, 8.5)).nearest
    0.0006298401019087922
    """
    point = Point.of(question.q, question.sigma, question.alpha)
    return published_form(
        lambda digits: evaluate(question.quantity, point, digits, False, _SECONDS)
    )
