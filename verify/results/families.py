"""Libraries in the report: one record for each family of libraries that answer alike."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from verify.results.conformance import (
    GOOD,
    Cluster,
    Count,
    Direction,
    Effect,
    Grade,
    Noise,
    Number,
    Order,
    Rate,
    Region,
    Tally,
    Text,
)
from verify.results.document import Part
from verify.results.verdicts import KernelVerdict

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Slug = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
"""Names files: nothing in it can leave the folder."""


class Member(Part, frozen=True):
    """A recorded check of one library."""

    file: str
    sha256: Digest
    target: Text
    version: str
    date: str
    seed: str
    reproduce: str
    summary: str
    conforms: bool


class Failing(Part, frozen=True, array_like=True):
    """A point that is worse than adequate, or without an answer.

    ``silence`` says in which way an answer is missing; it is empty if there is an answer.
    ``causes`` are the numbers of the
    clusters that it can belong to by region and kind: one, if that tells.
    """

    q: Rate
    sigma: Noise
    alpha: Order
    answer: Number | None
    verdict: Grade
    direction: Direction | None
    silence: str
    causes: tuple[Count, ...]


class Cell(Part, frozen=True, array_like=True):
    """How many points were asked in a range of sigma, q and alpha, by the number of the range, and how many are good."""

    sigma: Annotated[int, Meta(ge=0, le=2)]
    q: Annotated[int, Meta(ge=0, le=8)]
    alpha: Annotated[int, Meta(ge=0, le=14)]
    points: Count
    good: Count

    def __post_init__(self) -> None:
        if self.good > self.points:
            raise ValueError("more points are good than were asked")


class RunCell(Part, frozen=True, array_like=True):
    """The failing points of training runs in a range of q and sigma, by the number of the range.

    ``failed`` points are wrong or inexact, ``unsafe`` of them too small; ``bits`` of 53 are lost at worst (a relative
    error of 2^(bits-53)); the failing orders, silent ones too, lie between ``low`` and ``high``.
    """

    q: Count
    sigma: Count
    failed: Count
    silent: Count
    unsafe: Count
    bits: Annotated[float, Meta(ge=0, le=53)]
    low: float
    high: float


class AskedCell(Part, frozen=True, array_like=True):
    """How many points of training runs were asked in a range of q and sigma."""

    q: Count
    sigma: Count
    points: Count


class AnswerTheorem(Part, frozen=True):
    """What the kernel of a proof assistant says about an answer of the family."""

    coq: str
    verdict: KernelVerdict


class Family(Part, frozen=True):
    """Libraries that answer alike at every published point, and what the first of them answered."""

    name: Text
    slug: Slug
    members: Annotated[tuple[Member, ...], Meta(min_length=1)]
    quantity: str
    rule: str
    points: Count
    verdicts: dict[Grade, Count]
    no_answer: dict[str, Count]
    properties: dict[str, Count]
    regions: dict[Region, Tally]
    effect: str
    effects: tuple[Effect, ...]
    clusters: tuple[Cluster, ...]
    failing: tuple[Failing, ...]
    cells: tuple[Cell, ...]
    near: tuple[RunCell, ...]
    asked: tuple[AskedCell, ...]
    theorem: AnswerTheorem | None

    def __post_init__(self) -> None:
        if self.points != sum(cell.points for cell in self.cells):
            raise ValueError("another number of points is in the cells")
        if self.good != sum(cell.good for cell in self.cells):
            raise ValueError("another number of good points is in the cells")
        if self.points - self.good != len(self.failing):
            raise ValueError("another number of failing points is listed")
        if any(cause >= len(self.clusters) for point in self.failing for cause in point.causes):
            raise ValueError("a point belongs to a cluster that is not there")

    @property
    def good(self) -> int:
        """How many answers are adequate or better."""
        return sum(self.verdicts.get(grade, 0) for grade in GOOD)

    @property
    def understates(self) -> bool:
        """Whether any answer promises more privacy than there is."""
        return any(tally.directions.get(Direction.UNSAFE) for tally in self.regions.values())
