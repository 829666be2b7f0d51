"""Questions that nobody has seen before: histories, quantities and types of numbers, drawn anew for every check.

Numbers are log-uniform and have full mantissas (or those that their type holds), but for a fifth of
the questions, whose numbers are short, as people write them. A third of the questions each is for
epsilon, delta and noise. Of the histories four in ten have one phase, the others two to twenty; a
quarter has little noise, a quarter a rate above 0.4, a fifth phases of few steps, a tenth a rate
far below the usual ones or noise far above; of those with several phases a sixth returns to
settings that it has left, the same to the last bit, and a third has phases of very different rates
and noises, one of them short. A fifth of all questions are twins of published vectors, moved by a
little. Delta goes from 1e-3 to 1e-30 (a fifth of the answers that are a delta from 1/2 to 1e-3),
the target of noise from 0.1 to 20.

Only questions whose exact value is within reach are asked; the others are counted. So are runs in
which hardly any record is ever drawn: delta falls there from the total variation to nothing within
a little of epsilon, and no bound says more than the first.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from verify.accounting.contour.planner import Planner
from verify.accounting.history import history
from verify.judge.protocol.domain import RunDomain
from verify.judge.runs.question import (
    ADD_REMOVE,
    POISSON,
    NumberType,
    Phases,
    Quantity,
    RunQuestion,
)
from verify.judge.runs.truth import ExactRun
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfReach, SgmError
from verify.vectors.whole import load_runs
from verify.vectors.whole.flags import intrinsic

_TYPES = (NumberType.FLOAT,) * 6 + (
    NumberType.INT,
    NumberType.FLOAT32,
    NumberType.FLOAT64,
    NumberType.INT64,
)
_LEAST_RATE = 1e-6
_SELDOM = 1e-3  # times that a record is drawn: below it, every healthy bound is that by the total variation
_LEAST_EPSILON = 0.005  # of questions for delta
EVERYTHING = tuple(Quantity)


@dataclass(frozen=True, slots=True)
class DrawnQuestion:
    """A question about a run, and what is true; for noise, the least one."""

    id: str
    flags: tuple[str, ...]
    question: RunQuestion
    truth: Certified


@dataclass(frozen=True, slots=True)
class DrawnRuns:
    """Questions with their exact values; ``unreachable`` is the number of those that have none."""

    points: tuple[DrawnQuestion, ...] = ()
    unreachable: int = 0


def draw_questions(
    seed: int,
    count: int,
    domain: RunDomain | None = None,
    quantities: tuple[Quantity, ...] = EVERYTHING,
    exact: type[ExactRun] = ExactRun,
) -> DrawnRuns:
    """That many questions of a seed that lie in a domain, as far as they are within reach.

    Which ones are is decided by a clock of work: one that takes just as much as is allowed may be
    drawn on one machine and not on another.
    """
    rng, inside = Random(f"{seed}/runs"), domain or RunDomain()
    found = list(_twins(rng, count // 5, inside, exact)) if Quantity.EPSILON in quantities else []
    unreachable = tries = 0
    while len(found) < count and tries < 20 * count:
        tries += 1
        quantity = quantities[tries % len(quantities)]
        number = len(found)
        try:
            question, value = _question(rng, quantity, exact)
        except (SgmError, ArithmeticError, ValueError):
            unreachable += 1
            continue
        if inside.holds_for(question.names()):
            flags = {"Fresh", *_flags(question)}
            found.append(DrawnQuestion(f"fresh/{number}", tuple(sorted(flags)), question, value))
    return DrawnRuns(tuple(found), unreachable)


def _twins(
    rng: Random, count: int, inside: RunDomain, exact: type[ExactRun]
) -> Iterator[DrawnQuestion]:
    """Questions that differ from a published one in one argument, or in rate and noise, by any part
    from a hundred-thousandth to a tenth.

    Whoever rounds an argument, looks it up, or keeps answers under too short a key says the same
    for both. Nobody knows which digits of an argument are lost, so the sizes of the moves are equally likely.
    """
    published = [
        RunQuestion.of(vector)
        for vector in load_runs()
        if (vector.quantity, vector.sampling, vector.relation) == ("epsilon", POISSON, ADD_REMOVE)
    ]
    found = 0
    for question in rng.sample(published, min(4 * count, len(published))):
        asked = _move_question(question, rng)
        if found == count:
            return
        if asked == question or not inside.holds_for(asked.names()):
            continue
        with suppress(SgmError, ArithmeticError, ValueError):
            value = exact(asked.history).epsilon(asked.delta or 0.0)
            flags = tuple(sorted({"Fresh", *_flags(asked)}))
            yield DrawnQuestion(f"fresh/twin-{found}", flags, asked, value)
            found += 1


def _move_question(question: RunQuestion, rng: Random) -> RunQuestion:
    part = _log(rng, 1e-5, 0.1) * rng.choice((-1, 1))
    what = rng.choice(("q", "sigma", "both", "steps", "delta"))
    if what == "delta":
        return replace(question, delta=min(1e-3, (question.delta or 0.0) * (1 + part)))
    up = 1 + part
    phases = tuple(
        (
            min(1.0, q * up) if what in ("q", "both") else q,
            max(0.3, s / up) if what in ("sigma", "both") else s,
            max(1, round(n * up)) if what == "steps" else n,
        )
        for q, s, n in question.history
    )
    return replace(question, history=phases)


def _flags(question: RunQuestion) -> set[str]:
    return intrinsic(question.quantity, question.history, question.delta, question.epsilon)


def _question(
    rng: Random, quantity: Quantity, exact: type[ExactRun]
) -> tuple[RunQuestion, Certified]:
    large = quantity is Quantity.DELTA and rng.random() < 0.2
    delta = _log(rng, 1e-3, 0.5) if large else _log(rng, 1e-30, 1e-3)
    if quantity is Quantity.SIGMA:
        return _noise(rng, delta, exact)
    drawn, short = _history(rng), rng.random() < 0.2
    if short:
        drawn, delta = tuple((_two(q), _two(s), n) for q, s, n in drawn), _two(delta)
    phases, kind = of_type(drawn, rng.choice(_TYPES))
    if sum(q * n for q, _, n in phases) < _SELDOM:
        raise OutOfReach("no training: hardly any record is ever drawn")
    run = exact(phases)
    value = run.epsilon(delta)
    if quantity is Quantity.EPSILON:
        return RunQuestion(quantity, phases, delta, numbers=kind), value
    if value.hi < _LEAST_EPSILON:
        raise OutOfReach("nobody asks for delta at so small an epsilon")
    epsilon = _two(float(value.hi)) if short else float(value.hi)
    return RunQuestion(quantity, phases, epsilon=epsilon, numbers=kind), run.delta(epsilon)


def _noise(rng: Random, delta: float, exact: type[ExactRun]) -> tuple[RunQuestion, Certified]:
    """Draw an epsilon, the target, and take the noise that has this epsilon."""
    q = _log(rng, 1e-5, 0.9) if rng.random() < 0.9 else 1.0
    kind = rng.choice(_TYPES)
    q = float32(q) if kind is NumberType.FLOAT32 else q
    most = 15 if rng.random() < 0.2 else 500_000 if q < 0.05 else 50_000
    steps, goal = round(_log(rng, 1, most)), _log(rng, 0.1, 20.0)
    sigma = with_epsilon(q, steps, delta, goal)
    target = float(exact(((q, sigma, steps),)).epsilon(delta).hi) * (1 + 1e-13)
    asked = ((q, math.nan, steps),)
    low = Fraction(sigma) * (1 - Fraction(1, 10**9))
    question = RunQuestion(Quantity.SIGMA, asked, delta, target, numbers=kind)
    return question, Certified(low, Fraction(sigma))


def with_epsilon(q: float, steps: int, delta: float, goal: float) -> float:
    """Noise whose epsilon is about the goal, by the planner's estimate in doubles."""
    low, high = math.log(0.3), math.log(300.0)
    for _ in range(14):
        middle = (low + high) / 2
        run = history([(q, math.exp(middle), steps)])
        if Planner(run, "remove").guess(math.log(delta)) > goal:
            low = middle
        else:
            high = middle
    sigma = math.exp((low + high) / 2)
    if not 0.31 < sigma < 290:
        raise OutOfReach("no noise in the range has such an epsilon")
    return sigma


def _history(rng: Random) -> Phases:
    count = 1 if rng.random() < 0.4 else round(_log(rng, 2, 20))
    q = rng.uniform(0.4, 1.0) if rng.random() < 0.25 else _log(rng, 1e-4, 0.4)
    sigma = rng.uniform(0.3, 0.56) if rng.random() < 0.25 else _log(rng, 0.5, 20.0)
    if (far := rng.random()) < 0.1:  # tiny rates in long runs, or noise that nobody expects
        q, sigma = (_log(rng, 1e-6, 1e-4), sigma) if far < 0.05 else (q, _log(rng, 20.0, 100.0))
    steps = round(_log(rng, 1, 1_000_000 if q < 1e-3 else 100_000 if q < 0.05 else 3000))
    if rng.random() < 0.2:
        steps = count * rng.randint(1, 49)
    phases = tuple(
        (
            min(1.0, max(_LEAST_RATE, q * rng.uniform(0.7, 1.4))),
            max(0.3, sigma * rng.uniform(0.9, 1.15)),
            max(1, round(steps / count * rng.uniform(0.6, 1.6))),
        )
        for _ in range(count)
    )
    if count > 1 and rng.random() < 1 / 3:
        phases = tuple(_elsewhere(rng, phase) for phase in phases)
        brief = rng.randrange(count)
        few = max(1, round(sum(n for _, _, n in phases) / _log(rng, 100.0, 2000.0)))
        phases = tuple((q, s, few if k == brief else n) for k, (q, s, n) in enumerate(phases))
    if count > 1 and rng.random() < 1 / 6:
        apart = rng.randint(1, count // 2)
        phases = tuple((*phases[k % apart][:2], n) for k, (_, _, n) in enumerate(phases))
    return tuple((1.0, s, n) for _, s, n in phases) if rng.random() < 0.04 else phases


def _elsewhere(rng: Random, phase: tuple[float, float, int]) -> tuple[float, float, int]:
    """A phase far from the settings of the others: a warm-up, a full batch at the end, one step in between."""
    q, sigma, steps = phase
    rate = 1.0 if rng.random() < 0.1 else min(1.0, max(_LEAST_RATE, q * _log(rng, 0.03, 3.0)))
    return rate, max(0.3, sigma * _log(rng, 0.7, 4.0)), max(1, round(steps * _log(rng, 0.1, 1.0)))


def _two(x: float) -> float:
    """Two digits.

    >>> _two(0.012345)
    0.012
    """
    return float(f"{x:.2g}")


def of_type(phases: Phases, kind: NumberType) -> tuple[Phases, NumberType]:
    """The history in numbers that the type can hold: what is judged is the run that is asked about."""
    if kind is NumberType.FLOAT32:
        return tuple((float32(q), float32(sigma), steps) for q, sigma, steps in phases), kind
    if kind in (NumberType.INT, NumberType.INT64):
        return tuple((q, float(max(1, round(sigma))), steps) for q, sigma, steps in phases), kind
    return phases, kind


def float32(x: float) -> float:
    """The nearest number that has 24 bits.

    >>> float32(0.1)
    0.10000000149011612
    """
    nearest: float = struct.unpack("f", struct.pack("f", x))[0]
    return nearest


def nearby(question: RunQuestion, rng: Random) -> RunQuestion:
    """A run a little away from another, for a search uphill."""
    phases = tuple(
        (
            min(1.0, q * math.exp(rng.gauss(0, 0.3))),
            min(1000.0, max(0.3, sigma * math.exp(rng.gauss(0, 0.2)))),
            max(1, round(steps * math.exp(rng.gauss(0, 0.5)))),
        )
        for q, sigma, steps in question.history
    )
    delta = min(0.1, max(1e-30, (question.delta or 1e-5) * math.exp(rng.gauss(0, 1.5))))
    return replace(question, history=phases, delta=delta, numbers=NumberType.FLOAT)


def searching(seed: int) -> Iterator[RunQuestion]:
    """Starting points of a search: epsilon of a drawn history."""
    rng = Random(f"{seed}/search")
    while True:
        yield RunQuestion(Quantity.EPSILON, _history(rng), _log(rng, 1e-30, 1e-3))


def _log(rng: Random, low: float, high: float) -> float:
    return min(high, max(low, low * math.exp(rng.random() * math.log(high / low))))
