"""The drawings of a report, by the name of their file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from verify.report import error_map, figures
from verify.report.cache import Cache
from verify.results.report import Library, Results

# What draws takes plain data.


def draw_all(results: Results, store: Cache | None = None) -> dict[str, str]:
    """Every drawing; the store keeps them from run to run."""
    return figures.draw_all(_plain(results), store)


def library_names(libraries: Iterable[Library]) -> list[str]:
    """What the libraries' drawings are called, whatever their files are called."""
    return figures.library_names([{"file": library.file} for library in libraries])


def map_rows(library: Library) -> list[list[Any]]:
    """The cells of a library as rows for people."""
    return error_map.table(_plain(library))


def _plain(part: Results | Library) -> dict[str, Any]:
    """As JSON would give it: lists, not tuples."""
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(part))
    return made
