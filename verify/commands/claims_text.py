"""Claims for people: a line, a table, one in full, an erratum, in 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from verify.claims.model import Checked, Claim, Finding
from verify.claims.running import as_result, differs, hardest, tally
from verify.escaping import printable
from verify.results.claims import ClaimOutcome
from verify.results.errata import FoundErratum
from verify.results.evidence import Role, against, strongest

_SHORT = {  # words of a table in 80 columns
    "holds-with-repair": "repaired",
    "certified-region": "region",
    "certified-points": "points",
    "misprint, proof correct": "misprint",
    "not the published definition": "definition",
}


def line(claim: Claim, checked: Checked) -> str:
    """What a check found, while others are still running."""
    finding = checked.finding
    level = _short(strongest(finding.evidence) or "-")
    text = f"{claim.id:<46} {_short(finding.verdict):<9} {level:<9} {finding.seconds:6.2f} s"
    if refuting := against(finding.evidence):
        text += f"\n  counterexample: {refuting}"
    if why := differs(claim, finding):
        text += f"\n  DIFFERS: {plain(why)}"
    return text + "".join(f"\n  broken variant survived: {name}" for name in checked.survivors)


def plain(text: str) -> str:
    """On one line, and nothing that a terminal obeys."""
    return printable(" ".join(text.split()))


def counts(claims: Mapping[str, Claim], found: list[Checked]) -> Iterator[str]:
    """What was found of all of them together."""
    levels = (strongest(c.finding.evidence) or "no evidence" for c in found)
    yield _tally("verdict", (c.finding.verdict for c in found))
    yield _tally("evidence", levels)
    yield _tally("severity", (claims[c.id].severity for c in found))
    if largest := hardest(found):
        said = (f"{c.id} ({boxes} boxes, {c.finding.seconds:.1f} s)" for c, boxes in largest)
        yield "largest interval proofs: " + ", ".join(said)


def _tally(name: str, values: Iterable[str]) -> str:
    counted = tally(values).items()
    return f"{name + ':':<10}" + ", ".join(f"{n} {value}" for value, n in counted)


def _short(word: str) -> str:
    return _SHORT.get(word, word)


def table(claims: Iterable[ClaimOutcome]) -> Iterator[str]:
    """All of them as recorded, a line each."""
    rows = list(claims)
    levels = {c.id: (c.strongest or "none") if c.checked else "not recorded" for c in rows}
    width = max(len(c.id) for c in rows)
    yield f"{'id':<{width}} {'verdict':<8} {'evidence':<8} severity"
    for c in rows:
        level = _short(levels[c.id]) if c.checked else "?"
        yield f"{c.id:<{width}} {_short(c.verdict):<8} {level:<8} {_short(c.severity)}"
    yield ""
    yield f"{len(rows)} claims; as recorded, --check establishes them again"
    for name, values in (
        ("verdict", (c.verdict for c in rows)),
        ("evidence", levels.values()),
        ("severity", (c.severity for c in rows)),
    ):
        yield wrapped(_tally(name, values))


def wrapped(text: str) -> str:
    """A line of the summary, in 80 columns."""
    return textwrap.fill(
        text, 80, subsequent_indent=" " * 10, break_on_hyphens=False, break_long_words=False
    )


def _field(name: str, text: str) -> str:
    """A line, or several below each other, of a claim in full."""
    return textwrap.fill(
        f"  {name:<14} {plain(text)}",
        80,
        subsequent_indent=" " * 17,
        break_long_words=False,
        break_on_hyphens=False,
    )


def head(claim: ClaimOutcome) -> Iterator[str]:
    """A claim in full: what it says."""
    yield f"{claim.id}  ({claim.place}, {claim.kind})"
    yield ""
    yield textwrap.indent(textwrap.fill(" ".join(claim.words.split()), 78), "  ")
    yield ""
    yield _field("statement", claim.statement)
    yield _field("domain", claim.domain)
    level = (claim.strongest or "none") if claim.checked else "not recorded"
    evidence = f"; evidence {level}" if claim.strongest or not claim.checked else ""
    yield _field("verdict", f"{claim.verdict}{evidence}; severity {claim.severity}")
    if claim.repair:
        yield _field("corrected", claim.repair)
    if claim.erratum:
        yield _field("erratum", claim.erratum)
    if claim.theorems:
        yield _field("theorems", ", ".join(claim.theorems))


def found(claim: Claim, finding: Finding) -> Iterator[str]:
    """A claim in full: what its check found."""
    if claim.erratum:
        yield from told(
            FoundErratum(claim.erratum, (as_result(claim, Checked(claim.id, finding, {})),))
        )
    if why := differs(claim, finding):
        yield _field("DIFFERS", why)
    for role in Role:
        for e in (e for e in finding.evidence if e.role is role):
            counts = f"{e.effective} effective, {e.vacuous} vacuous"
            yield _field(role, f"{e.level} ({counts}): {e.text}")


def tail(claim: ClaimOutcome) -> Iterator[str]:
    """A claim in full: what must fail, and how to see it again."""
    for name in claim.broken:
        yield _field("must fail", name)
    if claim.unbreakable:
        yield _field("no variant", claim.unbreakable)
    yield f"  {'reproduce':<14} {claim.reproduce}"
    yield ""


def told(error: FoundErratum) -> Iterator[str]:
    """The lines of an erratum, wrapped below their names."""
    for name, text in error.told():
        yield textwrap.fill(
            plain(text),
            80,
            initial_indent=f"    {name:<16} ",
            subsequent_indent=" " * 21,
            break_on_hyphens=False,
        )
