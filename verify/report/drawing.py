"""How every figure is drawn: as SVG, the same bytes for the same content.

Ink (text, axes, the exact curve) is written as ``currentColor``: on the page it follows light and dark
mode, in a file of its own it is black on white.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from typing import Any

from verify.escaping import markup
from verify.report.ticks import log_ticks

INK = "#010203"  # a colour that nothing else has, replaced by currentColor
COLOURS = ("#d1495b", "#2a7fba", "#b8860b")
_COORDINATES = re.compile(r'(?<= d=")[^"]*')
_IDS = re.compile(r'(\bid="|href="#|url\(#)([^")]+)')


def drawn(
    name: str, title: str, fill: Callable[[Any], None], size: tuple[float, float] = (7.2, 4.2)
) -> str:
    """What ``fill`` puts into a figure of that size in inches, as an SVG element."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "svg.hashsalt": name, "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 11,
        "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 2,
        "legend.frameon": False, "hatch.color": INK, "hatch.linewidth": 0.5, "text.parse_math": False,
        "axes.formatter.use_mathtext": False, "path.simplify": False,
    }  # fmt: skip
    with mpl.rc_context({**mpl.rcParamsDefault, "backend": "svg", **style}):
        figure = Figure(figsize=size, layout="constrained", facecolor="none")
        FigureCanvasSVG(figure)
        fill(figure)
        stream = io.StringIO()
        figure.savefig(
            stream, format="svg", metadata={"Date": None, "Creator": None}, transparent=True
        )
    return _tidied(stream.getvalue(), name, title)


def _tidied(svg: str, name: str, title: str) -> str:
    """Only the svg element, with ids of its own, a title for screen readers, and ink that adapts."""
    body = svg[svg.index("<svg ") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = _IDS.sub(lambda m: f"{m[1]}{name}-{m[2]}", body)
    body = body.replace(INK, "currentColor")
    body = _COORDINATES.sub(lambda m: re.sub(r"(\.\d\d)\d+", r"\1", m[0]), body)  # 1/100 point
    body = "\n".join(line.rstrip() for line in body.splitlines())
    head, rest = body.split(">", 1)
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    label = f'<title id="{name}-title">{markup(title)}</title>'
    return f'{head} role="img" aria-labelledby="{name}-title" class="plot">{label}{rest}\n'


def standalone(svg: str) -> str:
    """The drawing as a file: black on white, in its natural size."""
    head, rest = svg.split(">", 1)
    _, _, width, height = re.findall(r"[0-9.]+", head.partition('viewBox="')[2])[:4]
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>'
    xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
    title, _, drawing = rest.partition("</title>")
    size = f'width="{float(width) / 0.72:g}" height="{float(height) / 0.72:g}"'  # from points
    return f'{xml}{head} {size} color="#111111">{title}</title>{paper}{drawing}'


def colours() -> Any:
    """Few enough steps that the scale can be drawn as shapes."""
    import matplotlib as mpl

    return mpl.colormaps["viridis"].resampled(32)


def scale(
    axes: Any,
    mapped: Any,
    label: str,
    extend: str = "neither",
    ticks: Mapping[float, str] | None = None,
) -> None:
    """The scale beside a map; as shapes, because a bitmap would not be the page's own text."""
    bar = mapped.figure.colorbar(mapped, ax=axes, label=label, extend=extend)
    bar.solids.set_rasterized(False)
    bar.solids.set_edgecolor("face")
    if ticks is not None:
        bar.set_ticks(list(ticks), labels=list(ticks.values()), minor=False)
        bar.minorticks_off()
    elif mapped.norm.vmin > 0:
        log_ticks(bar.ax.yaxis)
