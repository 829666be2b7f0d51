"""The course of a check: what is asked, in which order, and for how long one process is kept at it.

A program can be right at first and wrong later: after ten thousand calls, after half a minute, or every now
and then. So what was asked is asked again, in another order, until one process has answered ``calls``
questions; then nothing is asked until that process is ``age`` seconds old, and then once more, with points
that are new. An answer that is not what it was before breaks the property ``repeatable``, whichever is right.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from verify.conformance.harness import Harness, run
from verify.conformance.judged import Asked
from verify.conformance.properties import Violation
from verify.conformance.question import Answer

_AGAIN = 300  # questions repeated at the end
_IDLE = 3.0  # seconds of nothing before that, however old the process is


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is asked beside the vectors; all of it is in the default."""

    fresh: int = 900
    calls: int = 10_500
    age: float = 32.0
    busy: float = (
        60.0  # seconds after which no question is repeated only to reach the number of calls
    )

    @classmethod
    def quick(cls) -> Extent:
        """Some fresh points and nothing else: for a first look, not proof against a program that cheats."""
        return cls(fresh=60, calls=0, age=0.0, busy=0.0)


@dataclass
class Heard:
    """What a session asked, what was said, and how long one process was kept at it."""

    points: list[Asked]
    answers: dict[str, Answer]
    changed: list[Violation] = field(default_factory=list)
    repeated: int = 0
    calls: int = 0
    age: float = 0.0

    def line(self) -> str:
        """How far this went, for people."""
        new = sum("Fresh" in point.flags for point in self.points)
        return (
            f"asked: {len(self.points)} points ({new} fresh), {self.repeated} again; "
            f"{self.calls} calls, {self.age:.0f} s in one process"
        )


class Session:
    """Asks a harness according to a plan."""

    def __init__(
        self,
        harness: Harness,
        seed: int,
        plan: Extent,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.harness, self.plan = harness, plan
        self._seed, self._sleep = seed, sleep
        self._order = random.Random(f"{seed}/order")

    def ask(self, points: Sequence[Asked], drawn: Sequence[Asked] = ()) -> Heard:
        """All of it; a tenth of the fresh points is kept for the end."""
        heard = Heard([], {})
        late, early = drawn[: len(drawn) // 10], drawn[len(drawn) // 10 :]
        self._points(heard, [*points, *early], self._seed)
        if any(answer.kind == "value" for answer in heard.answers.values()):
            self._keep_asking(heard)
            self._wait()
            self._points(heard, late, self._seed + 1)
            self._repeat(heard, _AGAIN if self.plan.calls else 0)
            heard.changed = list({v.questions: v for v in heard.changed}.values())
        return heard

    def _points(self, heard: Heard, points: Sequence[Asked], seed: int) -> None:
        heard.points += points
        heard.answers |= run(self.harness, ((p.id, p.question) for p in points), seed)
        self._note(heard)

    def _keep_asking(self, heard: Heard) -> None:
        """Known questions, until one process has been asked often enough or the time for it is over."""
        end = time.monotonic() + self.plan.busy
        while self.harness.running and heard.calls < self.plan.calls and time.monotonic() < end:
            self._repeat(heard, min(200, self.plan.calls - heard.calls))

    def _wait(self) -> None:
        if self.harness.running and self.plan.age:
            self._sleep(max(_IDLE, self.plan.age - self.harness.age))

    def _repeat(self, heard: Heard, count: int) -> None:
        """Ask some questions again, and compare."""
        for point in self._order.sample(heard.points, min(count, len(heard.points))):
            before = heard.answers[point.id]
            if before.kind not in ("value", "error"):
                continue  # it cost a restart or was no answer at all: nothing to compare with
            again = self.harness.ask(point.question)
            if again.kind == "not-asked":
                return
            heard.repeated += 1
            self._note(heard)
            if said(again) != said(before):
                values = (number(before), number(again))
                heard.changed.append(Violation("repeatable", (point.question,) * 2, values))

    def _note(self, heard: Heard) -> None:
        if self.harness.running:
            heard.calls = max(heard.calls, self.harness.calls)
            heard.age = max(heard.age, self.harness.age)


def said(answer: Answer) -> str:
    """What counts as the same answer: the same double, or no number both times.

    >>> said(Answer("value", 0.5)), said(Answer("error", detail="one")), said(Answer("time-out"))
    ('0.5', 'none', 'none')
    """
    return "none" if answer.value is None else repr(answer.value)


def number(answer: Answer) -> float:
    """The number in an answer; nan if there is none."""
    return math.nan if answer.value is None else answer.value
