"""What accountants of whole runs answered: the file that ``sgm-verify accountants --json`` writes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from verify.results.conformance import ProtocolViolations, Surroundings
from verify.results.document import Document, Part

Number = float | Literal["inf", "-inf", "nan"]
Text = Annotated[str, Meta(min_length=1)]


class RunPhase(Part, frozen=True):
    """So many steps; sigma is None where the noise is what was asked for.

    Samplings by epochs have epochs and no q, and their steps are the batches of one epoch;
    truncated ones have records and a limit.
    """

    q: Annotated[float, Meta(ge=0, le=1)] | None
    sigma: Annotated[float, Meta(gt=0)] | None
    steps: Annotated[int, Meta(ge=1)]
    epochs: Annotated[int, Meta(ge=1)] | None = None
    records: Annotated[int, Meta(ge=1)] | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None


class RunAnswer(Part, frozen=True):
    """One answer."""

    run: Text
    quantity: Literal["epsilon", "delta", "sigma"]
    numbers: Literal["float", "int", "float32", "float64", "int64"]
    history: tuple[RunPhase, ...]
    delta: float | None
    epsilon: float | None
    answer: Number | None
    reason: str
    truth_lo: str | None
    truth_hi: str | None
    error: float | None
    ruling: Literal[
        "kept",
        "estimated",
        "low",
        "UNSAFE",
        "misses",
        "absurd",
        "vacuous",
        "no answer",
        "undecided",
    ]
    seconds: float
    sampling: str = "poisson"
    relation: str = "add/remove"
    flags: tuple[str, ...] = ()


def accountant_title(library: str, version: str, name: str) -> str:
    """An accountant as tables and figures name it.

    >>> accountant_title("opacus", "1.6.0", "rdp"), accountant_title("mine", "", "")
    ('opacus 1.6.0 RDP', 'mine')
    """
    parts = (library, version, name.upper() if len(name) == 3 else name)
    return " ".join(part for part in parts if part)


class JudgedAccountant(Part, frozen=True):
    """One accountant and all its answers; the other fields mean the same as in a check of single
    steps."""

    library: Text
    version: str
    name: str
    promise: Literal["upper", "lower", "estimate"]
    cases: tuple[RunAnswer, ...]
    documented: str = ""
    conforms: bool | None = None
    summary: str = ""
    reproduce: str = ""
    surroundings: Surroundings = field(default_factory=Surroundings)
    course: tuple[str, ...] = ()
    not_repeatable: int = 0
    protocol_violations: ProtocolViolations | None = None
    restarts: int = 0
    excused: int = 0
    stale: tuple[str, ...] = ()
    first_failure: float | None = None

    @property
    def title(self) -> str:
        return accountant_title(self.library, self.version, self.name)


class Accountants(Document, frozen=True, tag="sgm-verify accountants 1"):
    """All accountants asked in one run; ``seed`` is that of the fresh runs."""

    date: Text
    sgm_verify: Text
    seed: int
    accountants: tuple[JudgedAccountant, ...]
