"""The judge judged: every known-wrong implementation must be rejected, every healthy one accepted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.plain import PROGRAMS
from verify.judge.protocol.inprocess import Implementation, ask
from verify.judge.selftest import healthy
from verify.judge.verdict.judged import Judged, judge_answers
from verify.results.vectors import Vector


@dataclass(frozen=True, slots=True)
class SelfTestLine:
    """What the judge said of one implementation, and whether that is as it must be."""

    name: str
    strict: bool
    healthy: bool
    found: Judged
    as_expected: bool

    def __str__(self) -> str:
        said = "accepted" if self.found.conforms else "rejected"
        counts = ", ".join(f"{n} {grade}" for grade, n in self.found.counts.items() if n)
        mark = "" if self.as_expected else "  <- WRONG"
        return f"{self.name:<26}{said} ({'strict: ' if self.strict else ''}{counts}){mark}"


def lines(vectors: tuple[Vector, ...]) -> Iterator[SelfTestLine]:
    """One line an implementation, the healthy ones first."""
    yield _line("healthy", healthy.rdp, vectors, strict=True, accepted=True)
    for name, plain in PROGRAMS.items():
        yield _line(name, plain, vectors, strict=False, accepted=True)
    for name, wrong in REGISTRY.items():
        yield _line(name, wrong.rdp, vectors, strict=wrong.strict, accepted=False)


def _line(
    name: str,
    function: Implementation,
    vectors: tuple[Vector, ...],
    *,
    strict: bool,
    accepted: bool,
) -> SelfTestLine:
    found = judge_answers(vectors, "rdp", ask(function, vectors), strict=strict)
    right = found.conforms if accepted else bool(found.failures)
    return SelfTestLine(name, strict, accepted, found, right)
