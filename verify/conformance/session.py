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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from verify.conformance import fresh
from verify.conformance.domain import Domain
from verify.conformance.fresh import Fresh
from verify.conformance.harness import Harness, run
from verify.conformance.judged import Asked
from verify.conformance.properties import Violation
from verify.conformance.question import Answer, Question
from verify.errors import SgmError

_AGAIN = 300  # questions repeated at the end
_IDLE = 3.0  # seconds of nothing before that, however old the process is


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is asked beside the vectors; all of it is in the default."""

    fresh: int = 600
    calls: int = 10_500
    age: float = 32.0
    busy: float = (
        60.0  # seconds after which no question is repeated only to reach the number of calls
    )

    @classmethod
    def quick(cls) -> Plan:
        """Some fresh points and nothing else: for a first look, not proof against a program that cheats."""
        return cls(fresh=60, calls=0, age=0.0, busy=0.0)


@dataclass
class Heard:
    """What a session asked, what was said, and how long one process was kept at it."""

    points: list[Asked]
    answers: dict[str, Answer]
    changed: list[Violation] = field(default_factory=list)
    repeated: int = 0
    unreachable: int = 0
    calls: int = 0
    age: float = 0.0

    def line(self) -> str:
        """How far this went, for people."""
        new = sum(isinstance(point, Fresh) for point in self.points)
        return (
            f"asked: {len(self.points)} points, {new} of them fresh; {self.repeated} questions again; "
            f"{self.calls} calls and {self.age:.0f} s in one process"
        )


class Session:
    """Asks a harness according to a plan."""

    def __init__(
        self,
        harness: Harness,
        quantity: str,
        seed: int,
        plan: Plan,
        domain: Domain | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.harness, self.quantity, self.plan = harness, quantity, plan
        self.domain = domain or Domain()
        self._seed, self._sleep = seed, sleep
        self._order = random.Random(f"{seed}/order")

    def ask(self, vectors: Iterable[Asked]) -> Heard:
        """All of it."""
        asked = Heard([], {})
        drawn = self._drawn(asked)
        late, early = drawn[: len(drawn) // 10], drawn[len(drawn) // 10 :]
        self._points(asked, [*vectors, *early], self._seed)
        if self._heard(asked):
            self._keep_asking(asked)
            self._wait()
            self._points(asked, late, self._seed + 1)
            self._repeat(asked, _AGAIN if self.plan.calls else 0)
            asked.changed = list({v.questions: v for v in asked.changed}.values())
        return asked

    def _drawn(self, asked: Heard) -> list[Fresh]:
        """Fresh points whose truth is known; computed before the program runs, so as not to count as idle."""
        found = []
        for point in fresh.points(self._seed, self.plan.fresh):
            if not self.domain.holds(point.q, point.sigma, point.alpha):
                continue
            try:
                _ = point[self.quantity]
            except SgmError:  # no truth, no grade: counted, never guessed
                asked.unreachable += 1
            else:
                found.append(point)
        return found

    def _points(self, asked: Heard, points: Sequence[Asked], seed: int) -> None:
        todo = {p.id: Question(self.quantity, p.q, p.sigma, p.alpha) for p in points}
        asked.points += points
        asked.answers |= run(self.harness, todo.items(), seed)
        self._note(asked)

    def _heard(self, asked: Heard) -> bool:
        return any(answer.kind == "value" for answer in asked.answers.values())

    def _keep_asking(self, asked: Heard) -> None:
        """Known questions, until one process has been asked often enough or the time for it is over."""
        end = time.monotonic() + self.plan.busy
        while self.harness.running and asked.calls < self.plan.calls and time.monotonic() < end:
            self._repeat(asked, min(200, self.plan.calls - asked.calls))

    def _wait(self) -> None:
        if self.harness.running and self.plan.age:
            self._sleep(max(_IDLE, self.plan.age - self.harness.age))

    def _repeat(self, asked: Heard, count: int) -> None:
        """Ask some questions again, and compare."""
        for point in self._order.sample(asked.points, min(count, len(asked.points))):
            before = asked.answers[point.id]
            if before.kind not in ("value", "error"):
                continue  # it cost a restart or was no answer at all: nothing to compare with
            question = Question(self.quantity, point.q, point.sigma, point.alpha)
            again = self.harness.ask(question)
            if again.kind == "not-asked":
                return
            asked.repeated += 1
            self._note(asked)
            if said(again) != said(before):
                values = (number(before), number(again))
                asked.changed.append(Violation("repeatable", (question, question), values))

    def _note(self, asked: Heard) -> None:
        if self.harness.running:
            asked.calls = max(asked.calls, self.harness.calls)
            asked.age = max(asked.age, self.harness.age)


def said(answer: Answer) -> str:
    """What counts as the same answer: the same double, or no number both times.

    >>> said(Answer("value", 0.5)), said(Answer("error", detail="one")), said(Answer("time-out"))
    ('0.5', 'none', 'none')
    """
    return "none" if answer.value is None else repr(answer.value)


def number(answer: Answer) -> float:
    """The number in an answer; nan if there is none."""
    return math.nan if answer.value is None else answer.value
