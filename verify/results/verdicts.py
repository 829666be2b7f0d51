"""Theorems about single numbers, as the kernel of a proof assistant accepted them."""

from __future__ import annotations

from verify.results.document import Document, Part


class KernelVerdict(Part, frozen=True):
    """One theorem: what it says in words and in Coq, what it assumes, the digests of proof and check file.

    Numbers are exact: decimals, or fractions. ``of`` names what the number is: a vector, a library's answer.
    """

    of: str
    kind: str
    q: str
    sigma: str
    alpha: str
    reverse: bool
    x: str
    upper: str | None
    words: str
    theorem: str
    axioms: tuple[str, ...]
    proof_lines: int
    proof_sha256: str
    check_sha256: str


class KernelVerdicts(Document, frozen=True, tag="sgm-verify verdicts 1"):
    """Verdicts that are kept and proved again, by the same Coq."""

    coq: str
    verdicts: tuple[KernelVerdict, ...]


class ProvedPhase(Part, frozen=True):
    """So many steps at one rate and one noise; numbers are exact: decimals, or fractions."""

    q: str
    sigma: str
    steps: int


class KernelRun(Part, frozen=True):
    """One theorem about a whole run: valid or not, how it is proved, what it assumes, the digests of both files."""

    of: str
    kind: str
    history: tuple[ProvedPhase, ...]
    delta: str
    epsilon: str
    how: str
    words: str
    theorem: str
    axioms: tuple[str, ...]
    proof_lines: int
    proof_sha256: str
    check_sha256: str


class KernelRuns(Document, frozen=True, tag="sgm-verify runs 1"):
    """Theorems about runs that are kept and proved again, by the same Coq."""

    coq: str
    runs: tuple[KernelRun, ...]
