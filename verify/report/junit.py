"""JUnit XML for continuous integration: one test case for every check, claim and library."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

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
        head = f"<testcase classname={quoteattr(clean(suite))} name={quoteattr(clean(name))}"
        message = quoteattr(clean(failure)[:200])
        body = f"><failure message={message}>{escape(clean(failure))}</failure></testcase>"
        lines.append(head + (body if failure else "/>"))
    return "\n".join([*lines, "</testsuite>", ""])


def clean(text: str) -> str:
    """Without characters that XML cannot hold.

    >>> clean("a\\x00b\\x1b[31m")
    'a\\\\x00b\\\\x1b[31m'
    """
    return "".join(
        c if c in "\n\t" or c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )
