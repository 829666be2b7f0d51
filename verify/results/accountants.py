"""What accountants of whole runs answered: the file that ``sgm-verify accountants --json`` writes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from verify.results.document import Document, Part

Number = float | Literal["inf", "-inf", "nan"]
Text = Annotated[str, Meta(min_length=1)]


class RunPhase(Part, frozen=True):
    """So many steps; sigma is None where the noise is what was asked for."""

    q: Annotated[float, Meta(ge=0, le=1)]
    sigma: Annotated[float, Meta(gt=0)] | None
    steps: Annotated[int, Meta(ge=1)]


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
    ruling: Literal["kept", "UNSAFE", "misses", "estimated", "vacuous", "no answer", "undecided"]
    seconds: float


class JudgedAccountant(Part, frozen=True):
    """One accountant and all its answers."""

    library: Text
    version: str
    name: str
    promise: Literal["upper", "lower", "estimate"]
    cases: tuple[RunAnswer, ...]


class Accountants(Document, frozen=True, tag="sgm-verify accountants 1"):
    """All accountants asked in one run; ``seed`` is that of the fresh runs."""

    date: Text
    sgm_verify: Text
    seed: int
    accountants: tuple[JudgedAccountant, ...]
