"""Questions that every page asks of the results."""

from __future__ import annotations

from collections.abc import Iterable

from verify.results.claims import ClaimResult
from verify.results.errata import counterexample, errata
from verify.results.evidence import Verdict
from verify.results.report import Results

__all__ = ["Results", "by_section", "by_severity", "counterexample", "errata"]


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
