"""Families of libraries in report.md: one row a family, then its map, causes and theorem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from verify.report.draw.drawings import map_name
from verify.report.pages import family_words
from verify.results.conformance import Point
from verify.results.families import Family
from verify.support.escaping import markdown as escaped
from verify.support.escaping import markdown_code as code


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table of Markdown."""
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def lines(families: Sequence[Family]) -> Iterator[str]:
    """The part of the report about libraries."""
    yield "## Libraries\n"
    if not families:
        yield "None was judged in this run.\n"
        return
    columns = family_words.columns(families)
    rows = (
        [escaped(family.name), *(escaped(family_words.in_line(c.cells[n])) for c in columns)]
        for n, family in enumerate(families)
    )
    head = ["libraries that answer alike", *(escaped(column.title) for column in columns)]
    yield from table(head, rows)
    for family in families:
        yield from _family(family)


def _family(family: Family) -> Iterator[str]:
    yield f"### {escaped(family.name)}\n"
    yield f"Does it matter to my users? {escaped(family_words.matters(family))}\n"
    yield f"![{escaped(family.name)}: where its answers fail](figures/{map_name(family)}.svg)\n"
    for cluster in family.clusters:
        change = f" Change: {escaped(cluster.change)}." if cluster.change else ""
        yield f"* **{escaped(cluster.name)}** ({cluster.points} points): {escaped(cluster.cause)}.{change} Smallest: {_point(cluster.smallest)}"
    for where, point in family_words.worst(family):
        yield f"* worst in {escaped(where)}: {_point(point)}"
    if family.theorem is not None:
        verdict = family.theorem.verdict
        yield f"* theorem (Coq {escaped(family.theorem.coq)}, {escaped(verdict.of)}): {escaped(verdict.words)} {code(verdict.theorem)}"
    for member in family.members:
        yield f"* {escaped(member.target)} {escaped(member.version)}: {code(member.reproduce)}"
    yield ""


def _point(point: Point) -> str:
    answer = point.reason if point.answer is None else point.answer
    place = f"q = {point.q}, σ = {point.sigma}, α = {point.alpha}"
    return escaped(f"{place}: answer {answer}, truth {point.truth_lo}")
