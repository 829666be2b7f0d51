"""What an implementation's answers do to the final epsilon of published training runs.

For each run of ``training.RUNS`` the implementation is asked at the orders that dp-accounting tries by
default. Its answers, and the true values, go through the same composition and the same conversion to
(epsilon, delta) (``accounting.conversions``: cks), in balls; what differs in the end is due to the answers
alone. An order without a finite answer is left out, as an accountant's minimum would leave it out; so is one
outside of the domain that was asked (``--domain``), while the true epsilon is always that of all orders.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.accounting.conversions import ORDERS, cks
from verify.judge.protocol.question import Question
from verify.judge.verdict.grading import Direction
from verify.judge.verdict.judged import Asked, Case, Judged
from verify.judge.verdict.training import RUNS, Training
from verify.moments.functions import rdp_curve
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.vectors.generate import published_form

FLAG = "TrainingRun"
GROUP = "training-runs"
_ORDERS = tuple(map(float, ORDERS["dp-accounting"]))
_DIGITS = 45
_BITS = 200
_SAME = 1e-6
_LITTLE = 1e-2


@dataclass(frozen=True, slots=True)
class Effect:
    """A run's final epsilon with the answers given and with the true values."""

    run: Training
    orders: int
    true: float
    given: float | None

    @property
    def factor(self) -> float | None:
        """Given over true; None if nothing was given."""
        return None if self.given is None else self.given / self.true

    @property
    def off(self) -> float:
        """By how much of the truth the final epsilon is off, without a sign."""
        return math.inf if self.factor is None else abs(self.factor - 1)


@functools.cache
def training_points() -> tuple[Asked, ...]:
    """Every run at every order, with the certified value."""
    return tuple(point for run in RUNS for point in _points_of_run(run))


def _points_of_run(run: Training) -> Iterator[Asked]:
    for alpha, value in zip(
        _ORDERS, rdp_curve(run.q, run.sigma, _ORDERS, digits=_DIGITS), strict=True
    ):
        question = Question("rdp", run.q, run.sigma, alpha)
        yield Asked.at(GROUP, (FLAG,), question, published_form(functools.partial(_to, value)))


def _to(value: Certified, digits: int) -> Certified:
    if digits <= _DIGITS or value.refine is None:
        return value
    return value.refine(digits, Deadline(value.max_seconds))


def effects(cases: Iterable[Case]) -> list[Effect]:
    """The effect on every run that was asked."""
    cases = list(cases)
    if not any(FLAG in case.flags for case in cases):
        return []
    by_question = {case.question: case for case in cases}
    found = []
    for run in RUNS:
        there = {a: by_question.get(Question("rdp", run.q, run.sigma, a)) for a in _ORDERS}
        known = {alpha: case for alpha, case in there.items() if case is not None}
        if known:
            found.append(_effect(run, known))
    return found


def mark_unsafe(found: Judged) -> Judged:
    """Turn low answers into UNSAFE ones where they lower the final epsilon of a published run."""
    touched = any(e.factor is not None and e.factor < 1 - _SAME for e in effects(found.cases))
    if not touched:
        return found
    return dataclasses.replace(found, cases=tuple(map(_unsafe, found.cases)))


def _unsafe(case: Case) -> Case:
    if case.judgement.direction is not Direction.LOW:
        return case
    judgement = dataclasses.replace(case.judgement, direction=Direction.UNSAFE)
    return dataclasses.replace(case, judgement=judgement)


def _effect(run: Training, cases: Mapping[float, Case]) -> Effect:
    given = {
        alpha: Fraction(case.answer.value)
        for alpha, case in cases.items()
        if case.answer.value is not None and math.isfinite(case.answer.value)
    }
    return Effect(run, len(given), _true(run), epsilon(run, given))


@functools.cache
def _true(run: Training) -> float:
    true = {
        p.question.alpha: Fraction(p.truth.lo) for p in training_points() if _is_of(run, p.question)
    }
    final = epsilon(run, true)
    if final is None:
        raise ValueError(f"{run.name}: no orders")
    return final


def _is_of(run: Training, question: Question) -> bool:
    return (question.q, question.sigma) == (run.q, run.sigma)


def epsilon(run: Training, rdp: Mapping[float, Fraction]) -> float | None:
    """The least epsilon that the orders give after all steps, never below 0; None without orders."""
    with precision(_BITS):
        inverse = -ball(Fraction(run.delta)).log()
        found = [
            fraction(cks(ball(a), ball((a - 1) * run.steps * one), inverse).mid())
            for a, one in ((Fraction(alpha), value) for alpha, value in rdp.items())
        ]
    return max(0.0, float(min(found))) if found else None


# -- in words ----------------------------------------------------------------------------------


def answer(found: list[Effect]) -> str:
    """Does it matter to my users? In one line."""
    question = "Does it matter to my users? "
    if not found:
        return question + "Not asked: the training runs were left out."
    worst = max(found, key=lambda effect: effect.off)
    if worst.off <= _SAME:
        return f"{question}No: in {len(found)} published training runs the final epsilon is right to {max(worst.off, 1e-15):.0e}."
    silent = [effect for effect in found if effect.given is None]
    if silent:
        return f"{question}Yes: {len(silent)} of {len(found)} published training runs get no epsilon at all."
    touched = [effect for effect in found if effect.off > _SAME]
    below = [effect for effect in touched if effect.factor is not None and effect.factor < 1]
    word = "Yes" if worst.off > _LITTLE else "Barely"
    kind = f"{len(below)} UNSAFE" if below else "overstated"
    return (
        f"{question}{word}: the final epsilon is off in {len(touched)} of {len(found)} published "
        f"training runs ({kind}), at worst {times(worst.factor)} the true one ({worst.run.name})."
    )


def times(factor: float | None) -> str:
    """A factor for people.

    >>> times(1.25), times(1 + 2e-7), times(None)
    ('1.25 times', '(1 + 2e-07) times', 'none of')
    """
    if factor is None:
        return "none of"
    if 0 < abs(factor - 1) < 1e-3:
        return f"(1 {'+' if factor > 1 else '-'} {abs(factor - 1):.0e}) times"
    return f"{factor:.4g} times"


def lines(found: list[Effect]) -> list[str]:
    """A table, one line a run; ``times`` is given over true, a dot if the two agree."""
    head = f"{'':<22}{'q':>10}{'sigma':>6}{'steps':>7}{'delta':>7}{'epsilon':>9}{'true':>9}{'times':>9}"
    return [head, *map(_line, found)]


def _line(effect: Effect) -> str:
    run = effect.run
    given = "none" if effect.given is None else f"{effect.given:.5g}"
    off = "." if effect.off <= _SAME or effect.factor is None else f"{effect.factor:.6g}"
    return (
        f"{run.name:<22}{run.q:>10.4g}{run.sigma:>6g}{run.steps:>7}{run.delta:>7g}"
        f"{given:>9}{effect.true:>9.5g}{off:>9}"
    )
