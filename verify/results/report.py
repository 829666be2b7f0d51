"""results.json: one class for each part of the report."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import field

from verify.results.claims import ClaimResult, Score
from verify.results.document import Document, Part
from verify.results.evidence import Count, Profile, Theorem
from verify.results.families import Digest, Family
from verify.results.figure import Figure
from verify.results.matrix import Matrix
from verify.results.verdicts import KernelRun, KernelVerdict

Truth = Literal["true", "false", "undecided"]  # what verify.bounds.table.Truth says


class Provenance(Part, frozen=True):
    """What the run was made of."""

    sgm_verify: str
    python: str
    libraries: dict[str, str]
    commit: str | None
    clean: bool | None
    profile: Profile
    digits: Count
    seeds: dict[str, str]
    inputs: dict[str, str]


class Numbers(Part, frozen=True):
    """The numbers at the top: of the paper's claims, of what is proved beyond it, of libraries."""

    claims: Count
    proved: Count
    refuted: Count
    libraries: Count
    beyond: Count = 0
    beyond_proved: Count = 0


class Shown(Part, frozen=True):
    """One check of the ground truth: on how many cases, and the first failure if there was one."""

    name: str
    statement: str
    effective: Count
    vacuous: Count
    detail: str
    failure: str | None
    passed: bool

    def __post_init__(self) -> None:
        if self.passed != (self.failure is None and self.effective > 0):
            raise ValueError("a check passes with effective cases and no failure, and only so")

    @property
    def why(self) -> str:
        """Why it did not pass; empty if it did."""
        return "" if self.passed else self.failure or "no effective case"


class UsedTheorem(Theorem, frozen=True):
    """A theorem with the claims that rest on it."""

    claims: tuple[str, ...]


class Kernel(Part, frozen=True, omit_defaults=True):
    """The formal development, and the theorems about single numbers and whole runs that stand on it."""

    coq: str
    digest: str
    allowed: tuple[str, ...]
    theorems: tuple[UsedTheorem, ...]
    verdicts: tuple[KernelVerdict, ...] = ()
    runs: tuple[KernelRun, ...] = ()

    @property
    def enclosures(self) -> tuple[KernelVerdict, ...]:
        """Those about values of this project."""
        return tuple(verdict for verdict in self.verdicts if verdict.kind == "enclosure")


class Condition(Part, frozen=True):
    text: str
    truth: Truth


class BoundRow(Part, frozen=True):
    """A row of the paper's Table 1 at one point."""

    name: str
    source: str
    formula: str
    conditions: tuple[Condition, ...]
    applies: Truth
    bound: str | None
    holds: Truth | None
    remark: str


class TablePoint(Part, frozen=True):
    """Table 1 at one point, next to the certified epsilon."""

    q: str
    sigma: str
    alpha: str
    epsilon: str
    rows: tuple[BoundRow, ...]


class Unreadable(Part, frozen=True):
    """A file beside the report that could not be used."""

    file: str
    reason: str


class Change(Part, frozen=True):
    """Something that is different from an older report."""

    what: str
    before: str
    after: str


class Changes(Part, frozen=True):
    """Against which report, by its digest, and what."""

    against: Digest
    rows: tuple[Change, ...]


class Results(Document, frozen=True, kw_only=True, tag="sgm-verify results 5"):
    """Everything that was found; all that a reader sees is made from this."""

    in_rows: ClassVar[bool] = True
    provenance: Provenance
    numbers: Numbers
    ground_truth: tuple[Shown, ...]
    claims: tuple[ClaimResult, ...]
    score: Score
    kernel: Kernel | None
    table_1: tuple[TablePoint, ...]
    figures: tuple[Figure, ...]
    families: tuple[Family, ...]
    unreadable: tuple[Unreadable, ...]
    not_covered: tuple[str, ...]
    failures: tuple[str, ...]
    changes: Changes | None
    accountants: Matrix | None = None
    foundations: dict[str, str] = field(default_factory=dict)


class Manifest(Document, frozen=True, kw_only=True, tag="sgm-verify manifest 2"):
    """The files of a report with their digests: written last."""

    files: dict[str, Digest]
