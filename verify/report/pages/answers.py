"""The report in four sentences: which accountants to trust, what of the paper stands, how right one
step of the libraries is.

Each is made from the results; none says more than they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verify.report.collect import model
from verify.report.pages import family_words
from verify.results.claims import ClaimResult
from verify.results.conformance import Direction, Region
from verify.results.evidence import Kind, Severity, Verdict
from verify.results.families import Family
from verify.results.matrix import Matrix
from verify.results.report import Results


@dataclass(frozen=True)
class Headline:
    """A finding in a few words, what there is to add, and where it is told in full."""

    head: str
    text: str
    link: str


def answers(results: Results) -> Iterator[Headline]:
    """What a reader came for, first things first."""
    if results.accountants:
        yield accountants(results.accountants)
    if results.claims:
        yield paper(results.claims, results.foundations)
    if any(family.effects for family in results.families):
        yield libraries(results.families)
        yield not_right(results.families)


def accountants(found: Matrix) -> Headline:
    """Which accountants to trust with a published epsilon, and what users get by default."""
    ordinary, tiny = (
        [row for row in found.rows if row.cells[n].standing == "too small"] for n in (0, 1)
    )
    head = (
        f"Of {len(found.rows)} accountants {len(ordinary)} gave an ε below the exact one at an "
        f"ordinary δ, {len(tiny)} at a tiny one."
    )
    said = [
        f"{row.title}, {row.default}: {row.cells[0].words} (ε, δ ≥ 1e-10); {row.cells[1].words} (tinier δ)."
        for row in found.rows[:1]
        if row.default
    ]
    if ordinary:
        said.append(f"Too small at an ordinary δ: {', '.join(row.title for row in ordinary)}.")
    return Headline(head, " ".join(said), "#accountants")


def paper(claims: Sequence[ClaimResult], foundations: Mapping[str, str]) -> Headline:
    """What of the paper stands; what holds beyond it is counted apart. What accountants rest on is named by its id."""
    errors = model.errata(claims)
    wrong = sum(error.severity in (Severity.THEOREM, Severity.STATEMENT) for error in errors)
    idle = sum(error.erratum.user.startswith("Nothing") for error in errors)
    names = " and ".join(foundations.values())
    head = (
        f"{names[:1].upper()}{names[1:]} stand, proved in Coq: no ε that rests on them changes."
        if standing(claims, foundations)
        else "What of the paper stands:"
    )
    said = [counts(claims)]
    if errors:
        said.append(
            f"That makes {len(errors)} distinct errors, {wrong} of them false statements; {idle} change nothing for "
            "a user."
        )
    return Headline(head, " ".join(said), "#errata")


def counts(claims: Sequence[ClaimResult]) -> str:
    """How many claims of the paper hold, in which sense; what holds beyond it is counted apart."""
    ours = [claim for claim in claims if claim.beyond]
    papers = [claim for claim in claims if not claim.beyond]
    found = Counter(claim.verdict for claim in papers)
    told = (
        f"Of the paper's {len(papers)} claims {found[Verdict.HOLDS]} hold as printed, "
        f"{found[Verdict.TYPOGRAPHY]} but for typography, {found[Verdict.REPAIRED]} after a "
        f"repair, {found[Verdict.REFUTED]} are false as stated{_undecided_text(papers)}."
    )
    if ours:
        told += f" {len(ours)} results beyond the paper are counted apart{_undecided_text(ours)}."
    return told


def _undecided_text(claims: Sequence[ClaimResult]) -> str:
    """What has no verdict: open questions are told apart from what is no mathematics."""
    kinds = [claim.kind for claim in claims if claim.verdict is Verdict.UNKNOWN]
    idle = kinds.count(Kind.NOT_MATHEMATICAL)
    open_ones = len(kinds) - idle
    said = f", {_are(open_ones)} undecided" if open_ones else ""
    return said + (f", {_are(idle)} not mathematical" if idle else "")


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


def standing(claims: Sequence[ClaimResult], foundations: Collection[str]) -> bool:
    """Whether the kernel carries what accountants rest on; a slip in the wording does not matter to them."""
    known = {claim.id: claim for claim in claims}
    return bool(foundations) and all(
        name in known
        and known[name].verdict in (Verdict.HOLDS, Verdict.TYPOGRAPHY, Verdict.REPAIRED)
        and known[name].severity in (Severity.NONE, Severity.TYPOGRAPHY, Severity.SLIP)
        and known[name].strongest == "kernel"
        for name in foundations
    )


def libraries(families: Sequence[Family]) -> Headline:
    """How right the libraries are where people train."""
    asked = [family for family in families if family.effects]
    right = [f for f in asked if _graves(f) <= {"good"}]
    larger = [f for f in asked if "warn" in _graves(f) and "bad" not in _graves(f)]
    runs = max(len(family.effects) for family in asked)
    head = (
        f"In training runs {len(right)} of {len(asked)} families of libraries give the right RDP ε"
        + (f", {len(larger)} a larger one." if larger else ".")
    )
    text = f"At {runs} published runs; libraries that answer alike at every point are one family."
    if right:
        text += f" Right: {_names(right)}."
    if larger:
        text += f" Too large, by at most {_most(larger):.1%}: {_names(larger)}."
    return Headline(head, text, "#libraries")


def not_right(families: Sequence[Family]) -> Headline:
    """Which of them promise more privacy than there is."""
    unsafe = [f for f in families if "bad" in _graves(f)]
    single = [f for f in families if f not in unsafe and _count_understated(f)]
    head = (
        f"Do not trust the ε of {_names(unsafe)}."
        if unsafe
        else "No library understates the RDP ε of a published run."
    )
    said = [
        f"{_names([f])}: {family_words.in_line(family_words.effect_on_epsilon(f))}." for f in unsafe
    ]
    if single:
        counts = sorted(map(_count_understated, single))
        span = f"{counts[0]} to {counts[-1]}" if counts[0] != counts[-1] else f"{counts[0]}"
        said.append(
            f"At single orders of training runs {_names(single)} understate, too ({span} points each), which "
            "changes none of those runs."
        )
    return Headline(head, " ".join(said), "#libraries")


def _most(families: Sequence[Family]) -> float:
    """By how much of the truth a final epsilon is too large at most."""
    return max(
        float(run.factor) - 1 for f in families for run in f.effects if run.factor is not None
    )


def _count_understated(family: Family) -> int:
    """At how many points of training runs an answer is too small."""
    tally = family.regions.get(Region.TRAINING)
    return tally.directions.get(Direction.UNSAFE, 0) if tally else 0


def _graves(family: Family) -> set[str]:
    """How grave the words on the final epsilon are."""
    return {said.grave for said in family_words.effect_on_epsilon(family)}


def _names(families: Sequence[Family]) -> str:
    """The libraries by name, without versions."""
    names = list(dict.fromkeys(member.target for f in families for member in f.members))
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
