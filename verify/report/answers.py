"""The report in three sentences: what of the paper stands, how right the libraries are, and which are not.

Each is made from the results; none says more than they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verify.report import model
from verify.results.claims import ClaimResult
from verify.results.evidence import Severity, Verdict
from verify.results.report import Results

FOUNDATIONS = ("main-theorem/statement", "a-geq-b/corollary-7/statement")
"""What accountants rest on: the closed form, and that the larger of A and B is A."""


@dataclass(frozen=True)
class Answer:
    """A finding in a few words, what there is to add, and where it is told in full."""

    head: str
    text: str
    link: str


def answers(results: Results) -> Iterator[Answer]:
    """What a reader came for, first things first."""
    if results.claims:
        yield paper(results.claims)


def paper(claims: Sequence[ClaimResult]) -> Answer:
    """What of the paper stands."""
    found = Counter(claim.verdict for claim in claims)
    errors = model.errata(claims)
    wrong = sum(error.severity in (Severity.THEOREM, Severity.STATEMENT) for error in errors)
    idle = sum(error.erratum.user.startswith("Nothing") for error in errors)
    stands = standing(claims)
    head = (
        "The main theorem and A ≥ B stand, proved in Coq: no published ε changes."
        if stands
        else "What of the paper stands:"
    )
    said = [
        f"Of {len(claims)} claims {found[Verdict.HOLDS]} hold as printed, {found[Verdict.REPAIRED]} after a repair, "
        f"and {found[Verdict.REFUTED]} are false as stated"
        + (f"; {found[Verdict.UNKNOWN]} are undecided." if found[Verdict.UNKNOWN] else ".")
    ]
    if errors:
        said.append(
            f"They are {len(errors)} distinct errors, {wrong} of them false statements; {idle} change nothing for "
            "a user."
        )
    return Answer(head, " ".join(said), "#errata")


def standing(claims: Sequence[ClaimResult]) -> bool:
    """Whether the kernel carries what accountants rest on; a slip in the wording does not matter to them."""
    known = {claim.id: claim for claim in claims}
    return all(
        name in known
        and known[name].verdict in (Verdict.HOLDS, Verdict.REPAIRED)
        and known[name].severity in (Severity.NONE, Severity.SLIP)
        and known[name].strongest == "kernel"
        for name in FOUNDATIONS
    )
