"""A whole check of an accountant: ask, ask again, judge, search, excuse; the same course as that of
a check of steps."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from verify.judge.protocol.domain import RunDomain
from verify.judge.protocol.harness import Harness
from verify.judge.protocol.question import Answer, Askable
from verify.judge.protocol.session import Extent, Session
from verify.judge.runs.draws import EVERYTHING, DrawnQuestion, DrawnRuns
from verify.judge.runs.judged import JudgedRuns, RunCase, asker, case_of, search
from verify.judge.runs.panel import Accountant
from verify.judge.runs.question import Quantity
from verify.judge.runs.runs import chains
from verify.judge.verdict.exceptions import Known, excuse
from verify.judge.verdict.judged import AnyJudged

USUAL = Extent(fresh=120, calls=10_500, age=32.0, busy=40.0)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What is to be asked, and what counts as a failure; ``known`` questions stand in every check,
    ``drawn`` ones in this alone."""

    points: tuple[DrawnQuestion, ...]
    drawn: DrawnRuns = field(default_factory=DrawnRuns)
    seed: int = 0
    plan: Extent = USUAL
    domain: RunDomain = field(default_factory=RunDomain)
    quantities: tuple[Quantity, ...] = EVERYTHING
    strict: bool = False
    allowed: tuple[StrEnum, ...] = ()
    search: float = 0.0
    known: tuple[Known, ...] = ()
    whole: bool = True

    def points_for(self, accountant: Accountant) -> tuple[list[DrawnQuestion], list[DrawnQuestion]]:
        """The known and the drawn questions for which the accountant has a function."""

        def supported(points: Sequence[DrawnQuestion]) -> list[DrawnQuestion]:
            return [
                point
                for point in points
                if point.question.quantity in self.quantities
                and accountant.offers(point.question)
                and self.domain.holds_for(point.question.names())
            ]

        return supported(self.points), supported(self.drawn.points)


@dataclass(frozen=True, slots=True)
class RunExamination:
    """What a check of one accountant found; ``first`` is the number of seconds until the first failure."""

    accountant: Accountant
    found: JudgedRuns
    course: tuple[str, ...]
    seconds: float = 0.0
    first: float | None = None


class _Naming:
    """A harness that is asked for one accountant, and notes when each question was first answered."""

    def __init__(self, harness: Harness, name: str, clock: Callable[[], float]) -> None:
        self._harness, self._name, self._clock = harness, name, clock
        self._ask = asker(harness, name)
        self.begin = clock()
        self.times: dict[Askable, float] = {}

    def ask(self, question: Askable) -> Answer:
        answer = self._harness.ask(replace(question, accountant=self._name))  # type: ignore[type-var]  # runs only
        self.times.setdefault(question, self._clock() - self.begin)
        return answer

    def __getattr__(self, name: str) -> object:
        return getattr(self._harness, name)


def check(
    accountant: Accountant,
    harness: Harness,
    request: RunRequest,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> RunExamination:
    """Everything that was requested of one accountant."""
    points, drawn = request.points_for(accountant)
    naming = _Naming(harness, accountant.name, clock)
    before = len(harness.violations)
    session = Session(naming, request.seed, request.plan, sleep)  # type: ignore[arg-type]  # it asks, stops and settles alike
    heard = session.ask(points, drawn, chains(points))
    cases = [case_of(p, heard.answers[p.id], accountant.promise) for p in heard.points]
    course = [heard.line()]
    if request.drawn.unreachable:
        course.append(
            f"{request.drawn.unreachable} drawn questions left out: no exact value in reach"
        )
    if request.search and any(
        case.answer.kind == "value" and case.question.usual for case in cases
    ):
        worst = search(
            asker(harness, accountant.name), accountant.promise, request.seed, request.search
        )
        cases += [worst] if worst is not None else []
        course.append(f"search: {request.search:g} s")
    found: JudgedRuns = AnyJudged(
        tuple(cases),
        tuple(heard.changed),
        tuple(harness.violations[before:]),
        harness.restarts,
        frozenset(request.allowed),
        request.strict,
    )
    found = excuse(found, request.known, {}, whole=request.whole)
    taken = clock() - naming.begin
    return RunExamination(accountant, found, tuple(course), taken, _first(found, naming, taken))


def _first(found: JudgedRuns, naming: _Naming, taken: float) -> float | None:
    """When the first answer that fails came. A changed answer is found only after all questions."""
    failing = [naming.times[c.question] for c in found.failures if c.question in naming.times]
    if failing:
        return min(failing)
    return taken if found.violations else None


def simplest(found: JudgedRuns) -> RunCase | None:
    """The gravest kind of failure, at the run that is easiest to write down."""
    failures = found.failures
    for ruling in ("UNSAFE", "misses", "low", "absurd"):
        those = [case for case in failures if case.judgement.ruling == ruling]
        if those:
            return min(those, key=lambda case: (len(str(case.question)), case.id))
    return failures[0] if failures else None


def without_time(examination: RunExamination) -> RunExamination:
    """The same, for comparisons of two checks."""
    return dataclasses.replace(examination, seconds=0.0, first=None)
