"""The drawings of a report, by the name of their file."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from verify.report import error_map, figures
from verify.report.cache import Cache
from verify.report.plot import Plot
from verify.results.report import Library, Results


def draw_all(
    results: Results, store: Cache | None = None, plots: Sequence[Plot] = figures.ALL
) -> dict[str, str]:
    """Every drawing, each as the one of ``plots`` that has its kind draws; the store keeps them from run to run."""
    store = store or Cache(None)
    made = {}
    for figure in results.figures:
        make = functools.partial(figures.draw, figure, plots)
        made[figure.id] = store.remembered(figures.drawing_key(figure, plots), make)
    for name, library in zip(library_names(results.libraries), results.libraries, strict=True):
        if library.map:
            make = functools.partial(error_map.draw, name, _plain(library))
            made[name] = store.remembered(map_key(name, library), make)
    return made


def map_key(name: str, library: Library) -> str:
    """What the map of a library depends on."""
    return figures.drawn_by([error_map.draw], msgspec.json.encode([name, library]))


def library_names(libraries: Iterable[Library]) -> list[str]:
    """What the libraries' drawings are called, whatever their files are called.

    "Some_1.2.json" and "../some 1<b>2.json" give library-some-1-2 and library-some-1-b-2.
    """
    names: list[str] = []
    for library in libraries:
        stem = library.file.removesuffix(".json").lower()
        name = f"library-{re.sub(r'[^a-z0-9]+', '-', stem).strip('-')[:60]}"
        numbered = (f"{name}-{k}" for k in itertools.count(2))
        names.append(next(n for n in itertools.chain([name], numbered) if n not in names))
    return names


def map_rows(library: Library) -> list[list[Any]]:
    """The cells of a library as rows for people."""
    return error_map.table(_plain(library))


def _plain(library: Library) -> dict[str, Any]:
    """As JSON would give it: lists, not tuples."""
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(library))
    return made
