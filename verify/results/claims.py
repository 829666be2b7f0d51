"""What a check of claims found: a row a claim, the score, and the two files made of them."""

from __future__ import annotations

from enum import StrEnum

from verify.results.document import Document, Part
from verify.results.evidence import (
    Count,
    Erratum,
    Evidence,
    Kind,
    Level,
    Profile,
    Severity,
    Verdict,
    against,
)


class Fate(StrEnum):
    """What became of a variant that is wrong on purpose."""

    REFUTED = "refuted"
    NOT_PROVED = "not proved"
    SURVIVED = "survived"


BEYOND = "beyond the paper"
"""The place of a result that is not in the paper."""


class ClaimResult(Part, frozen=True):
    """A claim, what its check found, and how to repeat it. No times: equal inputs, equal bytes."""

    id: str
    section: str
    place: str
    kind: Kind
    domain: str
    statement: str
    words: str
    repair: str
    verdict: Verdict
    recorded: Verdict
    severity: Severity
    strongest: Level | None
    evidence: tuple[Evidence, ...]
    broken: dict[str, Fate]
    unbreakable: str
    unknown: str
    differs: str
    reproduce: str
    erratum: Erratum | None = None

    @property
    def beyond(self) -> bool:
        """Whether it is a result of this project's, which the paper does not claim."""
        return self.place == BEYOND

    @property
    def against(self) -> Level | None:
        """How strong the counterexample to the text as written is, if there is one."""
        return against(self.evidence)

    @property
    def premises(self) -> tuple[str, ...]:
        """Ids of the claims that its evidence rests on, each once."""
        return tuple(dict.fromkeys(name for e in self.evidence for name in e.premises))

    @property
    def survivors(self) -> list[str]:
        """Wrong variants that the check let pass: each is a hole in the check."""
        return [name for name, fate in self.broken.items() if fate is Fate.SURVIVED]


class Score(Part, frozen=True):
    """How many claims' broken variants were all rejected, and by what."""

    claims: Count
    covered: Count
    variants: Count
    refuted: Count
    not_proved: Count
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.covered / self.claims if self.claims else 0.0

    def __str__(self) -> str:
        text = (
            f"broken variants: {self.covered} of {self.claims} claims ({self.share:.1%}) reject "
            f"theirs; {self.refuted} of {self.variants} variants refuted, "
            f"{self.not_proved} not proved"
        )
        return text + "".join(f"\n  survived: {name}" for name in self.survivors)


class ClaimsRun(Document, frozen=True, kw_only=True, tag="sgm-verify claims 1"):
    """What ``sgm-verify claims --check --json`` prints."""

    profile: Profile
    claims: tuple[ClaimResult, ...]
    score: Score
    seconds: dict[str, float]


class ClaimOutcome(Part, frozen=True):
    """A claim with its recorded outcome; nothing was computed for it.

    ``strongest`` is the strongest evidence of the last recorded check (``checked`` says whether there is
    one), ``theorems`` are those of the formal development that carry the claim or speak against it.
    """

    id: str
    place: str
    kind: Kind
    domain: str
    statement: str
    words: str
    repair: str
    verdict: Verdict
    severity: Severity
    checked: bool
    strongest: Level | None
    erratum: str
    theorems: tuple[str, ...]
    broken: tuple[str, ...]
    unbreakable: str
    unknown: str
    reproduce: str


class Outcomes(Document, frozen=True, kw_only=True, tag="sgm-verify outcomes 1"):
    """What ``sgm-verify claims --json`` prints at once: every claim with its recorded outcome."""

    claims: tuple[ClaimOutcome, ...]


class RecordedErratum(Part, frozen=True):
    """An error of the paper as it is told: what is said of it, by name, and the claims it was found in."""

    number: int
    date: str
    title: str
    severity: Severity
    told: tuple[tuple[str, str], ...]
    claims: tuple[tuple[str, str], ...]  # id and place


class Recorded(Document, frozen=True, kw_only=True, tag="sgm-verify recorded 2"):
    """What the last ``--record`` found, shown at once and without the packages that the checks need.

    The strongest evidence for each claim, each claim with its outcome, and the paper's errors.
    """

    levels: dict[str, Level | None]
    outcomes: tuple[ClaimOutcome, ...] = ()
    errata: tuple[RecordedErratum, ...] = ()
