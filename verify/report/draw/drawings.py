"""The drawings of a report, by the name of their file."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from verify.report import figures
from verify.report.collect.cache import Cache
from verify.report.draw import family_map
from verify.report.draw.plot import Plot
from verify.results.families import Family
from verify.results.report import Results


def draw_all(
    results: Results, store: Cache | None = None, plots: Sequence[Plot] = figures.ALL
) -> dict[str, str]:
    """Every drawing, each as the one of ``plots`` that has its kind draws; the store keeps those
    that take long from run to run."""
    store = store or Cache(None)
    made = {}
    for figure in results.figures:
        make = functools.partial(figures.draw, figure, plots)
        made[figure.id] = store.get_or_make(figures.drawing_key(figure, plots), make)
    return made | {map_name(family): family_map.svg(family) for family in results.families}


def map_name(family: Family) -> str:
    """What the map of a family is called: no figure's name begins so."""
    return f"library-{family.slug}"
