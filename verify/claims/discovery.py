"""Finding claims.

Claim packages are found through the entry-point group ``sgm_verify.claims``: every module of such
a package is imported and its :class:`~verify.claims.model.Claim` objects are collected. Another paper's
claims are another package with that entry point.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from types import ModuleType

from verify.claims.kernel import developments, kept_verdicts
from verify.claims.model import Claim, MisstatedClaim
from verify.results.kernel import Formal
from verify.results.verdicts import KernelVerdicts

GROUP = "sgm_verify.claims"


@dataclass(frozen=True)
class Installed:
    """Claims by id in the order of the paper, their packages, what was proved of them formally, and of numbers."""

    claims: Mapping[str, Claim]
    packages: tuple[ModuleType, ...] = ()
    formal: tuple[Formal, ...] = ()
    verdicts: tuple[KernelVerdicts, ...] = ()

    @classmethod
    def here(cls) -> Installed:
        """What is installed in this environment."""
        found = tuple(packages())
        return cls(discover(found), found, tuple(developments(found)), tuple(kept_verdicts(found)))


def packages() -> Iterator[ModuleType]:
    """The installed claim packages."""
    for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name):
        yield entry.load()


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


def published(package: ModuleType) -> Callable[[str], str]:
    """Where lines of the source stand in the paper as it is printed.

    A package that knows holds a module ``places`` with a function of that name.
    """
    name = f"{package.__name__}.places"
    if importlib.util.find_spec(name) is None:
        return lambda _: ""
    told: Callable[[str], str] = importlib.import_module(name).published
    return told


def discover(where: Iterable[ModuleType] | None = None) -> dict[str, Claim]:
    """Every claim of the packages (those installed), by id, in the order of the paper."""
    found: dict[str, Claim] = {}
    for package in packages() if where is None else where:
        where_in_print = published(package)
        for claim in claims_of(package):
            if claim.id in found:
                raise MisstatedClaim(f"{claim.id}: defined twice")
            found[claim.id] = replace(claim, published=where_in_print(claim.lines))
    return dict(sorted(found.items(), key=lambda item: (_first_line(item[1]), item[0])))


def _first_line(claim: Claim) -> int:
    head = claim.lines.split(",")[0].split("-")[0]
    return int(head) if head.isdigit() else 10**9
