"""Letters, words and colours of the drawing of what rests on what, for light and dark pages."""

from __future__ import annotations

from verify.report.graph.columns import FONT
from verify.results.evidence import Level

NAME = "claim-graph"

LETTERS = {
    Level.KERNEL: "K",
    Level.SYMBOLIC: "S",
    Level.REGION: "R",
    Level.POINTS: "P",
    Level.SAMPLED: "~",
    None: "–",
}
MEANT = {
    Level.KERNEL: "proved by the kernel",
    Level.SYMBOLIC: "symbolic",
    Level.REGION: "certified on regions",
    Level.POINTS: "certified at points",
    Level.SAMPLED: "sampled",
    None: "no evidence",
}
COLOURS = {
    Level.KERNEL: ("#14653a", "#7fd3a0"),
    Level.SYMBOLIC: ("#1f5f99", "#8ab8e6"),
    Level.REGION: ("#6a3d9a", "#cbaef0"),
    Level.POINTS: ("#8a5300", "#f0b860"),
    Level.SAMPLED: ("#3f4a5a", "#c3ccd8"),
    None: ("#5b616b", "#a7acb5"),
}
"""On light and on dark paper."""
PAPER = ("#fdfdfb", "#14161a")


def _colours(which: int) -> str:
    named = (f"--of-{level or 'none'}: {pair[which]};" for level, pair in COLOURS.items())
    return " ".join(named)


def _levels() -> str:
    names = [str(level or "none") for level in COLOURS]
    return "\n".join(f".{NAME}-{name} {{ fill: var(--of-{name}); }}" for name in names)


# What <use> shows is matched by itself: rules for it must not name anything around it.
STYLE = f"""
.{NAME} {{ {_colours(0)} color: var(--ink, #1b1d21); width: 100%; height: auto; display: block;
  font: {FONT}px Arial, "Liberation Sans", Helvetica, sans-serif; }}
@media (prefers-color-scheme: dark) {{ .{NAME} {{ {_colours(1)} }} }}
@media print {{ .{NAME} {{ {_colours(0)} }} }}
{_levels()}
.{NAME} text {{ fill: currentColor; }}
text.{NAME}-letter {{ fill: var(--paper, #fdfdfb); font-weight: bold; }}
rect.{NAME}-none {{ fill: var(--paper, #fdfdfb); stroke: var(--of-none); }}
text.{NAME}-on-none {{ fill: var(--of-none); }}
circle.{NAME}-flagged {{ fill: var(--warn, #8a5300); stroke: var(--paper, #fdfdfb); }}
.{NAME} .soft {{ fill: var(--soft, #5b616b); }}
.{NAME} .title {{ paint-order: stroke; stroke: var(--card, #ffffff); stroke-width: 3px; font-style: italic; }}
.{NAME} .heading {{ font-size: 14px; }}
.{NAME} .heading, .{NAME} .theorem {{ font-weight: bold; }}
.{NAME} .frame {{ fill: var(--card, #ffffff); stroke: var(--line, #d9dadd); }}
.{NAME} a {{ color: inherit; text-decoration: none; }}
.{NAME} a > rect {{ fill: var(--paper, #fdfdfb); stroke: var(--soft, #5b616b); }}
.{NAME} a:hover > rect {{ fill: var(--code, #f1f1ee); }}
.{NAME} a.erratum > rect {{ stroke: var(--warn, #8a5300); stroke-width: 2.5px; }}
.{NAME} a.false > rect {{ stroke: var(--bad, #b3261e); }}
.{NAME} a:focus-visible {{ outline: 3px solid var(--accent, #1f5f99); outline-offset: 2px; }}
.{NAME} path.step, .{NAME} path.fed {{ fill: none; stroke: var(--soft, #5b616b); stroke-width: 1.1px; }}
.{NAME} path.fed {{ stroke: var(--warn, #8a5300); stroke-width: 2px; }}
.{NAME} marker.step path {{ fill: var(--soft, #5b616b); }}
.{NAME} marker.fed path {{ fill: var(--warn, #8a5300); }}
"""
