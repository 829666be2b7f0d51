"""JUnit XML for continuous integration: one test case for every check, claim and library."""

from __future__ import annotations

from collections.abc import Iterator

from verify.escaping import attribute, markup
from verify.results.report import Results

Case = tuple[str, str, str]  # suite, name, failure (empty: passed)


def cases(results: Results) -> Iterator[Case]:
    """What can fail in a report. A library that does not conform is a finding, not a failure."""
    for check in results.ground_truth:
        yield "ground truth", check.name, check.why
    for claim in results.claims:
        survived = ", ".join(claim.survivors)
        failure = claim.differs or (f"broken variants survived: {survived}" if survived else "")
        yield "claims", claim.id, failure
    for row in results.unreadable:
        yield "conformance", row.file, row.reason


def junit(results: Results) -> str:
    """The document."""
    found = list(cases(results))
    failed = sum(bool(failure) for _, _, failure in found)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="sgm-verify report" tests="{len(found)}" failures="{failed}" errors="0" skipped="0">',
    ]
    for suite, name, failure in found:
        head = f"<testcase classname={attribute(suite)} name={attribute(name)}"
        message = attribute(failure[:200])
        body = f"><failure message={message}>{markup(failure)}</failure></testcase>"
        lines.append(head + (body if failure else "/>"))
    return "\n".join([*lines, "</testsuite>", ""])
