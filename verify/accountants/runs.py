"""Which runs accountants are asked about.

Published and ordinary training runs; several phases; the types of numbers that people pass; and, every time anew, draws over
wide ranges with full mantissas, so that nobody is right at the listed ones only.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from verify.accountants.question import NumberType, Quantity, RunQuestion
from verify.accounting.bench import RUNS

Named = tuple[str, RunQuestion]
"""A run's name, and a question about it; the accountant is filled in when it is asked."""

PHASES: tuple[tuple[str, tuple[tuple[float, float, int], ...], float], ...] = (
    ("noise lowered", ((0.01, 1.2, 2000), (0.01, 0.9, 500)), 1e-5),
    ("batch doubled", ((0.005, 1.0, 5000), (0.01, 1.0, 2500), (0.02, 1.0, 1250)), 1e-6),
    ("warm-up with little noise", ((0.001, 0.6, 100), (0.02, 2.0, 3000)), 1e-5),
)
TARGETS = ((0.01, 1000, 2.0, 1e-5), (256 / 60000, 14062, 3.0, 1e-5), (0.001, 10_000, 0.5, 1e-6))
"""(q, steps, epsilon, delta) to calibrate the noise for."""
CURVE = (1.0, 2.0, 4.0)
"""Epsilons at which the delta of an ordinary run is asked for."""


def ordinary() -> Iterator[Named]:
    """The epsilon of each ordinary run."""
    for name, q, sigma, steps, delta in RUNS:
        yield name, RunQuestion(Quantity.EPSILON, ((float(q), sigma, steps),), delta)


def others() -> Iterator[Named]:
    """Small delta, few steps, several phases, delta instead of epsilon, noise for a target, other types."""
    run = (0.01, 1.0, 1000)
    for delta in (1e-9, 1e-15, 1e-25):
        yield f"delta {delta:g}", RunQuestion(Quantity.EPSILON, (run,), delta)
    for steps in (1, 2, 10, 1_000_000):
        yield f"{steps} steps", RunQuestion(Quantity.EPSILON, ((0.01, 1.0, steps),), 1e-5)
    yield "q = 1e-5", RunQuestion(Quantity.EPSILON, ((1e-5, 0.7, 100_000),), 1e-6)
    yield "q = 1", RunQuestion(Quantity.EPSILON, ((1.0, 20.0, 100),), 1e-5)
    for name, phases, delta in PHASES:
        yield name, RunQuestion(Quantity.EPSILON, phases, delta)
    for epsilon in CURVE:
        yield f"delta at {epsilon:g}", RunQuestion(Quantity.DELTA, (run,), epsilon=epsilon)
    for q, steps, epsilon, delta in TARGETS:
        name = f"noise for ({epsilon:g}, {delta:g})"
        yield name, RunQuestion(Quantity.SIGMA, ((q, math.nan, steps),), delta, epsilon)
    plain = RunQuestion(Quantity.EPSILON, (run,), 1e-5)
    for kind in (NumberType.INT, NumberType.FLOAT32, NumberType.FLOAT64, NumberType.INT64):
        yield f"numbers as {kind}", of_type(plain, kind)


def of_type(question: RunQuestion, kind: NumberType) -> RunQuestion:
    """The question in numbers that the type can hold: what is judged is the run that is asked about."""
    if kind is NumberType.FLOAT32:
        history = tuple((float32(q), float32(sigma), steps) for q, sigma, steps in question.history)
        return replace(question, history=history, numbers=kind)
    return replace(question, numbers=kind)


def float32(x: float) -> float:
    """The nearest number that has 24 bits.

    >>> float32(0.1)
    0.10000000149011612
    """
    nearest: float = struct.unpack("f", struct.pack("f", x))[0]
    return nearest


def fresh(seed: int, count: int) -> Iterator[Named]:
    """Draws over what accountants are used for and beyond: full mantissas, log-uniform."""
    random = Random(seed)
    for number in range(count):
        q = 10 ** random.uniform(-5, -0.3)
        sigma = 10 ** random.uniform(-0.25, 1.3)
        steps = round(10 ** random.uniform(0.5, 5))
        delta = 10 ** random.uniform(-12, -3)
        yield f"fresh {number}", RunQuestion(Quantity.EPSILON, ((q, sigma, steps),), delta)


def nearby(question: RunQuestion, random: Random) -> RunQuestion:
    """A run a little away from another, for a search uphill."""
    ((q, sigma, steps),) = question.history
    q = min(1.0, q * math.exp(random.gauss(0, 0.3)))
    sigma = min(1000.0, max(0.3, sigma * math.exp(random.gauss(0, 0.2))))
    steps = max(1, round(steps * math.exp(random.gauss(0, 0.5))))
    delta = min(0.1, max(1e-30, (question.delta or 1e-5) * math.exp(random.gauss(0, 1.5))))
    return replace(question, history=((q, sigma, steps),), delta=delta)
