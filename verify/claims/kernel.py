"""What formal developments have proved, as evidence for the claims that name their theorems."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import msgspec

from verify.claims.model import Checked, Claim, Finding
from verify.results.evidence import Evidence, Level, Role, Theorem, Verdict
from verify.results.kernel import Formal, from_builtins, read
from verify.results.verdicts import KernelVerdict, KernelVerdicts

RESULT = Path("formal", "result.json")
"""Where a package keeps what the kernel accepted, if it has a formal development."""


def developments(packages: Iterable[ModuleType]) -> Iterator[Formal]:
    """The results of the claim packages' own formal developments, as far as they are not stale.

    A package that has one holds a module ``kernel`` whose ``read_result()`` gives the result, or None: no result
    yet, or one of other sources. A damaged file is neither, and an error.
    """
    for package in packages:
        name = f"{package.__name__}.kernel"
        if importlib.util.find_spec(name) is not None:
            result = importlib.import_module(name).read_result()
            if result:
                yield result if isinstance(result, Formal) else from_builtins(result)
            else:
                _refuse_damaged(package)


def _refuse_damaged(package: ModuleType) -> None:
    for folder in package.__path__:
        if (path := Path(folder) / RESULT).exists():
            read(path)


def kept_verdicts(packages: Iterable[ModuleType]) -> Iterator[KernelVerdicts]:
    """The theorems about single numbers that claim packages keep.

    A package that has some holds a module ``verdicts`` whose ``read_kept()`` gives them.
    """
    for package in packages:
        name = f"{package.__name__}.verdicts"
        if importlib.util.find_spec(name) is not None:
            read_kept = getattr(importlib.import_module(name), "read_kept", None)
            if read_kept is not None:  # a module that only proves keeps nothing
                yield read_kept()


def about_numbers(kept: Iterable[KernelVerdicts]) -> tuple[KernelVerdict, ...]:
    """The theorems themselves, of all packages."""
    return tuple(verdict for each in kept for verdict in each.verdicts)


def theorems(developments: Iterable[Formal]) -> dict[str, Theorem]:
    """Theorems by name."""
    return {theorem.name: theorem for formal in developments for theorem in formal.theorems}


def with_kernel(claim: Claim, finding: Finding, proved: Mapping[str, Theorem]) -> Finding:
    """Add the formal development's theorems.

    What was not checked is no evidence: all theorems that a claim names have to be there. Nor does
    a theorem save a claim whose own check failed.
    """
    role = Role.STATEMENT if claim.verdict is Verdict.HOLDS else Role.REPAIR
    added = []
    for names, speaks_for in ((claim.kernel, role), (claim.kernel_against, Role.COUNTEREXAMPLE)):
        if names and finding.confirms and all(name in proved for name in names):
            used = tuple(proved[name] for name in names)
            added.append(Evidence(Level.KERNEL, len(used), role=speaks_for, theorems=used))
    return msgspec.structs.replace(finding, evidence=(*added, *finding.evidence))


def with_proofs(claim: Claim, checked: Checked, proved: Mapping[str, Theorem]) -> Checked:
    """The same for a check with its variants."""
    return msgspec.structs.replace(checked, finding=with_kernel(claim, checked.finding, proved))
