"""Questions that every page asks of the results."""

from __future__ import annotations

from collections.abc import Iterable

from verify.results.claims import ClaimResult
from verify.results.evidence import Level, Role, Verdict
from verify.results.report import Results

__all__ = ["Results", "by_section", "by_severity", "counterexample"]


def by_severity(claims: Iterable[ClaimResult], verdict: Verdict) -> list[ClaimResult]:
    """The claims of a verdict, gravest first; the order of the paper within a severity."""
    those = (claim for claim in claims if claim.verdict is verdict)
    return sorted(those, key=lambda claim: claim.severity.rank)


def by_section(claims: Iterable[ClaimResult]) -> dict[str, list[ClaimResult]]:
    """Claims by the first part of their id, in order."""
    sections: dict[str, list[ClaimResult]] = {}
    for claim in claims:
        sections.setdefault(claim.section, []).append(claim)
    return sections


def counterexample(claim: ClaimResult) -> str:
    """A claim's counterexample in the fewest words; all of them stand with the claim itself."""
    against = [e for e in claim.evidence if e.role is Role.COUNTEREXAMPLE]
    computed = [e.detail for e in against if e.level is not Level.KERNEL]
    said = [min(computed, key=len)] if computed else []
    if said:  # steps of a proof in formulas of sympy are for the claim's own page
        steps = said[0].split("; ")
        said = ["; ".join([step for step in steps if "**" not in step] or steps)]
    proved = [e.theorems[0].name for e in against if e.level is Level.KERNEL]
    return "; ".join([*said, *(f"proved by the kernel as {name}" for name in proved)])
