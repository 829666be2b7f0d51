"""More accountants that are wrong in one way each: ways that passed a check when they were thought
up, and their like."""

from __future__ import annotations

import itertools
import time

from verify.judge.selftest.accountants import certified, contour
from verify.judge.selftest.accountants.cheats import (
    Answer,
    Answers,
    Phases,
    Question,
    cheat,
    honest,
    noise_is_asked,
    phases_of,
    shrunk,
    with_history,
)
from verify.judge.selftest.accountants.own import REGISTRY

__all__ = ["REGISTRY"]


@cheat
def delta_capped_at_a_hundredth() -> Answers:
    """As if nobody asked for delta where it is large."""

    def answer(question: Question) -> Answer:
        value = honest(question)
        return min(value, 0.01) if question["quantity"] == "delta" else value

    return answer


@cheat
def delta_halved_at_small_epsilons() -> Answers:
    def answer(question: Question) -> Answer:
        small = question["quantity"] == "delta" and question["epsilon"] < 0.05
        return shrunk(question, 0.5 if small else 1.0)

    return answer


@cheat
def delta_of_adding() -> Answers:
    """Delta in the direction that is smaller."""

    def answer(question: Question) -> Answer:
        if question["quantity"] != "delta":
            return honest(question)
        return contour.delta_in(phases_of(question), True, question["epsilon"])

    return answer


@cheat
def phases_after_phases() -> Answers:
    """A run that goes on with one more phase than the question before: what was composed for that one is forgotten."""
    before: Phases = []

    def answer(question: Question) -> Answer:
        nonlocal before
        if noise_is_asked(question):
            return honest(question)
        phases = phases_of(question)
        kept, before = before, phases
        more = len(phases) > len(kept) > 0 and phases[: len(kept)] == kept
        return with_history(question, phases[len(kept) :] if more else phases)

    return answer


@cheat
def last_phase_goes_on() -> Answers:
    """The last of several phases has more steps than in the question before: the answer is that before."""
    before: Question = {}
    told = 0.0

    def answer(question: Question) -> Answer:
        nonlocal before, told
        if noise_is_asked(question):
            return honest(question)
        now, was = phases_of(question), phases_of(before) if before else []
        alike = len(now) == len(was) > 1 and now[:-1] == was[:-1] and now[-1][:2] == was[-1][:2]
        grown = alike and now[-1][2] > was[-1][2] and question["delta"] == before["delta"]
        before, told = question, told if grown else honest(question)
        return told

    return answer


@cheat
def short_phases_beside_long_ones() -> Answers:
    """Phases that have less than a hundredth of the steps are ignored."""

    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        all_steps = sum(n for _, _, n in phases)
        return with_history(question, [p for p in phases if 100 * p[2] >= all_steps])

    return answer


@cheat
def small_rates_beside_large_ones() -> Answers:
    """Phases whose rate is less than a tenth of the largest are ignored."""

    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        largest = max(q for q, _, _ in phases)
        return with_history(question, [p for p in phases if 10 * p[0] >= largest])

    return answer


@cheat
def full_batches_beside_others() -> Answers:
    """Phases of rate 1 are ignored where there are others."""

    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        sampled = [p for p in phases if p[0] < 1]
        return with_history(question, sampled or phases)

    return answer


@cheat
def numbers_as_people_write_them() -> Answers:
    """Right at every published vector, a tenth too small at others whose numbers are short."""

    def answer(question: Question) -> Answer:
        rates = tuple(phases_of(question))
        key = question["quantity"], rates, question.get("delta"), question.get("epsilon")
        short = all(len(repr(q)) < 9 and len(repr(s)) < 9 for q, s, _ in rates)
        return shrunk(question, 0.9 if short and key not in certified.known_answers() else 1.0)

    return answer


@cheat
def phases_in_a_set() -> Answers:
    """Phases that are alike in rate, noise and steps count once."""
    return lambda question: with_history(question, list(dict.fromkeys(phases_of(question))))


@cheat
def neighbours_alike_counted_once() -> Answers:
    """The same for phases that follow one another."""

    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        return with_history(question, [p for p, _ in itertools.groupby(phases)])

    return answer


@cheat
def delta_of_whole_numbers() -> Answers:
    """A tenth too small if the noise multiplier is passed as a Python integer."""

    def answer(question: Question) -> Answer:
        whole = question["quantity"] == "delta" and question["numbers"] == "int"
        return shrunk(question, 0.9 if whole else 1.0)

    return answer


@cheat
def noise_for_almost_every_record() -> Answers:
    def answer(question: Question) -> Answer:
        almost = noise_is_asked(question) and 0.9 < phases_of(question)[0][0] < 1
        return shrunk(question, 0.9 if almost else 1.0)

    return answer


@cheat
def noise_always_300() -> Answers:
    """Enough for everybody."""
    return lambda question: 300.0 if noise_is_asked(question) else honest(question)


@cheat
def noise_for_one_step() -> Answers:
    def answer(question: Question) -> Answer:
        one = noise_is_asked(question) and phases_of(question)[0][2] == 1
        return shrunk(question, 0.9 if one else 1.0)

    return answer


@cheat
def noise_for_tiny_rates() -> Answers:
    def answer(question: Question) -> Answer:
        tiny = noise_is_asked(question) and phases_of(question)[0][0] < 1e-4
        return shrunk(question, 0.9 if tiny else 1.0)

    return answer


@cheat
def noise_for_long_runs() -> Answers:
    def answer(question: Question) -> Answer:
        long = noise_is_asked(question) and phases_of(question)[0][2] > 60_000
        return shrunk(question, 0.9 if long else 1.0)

    return answer


@cheat
def window_of_a_hundred() -> Answers:
    """Losses beyond 100 are cut off."""

    def answer(question: Question) -> Answer:
        value = honest(question)
        return min(value, 100.0) if question["quantity"] == "epsilon" else value

    return answer


@cheat
def epsilon_below_a_thousandth_is_none() -> Answers:
    def answer(question: Question) -> Answer:
        value = honest(question)
        return 0.0 if question["quantity"] == "epsilon" and value < 1e-3 else value

    return answer


@cheat
def wrong_after_5000_calls() -> Answers:
    calls = 0

    def answer(question: Question) -> Answer:
        nonlocal calls
        calls += 1
        return shrunk(question, 0.999 if calls > 5000 else 1.0)

    return answer


@cheat
def wrong_after_25_seconds() -> Answers:
    begin = time.monotonic()

    def answer(question: Question) -> Answer:
        return shrunk(question, 0.999 if time.monotonic() - begin > 25 else 1.0)

    return answer
