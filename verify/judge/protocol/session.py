"""The course of a check: what is asked, in which order, and for how long one process is kept at it.

A program can be right at first and wrong later: after ten thousand calls, after half a minute, or every now
and then. So what was asked is asked again, in another order, until one process has answered ``calls``
questions; then nothing is asked until that process is ``age`` seconds old, and then once more, with points
that are new. An answer that is not what it was before breaks the property ``repeatable``, whichever is right.

An answer can also depend on what was asked before it: state that is left over, or a cache whose key
is too short. A process that keeps the first answer for ever gives it again and again. So a new
process is asked the same from the last question to the first: of any two questions each has been
asked before the other.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from verify.judge.protocol.harness import Harness, run
from verify.judge.protocol.question import Answer, Askable
from verify.judge.verdict.properties import Violation

_ANSWERS = ("value", "error")  # a number, or a refusal in so many words
_AGAIN = 300  # questions repeated at the end
_PAIRS = 40  # questions asked twice in a row
_LEAK_MB = 200  # growth that is worth a word
_IDLE = 3.0  # seconds of nothing before that, however old the process is


class Point(Protocol):
    """What is asked, of a step or of a run."""

    @property
    def id(self) -> str: ...
    @property
    def flags(self) -> tuple[str, ...]: ...
    @property
    def question(self) -> Askable: ...


P = TypeVar("P", bound=Point)


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is asked beside the vectors; all of it is in the default."""

    fresh: int = 3000
    calls: int = 10_500
    age: float = 32.0
    busy: float = 60.0  # seconds of work, after which nothing is repeated only to reach the calls

    @classmethod
    def quick(cls) -> Extent:
        """Some fresh points and nothing else: for a first look, not proof against a program that cheats."""
        return cls(fresh=60, calls=0, age=0.0, busy=0.0)


@dataclass
class Heard(Generic[P]):
    """What a session asked, what was said, and how long one process was kept at it."""

    points: list[P]
    answers: dict[str, Answer]
    changed: list[Violation] = field(default_factory=list)
    repeated: int = 0
    in_order: int = 0
    backwards: int = 0
    calls: int = 0
    age: float = 0.0
    memory: tuple[int, int] = (0, 0)  # bytes, when everything was asked once and at the end

    def line(self) -> str:
        """How far this went, for people."""
        new = sum("Fresh" in point.flags for point in self.points)
        return (
            f"asked: {len(self.points)} points ({new} fresh), {self.repeated} again, "
            f"{self.in_order} of these in ascending order, {self.backwards} backwards in a new process; "
            f"{self.calls} calls, {self.age:.0f} s in one process{self._memory()}"
        )

    def _memory(self) -> str:
        """How the program's memory has grown between the two looks, if anybody could look."""
        before, after = (size >> 20 for size in self.memory)
        grown = f", GROWN by {after - before} MB" if after - before > _LEAK_MB else ""
        return f"; memory {before} MB, then {after} MB{grown}" if after else ""


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

    def ask(
        self, points: Sequence[P], drawn: Sequence[P] = (), chains: Sequence[Sequence[P]] = ()
    ) -> Heard[P]:
        """All of it; a tenth of the fresh points is kept for the end.

        ``chains`` are points among the others that are asked once more one after the other, as accountants ask.
        """
        heard: Heard[P] = Heard([], {})
        late, early = drawn[: len(drawn) // 10], drawn[len(drawn) // 10 :]
        self._points(heard, [*points, *early], self._seed)
        if any(answer.kind == "value" for answer in heard.answers.values()):
            first = self.harness.memory
            for chain in chains if self.plan.calls else ():
                heard.in_order += self._again(heard, chain)
            self._in_pairs(heard, _PAIRS if self.plan.calls else 0)
            self._keep_asking(heard)
            self._wait()
            self._points(heard, late, self._seed + 1)
            self._repeat(heard, _AGAIN if self.plan.calls else 0)
            heard.memory = (first, self.harness.memory)
            heard.backwards = self._backwards(heard) if self.plan.calls else 0
            heard.changed = list({v.questions: v for v in heard.changed}.values())
        return heard

    def _points(self, heard: Heard[P], points: Sequence[P], seed: int) -> None:
        heard.points += points
        heard.answers |= run(self.harness, ((p.id, p.question) for p in points), seed)
        self._note(heard)

    def _keep_asking(self, heard: Heard[P]) -> None:
        """Known questions, until one process has been asked often enough or has worked long enough.

        Work and not time: a busy machine must not end the questions before a fault that comes late.
        """
        end = self.harness.worked + self.plan.busy
        while self.harness.running and heard.calls < self.plan.calls and self.harness.worked < end:
            self._repeat(heard, min(200, self.plan.calls - heard.calls))

    def _wait(self) -> None:
        if self.harness.running and self.plan.age:
            self._sleep(max(_IDLE, self.plan.age - self.harness.age))

    def _repeat(self, heard: Heard[P], count: int) -> None:
        """Ask some questions again that had an answer, and compare."""
        answered = [p for p in heard.points if heard.answers[p.id].kind in _ANSWERS]
        self._again(heard, self._order.sample(answered, min(count, len(answered))))

    def _in_pairs(self, heard: Heard[P], count: int) -> None:
        """Ask some questions twice in a row: a program may take the second for the first and something added to it."""
        for point in self._order.sample(heard.points, min(count, len(heard.points))):
            self._again(heard, (point, point))

    def _backwards(self, heard: Heard[P]) -> int:
        """Ask a new process in the opposite order, for half of the work that questions are repeated for; how many."""
        end = self.harness.worked + self.plan.busy / 2
        by_id = {point.id: point for point in heard.points}
        self.harness.renew()
        asked = 0
        for name in reversed(heard.answers):
            if self.harness.worked >= end:
                break
            asked += self._again(heard, [by_id[name]])
        return asked

    def _again(self, heard: Heard[P], points: Sequence[P]) -> int:
        """Ask these again, one after the other, and compare; how many."""
        asked = 0
        for point in points:
            before = heard.answers[point.id]
            if before.kind not in _ANSWERS:
                continue  # it cost a restart or was no answer at all: nothing to compare with
            again = self.harness.ask(point.question)
            if again.kind == "not-asked":
                break
            asked += 1
            heard.repeated += 1
            self._note(heard)
            if answer_key(again) != answer_key(before):
                values = (number(before), number(again))
                heard.changed.append(Violation("repeatable", (point.question,) * 2, values))
        return asked

    def _note(self, heard: Heard[P]) -> None:
        if self.harness.running:
            heard.calls = max(heard.calls, self.harness.calls)
            heard.age = max(heard.age, self.harness.age)


def answer_key(answer: Answer) -> str:
    """What counts as the same answer: the same double, or no number both times.

    >>> answer_key(Answer("value", 0.5)), answer_key(Answer("error", detail="one")), answer_key(Answer("time-out"))
    ('0.5', 'none', 'none')
    """
    return "none" if answer.value is None else repr(answer.value)


def number(answer: Answer) -> float:
    """The number in an answer; nan if there is none."""
    return math.nan if answer.value is None else answer.value
