"""Everything that a check found, as plain frozen data: cases, counts and the outcome."""

from __future__ import annotations

import dataclasses
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from verify.judge.protocol.question import Answer, Askable, Question
from verify.judge.verdict import properties
from verify.judge.verdict.grading import Direction, Grade, Judgement, Region, judge
from verify.judge.verdict.properties import Violation
from verify.results.vectors import Expected, Vector


@dataclass(frozen=True, slots=True)
class Asked:
    """A point to ask, and what is true there. The id is made of the group and the numbers."""

    id: str
    flags: tuple[str, ...]
    question: Question
    truth: Expected

    @classmethod
    def at(cls, group: str, flags: tuple[str, ...], question: Question, truth: Expected) -> Asked:
        return cls(name_of(group, question), flags, question, truth)


def name_of(group: str, question: Question) -> str:
    """The id of a point.

    >>> name_of("dp-sgd", Question("rdp", 0.0005, 1.0, 8.0))
    'dp-sgd/q=0.0005,sigma=1.0,alpha=8.0'
    """
    return f"{group}/q={question.q!r},sigma={question.sigma!r},alpha={question.alpha!r}"


class Verdict(Protocol):
    """What every judgement says, of a step or of a run."""

    @property
    def grade(self) -> StrEnum: ...
    @property
    def direction(self) -> Direction | None: ...
    @property
    def region(self) -> Region: ...
    @property
    def relative(self) -> float: ...
    @property
    def reason(self) -> str: ...
    @property
    def silent(self) -> bool: ...
    @property
    def label(self) -> str: ...
    def good(self, strict: bool) -> bool: ...


Q = TypeVar("Q", bound=Askable)
T = TypeVar("T")
V = TypeVar("V", bound=Verdict)


@dataclass(frozen=True)  # a generic alias sets an attribute, which slots answer with a TypeError
class AnyCase(Generic[Q, T, V]):
    """One question: what was asked, what is true, what came back, what that is worth."""

    id: str
    flags: tuple[str, ...]
    question: Q
    truth: T
    answer: Answer
    judgement: V


Case = AnyCase[Question, Expected, Judgement]
"""Of a single step."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds for all questions, and for one that got a number; None if none did."""

    total: float
    median: float | None
    longest: float | None


@dataclass(frozen=True)  # a generic alias sets an attribute, which slots answer with a TypeError
class AnyJudged(Generic[Q, T, V]):
    """All cases of a check, of steps or of runs, and the outcome of the check.

    ``excused`` are ids of failures that somebody answers for, ``used`` the excuses for them,
    ``stale`` those that excuse nothing.
    """

    cases: tuple[AnyCase[Q, T, V], ...]
    violations: tuple[Violation, ...]
    protocol: tuple[str, ...]
    restarts: int
    allowed: frozenset[StrEnum] = frozenset()
    strict: bool = False
    excused: frozenset[str] = frozenset()
    stale: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[Any, int]:
        found = Counter(case.judgement.grade for case in self.cases)
        grades = type(self.cases[0].judgement.grade) if self.cases else Grade
        return {grade: found[grade] for grade in grades}

    @property
    def failures(self) -> list[AnyCase[Q, T, V]]:
        """Cases whose verdict is neither good nor allowed, but for known failures."""
        return [
            case
            for case in self.cases
            if not case.judgement.good(self.strict)
            and not self.allowed & {case.judgement.grade, case.judgement.direction}
            and case.id not in self.excused
        ]

    @property
    def directions(self) -> dict[Direction, int]:
        """How many answers worse than adequate err which way."""
        found = Counter(case.judgement.direction for case in self.cases)
        return {direction: found[direction] for direction in Direction}

    def within(self, region: Region) -> AnyJudged[Q, T, V]:
        """The same for the points of a region."""
        cases = tuple(case for case in self.cases if case.judgement.region is region)
        there = {case.question for case in cases}
        broken = tuple(v for v in self.violations if there >= set(v.questions))
        return dataclasses.replace(self, cases=cases, violations=broken)

    @property
    def answered(self) -> bool:
        """Whether there was a single answer to judge: a number, or a refusal in so many words."""
        return any(case.answer.kind in ("value", "error") for case in self.cases)

    @property
    def conforms(self) -> bool:
        """Whether nothing is wrong; whoever gives no number at all does not conform, whatever is allowed."""
        return bool(
            any(case.answer.kind == "value" for case in self.cases)
            and not self.failures
            and not self.violations
            and not self.protocol
            and not self.stale
        )

    @property
    def exit_code(self) -> int:
        """0 conforms, 1 does not: the one table of check and accountants.

        A program that runs and never answers does not conform; 2 is left for what cannot be asked at all (an unknown
        library, a program that cannot be started, bad input), which is an error and never gets here.
        """
        return 0 if self.conforms else 1

    def by_flag(self) -> dict[str, dict[Any, int]]:
        """Counts per flag and grade."""
        table: dict[str, Counter[StrEnum]] = {}
        for case in self.cases:
            for flag in case.flags:
                table.setdefault(flag, Counter())[case.judgement.grade] += 1
        return {flag: {v: table[flag][v] for v in self.counts} for flag in sorted(table)}

    def by_property(self) -> dict[str, int]:
        found = Counter(violation.property for violation in self.violations)
        return {name: found[name] for name in properties.NAMES}

    def why_no_answer(self) -> dict[str, int]:
        """Kinds of silence, with their counts."""
        reasons = Counter(
            case.judgement.reason.partition(":")[0] for case in self.cases if case.judgement.silent
        )
        return dict(sorted(reasons.items()))

    def worst(self, direction: Direction) -> AnyCase[Q, T, V] | None:
        """The answer that errs that way with the largest relative error."""
        those = [case for case in self.cases if case.judgement.direction is direction]
        return max(those, key=lambda case: abs(case.judgement.relative), default=None)

    def seconds(self) -> Times:
        each = [case.answer.seconds for case in self.cases if case.answer.kind == "value"]
        return Times(
            sum(case.answer.seconds for case in self.cases),
            statistics.median(each) if each else None,
            max(each, default=None),
        )


Judged = AnyJudged[Question, Expected, Judgement]
"""Of single steps."""


def most_bits_lost(found: Judged) -> Case | None:
    """The answer with the most wrong bits."""
    answered = [case for case in found.cases if not case.judgement.silent]
    return max(answered, key=lambda case: case.judgement.bits_lost, default=None)


def points_of_vectors(vectors: Iterable[Vector], quantity: str) -> list[Asked]:
    """What the vectors ask."""
    return [
        Asked(v.id, v.flags, Question(quantity, v.q, v.sigma, v.alpha), v[quantity])
        for v in vectors
    ]


def questions(vectors: Iterable[Vector], quantity: str) -> list[tuple[str, Question]]:
    """The questions alone, by id."""
    return [(point.id, point.question) for point in points_of_vectors(vectors, quantity)]


def judge_answers(
    vectors: Iterable[Vector],
    quantity: str,
    answers: Mapping[str, Answer],
    *,
    protocol: Iterable[str] = (),
    restarts: int = 0,
    strict: bool = False,
    allowed: Iterable[StrEnum] = (),
    more: Iterable[Asked] = (),
) -> Judged:
    """Judge answers (by id) to vectors and to more points; what has no answer counts as not asked."""
    cases = (
        case_of(point, answers.get(point.id, Answer("not-asked")))
        for point in (*points_of_vectors(vectors, quantity), *more)
    )
    return sum_up(cases, protocol=protocol, restarts=restarts, strict=strict, allowed=allowed)


def case_of(point: Asked, answer: Answer) -> Case:
    """A point, judged."""
    judgement = judge(point.question, point.truth, answer)
    return Case(point.id, point.flags, point.question, point.truth, answer, judgement)


def sum_up(
    cases: Iterable[Case],
    *,
    protocol: Iterable[str] = (),
    restarts: int = 0,
    strict: bool = False,
    allowed: Iterable[StrEnum] = (),
) -> Judged:
    """The outcome of a check, from its judged cases."""
    cases = tuple(cases)
    given = {c.question: c.answer.value for c in cases if c.answer.value is not None}
    return Judged(
        cases,
        tuple(properties.violations(given)),
        tuple(protocol),
        restarts,
        frozenset(allowed),
        strict,
    )
