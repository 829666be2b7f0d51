"""JUnit XML for continuous integration: one test case for every check, claim and library."""

from __future__ import annotations

from collections.abc import Iterator

from verify.results.report import Results
from verify.support import junit
from verify.support.junit import JUnitCase


def cases(results: Results) -> Iterator[JUnitCase]:
    """What can fail in a report. A library that does not conform is a finding, not a failure."""
    for check in results.ground_truth:
        yield JUnitCase("ground truth", check.name, check.why)
    for claim in results.claims:
        survived = ", ".join(claim.survivors)
        failure = claim.differs or (f"broken variants survived: {survived}" if survived else "")
        yield JUnitCase("claims", claim.id, failure)
    for row in results.unreadable:
        yield JUnitCase("conformance", row.file, row.reason)


def as_text(results: Results) -> str:
    """The document."""
    return junit.junit("sgm-verify report", cases(results))
