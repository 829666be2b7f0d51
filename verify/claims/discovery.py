"""Finding claims.

Every module of an installed paper's package is imported and its :class:`~verify.claims.model.Claim` objects are
collected. Another paper's claims are another package, whose entry point names a :class:`~verify.claims.paper.Paper`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType

from verify.claims.kernel import developments, kept_runs, kept_verdicts
from verify.claims.model import Claim, MisstatedClaim
from verify.claims.paper import Paper, papers
from verify.results.kernel import Formal
from verify.results.verdicts import KernelRuns, KernelVerdicts


@dataclass(frozen=True)
class Installed:
    """Claims by id in the order of the paper, their papers, what was proved of them formally, of
    numbers and of runs."""

    claims: Mapping[str, Claim]
    papers: tuple[Paper, ...] = ()
    formal: tuple[Formal, ...] = ()
    verdicts: tuple[KernelVerdicts, ...] = ()
    runs: tuple[KernelRuns, ...] = ()

    @classmethod
    def here(cls) -> Installed:
        """What is installed in this environment."""
        found = tuple(papers())
        return cls(
            discover(found),
            found,
            tuple(developments(found)),
            tuple(kept_verdicts(found)),
            tuple(kept_runs(found)),
        )


def claims_of(package: ModuleType) -> Iterator[Claim]:
    """The claims that a package's modules define, subpackages included, in order of the source."""
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("_") or info.name == "tools":
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, Claim) and value.module == module.__name__:
                yield value
        if info.ispkg:
            yield from claims_of(module)


def discover(where: Iterable[Paper] | None = None) -> dict[str, Claim]:
    """Every claim of the papers (those installed), by id, in the order of the paper."""
    found: dict[str, Claim] = {}
    for paper in papers() if where is None else where:
        for claim in claims_of(paper.module()):
            if claim.id in found:
                raise MisstatedClaim(f"{claim.id}: defined twice")
            found[claim.id] = replace(claim, published=paper.published(claim.lines))
    return dict(sorted(found.items(), key=lambda item: (_first_line(item[1]), item[0])))


def _first_line(claim: Claim) -> int:
    head = claim.lines.split(",")[0].split("-")[0]
    return int(head) if head.isdigit() else 10**9
