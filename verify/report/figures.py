"""Figures as SVG, from the rows in results.json alone; the same rows give the same bytes.

Ink (text, axes, the exact curve) is written as ``currentColor``: on the page it follows light and dark
mode, in a file of its own it is black on white. Curves differ in dashes and markers, not in colour only.
"""

from __future__ import annotations

import functools
import io
import itertools
import json
import math
import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from verify.report import sources
from verify.report.cache import Cache
from verify.report.junit import clean
from verify.report.ticks import log_ticks

INK = "#010203"  # a colour that nothing else has, replaced by currentColor
COLOURS = ("#d1495b", "#2a7fba", "#b8860b")
GOOD, BAD = "#2a7fba", "#d1495b"
_IDS = re.compile(r'(\bid="|href="#|url\(#)([^")]+)')

Rows = list[list[str | None]]


def draw(figure: Mapping[str, Any]) -> str:
    """One figure of results.json as an SVG document."""
    return _drawn(figure["id"], figure["title"], lambda axes: KINDS[figure["kind"]](axes, figure))


def draw_all(results: Mapping[str, Any], store: Cache | None = None) -> dict[str, str]:
    """Every drawing of a report by name; the store keeps them from run to run."""
    store = store or Cache(None)
    drawn = {}
    for figure in results["figures"]:
        drawn[figure["id"]] = _remembered(store, figure, functools.partial(draw, figure))
    for number, library in enumerate(results["libraries"], 1):
        if library["map"]:
            make = functools.partial(draw_library, number, library)
            drawn[library_name(number, library)] = _remembered(store, [number, library], make)
    return drawn


def _remembered(store: Cache, drawn_from: object, make: Callable[[], str]) -> str:
    used = sources.versions(("matplotlib", "numpy"))
    own = Path(__file__).read_bytes()
    key = sources.digest(["drawing 1", own, repr(used), json.dumps(drawn_from, sort_keys=True)])
    svg: str | None = store.get(key)
    if svg is None:
        svg = make()
        store.put(key, svg)
    return svg


def library_name(number: int, library: Mapping[str, Any]) -> str:
    """What a library's drawing is called, whatever the library is called.

    >>> library_name(2, {"target": "../Some Accountant<b>"})
    'library-2-some-accountant-b'
    """
    name = re.sub(r"[^a-z0-9]+", "-", library["target"].lower()).strip("-")
    return f"library-{number}-{name[:40]}".strip("-")


def draw_library(number: int, library: Mapping[str, Any]) -> str:
    """Bits lost over q and alpha, for one library."""
    title = f"{library['target']} {library['version']}: bits lost at the points recorded"
    return _drawn(library_name(number, library), title, lambda axes: _bits(axes, library["map"]))


def _drawn(name: str, title: str, fill: Callable[[Any], None]) -> str:
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
        figure = Figure(figsize=(7.2, 4.2), layout="constrained", facecolor="none")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot(facecolor="none")
        fill(axes)
        log_ticks(axes.xaxis, axes.yaxis)
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
    body = "\n".join(line.rstrip() for line in body.splitlines())
    head, rest = body.split(">", 1)
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    label = f'<title id="{name}-title">{escape(clean(title))}</title>'
    return f'{head} role="img" aria-labelledby="{name}-title" class="plot">{label}{rest}\n'


def standalone(svg: str) -> str:
    """The drawing as a file: black on white, in its natural size."""
    head, rest = svg.split(">", 1)
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>'
    xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
    title, _, drawing = rest.partition("</title>")
    return f'{xml}{head} width="720" height="420" color="#111111">{title}</title>{paper}{drawing}'


def _columns(rows: Rows, *indices: int) -> list[list[float]]:
    """Columns as numbers, of the rows that have all of them."""
    kept = [[float(str(row[i])) for i in indices] for row in rows if all(row[i] for i in indices)]
    return [list(column) for column in zip(*kept, strict=True)] if kept else [[] for _ in indices]


def _conditions(axes: Any, figure: Mapping[str, Any]) -> None:
    rows: Rows = figure["rows"]
    axes.loglog(*_columns(rows, 0, 4), color=INK, label="exact: bound true up to here")
    axes.loglog(*_columns(rows, 0, 1), "--", color=COLOURS[0], label="condition (14)")
    axes.loglog(*_columns(rows, 0, 2), "-.", color=COLOURS[1], label="condition (15)")
    axes.loglog(
        *_columns(rows, 0, 3),
        ":",
        color=COLOURS[2],
        marker="o",
        markersize=3.5,
        label="minimum of the two",
    )
    axes.set(xlabel="sampling rate q", ylabel="largest order α")
    axes.legend()


def _epsilon(axes: Any, figure: Mapping[str, Any]) -> None:
    rows: Rows = figure["rows"]
    axes.loglog(*_columns(rows, 0, 1), color=INK, label="exact ε")
    axes.loglog(*_columns(rows, 0, 2), "--", color=COLOURS[0], label="bound 2q²α/σ²")
    axes.set(xlabel="order α", ylabel="ε")
    axes.legend()


def _grid(
    rows: Rows, x: int, y: int, value: int
) -> tuple[list[float], list[float], list[list[Any]]]:
    """Rows over a grid as a matrix of numbers or None."""
    xs, ys = (sorted({float(str(row[i])) for row in rows}) for i in (x, y))
    found = {(float(str(r[x])), float(str(r[y]))): r[value] for r in rows}
    return xs, ys, [[found.get((a, b)) for a in xs] for b in ys]


def _edges(values: list[float]) -> list[float]:
    """Cell borders half-way, in ratio, between the values."""
    inner = [(a * b) ** 0.5 for a, b in itertools.pairwise(values)]
    return [values[0] ** 2 / inner[0], *inner, values[-1] ** 2 / inner[-1]]


def _cells(axes: Any, rows: Rows, x: int, y: int, value: int, label: str, **options: Any) -> None:
    import numpy as np
    from matplotlib.colors import LogNorm

    xs, ys, cells = _grid(rows, x, y, value)
    matrix = np.array([[np.nan if c is None else float(str(c)) for c in line] for line in cells])
    norm = LogNorm(**{k: options[k] for k in ("vmin", "vmax") if k in options})
    masked = np.ma.masked_invalid(matrix)
    mesh = axes.pcolormesh(
        _edges(xs), _edges(ys), masked, norm=norm, cmap=_colours(), edgecolors="face", linewidth=0.4
    )
    axes.set(xscale="log", yscale="log")
    _scale(axes, mesh, label, options.get("extend", "neither"), options.get("ticks"))
    _hatch(axes, _edges(xs), _edges(ys), cells, options["hatched"], options["hatch_colour"])


def _hatch(
    axes: Any,
    x: list[float],
    y: list[float],
    cells: list[list[Any]],
    wanted: Callable[[Any], bool],
    colour: str,
) -> None:
    """Stripes over the cells that are wanted."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(x[i], y[j]), (x[i + 1], y[j]), (x[i + 1], y[j + 1]), (x[i], y[j + 1])]
        for j, line in enumerate(cells)
        for i, cell in enumerate(line)
        if wanted(cell)
    ]
    axes.add_collection(
        PolyCollection(corners, facecolors="none", edgecolors=colour, hatch="///", linewidths=0)
    )


def _colours() -> Any:
    """Few enough steps that the scale can be drawn as shapes."""
    import matplotlib as mpl

    return mpl.colormaps["viridis"].resampled(32)


def _scale(
    axes: Any,
    mapped: Any,
    label: str,
    extend: str = "neither",
    ticks: Mapping[float, str] | None = None,
) -> None:
    """The scale beside a map; as shapes, because a bitmap would not be the page's own text."""
    bar = axes.figure.colorbar(mapped, ax=axes, label=label, extend=extend)
    bar.solids.set_rasterized(False)
    bar.solids.set_edgecolor("face")
    if ticks is not None:
        bar.set_ticks(list(ticks), labels=list(ticks.values()), minor=False)
        bar.minorticks_off()
    elif mapped.norm.vmin > 0:
        log_ticks(bar.ax.yaxis)


def _ratio(axes: Any, figure: Mapping[str, Any]) -> None:
    rows: Rows = figure["rows"]
    _cells(
        axes, rows, 0, 1, 2, "ε / bound", vmin=0.25, vmax=4, extend="max",
        ticks={0.25: "1/4", 0.5: "1/2", 1: "1", 2: "2", 4: "4"},
        hatched=lambda c: c is not None and float(c) > 1, hatch_colour="#555555",
    )  # fmt: skip
    inside = [row for row in rows if row[3] == "yes"]
    axes.plot(*_columns(inside, 0, 1), ".", color="#ffffff", markersize=3)
    axes.set(xlabel="sampling rate q", ylabel="order α")


def _frontier(axes: Any, figure: Mapping[str, Any]) -> None:
    rows: Rows = figure["rows"]
    _cells(axes, rows, 0, 1, 2, "largest order α", hatched=lambda c: c is None, hatch_colour=INK)
    right, top = axes.get_xlim()[0], axes.get_ylim()[1]
    axes.plot([right, 0.2, 0.2], [4, 4, top], "--", color="#ffffff", linewidth=1.5)
    axes.set(xlabel="sampling rate q", ylabel="noise σ")


def _series(axes: Any, figure: Mapping[str, Any]) -> None:
    rows: Rows = figure["rows"]
    axes.loglog(
        *_columns(rows, 0, 1), "--", color=COLOURS[0], marker="o", markersize=3.5, label="plain sum"
    )
    axes.loglog(*_columns(rows, 0, 2), color=INK, marker="s", markersize=3.5, label="accelerated")
    axes.loglog(*_columns(rows, 0, 3), ":", color=COLOURS[1], label="its proved bound")
    axes.set(xlabel="terms", ylabel="error of A")
    axes.legend(loc="lower right")


def _bits(axes: Any, points: list[dict[str, Any]]) -> None:
    shown = []
    for p in points:
        try:
            q, alpha = float(p["q"]), float(p["alpha"])
        except ValueError:
            continue
        if p["bits_lost"] is not None and q > 0 and 0 < alpha < math.inf:
            shown.append((q, alpha, p["bits_lost"]))
    if shown:
        xs, ys, lost = zip(*shown, strict=True)
        dots = axes.scatter(
            xs, ys, c=lost, vmin=0, vmax=53, cmap=_colours(), s=36, edgecolors=INK, linewidths=0.5
        )
        _scale(axes, dots, "bits lost, of 53")
    axes.set(xscale="log", yscale="log", xlabel="sampling rate q", ylabel="order α")


KINDS: dict[str, Callable[[Any, Mapping[str, Any]], None]] = {
    "conditions": _conditions,
    "epsilon": _epsilon,
    "ratio": _ratio,
    "frontier": _frontier,
    "series": _series,
}
