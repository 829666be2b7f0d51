"""What a check of another implementation found: the file that ``sgm-verify check --json`` writes.

It lists every point that was asked (``cases``), and the totals over these points. A file that
contradicts
itself, where the counts are not those of the points, is refused like one that was cut short.
"""

from __future__ import annotations

import json
from collections import Counter
from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, field

from verify.results import document
from verify.results.document import Document, Part
from verify.results.verdicts import KernelVerdict


class Grade(StrEnum):
    """How accurate the epsilon of an answer is, best first. A missing answer has no grade."""

    EXACT = "exact"
    FULL = "full"
    ADEQUATE = "adequate"
    INEXACT = "inexact"
    WRONG = "wrong"
    NO_ANSWER = "no answer"


GOOD = (Grade.EXACT, Grade.FULL, Grade.ADEQUATE)
STRICTLY_GOOD = (Grade.EXACT, Grade.FULL)


class Direction(StrEnum):
    """Which way an answer errs that is worse than adequate.

    Low is below the truth by at most a ten-thousandth, with no effect on the final epsilon of a published run.
    """

    UNSAFE = "UNSAFE"
    OVERSTATED = "overstated"
    LOW = "low"


class Region(StrEnum):
    """Who asks: training runs as they are published, or nobody yet."""

    TRAINING = "training runs"
    EXTREMES = "extremes"


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
    direction: Direction | None
    region: Region
    relative: Number
    bits_lost: BitsLost


class Row(Part, frozen=True, array_like=True):
    """One point in a line; the columns are the fields. ``reason`` says why there is no answer."""

    group: str
    q: Rate
    sigma: Noise
    alpha: Order
    answer: Number | None
    verdict: Grade
    direction: Direction | None
    region: Region
    bits_lost: BitsLost
    reason: str

    def __post_init__(self) -> None:
        if (self.bits_lost is None) != (self.verdict is Grade.NO_ANSWER):
            raise ValueError("bits are lost where there is an answer, and only there")
        if (self.direction is None) != (self.verdict in (*GOOD, Grade.NO_ANSWER)):
            raise ValueError(
                "an answer errs in a direction if it is worse than adequate, and only then"
            )


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


class Tally(Part, frozen=True):
    """The verdicts in a region, and the largest relative error in each direction."""

    verdicts: dict[Grade, Count]
    directions: dict[Direction, Count]
    worst: dict[Direction, Point]


class Cluster(Part, frozen=True, omit_defaults=True):
    """Failing points with one cause: what the mistake is, how that was shown, and what would mend it.

    ``theorem`` says of the smallest UNSAFE answer that it is too small, if that was asked for; ``not_proved`` says
    why there is none. Neither is written where it is empty.
    """

    name: Text
    points: Count
    regions: dict[Region, Count]
    verdicts: dict[str, Count]
    cause: str
    shown: str
    change: str
    notes: tuple[str, ...]
    smallest: Point
    snippet: str
    theorem: KernelVerdict | None = None
    not_proved: str = ""


class Effect(Part, frozen=True):
    """A training run: its final epsilon with the answers given and with the true values.

    ``given`` is None if no order was answered; ``factor`` is given over true.
    """

    run: Text
    q: Rate
    sigma: Noise
    steps: Count
    delta: Rate
    orders: Count
    true: float
    given: Number | None
    factor: Number | None


class Surroundings(Part, frozen=True):
    """What the answers may depend on besides the code; empty where a foreign program does not say.

    ``commit`` is that of a checkout, with a plus sign if there was more in it.
    """

    python: str = ""
    platform: str = ""
    packages: dict[str, str] = field(default_factory=dict)
    commit: str = ""


class ProtocolViolations(Part, frozen=True):
    """How many lines of output did not answer a question."""

    count: Count
    first: tuple[str, ...]


class Seconds(Part, frozen=True):
    """Time for all answers, and for one; None if there was none."""

    total: float
    median: float | None
    longest: float | None


class Conformance(Document, frozen=True, kw_only=True, tag="sgm-verify conformance 3"):
    """The whole file."""

    target: Text
    version: str
    date: str
    sgm_verify: str
    reproduce: str
    surroundings: Surroundings = field(default_factory=Surroundings)
    course: tuple[str, ...] = ()
    quantity: str
    seed: int
    strict: bool
    rule: str
    vectors_sha256: str
    points: Count
    conforms: bool
    summary: str
    verdicts: dict[Grade, Count]
    no_answer: dict[str, Count]
    properties: dict[str, Count]
    by_flag: dict[str, dict[Grade, Count]]
    regions: dict[Region, Tally]
    bits_lost: Point | None
    smallest_failing: Point | None
    clusters: tuple[Cluster, ...] = ()
    effects: tuple[Effect, ...] = ()
    failures: dict[Grade, tuple[Point, ...]]
    violations: tuple[Broken, ...]
    excused: Count = 0
    stale: tuple[str, ...] = ()
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
        for region, tally in self.regions.items():
            rows = [row for row in self.cases.rows if row.region is region]
            if Counter(row.verdict for row in rows) != Counter(tally.verdicts):
                raise ValueError(f"the verdicts on {region} are not those of the points listed")
            errs = Counter(row.direction for row in rows if row.direction is not None)
            if errs != Counter(tally.directions):
                raise ValueError(f"the directions on {region} are not those of the points listed")


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
    """How many answers are adequate or better."""
    return sum(found.verdicts.get(grade, 0) for grade in GOOD)
