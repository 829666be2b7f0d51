"""What a check of another implementation found: the file that ``sgm-verify check --json`` writes.

It lists every point that was asked (``cases``), and what the points amount to. A file that contradicts
itself, where the counts are not those of the points, is refused like one that was cut short.
"""

from __future__ import annotations

import json
from collections import Counter
from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from verify.results import document
from verify.results.document import Document, Part


class Grade(StrEnum):
    """How good an answer is, best first."""

    CORRECT = "correctly rounded"
    ULP = "within 1 ulp"
    ACCURATE = "accurate"
    OVERSTATED = "overstated"
    UNSAFE = "UNSAFE"
    NO_ANSWER = "no answer"


GOOD = (Grade.CORRECT, Grade.ULP, Grade.ACCURATE)

BITS = 53
Count = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(min_length=1)]
Number = float | Literal["inf", "-inf", "nan"]
"""A double; JSON can only spell those that are not finite."""
Rate = Annotated[float, Meta(ge=0, le=1)]
Noise = Annotated[float, Meta(gt=0)]
Order = Annotated[float, Meta(ge=1)] | Literal["inf"]
BitsLost = Annotated[float, Meta(ge=0, le=BITS)] | None
"""None where there was no answer: nothing was said, so nothing was lost."""


class Point(Part, frozen=True):
    """One point in full."""

    id: str
    q: Rate
    sigma: Noise
    alpha: Order
    answer: Number | None
    reason: str
    truth_lo: str
    truth_hi: str
    truth: Number
    verdict: Grade
    floors: Number
    bits_lost: BitsLost


class Row(Part, frozen=True, array_like=True):
    """One point in a line; the columns are the fields."""

    group: str
    q: Rate
    sigma: Noise
    alpha: Order
    answer: Number | None
    verdict: Grade
    bits_lost: BitsLost

    def __post_init__(self) -> None:
        if (self.bits_lost is None) != (self.verdict is Grade.NO_ANSWER):
            raise ValueError("bits are lost where there is an answer, and only there")


COLUMNS = Row.__struct_fields__


class Cases(Part, frozen=True):
    """Every point that was asked."""

    columns: tuple[str, ...]
    rows: Annotated[tuple[Row, ...], Meta(max_length=100_000)]

    def __post_init__(self) -> None:
        if self.columns != COLUMNS:
            raise ValueError(f"the columns of the points are {', '.join(COLUMNS)}")


class Broken(Part, frozen=True):
    """A property that the answers break, and the points that show it."""

    property: str
    points: tuple[str, ...]
    values: tuple[Number, ...]


class Cancelled(Part, frozen=True):
    """Points inside the floor whose relative digits are gone."""

    points: Count
    examples: tuple[Point, ...]


class ProtocolViolations(Part, frozen=True):
    """Lines that were no answer to what was asked."""

    count: Count
    first: tuple[str, ...]


class Seconds(Part, frozen=True):
    """Time for all answers, and for one; None if there was none."""

    total: float
    median: float | None
    longest: float | None


class Conformance(Document, frozen=True, kw_only=True, tag="sgm-verify conformance 2"):
    """The whole file."""

    target: Text
    version: str
    date: str
    sgm_verify: str
    reproduce: str
    quantity: str
    seed: int
    strict: bool
    floor: str
    vectors_sha256: str
    points: Count
    conforms: bool
    summary: str
    verdicts: dict[Grade, Count]
    no_answer: dict[str, Count]
    properties: dict[str, Count]
    by_flag: dict[str, dict[Grade, Count]]
    worst: dict[Grade, Point]
    farthest: dict[Grade, Point]
    cancelled: Cancelled
    bits_lost: Point | None
    smallest_failing: Point | None
    failures: dict[Grade, tuple[Point, ...]]
    violations: tuple[Broken, ...]
    protocol_violations: ProtocolViolations
    restarts: Count
    seconds: Seconds
    cases: Cases

    def __post_init__(self) -> None:
        counted = Counter(row.verdict for row in self.cases.rows)
        if counted != Counter(self.verdicts):
            raise ValueError("the verdicts are not those of the points listed")
        if self.points != len(self.cases.rows):
            raise ValueError("another number of points is listed")
        if sum(self.no_answer.values()) != counted[Grade.NO_ANSWER]:
            raise ValueError("the kinds of silence are not those of the points without an answer")


def as_text(found: Conformance) -> str:
    """The file: indented, but every point on one line, so that a diff shows points."""
    content = json.loads(document.as_text(found))
    rows = content["cases"].pop("rows")
    lines = ",\n   ".join(json.dumps(row, allow_nan=False) for row in rows)
    content["cases"]["rows"] = []
    text = json.dumps(content, indent=1, allow_nan=False)
    head, empty, tail = text.rpartition('"rows": []')
    return f'{head}"rows": [\n   {lines}\n  ]{tail}\n' if empty and rows else f"{text}\n"


def good(found: Conformance) -> int:
    """How many answers are as good as double arithmetic allows."""
    return sum(found.verdicts.get(grade, 0) for grade in GOOD)
