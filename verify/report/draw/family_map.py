"""Where a family of libraries fails: one mark a failing point over q and alpha, by verdict, in panels by sigma.

A kind of failure is one path of marks in each panel, so that thousands of points are a dozen elements. On the
page ``family_map.js`` tells the point nearest to the pointer: it takes the places from the paths and the
numbers from a list beside them, in the same order. Without the script, and in a file of its own, it is a
drawing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verify.judge.verdict import training
from verify.report.pages import cells
from verify.results.conformance import Direction
from verify.results.families import Failing, Family
from verify.support.escaping import markup

_WIDTH, _HEIGHT = 340.0, 330.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 50.0, 8.0, 26.0, 44.0
_LEGEND = 30.0
_Q_TICKS = ((0.0, "0"), (1e-10, "1e-10"), (1e-7, "1e-7"), (1e-5, "1e-5"), (1e-3, "0.001"), (0.1, "0.1"), (1.0, "1"))  # fmt: skip
_ALPHA_TICKS = (
    (1.0, "1"), (1.0001, "1.0001"), (1.01, "1.01"), (1.1, "1.1"), (2.0, "2"), (10.0, "10"),
    (100.0, "100"), (1000.0, "1000"), (1e5, "1e5"), (float("inf"), "∞"),
)  # fmt: skip
_VARIABLE = re.compile(r"var\(--[a-z]+, (#[0-9a-f]{6})\)")


@dataclass(frozen=True, slots=True)
class MarkKind:
    """A way to fail: how its points are marked. Shape and colour both tell it."""

    name: str
    words: str
    mark: str
    style: str


_DOT = "h0"  # a line of no length shows its caps alone
_CROSS = "m-2.2-2.2l4.4 4.4m0-4.4l-4.4 4.4"
SILENT = MarkKind(
    "silent", "no answer", _CROSS,
    'stroke="var(--soft, #5b616b)" stroke-width="1.1" stroke-opacity=".8"',
)  # fmt: skip
OVERSTATED = MarkKind(
    "overstated", "overstated: ε too large", _DOT,
    'stroke="var(--over, #0072b2)" stroke-width="4" stroke-linecap="square" stroke-opacity=".75"',
)  # fmt: skip
UNSAFE = MarkKind(
    "unsafe", "UNSAFE: ε too small", _DOT,
    'stroke="var(--under, #c8400b)" stroke-width="6" stroke-linecap="round" stroke-opacity=".85"',
)  # fmt: skip
KINDS = (SILENT, OVERSTATED, UNSAFE)
"""The gravest is drawn last, on top."""
_GOOD = 'fill="var(--good, #1b6e3c)" fill-opacity=".13"'
_BOX = 'fill="none" stroke="currentColor" stroke-opacity=".55" stroke-dasharray="4 3"'
GOOD_WORDS = "all points right"
BOX_WORDS = "region of published training runs (σ from 0.3 to 30)"


def kind(point: Failing) -> MarkKind:
    """How a point fails."""
    if point.direction is None:
        return SILENT
    return UNSAFE if point.direction is Direction.UNSAFE else OVERSTATED


def groups(family: Family) -> Iterator[tuple[int, MarkKind, list[Failing]]]:
    """The points of each path: panel by panel, the gravest last."""
    for panel in range(len(cells.SIGMA)):
        inside = [p for p in family.failing if cells.index(cells.SIGMA, p.sigma) == panel]
        for each in KINDS:
            points = [p for p in inside if kind(p) is each]
            if points:
                yield panel, each, points


# -- the drawing ---------------------------------------------------------------------------------


def svg(family: Family, name: str = "") -> str:
    """The whole map as one drawing: the panels side by side, and what the marks mean."""
    name = name or f"library-{family.slug}"
    panels = "".join(
        f'<g transform="translate({n * _WIDTH:g} 0)">{_panel(family, n)}</g>\n'
        for n in range(len(cells.SIGMA))
    )
    width, height = _WIDTH * len(cells.SIGMA), _HEIGHT + _LEGEND
    return (
        f"{_opening_tag(width, height, name, title(family))}{panels}"
        f'<g transform="translate({_LEFT:g} {_HEIGHT + 12:g})">{_legend(family)}</g></svg>\n'
    )


def plain(drawing: str) -> str:
    """The drawing with its own colours, where no page gives others."""
    return _VARIABLE.sub(r"\1", drawing)


def title(family: Family) -> str:
    found = [kind(point) for point in family.failing]
    told = ", ".join(
        f"{found.count(each)} {each.words.partition(':')[0]}"
        for each in reversed(KINDS)
        if each in found
    )
    return f"{family.name}: where its answers fail, over q and α: {told or 'nowhere'}"


def _opening_tag(width: float, height: float, name: str, words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="{name}-title" class="plot" font-family="system-ui, DejaVu Sans, sans-serif" '
        f'font-size="11"><title id="{name}-title">{markup(words)}</title>'
    )


def _x(q: float) -> float:
    return _LEFT + 4 + (_WIDTH - _LEFT - _RIGHT - 8) * cells.along_q(q)


def _y(alpha: float) -> float:
    return _HEIGHT - _BOTTOM - 4 - (_HEIGHT - _TOP - _BOTTOM - 8) * cells.along_alpha(alpha)


def _panel(family: Family, panel: int) -> str:
    """One range of sigma: axes, ranges that are right, the region of training runs, marks."""
    marks = "".join(
        f'<path class="{each.name}" fill="none" {each.style} d="{_marks(each, points)}"/>'
        for where, each, points in groups(family)
        if where == panel
    )
    return f"{_axes(panel)}{_right(family, panel)}{_region()}{marks}"


def _marks(each: MarkKind, points: Sequence[Failing]) -> str:
    return "".join(f"M{_x(p.q):.1f} {_y(float(p.alpha)):.1f}{each.mark}" for p in points)


def _right(family: Family, panel: int) -> str:
    """The cells in which every point asked is right."""
    found = [
        _rectangle(
            cells.Q[cell.q], _after(cells.Q, cell.q, 1.0),
            cells.ALPHA[cell.alpha], _after(cells.ALPHA, cell.alpha, float("inf")),
        )
        for cell in family.cells
        if cell.sigma == panel and cell.good == cell.points
    ]  # fmt: skip
    return f'<path {_GOOD} d="{"".join(found)}"/>' if found else ""


def _after(edges: tuple[float, ...], number: int, last: float) -> float:
    return edges[number + 1] if number + 1 < len(edges) else last


def _rectangle(q0: float, q1: float, alpha0: float, alpha1: float) -> str:
    left, top = _x(q0), _y(alpha1)
    return f"M{left:.1f} {top:.1f}h{_x(q1) - left:.1f}v{_y(alpha0) - top:.1f}h{left - _x(q1):.1f}z"


def _region() -> str:
    return f'<path {_BOX} d="{_rectangle(*training.Q, *training.ALPHA)}"/>'


def _axes(panel: int) -> str:
    left, right = _LEFT, _WIDTH - _RIGHT
    top, bottom = _TOP, _HEIGHT - _BOTTOM
    ticks = "".join(f"M{_x(q):.1f} {bottom:g}v4" for q, _ in _Q_TICKS)
    ticks += "".join(f"M{left:g} {_y(alpha):.1f}h-4" for alpha, _ in _ALPHA_TICKS)
    labels = "".join(_label(_x(q), bottom + 15, words, "middle") for q, words in _Q_TICKS)
    labels += "".join(_label(left - 7, _y(a) + 4, words, "end") for a, words in _ALPHA_TICKS)
    middle = (left + right) / 2
    labels += _label(middle, bottom + 32, "sampling rate q", "middle")
    labels += _label(4, 12, "order α", "start")
    head = _label(middle, 14, f"σ {cells.span(cells.SIGMA, panel)}", "middle", 'font-size="13"')
    frame = f"M{left:g} {top:g}V{bottom:g}H{right:g}{ticks}"
    return f'<path fill="none" stroke="currentColor" d="{frame}"/>{labels}{head}'


def _label(x: float, y: float, words: str, anchor: str, more: str = "") -> str:
    more = f" {more}" if more else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor"{more}>{markup(words)}</text>'


def key(name: str) -> str:
    """One entry of the legend as shapes around the origin."""
    if name == "good":
        return f'<path {_GOOD} d="M-6-6h12v12h-12z"/>'
    if name == "box":
        return f'<path {_BOX} d="M-6-5h12v10h-12z"/>'
    each = next(k for k in KINDS if k.name == name)
    return f'<path fill="none" {each.style} d="M0 0{each.mark}"/>'


def legend(family: Family) -> list[tuple[str, str]]:
    """What is on the map, the gravest first."""
    found = [each for each in reversed(KINDS) if any(kind(p) is each for p in family.failing)]
    right = any(cell.good == cell.points for cell in family.cells)
    return [
        *((each.name, each.words) for each in found),
        *([("good", GOOD_WORDS)] if right else []),
        ("box", BOX_WORDS),
    ]


def _legend(family: Family) -> str:
    made, x = [], 0.0
    for name, words in legend(family):
        made.append(f'<g transform="translate({x:g} 0)">{key(name)}{_label(11, 4, words, "start")}</g>')  # fmt: skip
        x += 6.1 * len(words) + 30
    return "".join(made)


# -- on the page ---------------------------------------------------------------------------------


def figure(family: Family) -> str:
    """The map for the page: panels that stack where it is narrow, and the points for the script."""
    name = f"map-{family.slug}"
    panels = "\n".join(
        f"{_opening_tag(_WIDTH, _HEIGHT, f'{name}-{n}', _panel_title(family, n))}{_panel(family, n)}</svg>"
        for n in range(len(cells.SIGMA))
    )
    keys = "".join(
        f'<li><svg viewBox="-8 -8 16 16" aria-hidden="true">{key(k)}</svg>{markup(words)}</li>'
        for k, words in legend(family)
    )
    return (
        f'<div class="family-map"><div class="panels" tabindex="0" role="group" '
        f'aria-label="{markup(title(family))}. Arrow keys go from point to point, Enter through points in one place.">'
        f'{panels}</div>\n<p role="status" class="point">Point at a mark, tap it, or use the arrow keys: '
        f"the answer, the verdict and its cause stand here.</p>\n"
        f'<ul class="key">{keys}</ul>\n'
        f'<script type="application/json">{data(family)}</script></div>\n'
    )


def _panel_title(family: Family, panel: int) -> str:
    return f"{family.name}, σ {cells.span(cells.SIGMA, panel)}"


def data(family: Family) -> str:
    """What the script tells, as JSON that no HTML reader takes for markup."""
    paths = [
        [[p.q, p.sigma, p.alpha, p.answer, _verdict(p), list(p.causes)] for p in points]
        for _, _, points in groups(family)
    ]
    content = {"causes": [cluster.name for cluster in family.clusters], "paths": paths}
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _verdict(point: Failing) -> str:
    return (
        f"{point.verdict}, {point.direction}" if point.direction else f"no answer: {point.silence}"
    )
