"""From answers to what they amount to: everything a check found, as plain frozen data."""

from __future__ import annotations

import dataclasses
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from verify.conformance import properties
from verify.conformance.judge import GOOD, STRICTLY_GOOD, Direction, Grade, Judgement, Region, judge
from verify.conformance.properties import Violation
from verify.conformance.question import Answer, Question
from verify.results.vectors import Expected


@dataclass(frozen=True, slots=True)
class Case:
    """One point: what was asked, what is true, what came back, what that is worth."""

    id: str
    flags: tuple[str, ...]
    question: Question
    truth: Expected
    answer: Answer
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds for all questions, and for one that got a number; None if none did."""

    total: float
    median: float | None
    longest: float | None


@dataclass(frozen=True, slots=True)
class Judged:
    """All cases of a check, and what they amount to.

    ``excused`` are ids of failures that somebody answers for, ``stale`` the excuses that excuse nothing.
    """

    cases: tuple[Case, ...]
    violations: tuple[Violation, ...]
    protocol: tuple[str, ...]
    restarts: int
    allowed: frozenset[Grade | Direction] = frozenset()
    strict: bool = False
    excused: frozenset[str] = frozenset()
    stale: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[Grade, int]:
        found = Counter(case.judgement.grade for case in self.cases)
        return {grade: found[grade] for grade in Grade}

    @property
    def failures(self) -> list[Case]:
        """Cases whose verdict is neither good nor allowed, but for known failures."""
        fine = {*(STRICTLY_GOOD if self.strict else GOOD), *self.allowed}
        return [
            case
            for case in self.cases
            if not fine & {case.judgement.grade, case.judgement.direction}
            and case.id not in self.excused
        ]

    @property
    def directions(self) -> dict[Direction, int]:
        """How many answers worse than adequate err which way."""
        found = Counter(case.judgement.direction for case in self.cases)
        return {direction: found[direction] for direction in Direction}

    def within(self, region: Region) -> Judged:
        """The same for the points of a region."""
        cases = tuple(case for case in self.cases if case.judgement.region is region)
        there = {case.question for case in cases}
        broken = tuple(v for v in self.violations if there >= set(v.questions))
        return dataclasses.replace(self, cases=cases, violations=broken)

    @property
    def answered(self) -> bool:
        """Whether there was a single number to judge."""
        return any(case.answer.kind == "value" for case in self.cases)

    @property
    def conforms(self) -> bool:
        return bool(
            self.answered
            and not self.failures
            and not self.violations
            and not self.protocol
            and not self.stale
        )

    @property
    def exit_code(self) -> int:
        """0 conforms, 1 does not, 2 the harness failed."""
        return 0 if self.conforms else 1 if self.answered else 2

    def by_flag(self) -> dict[str, dict[Grade, int]]:
        """Counts per flag and grade."""
        table: dict[str, Counter[Grade]] = {}
        for case in self.cases:
            for flag in case.flags:
                table.setdefault(flag, Counter())[case.judgement.grade] += 1
        return {flag: {v: table[flag][v] for v in Grade} for flag in sorted(table)}

    def by_property(self) -> dict[str, int]:
        found = Counter(violation.property for violation in self.violations)
        return {name: found[name] for name in properties.NAMES}

    def why_no_answer(self) -> dict[str, int]:
        """Kinds of silence, with their counts."""
        reasons = Counter(
            case.judgement.reason.partition(":")[0]
            for case in self.cases
            if case.judgement.grade is Grade.NO_ANSWER
        )
        return dict(sorted(reasons.items()))

    def worst(self, direction: Direction) -> Case | None:
        """The answer that errs that way with the largest relative error."""
        those = [case for case in self.cases if case.judgement.direction is direction]
        return max(those, key=lambda case: abs(case.judgement.relative), default=None)

    def most_bits_lost(self) -> Case | None:
        answered = [case for case in self.cases if case.judgement.grade is not Grade.NO_ANSWER]
        return max(answered, key=lambda case: case.judgement.bits_lost, default=None)

    def seconds(self) -> Times:
        each = [case.answer.seconds for case in self.cases if case.answer.kind == "value"]
        return Times(
            sum(case.answer.seconds for case in self.cases),
            statistics.median(each) if each else None,
            max(each, default=None),
        )


class Asked(Protocol):
    """A point with its truth: a published vector, or a fresh one."""

    @property
    def id(self) -> str: ...
    @property
    def flags(self) -> tuple[str, ...]: ...
    @property
    def q(self) -> float: ...
    @property
    def sigma(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    def __getitem__(self, quantity: str, /) -> Expected: ...


def questions(vectors: Iterable[Asked], quantity: str) -> list[tuple[str, Question]]:
    """What the vectors ask, by id."""
    return [(v.id, Question(quantity, v.q, v.sigma, v.alpha)) for v in vectors]


def judged(
    vectors: Iterable[Asked],
    quantity: str,
    answers: Mapping[str, Answer],
    *,
    protocol: Iterable[str] = (),
    restarts: int = 0,
    strict: bool = False,
    allowed: Iterable[Grade | Direction] = (),
) -> Judged:
    """Judge answers (by vector id); a vector without an answer counts as not asked."""
    cases = []
    for vector in vectors:
        question = Question(quantity, vector.q, vector.sigma, vector.alpha)
        answer = answers.get(vector.id, Answer("not-asked"))
        cases.append(case_of(vector.id, vector.flags, question, vector[quantity], answer))
    return amount(cases, protocol=protocol, restarts=restarts, strict=strict, allowed=allowed)


def case_of(
    name: str, flags: tuple[str, ...], question: Question, truth: Expected, answer: Answer
) -> Case:
    """A point, judged."""
    return Case(name, flags, question, truth, answer, judge(question, truth, answer))


def amount(
    cases: Iterable[Case],
    *,
    protocol: Iterable[str] = (),
    restarts: int = 0,
    strict: bool = False,
    allowed: Iterable[Grade | Direction] = (),
) -> Judged:
    """What judged cases amount to, wherever they come from."""
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
