"""Runs of other samplings and relations that accountants are asked about; each is asked of those who account for it.

The published vectors have Poisson sampling with every relation, and batches of a fixed size with
add/remove. Here stand the others. Where the exact value is not known, the truth is a bracket: an
answer below its lower end is refuted by the data sets that attain it, one above its upper end is a
bound, and of one between them nothing is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.accounting.pairs.notions import (
    ADD_REMOVE,
    ALLOCATION,
    FIXED,
    REPLACE_ONE,
    SEQUENTIAL,
    TRUNCATED,
    ZERO_OUT,
)
from verify.judge.runs.draws import DrawnQuestion
from verify.judge.runs.panel import Accountant
from verify.judge.runs.question import Quantity, RunQuestion
from verify.judge.runs.truth import truth

FLAG = "Notion"
_DELTA = 1e-5
_FIXED = (
    (0.01, 1.0, 100),
    (0.01, 2.0, 1000),
    (0.001, 1.0, 1000),
    (0.1, 4.0, 100),
    (0.05, 3.0, 500),
)
_ALLOTTED = ((1.0, 100, 1), (1.0, 10, 5), (2.0, 50, 20))  # sigma, batches, epochs
_KNOWN = ((1.0, 1, 1), (4.0, 100, 20))
_CUT = (
    (0.02, 1.0, 100, 1000, 20),
    (0.01, 0.8, 500, 10_000, 150),
)  # q, sigma, steps, records, limit


def questions() -> Iterator[RunQuestion]:
    """All of them."""
    for run in _FIXED:
        yield _question(run, FIXED, REPLACE_ONE)
    yield _question(_FIXED[0], FIXED, ZERO_OUT)
    for sampling, relation, runs in (
        (ALLOCATION, ADD_REMOVE, _ALLOTTED),
        (SEQUENTIAL, REPLACE_ONE, _KNOWN),
        (SEQUENTIAL, ZERO_OUT, _KNOWN),
    ):
        for sigma, batches, epochs in runs:
            yield _question((math.nan, sigma, batches), sampling, relation, epochs=epochs)
    for q, sigma, steps, records, limit in _CUT:
        yield _question((q, sigma, steps), TRUNCATED, ADD_REMOVE, records=records, limit=limit)


def _question(
    run: tuple[float, float, int], sampling: str, relation: str, **beside: int
) -> RunQuestion:
    return RunQuestion(
        Quantity.EPSILON,
        (run,),
        _DELTA,
        sampling=sampling,
        relation=relation,
        beside=tuple(beside.items()),
    )


def named_questions() -> Iterator[tuple[str, RunQuestion]]:
    """All of them, by name."""
    for question in questions():
        yield f"{question.sampling}, {question.relation}: {question}", question


def questions_for(accountants: list[Accountant]) -> Iterator[DrawnQuestion]:
    """The questions that one of the accountants can answer, with their exact values; a bracket takes seconds."""
    for name, question in named_questions():
        if any(accountant.offers(question) for accountant in accountants):
            yield DrawnQuestion(name, (FLAG,), question, truth(question))
