"""Questions that every page asks of the results."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verify.results.claims import ClaimResult
from verify.results.errata import counterexample, errata
from verify.results.evidence import Verdict
from verify.results.report import Results

__all__ = [
    "Results",
    "by_section",
    "by_severity",
    "counterexample",
    "errata",
    "first_sentence",
    "paragraphs",
]


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


def paragraphs(words: str) -> list[str]:
    """A text without its line breaks."""
    return [" ".join(part.split()) for part in words.split("\n\n")]


def first_sentence(words: str) -> str:
    """The beginning of a text, up to the end of its first sentence or paragraph.

    >>> first_sentence("It holds\\nat 0.5. And more.\\n\\nMore.")
    'It holds at 0.5.'
    """
    return re.split(r"(?<=[.!?])\s", paragraphs(words)[0], maxsplit=1)[0]
