"""The pages of the report: a first page with the answers, and pages of their own for what is behind them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from verify.report.collect import model, run_part
from verify.report.draw import drawings
from verify.report.graph import picture
from verify.report.pages import captions, family_words
from verify.report.pages.answers import answers, counts
from verify.report.pages.family_pages import STYLES, family_pages
from verify.report.pages.page import (
    ACCOUNTANTS,
    CLAIMS,
    FIRST,
    Page,
    asset,
    claim_link,
    render,
    section_page,
)
from verify.report.pages.prose import prose
from verify.results import matrix
from verify.results.claims import ClaimResult
from verify.results.document import digest
from verify.results.errata import FoundErratum
from verify.results.evidence import Level, Severity, Verdict
from verify.results.report import Results, TablePoint

BEYOND = "beyond the paper"


def pages(results: Results, drawn: Mapping[str, str] | None = None) -> dict[str, str]:
    """Every page by its name; ``drawn`` are the drawings of
    :func:`verify.report.draw.drawings.draw_all`, if at hand."""
    found = drawings.draw_all(results) if drawn is None else drawn
    made = [
        first(results),
        accountants(results),
        claims_index(results),
        *sections(results),
        figures(results, found),
        method(results),
        *family_pages(results.families),
    ]
    return {page.name: render(page) for page in made}


def first(results: Results) -> Page:
    """What a reader came for."""
    errors = model.errata(results.claims)
    context = {
        "r": results,
        "answers": list(answers(results)),
        "theorems": [error for error in errors if _in_a_theorem(error)],
        "others": [error for error in errors if not _in_a_theorem(error)],
        "untold": [c for c in results.claims if c.verdict is Verdict.REFUTED and not c.erratum],
        "bound_rows": list(zip(*(point.rows for point in results.table_1), strict=True)),
        "point_name": point_name,
        "erratum_id": erratum_id,
        "prose": _prose,
        "legend": matrix.legend,
        "gain": next((f for f in results.figures if f.id == "gain"), None),
        "run_data": run_part.data(results.families),
        **family_words.GLOBALS,
    }
    scripts = (run_part.script(), asset("report.js"))
    title = "The sampled Gaussian mechanism: what is true, and which numbers to trust"
    return Page(FIRST, title, "first.html.j2", context, scripts, (*STYLES, *run_part.STYLES))


def accountants(results: Results) -> Page:
    """Accountants of whole runs: the matrix, the worst answer of each cell, the theorems about runs."""
    context = {
        "matrix": results.accountants,
        "runs": results.kernel.runs if results.kernel else (),
        "legend": matrix.legend,
        "question": matrix.question,
        "exact": matrix.exact,
        "command": matrix.command,
    }
    title = "Accountants of whole runs, by what they are used for"
    return Page(ACCOUNTANTS, title, "accountants.html.j2", context, (asset("report.js"),), STYLES)


def claims_index(results: Results) -> Page:
    """All claims, to filter, and what rests on what."""
    from markupsafe import Markup

    context = {
        "r": results,
        "graph": Markup(
            picture.draw(results.claims, lambda name: f"../{claim_link(name)}")
        ),  # escaped by its maker
        "told": counts(results.claims),
        "ours": any(c.beyond for c in results.claims),
        "prose": _prose,
        "symbols": captions.SYMBOLS,
        "filters": filters(results.claims),
        "groups": model.by_section(results.claims),
        "first_sentence": model.first_sentence,
        "heading": heading,
    }
    return Page(
        CLAIMS,
        "The claims, and what rests on what",
        "claims.html.j2",
        context,
        (asset("claims.js"),),
    )


def sections(results: Results) -> Iterator[Page]:
    """One page a section of the paper, with its claims in full."""
    for section, claims in model.by_section(results.claims).items():
        context = {
            "heading": heading(section),
            "beyond": all(c.place == BEYOND for c in claims),
            "claims": claims,
            "erratum_id": erratum_id,
            "prose": _prose,
            "paragraphs": model.paragraphs,
        }
        yield Page(section_page(section), f"Claims: {heading(section)}", "section.html.j2", context)


def figures(results: Results, drawn: Mapping[str, str]) -> Page:
    from markupsafe import Markup

    svgs = {f.id: Markup(drawn[f.id]) for f in results.figures}  # escaped by its maker
    context = {"figures": results.figures, "drawings": svgs}
    return Page("figures.html", "Figures", "figures.html.j2", context, (asset("report.js"),))


def method(results: Results) -> Page:
    context = {"r": results, "digest": digest(results), "method": captions.METHOD, "prose": _prose}
    return Page("method.html", "Method and trust", "method.html.j2", context, (asset("report.js"),))


def erratum_id(title: str) -> str:
    """Where an erratum stands on the first page.

    >>> erratum_id("Theorem 4: inequality reversed in print")
    'erratum-theorem-4-inequality-reversed-in-print'
    """
    return f"erratum-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}"


def heading(section: str) -> str:
    """A section of claims as a reader knows it.

    >>> heading("a-geq-b"), heading("table-1")
    ('A ≥ B', 'Table 1')
    """
    return captions.SECTIONS.get(section) or section.replace("-", " ").capitalize()


def point_name(point: TablePoint) -> str:
    return f"q = {point.q}, σ = {point.sigma}, α = {point.alpha}"


def filters(claims: Sequence[ClaimResult]) -> list[tuple[str, str, dict[str, int]]]:
    """Name, label, and every value that occurs with its count."""
    kinds: tuple[tuple[str, str, Iterable[StrEnum], Callable[[ClaimResult], str]], ...] = (
        ("verdict", "Verdict", Verdict, lambda c: c.verdict),
        ("level", "Evidence", Level, lambda c: c.strongest or "none"),
        ("severity", "Severity", Severity, lambda c: c.severity),
    )
    made = []
    for name, label, order, value in kinds:
        found = Counter(map(value, claims))
        values = dict.fromkeys([*map(str, order), "none"])
        made.append((name, label, {v: found[v] for v in values if found[v]}))
    return made


def _in_a_theorem(error: FoundErratum) -> bool:
    """Whether a theorem of the paper is not true as printed: these are told first, and open."""
    return any(
        claim.place.startswith("Theorem ") and claim.severity.rank < Severity.GAP.rank
        for claim in error.claims
    )


def _prose(text: str) -> object:
    from markupsafe import Markup

    return Markup(prose(text))  # escaped by its maker
