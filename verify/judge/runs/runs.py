"""Which runs accountants are always asked about: published ones, several phases, and the types of
numbers that people pass."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from verify.accounting.published import RUNS
from verify.judge.runs.draws import DrawnQuestion, of_type
from verify.judge.runs.question import NumberType, Quantity, RunQuestion
from verify.judge.runs.truth import truth
from verify.numbers.certified import Certified
from verify.results.run_vectors import RunVector
from verify.vectors.whole import load_runs

Named = tuple[str, RunQuestion]
"""A run's name, and a question about it; the accountant is filled in when it is asked."""

PHASES: tuple[tuple[str, tuple[tuple[float, float, int], ...], float], ...] = (
    ("noise lowered", ((0.01, 1.2, 2000), (0.01, 0.9, 500)), 1e-5),
    ("batch doubled", ((0.005, 1.0, 5000), (0.01, 1.0, 2500), (0.02, 1.0, 1250)), 1e-6),
    ("warm-up with little noise", ((0.001, 0.6, 100), (0.02, 2.0, 3000)), 1e-5),
    ("twenty phases", tuple((0.001 * (1 + k % 5), 0.8 + 0.05 * k, 100) for k in range(20)), 1e-6),
    ("settings that return", ((0.01, 1.0, 600), (0.02, 1.5, 300), (0.01, 1.0, 400)), 1e-5),
    ("a rate of a millionth", ((1e-6, 0.6, 100_000), (2e-6, 0.6, 300_000)), 1e-9),
    ("much noise", ((0.4, 50.0, 2000), (0.5, 60.0, 3000)), 1e-6),
)

GROWING: tuple[tuple[float, float, int], ...] = (
    (0.01, 1.2, 400),
    (0.02, 1.1, 250),
    (0.005, 0.9, 600),
    (0.01, 1.3, 300),
)
"""One training of four phases, asked about as it goes on."""

_AGAIN = ((0.01, 1.0, 500), (0.01, 1.0, 500), (0.02, 1.5, 300), (0.01, 1.0, 500))
_TINY = ((4e-6, 0.6, 300_000),)
SELDOM: tuple[tuple[str, RunQuestion], ...] = (
    ("the same phase again", RunQuestion(Quantity.EPSILON, _AGAIN, 1e-5)),
    ("the same phase again, delta", RunQuestion(Quantity.DELTA, _AGAIN, epsilon=2.0)),
    ("an epsilon below 0.001", RunQuestion(Quantity.EPSILON, ((0.001, 20.0, 10),), 1e-8)),
    ("one step, delta", RunQuestion(Quantity.DELTA, ((0.1, 1.0, 1),), epsilon=1.0)),
    ("a rate of a millionth, delta", RunQuestion(Quantity.DELTA, _TINY, epsilon=0.5)),
    ("almost every record, noise", RunQuestion(Quantity.SIGMA, ((0.95, math.nan, 40),), 1e-6, 3.0)),
    ("400,000 steps, noise", RunQuestion(Quantity.SIGMA, ((5e-4, math.nan, 400_000),), 1e-6, 2.0)),
    ("a large delta, noise", RunQuestion(Quantity.SIGMA, ((0.02, math.nan, 3000),), 1e-4, 1.0)),
)
"""What no vector asks and many draws leave out."""


def ordinary() -> Iterator[Named]:
    """Twelve runs: published ones, and others of ordinary size."""
    for name, q, sigma, steps, delta in RUNS:
        yield name, RunQuestion(Quantity.EPSILON, ((float(q), sigma, steps),), delta)


def others() -> Iterator[Named]:
    """Runs of several phases, and one run in every type of numbers."""
    for name, phases, delta in PHASES:
        yield name, RunQuestion(Quantity.EPSILON, phases, delta)
    for kind in NumberType:
        phases, _ = of_type(((0.01, 1.0, 1000),), kind)
        yield f"numbers as {kind}", RunQuestion(Quantity.EPSILON, phases, 1e-5, numbers=kind)


def growing() -> Iterator[Named]:
    """The same training in the middle of each phase and at its end."""
    for k, (q, sigma, steps) in enumerate(GROWING):
        for done in (steps // 2, steps):
            history = (*GROWING[:k], (q, sigma, done))
            name = f"growing/{sum(n for _, _, n in history)} steps"
            yield name, RunQuestion(Quantity.EPSILON, history, 1e-5)


def seldom() -> Iterator[Named]:
    """What many draws leave out; and delta of two phases, and noise of full batches, in every type
    of numbers."""
    yield from SELDOM
    for kind in NumberType:
        phases, _ = of_type(((0.01, 1.0, 600), (0.02, 2.0, 200)), kind)
        yield (
            f"delta with numbers as {kind}",
            RunQuestion(Quantity.DELTA, phases, epsilon=1.5, numbers=kind),
        )
        full = ((1.0, math.nan, 100),)
        yield (
            f"noise with numbers as {kind}",
            RunQuestion(Quantity.SIGMA, full, 1e-5, 2.0, numbers=kind),
        )


def named_runs() -> Iterator[Named]:
    """All of these, without their exact values."""
    yield from ordinary()
    yield from others()
    yield from growing()
    yield from seldom()


def always() -> list[DrawnQuestion]:
    """What every check asks that is not narrowed: the questions above."""
    return [
        *with_exact_values(ordinary()),
        *with_exact_values(others()),
        *with_exact_values(growing(), ("Chain",)),
        *with_exact_values(seldom(), ("Seldom",)),
    ]


def with_exact_values(
    named: Iterator[Named], flags: tuple[str, ...] = ("Ordinary",)
) -> Iterator[DrawnQuestion]:
    """The questions with their exact values."""
    for name, question in named:
        yield DrawnQuestion(name, flags, question, truth(question))


def published_questions(vectors: tuple[RunVector, ...] | None = None) -> Iterator[DrawnQuestion]:
    """The published vectors, whose exact values cost nothing."""
    for vector in load_runs() if vectors is None else vectors:
        low, high = vector.value.bounds()
        yield DrawnQuestion(vector.id, vector.flags, RunQuestion.of(vector), Certified(low, high))


def chains(points: list[DrawnQuestion]) -> list[list[DrawnQuestion]]:
    """Questions in the orders in which people ask, as far as there are five of a kind.

    Runs that begin with one (q, sigma), at one delta, by ascending steps, as training asks after
    every epoch, whether phases follow or not; and epsilon and delta of one history by turns, delta
    falling: an accountant that keeps a composed run for the next question keeps too much or too
    little.
    """
    started: dict[object, list[DrawnQuestion]] = {}
    of_history: dict[object, list[DrawnQuestion]] = {}
    for point in points:
        question = point.question
        notion = question.sampling, question.relation, question.beside
        if question.quantity is not Quantity.SIGMA and question.numbers is NumberType.FLOAT:
            of_history.setdefault((question.history, notion), []).append(point)
        if question.quantity is Quantity.EPSILON:
            begin = question.history[0][:2]
            started.setdefault((begin, question.delta, notion), []).append(point)
    ascending = [sorted(chain, key=_steps) for chain in started.values()]
    by_turns = [_by_turns(chain) for chain in of_history.values()]
    return [chain for chain in (*ascending, *by_turns) if len(chain) >= 5]


def _steps(point: DrawnQuestion) -> int:
    return sum(steps for _, _, steps in point.question.history)


def _by_turns(chain: list[DrawnQuestion]) -> list[DrawnQuestion]:
    """Epsilon at falling delta, and after each of them delta at a growing epsilon, as long as there is one."""
    epsilons = sorted(
        (p for p in chain if p.question.delta is not None), key=lambda p: -(p.question.delta or 0.0)
    )
    deltas = sorted(
        (p for p in chain if p.question.epsilon is not None),
        key=lambda p: p.question.epsilon or 0.0,
    )
    pairs = itertools.zip_longest(epsilons, deltas)
    return [point for pair in pairs for point in pair if point is not None]
