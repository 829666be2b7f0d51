"""What formal developments have proved, as evidence for the claims that name their theorems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from verify.claims.model import Checked, Claim, Finding
from verify.claims.paper import Paper
from verify.results.evidence import Evidence, Level, Role, Theorem, Verdict
from verify.results.kernel import Formal
from verify.results.verdicts import KernelRun, KernelRuns, KernelVerdict, KernelVerdicts


def developments(papers: Iterable[Paper]) -> Iterator[Formal]:
    """What the kernel accepted of the papers' formal developments, as far as it is not stale."""
    return (found for paper in papers if (found := paper.read_formal()) is not None)


def kept_verdicts(papers: Iterable[Paper]) -> Iterator[KernelVerdicts]:
    """The theorems about single numbers that the papers' packages keep."""
    return (found for paper in papers if (found := paper.read_verdicts()) is not None)


def about_numbers(kept: Iterable[KernelVerdicts]) -> tuple[KernelVerdict, ...]:
    """The theorems themselves, of all packages."""
    return tuple(verdict for each in kept for verdict in each.verdicts)


def kept_runs(papers: Iterable[Paper]) -> Iterator[KernelRuns]:
    """The theorems about whole runs that the papers' packages keep."""
    return (found for paper in papers if (found := paper.read_runs()) is not None)


def about_runs(kept: Iterable[KernelRuns]) -> tuple[KernelRun, ...]:
    """The theorems themselves, of all packages."""
    return tuple(run for each in kept for run in each.runs)


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
