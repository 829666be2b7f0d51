"""How much longer the slowest run takes than the ordinary one, over random runs and random calibrations.

Runs are drawn log-uniformly over the range that the accountant is made for: one to six phases, q
from 1e-6 to 1, sigma from 0.3 to 1000, up to 1e8 steps, delta from 1e-3 to 1e-30, one direction
each, 15 digits. Runs whose epsilon, by a normal approximation, is near 0 or above some hundreds are
drawn again: such answers cost little and serve nobody. Calibrations search sigma, the steps or q
for a target epsilon from 0.1 to 20; those without a solution are drawn again. Times are of the
processor, as multiples of the median of all.

    sgm-verify bench --random 300
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from verify.accounting.calibration import calibrate
from verify.accounting.history import history
from verify.accounting.questions import Account
from verify.accounting.tight import Bracketed
from verify.numbers.errors import OutOfDomain, SgmError

DIGITS = 15
SHOWN = 5
_MOST_STEPS = 8.0  # log10
_LARGEST = 700.0  # epsilons above that are of no use to anybody


@dataclass(frozen=True, slots=True)
class TimedQuestion:
    """One question: processor seconds, and what came of it (``digits``, ``bracket`` or the name of an error)."""

    question: str
    seconds: float
    outcome: str


@dataclass(frozen=True, slots=True)
class Spread:
    """All questions of one sort."""

    name: str
    asked: tuple[TimedQuestion, ...]

    @property
    def median(self) -> float:
        return statistics.median(one.seconds for one in self.asked)

    @property
    def slowest(self) -> list[TimedQuestion]:
        return sorted(self.asked, key=lambda one: one.seconds, reverse=True)[:SHOWN]

    @property
    def without_digits(self) -> list[TimedQuestion]:
        return [one for one in self.asked if one.outcome != "digits"]


def _between(rng: Random, low: float, high: float) -> float:
    """Log-uniform, given as powers of ten, with five significant digits so that it can be typed."""
    return float(f"{10 ** rng.uniform(low, high):.5g}")


def runs(count: int, seed: int, done: Callable[[], None] = lambda: None) -> Spread:
    """Tight epsilons of random runs."""
    rng = Random(seed)
    asked: list[TimedQuestion] = []
    while len(asked) < count:
        phases = [
            (_between(rng, -6, 0), _between(rng, -0.522, 3), int(_between(rng, 0, _MOST_STEPS)))
            for _ in range(rng.choice((1, 1, 1, 2, 3, 4, 5, 6)))
        ]
        delta, direction = _between(rng, -30, -3), rng.choice(("remove", "add"))
        if not _of_interest(phases, delta):
            continue
        named = ", ".join(f"({q:g}, {sigma:g}, {steps})" for q, sigma, steps in phases)
        run = Account(history(phases))
        question = f"{named}, {delta:g}, {direction}"
        asked.append(_time_question(question, lambda: run.epsilon(delta, DIGITS, direction)))  # noqa: B023  # called at once
        done()
    return Spread("epsilon of random runs", tuple(asked))


def _of_interest(phases: list[tuple[float, float, int]], delta: float) -> bool:
    """Whether epsilon is likely to lie between 0 and a few hundred: a normal approximation."""
    spread = sum(n * q * q * math.expm1(min(1 / s**2, 600.0)) for q, s, n in phases)
    return delta < math.sqrt(spread) / 4 and spread / 2 < _LARGEST


def calibrations(count: int, seed: int, done: Callable[[], None] = lambda: None) -> Spread:
    """Searches for the noise, the steps or the rate of a target."""
    rng = Random(seed)
    asked: list[TimedQuestion] = []
    while len(asked) < count:
        target, delta = _between(rng, -1, 1.3), _between(rng, -12, -4)
        known: dict[str, Any] = {
            "q": _between(rng, -4, -0.5),
            "sigma": _between(rng, -0.2, 1),
            "steps": int(_between(rng, 1, 5)),
        }
        sought = rng.choice(("sigma", "steps", "q"))
        del known[sought]
        named = ", ".join(f"{name}={value:g}" for name, value in known.items())
        question = f"{sought} for epsilon={target:g}, delta={delta:g}, {named}"
        one = _time_question(question, lambda: calibrate(epsilon=target, delta=delta, **known))  # noqa: B023  # called at once
        if (
            one.outcome != OutOfDomain.__name__
        ):  # where one step is too much, nothing is to be found
            asked.append(one)
            done()
    return Spread("random calibrations", tuple(asked))


def _time_question(question: str, call: Callable[[], Any]) -> TimedQuestion:
    start = time.process_time()
    try:
        outcome = "bracket" if isinstance(call(), Bracketed) else "digits"
    except SgmError as error:
        outcome = type(error).__name__
    return TimedQuestion(question, time.process_time() - start, outcome)


def text(spread: Spread) -> str:
    """Lines for people.

    >>> some = tuple(TimedQuestion(f"run {k}", float(k), "digits") for k in (1, 2, 9))
    >>> print(text(Spread("runs", some)))
    runs: 3 asked, 3 with all digits; the slowest take, as multiples of the median:
        4.5  run 9
        1.0  run 2
        0.5  run 1
    """
    return "\n".join(_lines(spread))


def _lines(spread: Spread) -> Iterator[str]:
    full = len(spread.asked) - len(spread.without_digits)
    yield (
        f"{spread.name}: {len(spread.asked)} asked, {full} with all digits; "
        "the slowest take, as multiples of the median:"
    )
    for one in spread.slowest:
        yield f"    {one.seconds / spread.median:.1f}  {one.question}"
    for one in spread.without_digits:
        yield f"    {one.outcome}: {one.question}"
