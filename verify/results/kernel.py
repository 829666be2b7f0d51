"""What the kernel of a proof assistant accepted: the result file of a formal development."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from verify.numbers.errors import OutOfDomain
from verify.results.document import BadDocument, Part, decode
from verify.results.evidence import Theorem


class Formal(Part, frozen=True, tag_field="format", tag="sgm-verify kernel 2"):
    """The theorems of a development, the axioms allowed, the digests of sources and pinned statements."""

    coq: str
    digest: str
    pinned: str
    allowed: tuple[str, ...]
    theorems: tuple[Theorem, ...]
    complete: Literal[True]

    def __post_init__(self) -> None:
        for theorem in self.theorems:
            for axiom in theorem.axioms:
                if axiom not in self.allowed:
                    raise ValueError(f"{theorem.name} rests on {axiom}, which is not allowed")


def read(path: Path) -> Formal:
    """A result file; one error if it is missing, foreign or cut short."""
    try:
        return decode(path.read_bytes(), Formal)
    except OSError as error:
        raise OutOfDomain(f"{path}: cannot be read ({error.strerror})") from error
    except BadDocument as error:
        raise OutOfDomain(f"{path}: no whole result of a formal development ({error})") from error
