"""Accountants that are wrong in one way each: a check must find out every one, by default and within three minutes.

Each is the certified accountant but where it cheats. They get the whole question, as a program
does. Those here are silence and what once passed; ``own`` has more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from verify.judge.selftest.accountants import certified

Question = dict[str, Any]
Answer = float | str | None
Answers = Callable[[Question], Answer]
Phases = list[tuple[float, float, int]]

REGISTRY: dict[str, Callable[[], Answers]] = {}


def cheat(make: Callable[[], Answers]) -> Callable[[], Answers]:
    REGISTRY[make.__name__.replace("_", "-")] = make
    return make


def honest(question: Question) -> float:
    """What is true, as the certified accountant says it."""
    phases: Phases = [(p["q"], p["sigma"], p["steps"]) for p in question["history"]]
    kind = question["quantity"]
    if kind == "epsilon":
        return certified.epsilon(phases, question["delta"])
    if kind == "delta":
        return certified.delta(phases, question["epsilon"])
    return certified.sigma(phases[0][0], phases[0][2], question["epsilon"], question["delta"])


def shrunk(question: Question, factor: float) -> float:
    """Epsilon and delta times a factor; noise by as much."""
    return honest(question) * factor


def with_history(question: Question, phases: Phases) -> float:
    """The answer for another history; 0 for none."""
    if not phases:
        return 0.0
    told = [{"q": q, "sigma": s, "steps": n} for q, s, n in phases]
    return honest({**question, "history": told})


def phases_of(question: Question) -> Phases:
    return [(p["q"], p["sigma"], p["steps"]) for p in question["history"]]


def noise_is_asked(question: Question) -> bool:
    return bool(question["quantity"] == "sigma")


# -- silence -----------------------------------------------------------------------------------


@cheat
def always_nan() -> Answers:
    return lambda question: math.nan


@cheat
def always_inf() -> Answers:
    return lambda question: math.inf


@cheat
def always_huge() -> Answers:
    return lambda question: 1e300


@cheat
def always_refuses() -> Answers:
    return lambda question: None


@cheat
def always_zero() -> Answers:
    return lambda question: 0.0


@cheat
def thousands_of_times() -> Answers:
    """A bound that is true and of no use."""
    return lambda question: shrunk(question, 2000.0)


# -- the ones that passed before -----------------------------------------------------------------


@cheat
def delta_zero_below_1e_13() -> Answers:
    def answer(question: Question) -> Answer:
        value = honest(question)
        return 0.0 if question["quantity"] == "delta" and value < 1e-13 else value

    return answer


@cheat
def a_third_for_little_noise() -> Answers:
    def answer(question: Question) -> Answer:
        low = not noise_is_asked(question) and min(s for _, s, _ in phases_of(question)) < 0.55
        return shrunk(question, 1 / 3 if low else 1.0)

    return answer


@cheat
def a_third_for_large_rates() -> Answers:
    def answer(question: Question) -> Answer:
        return shrunk(question, 1 / 3 if max(q for q, _, _ in phases_of(question)) > 0.5 else 1.0)

    return answer


@cheat
def short_phases_ignored() -> Answers:
    def answer(question: Question) -> Answer:
        kept = [phase for phase in phases_of(question) if phase[2] >= 50]
        return honest(question) if noise_is_asked(question) else with_history(question, kept)

    return answer


@cheat
def three_phases_at_most() -> Answers:
    return lambda question: with_history(question, phases_of(question)[:3])


@cheat
def first_phase_only_for_delta() -> Answers:
    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        return with_history(question, phases[:1] if question["quantity"] == "delta" else phases)

    return answer


@cheat
def little_noise_for_large_targets() -> Answers:
    def answer(question: Question) -> Answer:
        return shrunk(
            question, 0.7 if noise_is_asked(question) and question["epsilon"] > 3 else 1.0
        )

    return answer


@cheat
def little_noise_for_small_targets() -> Answers:
    def answer(question: Question) -> Answer:
        return shrunk(
            question, 0.7 if noise_is_asked(question) and question["epsilon"] < 0.5 else 1.0
        )

    return answer


@cheat
def steps_in_thousands() -> Answers:
    """Rounded to thousands, from 20,000 on."""

    def answer(question: Question) -> Answer:
        phases = [(q, s, n // 1000 * 1000 if n > 20_000 else n) for q, s, n in phases_of(question)]
        return with_history(question, phases)

    return answer


@cheat
def wrong_after_46_answers() -> Answers:
    calls = 0

    def answer(question: Question) -> Answer:
        nonlocal calls
        calls += 1
        return shrunk(question, 0.9 if calls > 46 else 1.0)

    return answer


@cheat
def keeps_state() -> Answers:
    """The history of the question before is still there."""
    before: Phases = []

    def answer(question: Question) -> Answer:
        nonlocal before
        phases = phases_of(question)
        kept, before = before, [] if noise_is_asked(question) else phases
        if noise_is_asked(question):
            return honest(question)
        return with_history(question, kept or phases)

    return answer
