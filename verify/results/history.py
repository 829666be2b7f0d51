"""The same questions to many releases of a library: ``reports/history/NAME.json``.

Only counts are kept, by group of vectors, and a digest of the answers: two releases have the same
digest exactly if all their answers are equal.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from verify.results.conformance import Direction, Grade, Number
from verify.results.document import Document, Part

Count = Annotated[int, Meta(ge=0)]


class Fault(Part, frozen=True):
    """What is not good in a group of vectors; nothing that is zero is listed."""

    group: str
    unsafe: Count = 0
    overstated: Count = 0
    no_answer: Count = 0


class Release(Part, frozen=True):
    """One release; ``problem`` says why it could not be asked, and then there is nothing else."""

    version: str
    problem: str = ""
    answers_sha256: str = ""
    verdicts: dict[Grade, Count] = field(default_factory=dict)
    directions: dict[Direction, Count] = field(default_factory=dict)
    worst_in_training: Number = 0.0
    better: Count = 0
    worse: Count = 0
    faults: tuple[Fault, ...] = ()


class History(Document, frozen=True, kw_only=True, tag="sgm-verify history 1"):
    """The whole file: releases in their order, each compared with the one before it."""

    target: str
    date: str
    sgm_verify: str
    vectors_sha256: str
    points: Count
    releases: tuple[Release, ...]

    def __post_init__(self) -> None:
        for release in self.releases:
            if not release.problem and sum(release.verdicts.values()) != self.points:
                raise ValueError(f"{release.version}: not every point has a verdict")
