"""The counts that the README prints are those of the claims: the paper's, and apart from them what is beyond it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from verify.claims import Verdict
from verify.claims.discovery import discover

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
CLAIMS = discover().values()
WORDS = {
    13: "Thirteen",
    14: "Fourteen",
    15: "Fifteen",
    16: "Sixteen",
    17: "Seventeen",
    18: "Eighteen",
}


def told() -> str:
    """The sentence as it has to be."""
    papers = [claim for claim in CLAIMS if claim.lines != "beyond"]
    found = Counter(claim.verdict for claim in papers)
    return (
        f"Of the paper's {len(papers)} claims {found[Verdict.HOLDS]} hold as printed, "
        f"{found[Verdict.TYPOGRAPHY]} but for typography, {found[Verdict.REPAIRED]} after a "
        f"repair, {found[Verdict.REFUTED]} are false as stated, {found[Verdict.UNKNOWN]} are not "
        f"mathematical. {len(CLAIMS) - len(papers)} results beyond the paper are counted apart."
    )


def test_the_readme_counts_the_papers_claims_and_ours_apart() -> None:
    assert told() in re.sub(r"\s+", " ", README)


def test_the_readme_counts_the_errors() -> None:
    errors = {claim.erratum for claim in CLAIMS if claim.erratum}
    assert f"{WORDS[len(errors)]} errors in all" in README
