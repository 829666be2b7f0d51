"""How every figure is drawn: as SVG, the same bytes for the same content.

Ink (text, axes, the exact curve) is written as ``currentColor``: on the page it follows light and dark
mode, in a file of its own it is black on white.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

from verify.report.draw.ticks import log_ticks
from verify.support.escaping import markup

INK = "#010203"  # a colour that nothing else has, replaced by currentColor
COLOURS = ("#d1495b", "#2a7fba", "#b8860b")
_COORDINATES = re.compile(r'(?<= d=")[^"]*')
_IDS = re.compile(r'(\bid="|href="#|url\(#)([^")]+)')


def draw_svg(
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
    return _tidy_svg(stream.getvalue(), name, title)


def _tidy_svg(svg: str, name: str, title: str) -> str:
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


def cells(
    axes: Any,
    xs: list[float],
    ys: list[float],
    values: list[list[str | None]],
    label: str,
    *,
    hatched: Callable[[str | None], bool],
    hatch_colour: str,
    limits: tuple[float, float] | None = None,
    extend: str = "neither",
    ticks: Mapping[float, str] | None = None,
) -> None:
    """A map over two logarithmic axes, with stripes over the cells that are to be marked."""
    import numpy as np
    from matplotlib.colors import LogNorm

    matrix = np.array([[np.nan if c is None else float(c) for c in line] for line in values])
    x, y = _edges(xs), _edges(ys)
    mesh = axes.pcolormesh(
        x, y, np.ma.masked_invalid(matrix), norm=LogNorm(*(limits or ())), cmap=colours(),
        edgecolors="face", linewidth=0.4,
    )  # fmt: skip
    axes.set(xscale="log", yscale="log")
    scale(axes, mesh, label, extend, ticks)
    _hatch(axes, x, y, [[hatched(c) for c in line] for line in values], hatch_colour)


def _edges(values: list[float]) -> list[float]:
    """Cell borders half-way, in ratio, between the values."""
    inner = [(a * b) ** 0.5 for a, b in itertools.pairwise(values)]
    return [values[0] ** 2 / inner[0], *inner, values[-1] ** 2 / inner[-1]]


def _hatch(
    axes: Any, x: list[float], y: list[float], wanted: list[list[bool]], colour: str
) -> None:
    from matplotlib.collections import PolyCollection

    corners = [
        [(x[i], y[j]), (x[i + 1], y[j]), (x[i + 1], y[j + 1]), (x[i], y[j + 1])]
        for j, line in enumerate(wanted)
        for i, marked in enumerate(line)
        if marked
    ]
    axes.add_collection(
        PolyCollection(corners, facecolors="none", edgecolors=colour, hatch="///", linewidths=0)
    )
