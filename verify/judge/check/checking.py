"""A whole check: ask, judge, hunt, excuse. What the command does, and what the tests of the judge do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from verify.judge.check import fresh, many
from verify.judge.check.search import Found, search
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Harness
from verify.judge.protocol.session import Extent, Session
from verify.judge.verdict import effect
from verify.judge.verdict.exceptions import Known, excuse
from verify.judge.verdict.grading import Direction
from verify.judge.verdict.judged import Asked, Case, Judged, case_of, points_of_vectors, sum_up
from verify.judge.verdict.properties import Violation
from verify.results.vectors import Vector

_CHAIN = 8  # points of one (q, sigma) that make a chain
_NOTHING = many.FurtherAnswers()


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked, and what counts as a failure.

    ``whole``: nothing was left out. ``training``: also the training runs whose final epsilon is compared.
    """

    vectors: tuple[Vector, ...]
    quantity: str = "rdp"
    seed: int = 0
    plan: Extent = field(default_factory=Extent)
    domain: Domain = field(default_factory=Domain)
    strict: bool = False
    allowed: tuple[StrEnum, ...] = ()
    search: float = 0.0
    shrink: float = 0.0
    known: tuple[Known, ...] = ()
    whole: bool = True
    training: bool = True


@dataclass(frozen=True, slots=True)
class Examination:
    """What a check found; ``course`` says how far it went, a line each."""

    found: Judged
    course: tuple[str, ...]
    smallest: Case | None = None


def check(
    harness: Harness, request: Request, further: many.FurtherAnswers = _NOTHING
) -> Examination:
    """Everything that was requested of one program; ``further`` is what copies of it were asked."""
    drawn = fresh.draw_points(request.seed, request.plan.fresh, request.quantity, request.domain)
    session = Session(harness, request.seed, request.plan)
    known = _vectors_and_training(request)
    heard = session.ask(known, drawn.points, _chains(known))
    cases = [case_of(p, heard.answers[p.id]) for p in heard.points]
    found = _judge_cases(harness, request, (*cases, *further.cases))
    course = [heard.line()]
    if further.cases:
        course.append(f"and {len(further.cases)} fresh points asked of copies of the program")
    if unreachable := drawn.unreachable + further.unreachable:
        course.append(f"{unreachable} fresh points left out: no certified value in time")
    if request.search and found.answered:
        hunted = _search(harness, request, request.search)
        course.append(f"search: {hunted.asked} points in {request.search:g} s")
        new = {case.question: case for case in (*hunted.cases, *found.cases)}
        found = _judge_cases(harness, request, new.values())
    broken = (*_without_excused(found.violations, request), *heard.changed)
    protocol = (*found.protocol, *further.violations)
    found = dataclasses.replace(found, violations=broken, protocol=protocol)
    found = excuse(found, request.known, whole=request.whole)
    if not (request.shrink and found.answered and found.failures):
        return Examination(found, tuple(course))
    hunted = _search(harness, request, request.shrink)
    grave = hunted.worst()
    smallest = None if grave is None else hunted.smallest[grave]
    return Examination(found, tuple(course), smallest)


def _without_excused(violations: Iterable[Violation], request: Request) -> Iterator[Violation]:
    """Who may overstate may also exceed the bound that holds without sampling."""
    excused = "bounded" if Direction.OVERSTATED in request.allowed else ""
    return (violation for violation in violations if violation.property != excused)


def _vectors_and_training(request: Request) -> list[Asked]:
    """The vectors, and training runs at all orders unless the check is of a part only."""
    points = points_of_vectors(request.vectors, request.quantity)
    if request.quantity == "rdp" and request.training:
        there = {point.question for point in points}
        points += [point for point in effect.training_points() if point.question not in there]
    inside = request.domain.holds
    return [p for p in points if inside(p.question.q, p.question.sigma, p.question.alpha)]


def _judge_cases(harness: Harness, request: Request, cases: Iterable[Case]) -> Judged:
    return effect.mark_unsafe(
        sum_up(
            cases,
            protocol=harness.violations,
            restarts=harness.restarts,
            strict=request.strict,
            allowed=request.allowed,
        )
    )


def _chains(points: Iterable[Asked]) -> list[list[Asked]]:
    """Points of one (q, sigma) by ascending orders, as an accountant asks for all its orders."""
    by_setting: dict[tuple[float, float], list[Asked]] = {}
    for point in points:
        at = point.question
        by_setting.setdefault((at.q, at.sigma), []).append(point)
    return [
        sorted(chain, key=lambda point: point.question.alpha)
        for chain in by_setting.values()
        if len(chain) >= _CHAIN
    ]


def _search(harness: Harness, request: Request, seconds: float) -> Found:
    return search(
        harness, request.quantity, seconds, request.seed, request.strict, domain=request.domain
    )
