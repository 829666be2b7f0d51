"""The claims as a drawing of what rests on what: premises left, conclusions right.

Claims that neither rest on another one nor carry one are no less checked: they follow below, as
squares. Where a statement of the paper had to be corrected, what rests on it is drawn in amber, to
the end. Red is for what is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from verify.report.collect import model
from verify.report.graph.columns import FONT, Premises, text_width
from verify.report.graph.layout import LINE, MARK, PAD, Arrow, ClaimBox, Frame, layout
from verify.report.graph.rest import SQUARE, rows, strip
from verify.report.graph.style import LETTERS, MEANT, NAME, STYLE
from verify.results.claims import ClaimResult
from verify.results.evidence import Level, Verdict
from verify.support.escaping import markup

Link = Callable[[str], str]
SMALLEST = 11  # pixels of the text where the page is narrow: it scrolls then


def draw(claims: Sequence[ClaimResult], link: Link) -> str:
    """An SVG element with every claim once; ``link`` gives the address of a claim's details."""
    return _Graph(claims, link).svg()


def premises_of(claims: Sequence[ClaimResult]) -> dict[str, tuple[str, ...]]:
    """What each of the claims rests on, as far as it is among them."""
    known = {claim.id for claim in claims}
    return {c.id: tuple(p for p in c.premises if p in known) for c in claims}


def fed_by_errata(claims: Sequence[ClaimResult], premises: Premises) -> dict[str, list[str]]:
    """For each claim the claims of errata that it rests on, directly or not."""
    wrong = [claim.id for claim in claims if claim.erratum]
    fed: dict[str, list[str]] = {}
    for source in wrong:
        reached, grown = {source}, True
        while grown:
            more = {c for c, given in premises.items() if not reached.isdisjoint(given)} - reached
            reached |= more
            grown = bool(more)
        for name in reached - {source}:
            fed.setdefault(name, []).append(source)
    return fed


class _Graph:
    """The parts of the drawing, from top to bottom."""

    def __init__(self, claims: Sequence[ClaimResult], link: Link) -> None:
        self.claims = {claim.id: claim for claim in claims}
        self.link = link
        self.premises = premises_of(claims)
        self.fed = fed_by_errata(claims, self.premises)
        joined = {n for c, given in self.premises.items() if given for n in (c, *given)}
        self.graph = {c: given for c, given in self.premises.items() if c in joined}
        alone = [claim for claim in claims if claim.id not in joined]
        self.errata = [claim.id for claim in alone if claim.erratum]
        self.rest = [claim.id for claim in alone if not claim.erratum]
        self.marks: dict[str, None] = {}

    def svg(self) -> str:
        drawn = layout(self.graph)
        top = 46.0
        body = [*_legend(), f'<g transform="translate(0 {top:g})">']
        body.extend(map(_frame, drawn.frames))
        body.extend(self._edge(e) for e in sorted(drawn.edges, key=self._is_fed))
        body.extend(map(_title, drawn.frames))
        body.extend(map(self._box, drawn.boxes))
        height, rest = min((self._below(*free) for free in drawn.free), key=lambda found: found[0])
        height = top + max(height, drawn.height)
        steps = sum(map(len, self.premises.values()))
        told = f"{len(self.claims)} claims and what they rest on: {steps} steps, from left to right"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{NAME}" role="group" '
            f'aria-labelledby="{NAME}-title" viewBox="0 0 {drawn.width:.0f} {height:.0f}" '
            f'style="min-width: {drawn.width * SMALLEST / FONT:.0f}px; max-width: {drawn.width:.0f}px">'
            f'<title id="{NAME}-title">{markup(told)}</title><style>{STYLE}</style>'
            f"<defs>{''.join(_defs(self.marks))}</defs>{''.join(body)}{rest}</g></svg>\n"
        )

    def _below(self, y: float, width: float) -> tuple[float, str]:
        """Where what is not joined to anything ends, and how it is drawn, from a height on."""
        body: list[str] = []
        if self.errata:
            body.append(_heading("Errata that nothing rests on", y + 20))
            boxes, frames, y = strip(self.errata, y + 30, width)
            body.extend([*map(_frame, frames), *map(_title, frames), *map(self._box, boxes)])
        if self.rest:
            body.append(_heading("Checked by themselves", y + 30))
            squares, names, y = rows(self.rest, y + 40, width)
            body.extend(_text(n.x, n.y + 4, n.text, "soft") for n in names)
            body.extend(self._square(s.id, s.x, s.y) for s in squares)
        return y + 2, "".join(body)

    def _is_fed(self, edge: Arrow) -> bool:
        return edge.premise in self.fed or self.claims[edge.premise].erratum is not None

    def _edge(self, edge: Arrow) -> str:
        kind = "fed" if self._is_fed(edge) else "step"
        d = [f"M{edge.hops[0].x1:.1f} {edge.hops[0].y1:.1f}"]
        for hop in edge.hops:
            end = hop.x2 - 4 if hop is edge.hops[-1] else hop.x2  # room for the arrow's head
            curve = ((hop.bend, hop.y1), (hop.bend, hop.y2), (end, hop.y2))
            points = " ".join(f"{x:.1f} {y:.1f}" for x, y in curve)
            d.append(f"H{hop.x1:.1f}C{points}")
        ends = f'data-from="{markup(edge.premise)}" data-to="{markup(edge.conclusion)}"'
        return f'<path class="{kind}" {ends} marker-end="url(#{NAME}-{kind})" d="{"".join(d)}"/>'

    def _box(self, box: ClaimBox) -> str:
        claim = self.claims[box.id]
        flag = ""
        if claim.erratum:
            flag = f'<use href="#{NAME}-flag" x="{box.x + box.width:.1f}" y="{box.y:.1f}"/>'
        first = box.y + 3 + LINE * 0.77
        x = box.x + MARK + PAD
        kind = "theorem" if box.id.endswith("/statement") else ""
        lines = (_text(x, first + k * LINE, line, kind) for k, line in enumerate(box.lines))
        shape = (
            f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="3"/>'
            f'<use href="#{self._mark(claim.strongest, box.height)}" x="{box.x:.1f}" y="{box.y:.1f}"/>'
        )
        return self._wrap_in_link(claim, shape + "".join(lines) + flag)

    def _square(self, name: str, x: float, y: float) -> str:
        claim = self.claims[name]
        mark = self._mark(claim.strongest, SQUARE)
        return self._wrap_in_link(claim, f'<use href="#{mark}" x="{x:.1f}" y="{y:.1f}"/>')

    def _mark(self, level: Level | None, height: float) -> str:
        """The id of a field with the level's letter; it is defined once."""
        mark = f"{NAME}-{level or 'none'}-{height:g}"
        self.marks[mark] = None
        return mark

    def _wrap_in_link(self, claim: ClaimResult, shape: str) -> str:
        evidence = MEANT[claim.strongest]
        said = f"{claim.id}: {claim.verdict}, {evidence}"
        false = " false" if claim.verdict is Verdict.REFUTED else ""
        kind = f' class="erratum{false}"' if claim.erratum else ""
        return (
            f'<a href="{markup(self.link(claim.id))}" aria-label="{markup(said)}"{kind}>'
            f"<title>{markup(self._words(claim, said))}</title>{shape}</a>"
        )

    def _words(self, claim: ClaimResult, said: str) -> str:
        lines = [said, model.first_sentence(claim.words)]
        if claim.erratum:
            lines.append(f"Corrected: {claim.erratum.title}")
        if claim.id in self.fed:
            lines.append(f"Rests on what was corrected: {', '.join(self.fed[claim.id])}")
        return "\n".join(lines)


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    wide = text_width(text)
    # Whatever font there is, the text is as wide as its place.
    held = f' textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"' if wide else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{named}{held}>{markup(text)}</text>'


def _heading(text: str, y: float) -> str:
    return f'<text x="1" y="{y:.1f}" class="heading">{markup(text)}</text>'


def _frame(frame: Frame) -> str:
    return (
        f'<rect class="frame" x="{frame.x:.1f}" y="{frame.y:.1f}" width="{frame.width:.1f}" '
        f'height="{frame.height:.1f}" rx="6"/>'
    )


def _title(frame: Frame) -> str:
    return _text(frame.x + 6, frame.y + 12.5, frame.title, "soft title")


def _defs(marks: Mapping[str, None]) -> Iterator[str]:
    """The fields with letters, the flag, and a head of an arrow for each kind of line."""
    for mark in marks:
        level, _, height = mark.removeprefix(f"{NAME}-").rpartition("-")
        yield f'<g id="{mark}">{_letter(level, float(height))}</g>'
    yield (
        f'<g id="{NAME}-flag"><circle class="{NAME}-flagged" r="6.5"/>'
        f'<text class="{NAME}-letter" text-anchor="middle" y="4">!</text></g>'
    )
    for kind in ("step", "fed"):
        yield (
            f'<marker id="{NAME}-{kind}" class="{kind}" viewBox="0 0 6 6" refX="1" refY="3" '
            'markerWidth="5" markerHeight="6" markerUnits="userSpaceOnUse" orient="auto">'
            '<path d="M0 0L6 3L0 6z"/></marker>'
        )


def _letter(level: str, height: float, wide: float = MARK) -> str:
    letter = LETTERS[Level(level) if level != "none" else None]
    wide = SQUARE if height == SQUARE else wide
    return (
        f'<rect class="{NAME}-{level}" width="{wide:g}" height="{height:g}" rx="3"/>'
        f'<text class="{NAME}-letter {NAME}-on-{level}" text-anchor="middle" x="{wide / 2:g}" '
        f'y="{height / 2 + 4:g}">{letter}</text>'
    )


def _legend() -> Iterator[str]:
    """What colours, letters and lines mean."""
    x = 1.0
    for level, words in MEANT.items():
        yield f'<g transform="translate({x:.0f} 1)">{_letter(level or "none", SQUARE)}</g>'
        yield _text(x + SQUARE + 5, 14, words)
        x += SQUARE + 5 + text_width(words) + 22
    yield f'<use href="#{NAME}-flag" x="{x + 7:.0f}" y="10"/>'
    yield _text(x + 19, 14, "erratum")
    x += 19 + text_width("erratum") + 22
    for kind, words in (("step", "premise of"), ("fed", "rests on an erratum")):
        yield f'<path class="{kind}" marker-end="url(#{NAME}-{kind})" d="M{x:.0f} 10h20"/>'
        yield _text(x + 31, 14, words)
        x += 31 + text_width(words) + 22
