"""What a claim package hands over: one object, named by its entry point in the group ``sgm_verify.claims``.

The functions are called when their answer is needed, so that naming a package costs no import of its proofs.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from verify.accounting.history import Phase
from verify.claims.model import MisstatedClaim
from verify.numbers.point import Point
from verify.results.kernel import Formal
from verify.results.verdicts import KernelRuns, KernelVerdict, KernelVerdicts

GROUP = "sgm_verify.claims"


class Proved(Protocol):
    """A theorem that the kernel accepted."""

    def as_json(self) -> dict[str, Any]: ...
    def as_text(self) -> str: ...


class ProvedNumber(Proved, Protocol):
    """A theorem about a number that the kernel accepted."""

    def as_part(self, of: str = "") -> KernelVerdict: ...


class Prove(Protocol):
    """Proves a theorem about one number. It raises errors of :mod:`verify.numbers.errors` only."""

    def __call__(
        self,
        point: Point,
        *,
        not_valid: Fraction | None,
        valid: Fraction | None,
        digits: int | None,
        reverse: bool,
        fast: bool,
        proof: str | None,
        out: Path | None,
        max_seconds: float,
        say: Callable[[str], None],
    ) -> ProvedNumber: ...


class ProveRun(Protocol):
    """Proves a theorem about a whole run. It raises errors of :mod:`verify.numbers.errors` only."""

    def __call__(
        self,
        phases: tuple[Phase, ...],
        delta: Fraction,
        *,
        epsilon: Fraction | None,
        not_valid: Fraction | None,
        digits: int | None,
        tight: bool,
        fast: bool,
        proof: str | None,
        out: Path | None,
        max_seconds: float,
        say: Callable[[str], None],
    ) -> Proved: ...


@dataclass(frozen=True)
class Paper:
    """One paper: the package of its claims, and what else that package can do.

    Attributes:
        package: dotted name of the package whose modules define the claims.
        published: where lines of the source stand in the paper as it is printed.
        read_formal: what the kernel accepted of its formal development; None without a result, or with one of
            other sources. A damaged result is an error.
        read_verdicts, read_runs: the theorems about single numbers, and about runs, that the package keeps.
        prover, run_prover: give the function that proves, about a number and about a run.
        foundations: what accountants rest on: ids of claims, each with its name in a sentence.
        figures: dotted names of modules with FIGURES of their own, which the report shows among its others.
    """

    package: str
    published: Callable[[str], str] = lambda lines: ""
    read_formal: Callable[[], Formal | None] = lambda: None
    read_verdicts: Callable[[], KernelVerdicts | None] = lambda: None
    read_runs: Callable[[], KernelRuns | None] = lambda: None
    prover: Callable[[], Prove] | None = None
    run_prover: Callable[[], ProveRun] | None = None
    foundations: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[str, ...] = ()

    def module(self) -> ModuleType:
        """The package itself, imported."""
        return importlib.import_module(self.package)

    def folder(self) -> Path:
        """Where its files are."""
        return Path(self.module().__path__[0])


def papers() -> Iterator[Paper]:
    """The papers whose packages are installed."""
    for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name):
        paper = entry.load()
        if not isinstance(paper, Paper):
            raise MisstatedClaim(f"{entry.value}: not a verify.claims.Paper")
        yield paper
