"""The figures: one file each. A module of this folder lists its figures in FIGURES, and that is all.

The package of a paper's claims names the modules of its figures in its :class:`~verify.claims.paper.Paper`.

>>> [plot.id for plot in ALL][:2]
['gain', 'figure-1-left-sigma-4']
"""

from __future__ import annotations

import functools
import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from verify.claims.paper import papers
from verify.report.collect import sources
from verify.report.collect.cache import Cache
from verify.report.draw.drawing import draw_svg
from verify.report.draw.plot import Job, Plot, Row, Table, compute
from verify.report.draw.ticks import log_ticks
from verify.results.figure import Figure


def discover() -> tuple[Plot, ...]:
    """The figures of all modules of the folder and of the papers that are installed, in their order on the page."""
    found: dict[str, Plot] = {}
    here = (module.name for module in pkgutil.iter_modules(__path__, f"{__name__}."))
    for name in (*here, *(name for paper in papers() for name in paper.figures)):
        for plot in importlib.import_module(name).FIGURES:
            if plot.id in found:
                raise ValueError(f"two figures are called {plot.id}")
            found[plot.id] = plot
    return tuple(sorted(found.values(), key=lambda plot: plot.place))


ALL = discover()


def compute_all(
    profile: str,
    cache: Cache,
    workers: int,
    start: Callable[[str, int], None] = lambda name, total: None,
    advance: Callable[[], None] = lambda: None,
    figures: Iterable[Plot] = ALL,
) -> list[Figure]:
    """The certified numbers of all figures that are computed, or what the cache knows of them."""
    made = []
    for plot in figures:
        if plot.jobs is None or plot.rows is None:
            continue  # recorded elsewhere
        jobs = plot.jobs(profile)
        start(f"figure {plot.id}", len(jobs))
        make = functools.partial(compute, plot, jobs, workers, advance)
        key = rows_key(plot.rows, plot.columns, jobs)
        made.append(plot.filled(cache.get_or_make(key, make)))
    return made


def rows_key(rows: Callable[..., list[Row]], columns: Sequence[str], jobs: Sequence[Job]) -> str:
    """What the numbers depend on: the function that makes them, and all it uses; no word, no colour."""
    made_by = [sources.of_function(function) for function in (compute, rows)]
    return sources.digest(["rows 1", *made_by, json.dumps(jobs), *columns])


def draw(figure: Figure, plots: Iterable[Plot] = ALL) -> str:
    """A figure as an SVG element, from its numbers and words alone, drawn as those of its kind among ``plots`` are."""
    plot = of_kind(figure.kind, plots)

    def fill(page: Any) -> None:
        axes = page.add_subplot(facecolor="none")
        plot.draw(axes, Table(figure.columns, figure.rows))
        log_ticks(axes.xaxis, axes.yaxis)

    return draw_svg(figure.id, figure.title, fill)


def of_kind(kind: str, plots: Iterable[Plot] = ALL) -> Plot:
    """Any of the figures that is drawn in this way."""
    for plot in plots:
        if plot.kind == kind:
            return plot
    raise ValueError(f"no figure is of the kind {kind!r:.60}")


def drawing_key(figure: Figure, plots: Iterable[Plot] = ALL) -> str:
    """What a drawing depends on: its content, and the functions that draw it with all they use."""
    return drawn_by([draw, of_kind(figure.kind, plots).draw], msgspec.json.encode(figure))


def drawn_by(functions: list[Callable[..., Any]], content: bytes) -> str:
    """The key of a drawing: the functions that make it with all they use, and what it is made from."""
    used = sources.versions(("matplotlib", "numpy"))
    parts = [sources.of_function(function) for function in functions]
    return sources.digest(["drawing 2", *parts, repr(used), content])
