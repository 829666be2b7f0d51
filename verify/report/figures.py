"""Figures from the rows in results.json alone. Curves differ in dashes and markers, not in colour only."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from verify.report import drawing, error_map, sources
from verify.report.cache import Cache
from verify.report.drawing import COLOURS, INK, colours, drawn, scale
from verify.report.ticks import log_ticks

Rows = list[list[str | None]]


def draw(figure: Mapping[str, Any]) -> str:
    """One figure of results.json as an SVG document."""

    def fill(page: Any) -> None:
        axes = page.add_subplot(facecolor="none")
        KINDS[figure["kind"]](axes, figure)
        log_ticks(axes.xaxis, axes.yaxis)

    return drawn(figure["id"], figure["title"], fill)


def draw_all(results: Mapping[str, Any], store: Cache | None = None) -> dict[str, str]:
    """Every drawing of a report by name; the store keeps them from run to run."""
    store = store or Cache(None)
    made = {}
    for figure in results["figures"]:
        made[figure["id"]] = _remembered(store, figure, functools.partial(draw, figure))
    libraries = results["libraries"]
    for name, library in zip(library_names(libraries), libraries, strict=True):
        if library["map"]:
            make = functools.partial(error_map.draw, name, library)
            made[name] = _remembered(store, [name, library], make)
    return made


def _remembered(store: Cache, drawn_from: object, make: Callable[[], str]) -> str:
    used = sources.versions(("matplotlib", "numpy"))
    own = [Path(m).read_bytes() for m in (__file__, drawing.__file__, error_map.__file__)]
    key = sources.digest(["drawing 1", *own, repr(used), json.dumps(drawn_from, sort_keys=True)])
    svg: str | None = store.get(key)
    if svg is None:
        svg = make()
        store.put(key, svg)
    return svg


def library_names(libraries: list[dict[str, Any]]) -> list[str]:
    """What the libraries' drawings are called, whatever their files are called.

    >>> library_names([{"file": "Some_1.2.json"}, {"file": "../some 1<b>2.json"}, {"file": "some-1.2.json"}])
    ['library-some-1-2', 'library-some-1-b-2', 'library-some-1-2-2']
    """
    names: list[str] = []
    for library in libraries:
        stem = library["file"].removesuffix(".json").lower()
        name = f"library-{re.sub(r'[^a-z0-9]+', '-', stem).strip('-')[:60]}"
        numbered = (f"{name}-{k}" for k in itertools.count(2))
        names.append(next(n for n in itertools.chain([name], numbered) if n not in names))
    return names


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
        _edges(xs), _edges(ys), masked, norm=norm, cmap=colours(), edgecolors="face", linewidth=0.4
    )
    axes.set(xscale="log", yscale="log")
    scale(axes, mesh, label, options.get("extend", "neither"), options.get("ticks"))
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


def _times(axes: Any, figure: Mapping[str, Any]) -> None:
    rows: Rows = figure["rows"]
    for column, style, colour, label in (
        (1, "o-", INK, "trapezoidal rule, certified"),
        (2, "s--", COLOURS[0], "the paper's series"),
        (3, "^-.", COLOURS[1], "quadrature"),
    ):
        axes.loglog(*_columns(rows, 0, column), style, color=colour, markersize=4, label=label)
    axes.set(xlabel="digits", ylabel="time, as a multiple")
    axes.legend()


KINDS: dict[str, Callable[[Any, Mapping[str, Any]], None]] = {
    "conditions": _conditions,
    "epsilon": _epsilon,
    "ratio": _ratio,
    "frontier": _frontier,
    "series": _series,
    "times": _times,
}
