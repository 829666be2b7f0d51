"""A whole check: ask, judge, hunt, excuse. What the command does, and what the tests of the judge do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field

from verify.conformance.domain import Domain
from verify.conformance.exceptions import Known, excuse
from verify.conformance.harness import Harness
from verify.conformance.judge import Direction, Grade
from verify.conformance.judged import Case, Judged, amount, judged
from verify.conformance.search import Found, search
from verify.conformance.session import Plan, Session
from verify.results.vectors import Vector


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked, and what counts as a failure. ``whole``: nothing was selected from the vectors."""

    vectors: tuple[Vector, ...]
    quantity: str = "rdp"
    seed: int = 0
    plan: Plan = field(default_factory=Plan)
    domain: Domain = field(default_factory=Domain)
    strict: bool = False
    allowed: tuple[Grade | Direction, ...] = ()
    search: float = 0.0
    shrink: float = 0.0
    known: tuple[Known, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found; ``course`` says how far it went, a line each."""

    found: Judged
    course: tuple[str, ...]
    smallest: Case | None = None


def check(harness: Harness, request: Request) -> Checked:
    """Everything that was requested of one program."""
    vectors = [v for v in request.vectors if request.domain.holds(v.q, v.sigma, v.alpha)]
    session = Session(harness, request.quantity, request.seed, request.plan, request.domain)
    asked = session.ask(vectors)
    found = _judged(harness, request, judged(asked.points, request.quantity, asked.answers).cases)
    course = [asked.line()]
    if asked.unreachable:
        course.append(f"{asked.unreachable} fresh points left out: no certified value in time")
    if request.search and found.answered:
        hunted = _search(harness, request, request.search)
        course.append(f"search: {hunted.asked} points in {request.search:g} s")
        new = {case.question: case for case in (*hunted.cases, *found.cases)}
        found = _judged(harness, request, new.values())
    broken = (*found.violations, *asked.changed)
    found = dataclasses.replace(found, violations=broken)
    found = excuse(found, request.known, whole=request.whole)
    if not (request.shrink and found.answered and found.failures):
        return Checked(found, tuple(course))
    hunted = _search(harness, request, request.shrink)
    grave = hunted.worst()
    smallest = None if grave is None else hunted.smallest[grave]
    return Checked(found, tuple(course), smallest)


def _judged(harness: Harness, request: Request, cases: Iterable[Case]) -> Judged:
    return amount(
        cases,
        protocol=harness.violations,
        restarts=max(0, harness.starts - 1),
        strict=request.strict,
        allowed=request.allowed,
    )


def _search(harness: Harness, request: Request, seconds: float) -> Found:
    return search(
        harness, request.quantity, seconds, request.seed, request.strict, domain=request.domain
    )
