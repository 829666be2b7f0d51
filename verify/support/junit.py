"""JUnit XML for continuous integration, by junitparser; one shape for everything that writes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verify.support.escaping import printable

_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """One test case. ``failure`` is empty if it passed; ``detail`` is what to read then.

    ``skipped`` says why a case that did not pass is no failure.
    """

    suite: str
    name: str
    failure: str = ""
    detail: str = ""
    seconds: float | None = None
    skipped: str = ""


def junit(name: str, cases: Iterable[JUnitCase]) -> str:
    """The document: one suite, counts from the cases.

    >>> text = junit("all", [JUnitCase("a", "one"), JUnitCase("a", "two", "1 < 0", seconds=0.5)])
    >>> 'tests="2"' in text, 'failures="1"' in text, '<failure message="1 &lt; 0">' in text
    (True, True, True)
    """
    from junitparser import (
        Failure,
        Skipped,
        TestCase,
        TestSuite,
    )  # only who writes a file pays for it

    rows = []
    for case in cases:
        seconds = None if case.seconds is None else round(case.seconds, 6)
        made = TestCase(printable(case.name), printable(case.suite), seconds)
        if case.failure:
            failed = Failure(printable(case.failure)[:_MESSAGE])
            failed.text = printable(case.detail or case.failure)
            made.result = [failed]
        elif case.skipped:
            made.result = [Skipped(printable(case.skipped)[:_MESSAGE])]
        rows.append(made)
    suite = TestSuite(printable(name))
    suite.add_testcases(rows)  # at once: one by one, all are counted again each time
    body: bytes = suite.tostring()  # type: ignore[no-untyped-call]  # the one part without types
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + body.decode("utf-8") + "\n"
