"""Claims for people: a line, a table, one in full, an erratum, as wide as the terminal, 80 columns at most."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping

from verify.claims.model import Checked, Claim, Finding
from verify.claims.running import as_result, differs, hardest, tally
from verify.results.claims import BEYOND, ClaimOutcome, RecordedErratum
from verify.results.errata import FoundErratum
from verify.results.evidence import Role, against, strongest
from verify.support import screen
from verify.support.escaping import printable
from verify.support.plain_formula import plain_formula
from verify.support.screen import fitted, width

_SHORT = {  # words of a table in 80 columns
    "holds-with-repair": "repaired",
    "holds-but-for-typography": "typo",
    "certified-region": "region",
    "certified-points": "points",
    "misprint, proof correct": "misprint",
    "not the published definition": "definition",
}


NUMBERED = (
    "(4) alpha <= sigma^2 L/2 - 2 ln sigma; (5) alpha <= (sigma^2 L^2/2 - ln 5 - 2 ln sigma)/(L "
    "+ ln(q alpha) + 1/(2 sigma^2)); L = ln(1 + 1/(q(alpha-1)))"
)
"""Conditions that domains of claims name by their number in the paper."""


def line(claim: Claim, checked: Checked) -> str:
    """What a check found, while others are still running."""
    finding = checked.finding
    level = _short(strongest(finding.evidence) or "-")
    text = f"{claim.id:<46} {_short(finding.verdict):<9} {level:<9} {finding.seconds:6.2f} s"
    if refuting := against(finding.evidence):
        text += f"\n  counterexample: {refuting}"
    if why := differs(claim, finding):
        text += f"\n  DIFFERS: {plain(why)}"
    text = fitted(text)
    return text + "".join(f"\n  broken variant survived: {name}" for name in checked.survivors)


def plain(text: str) -> str:
    """The text on one line, without control characters of a terminal."""
    return printable(" ".join(text.split()))


def counts(claims: Mapping[str, Claim], found: list[Checked]) -> Iterator[str]:
    """What was found of all of them together."""
    for title, ours in (("the paper's claims", False), ("beyond the paper", True)):
        those = [c for c in found if (claims[c.id].place == BEYOND) == ours]
        if not those:
            continue
        yield f"{title}: {len(those)}"
        yield _tally("verdict", (c.finding.verdict for c in those))
        yield _tally("evidence", (strongest(c.finding.evidence) or "no evidence" for c in those))
        yield _tally("severity", (claims[c.id].severity for c in those))
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
    longest = max(len(c.id) for c in rows)
    cells = [
        (c.id, _short(c.verdict), _short(levels[c.id]) if c.checked else "?", _short(c.severity))
        for c in rows
    ]
    yield from screen.table(
        ("id", "verdict", "evidence", "severity"),
        cells,
        lambda name, verdict, level, severity: (
            f"{name:<{longest}} {verdict:<8} {level:<8} {severity}"
        ),
    )
    yield ""
    papers = [c for c in rows if c.place != BEYOND]
    ours = [c for c in rows if c.place == BEYOND]
    yield f"{len(papers)} claims of the paper, {len(ours)} results beyond it;"
    yield "as recorded, --check establishes them again"
    for those in (papers, ours):
        if not those:
            continue
        yield ""
        yield "the paper's claims" if those is papers else "beyond the paper"
        for name, values in (
            ("verdict", (c.verdict for c in those)),
            ("evidence", (levels[c.id] for c in those)),
            ("severity", (c.severity for c in those)),
        ):
            yield wrap_line(_tally(name, values))


def wrap_line(text: str) -> str:
    """A line of the summary."""
    return textwrap.fill(
        text, width(), subsequent_indent=" " * 10, break_on_hyphens=False, break_long_words=False
    )


def _field(name: str, text: str) -> str:
    """A line, or several below each other, of a claim in full."""
    return textwrap.fill(
        f"  {name:<14} {plain(text)}",
        width(),
        subsequent_indent=" " * 17,
        break_long_words=False,
        break_on_hyphens=False,
    )


def head(claim: ClaimOutcome) -> Iterator[str]:
    """A claim in full: what it says."""
    yield fitted(f"{claim.id}  ({claim.place}, {claim.kind})")
    yield ""
    yield textwrap.indent(textwrap.fill(" ".join(claim.words.split()), width() - 2), "  ")
    yield ""
    yield _field("statement", plain_formula(claim.statement))
    domain = plain_formula(claim.domain)
    yield _field("domain", domain)
    named = {"(4)", "(5)", "conditions"} & set(domain.replace(",", " ").split())
    if named and "(4) alpha" not in claim.words:
        yield _field("where", NUMBERED)
    level = (claim.strongest or "none") if claim.checked else "not recorded"
    evidence = f"; evidence {level}" if claim.strongest or not claim.checked else ""
    yield _field("verdict", f"{claim.verdict}{evidence}; severity {claim.severity}")
    if claim.repair:
        yield _field("corrected", plain_formula(claim.repair))
    if claim.erratum:
        yield _field("erratum", claim.erratum)
        yield f"  {'its number':<14} sgm-verify claims --errata {claim.id}"
    if claim.theorems:
        yield _field("theorems", ", ".join(claim.theorems))


def finding_lines(claim: Claim, finding: Finding) -> Iterator[str]:
    """A claim in full: what its check found."""
    if claim.erratum:
        yield from erratum_lines(
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


def erratum_lines(error: FoundErratum) -> Iterator[str]:
    """The lines of an erratum, wrapped below their names."""
    return _wrap_lines(error.told())


def _wrap_lines(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in lines:
        yield textwrap.fill(
            plain(text),
            width(),
            initial_indent=f"    {name:<16} ",
            subsequent_indent=" " * 21,
            break_on_hyphens=False,
        )


def erratum(error: RecordedErratum) -> Iterator[str]:
    """An error of the paper: its number, what is told, the claims."""
    number = f"Erratum {error.number}, {error.date}. " if error.number else ""
    yield wrap_line(f"{number}{error.title} ({error.severity})").replace("\n          ", "\n    ")
    yield from _wrap_lines(error.told)
    for name, place in error.claims:
        yield fitted(f"    {'claim':<16} {name}")
        yield textwrap.fill(place, width(), initial_indent=" " * 21, subsequent_indent=" " * 21)


def errata(those: Iterable[RecordedErratum], wanted: Collection[str]) -> Iterator[str]:
    """The errors that were found in these claims, as recorded, and how to cite them."""
    chosen = [e for e in those if any(name in wanted for name, _ in e.claims)]
    for one in chosen:
        yield from erratum(one)
        yield ""
    if chosen:
        yield fitted(
            "As recorded; --check finds the counterexamples again. To cite one: its number,"
        )
        yield "and docs/cite.md (BibTeX)."
    else:
        yield "no error of the paper is recorded there"
