"""More accountants that are wrong in one way each, thought up by looking for what a check does not ask."""

from __future__ import annotations

import math
import random
import time

from verify.judge.selftest.accountants import certified, contour
from verify.judge.selftest.accountants.cheats import (
    REGISTRY,
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

__all__ = ["REGISTRY"]


@cheat
def table_of_vectors() -> Answers:
    """Right at every published vector, a tenth too small elsewhere."""

    def answer(question: Question) -> Answer:
        rates = tuple(phases_of(question))
        key = question["quantity"], rates, question.get("delta"), question.get("epsilon")
        told = certified.known_answers().get(key)
        return shrunk(question, 0.9) if told is None else told

    return answer


@cheat
def whole_noise_multiplier() -> Answers:
    """Half the steps if the noise multiplier is passed as an integer."""

    def answer(question: Question) -> Answer:
        whole = question["numbers"] in ("int", "int64")
        return shrunk(question, 0.5 if whole else 1.0)

    return answer


@cheat
def adding_only() -> Answers:
    """The direction that is smaller: a record is added."""

    def answer(question: Question) -> Answer:
        if question["quantity"] != "epsilon":
            return honest(question)
        return contour._epsilon_in(phases_of(question), True, question["delta"])

    return answer


@cheat
def window_of_twenty() -> Answers:
    """Losses beyond 20 are cut off."""

    def answer(question: Question) -> Answer:
        value = honest(question)
        return min(value, 19.97) if question["quantity"] == "epsilon" else value

    return answer


@cheat
def delta_clipped() -> Answers:
    """Delta below 1e-15 is taken for 1e-15."""

    def answer(question: Question) -> Answer:
        if question["quantity"] == "epsilon":
            return honest({**question, "delta": max(question["delta"], 1e-15)})
        return honest(question)

    return answer


@cheat
def careless_cache() -> Answers:
    """Looked up by two digits of the rate and the noise; whoever comes first is right."""
    cache: dict[object, float] = {}

    def answer(question: Question) -> Answer:
        if question["quantity"] != "epsilon":
            return honest(question)
        key = (
            tuple((f"{q:.2g}", f"{s:.2g}", n) for q, s, n in phases_of(question)),
            question["delta"],
        )
        if key not in cache:
            cache[key] = honest(question)
        return cache[key]

    return answer


@cheat
def wrong_after_idling() -> Answers:
    last, idled = time.monotonic(), False

    def answer(question: Question) -> Answer:
        nonlocal last, idled
        now = time.monotonic()
        value = honest(question)
        last, idled = time.monotonic(), idled or now - last > 2.0
        return value * (0.999 if idled else 1.0)

    return answer


@cheat
def wrong_after_2000_calls() -> Answers:
    calls = 0

    def answer(question: Question) -> Answer:
        nonlocal calls
        calls += 1
        return shrunk(question, 0.999 if calls > 2000 else 1.0)

    return answer


@cheat
def different_answers() -> Answers:
    """One answer in a hundred is off by a billionth: always good enough, and never the same."""
    dice = random.Random()

    def answer(question: Question) -> Answer:
        return shrunk(question, 1 + 1e-9 * (dice.random() < 0.01))

    return answer


@cheat
def fourth_ascending_run() -> Answers:
    """Wrong from the fourth question in a row with more steps at one (q, sigma)."""
    before, row = (0.0, 0.0, 0), 0

    def answer(question: Question) -> Answer:
        nonlocal before, row
        phase = phases_of(question)[0]
        onwards = phase[:2] == before[:2] and phase[2] > before[2]
        before, row = phase, row + 1 if onwards else 1
        return shrunk(question, 0.95 if row >= 4 else 1.0)

    return answer


@cheat
def noise_a_thousandth_short() -> Answers:
    return lambda question: shrunk(question, 0.999 if noise_is_asked(question) else 1.0)


@cheat
def tenth_phase_onwards_lost() -> Answers:
    return lambda question: with_history(question, phases_of(question)[:10])


@cheat
def equal_noise_counted_once() -> Answers:
    """Phases of the same rate are one phase, of the longest."""

    def answer(question: Question) -> Answer:
        if noise_is_asked(question):
            return honest(question)
        kept: dict[float, tuple[float, float, int]] = {}
        for q, s, n in phases_of(question):
            rate = round(q, 3)
            if rate not in kept or kept[rate][2] < n:
                kept[rate] = (q, s, n)
        return with_history(question, list(kept.values()))

    return answer


@cheat
def low_by_two_millionths() -> Answers:
    return lambda question: shrunk(question, 1 - 2e-6)


@cheat
def second_of_two_alike() -> Answers:
    """The same question twice in a row counts twice: the second answer is another."""
    before: Question = {}

    def answer(question: Question) -> Answer:
        nonlocal before
        now = {name: x for name, x in question.items() if name != "id"}
        alike, before = now == before, now
        return shrunk(question, 0.9 if alike else 1.0)

    return answer


@cheat
def delta_from_what_was_composed() -> Answers:
    """For delta, the run that was composed for the question before is taken, if it begins alike."""
    composed: Phases = []

    def answer(question: Question) -> Answer:
        nonlocal composed
        phases = phases_of(question)
        if question["quantity"] == "delta" and composed == phases:
            return shrunk(question, 0.99)
        composed = [] if noise_is_asked(question) else phases
        return honest(question)

    return answer


@cheat
def settings_in_a_dictionary() -> Answers:
    """Phases are kept by rate and noise: who returns to a setting loses the first stay."""

    def answer(question: Question) -> Answer:
        if noise_is_asked(question):
            return honest(question)
        kept = {(q, s): n for q, s, n in phases_of(question)}
        return with_history(question, [(q, s, n) for (q, s), n in kept.items()])

    return answer


@cheat
def no_rate_below_a_hundred_thousandth() -> Answers:
    """Smaller rates are taken for none."""

    def answer(question: Question) -> Answer:
        kept = [phase for phase in phases_of(question) if phase[0] >= 1e-5]
        return honest(question) if noise_is_asked(question) else with_history(question, kept)

    return answer


@cheat
def much_noise_is_no_loss() -> Answers:
    """Noise above 25 is taken for twice as much."""

    def answer(question: Question) -> Answer:
        if noise_is_asked(question):
            return honest(question)
        return with_history(
            question, [(q, 2 * s if s > 25 else s, n) for q, s, n in phases_of(question)]
        )

    return answer


@cheat
def noise_in_single_precision() -> Answers:
    """A hundredth too little noise if the arguments are numpy's."""

    def answer(question: Question) -> Answer:
        numpys = question["numbers"] in ("float32", "float64", "int64")
        return shrunk(question, 0.99 if noise_is_asked(question) and numpys else 1.0)

    return answer


@cheat
def two_decimals() -> Answers:
    """Epsilon cut after two decimals, as a table would print it."""

    def answer(question: Question) -> Answer:
        value = honest(question)
        return math.floor(100 * value) / 100 if question["quantity"] == "epsilon" else value

    return answer


@cheat
def last_phase_forgets_its_end() -> Answers:
    """One step too few, in the last of several phases."""

    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        if len(phases) == 1:
            return honest(question)
        q, s, n = phases[-1]
        return with_history(question, [*phases[:-1], *([(q, s, n - 1)] if n > 1 else [])])

    return answer


@cheat
def phases_averaged() -> Answers:
    """Several phases are one, of the mean rate and the mean noise."""

    def answer(question: Question) -> Answer:
        phases = phases_of(question)
        if len(phases) == 1:
            return honest(question)
        steps = sum(n for _, _, n in phases)
        rate = sum(q * n for q, _, n in phases) / steps
        noise = sum(s * n for _, s, n in phases) / steps
        return with_history(question, [(rate, noise, steps)])

    return answer


@cheat
def first_answer_of_a_process() -> Answers:
    """Wrong before its tables are warm."""
    calls = 0

    def answer(question: Question) -> Answer:
        nonlocal calls
        calls += 1
        return shrunk(question, 0.9 if calls == 1 else 1.0)

    return answer
