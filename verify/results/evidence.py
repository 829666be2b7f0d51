"""The vocabulary of verdicts, and one piece of evidence: shared by claims, results and pages.

>>> Evidence(Level.SYMBOLIC, detail="both sides expand to the same").text
'both sides expand to the same'
>>> Evidence(Level.KERNEL)
Traceback (most recent call last):
...
ValueError: kernel evidence without a theorem
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import msgspec

from verify.results.document import Part

Count = Annotated[int, msgspec.Meta(ge=0)]


class Level(StrEnum):
    """How strong an evidence is, strongest first."""

    KERNEL = "kernel"
    SYMBOLIC = "symbolic"
    REGION = "certified-region"
    POINTS = "certified-points"
    SAMPLED = "sampled"

    @property
    def rank(self) -> int:
        return list(Level).index(self)


class Role(StrEnum):
    """What an evidence speaks for: the text as written, against it, or for the corrected text.

    ``WORDING`` speaks only against the wording: the intended meaning is clear, and readers use the
    text in that meaning.
    """

    STATEMENT = "statement"
    COUNTEREXAMPLE = "counterexample"
    WORDING = "against the wording"
    REPAIR = "repair"

    @property
    def against(self) -> bool:
        return self in (Role.COUNTEREXAMPLE, Role.WORDING)


class Verdict(StrEnum):
    """The outcome for a claim; what a reader must know first comes first."""

    REFUTED = "refuted"
    REPAIRED = "holds-with-repair"
    TYPOGRAPHY = "holds-but-for-typography"
    HOLDS = "holds"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """How much is wrong with the claim as written, gravest first."""

    THEOREM = "theorem false"
    STATEMENT = "statement false"
    DEFINITION = "not the published definition"
    MISPRINT = "misprint, proof correct"
    GAP = "gap"
    SLIP = "slip"
    TYPOGRAPHY = "typography"
    NONE = "none"

    @property
    def rank(self) -> int:
        return list(Severity).index(self)


class Kind(StrEnum):
    DEFINITION = "definition"
    IDENTITY = "identity"
    INEQUALITY = "inequality"
    LIMIT = "limit"
    ASSERTION = "assertion"
    TABLE = "table"
    FIGURE = "figure"
    NOT_MATHEMATICAL = "not-mathematical"


class Profile(StrEnum):
    """How long a check may take: ``quick`` for every change, ``full`` for a release."""

    QUICK = "quick"
    FULL = "full"


class Theorem(Part, frozen=True):
    """A theorem of a formal development: where it stands, what it says, what it assumes."""

    name: str
    file: str
    line: Count
    statement: str
    axioms: tuple[str, ...]

    @property
    def text(self) -> str:
        short = ", ".join(name.rpartition(".")[2] for name in self.axioms)
        axioms = f"axioms: {short}" if short else "no axioms"
        return f"{self.name} ({self.file}: {self.statement}; {axioms})"


class Evidence(Part, frozen=True):
    """One reason to believe, with the number of cases that said something and that did not.

    ``boxes`` is the size of the interval proof in it, ``theorems`` are what the kernel accepted,
    ``premises`` are the ids of the claims that it takes for granted.
    """

    level: Level
    effective: Count = 1
    vacuous: Count = 0
    detail: str = ""
    role: Role = Role.STATEMENT
    boxes: Count = 0
    theorems: tuple[Theorem, ...] = ()
    premises: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.level is Level.KERNEL and not self.theorems:
            raise ValueError("kernel evidence without a theorem")

    @property
    def text(self) -> str:
        """What was shown, in words."""
        said = [self.detail] if self.detail else []
        return "; ".join([*said, *(theorem.text for theorem in self.theorems)])

    def against(self) -> Evidence:
        """The same finding, as a counterexample to the text as written."""
        return msgspec.structs.replace(self, role=Role.COUNTEREXAMPLE)

    def against_the_wording(self) -> Evidence:
        """The same finding, as a counterexample to the letter of a text whose meaning is plain."""
        return msgspec.structs.replace(self, role=Role.WORDING)

    def repaired(self) -> Evidence:
        """The same finding, for the corrected statement."""
        return msgspec.structs.replace(self, role=Role.REPAIR)

    def with_detail(self, detail: str) -> Evidence:
        """The same finding in one sentence, in the place of a list of its steps."""
        return msgspec.structs.replace(self, detail=detail)


class Erratum(Part, frozen=True):
    """One error of a paper, told as its authors could sign it; several claims may be the same error.

    The counterexample is not told here: it is what the checks of those claims find.
    """

    title: str
    says: str  # what is printed, in a few words
    charitable: str  # how a reader of good will takes it
    repair: str
    user: str  # what changes for a person who relies on the paper
    number: int = 0  # given once and never again, so that it can be cited; 0: none
    date: str = ""  # when it was first told


def strongest(evidence: Iterable[Evidence]) -> Level | None:
    """The level of a claim: of what speaks for it or for its correction, the strongest argument.

    A counterexample is not an argument for the correction, however exact it is (:func:`against`).
    """
    return _best(e for e in evidence if not e.role.against)


def against(evidence: Iterable[Evidence]) -> Level | None:
    """The level of the strongest counterexample to the text as written, if there is one."""
    return _best(e for e in evidence if e.role.against)


def _best(evidence: Iterable[Evidence]) -> Level | None:
    found = (e.level for e in evidence if e.effective > 0)
    return min(found, key=lambda level: level.rank, default=None)
