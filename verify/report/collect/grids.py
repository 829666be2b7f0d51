"""The grids of built-in sweeps, for figures that show what such a sweep computes."""

from __future__ import annotations

from verify.sweeps.axes import Coordinate
from verify.sweeps.spec import load


def grid_of_sweep(name: str) -> tuple[list[str], list[str], list[str]]:
    """The values of q, sigma and alpha on the grid of a built-in sweep: figure and file have the same points.

    >>> [len(axis) for axis in grid_of_sweep("frontier")]
    [33, 33, 0]
    """
    spec = load(name)
    places = [spec.at(index) for index in range(spec.count)]
    q, sigma, alpha = (
        list(dict.fromkeys(f"{x.double:.10g}" for x in axis if isinstance(x, Coordinate)))
        for axis in zip(*places, strict=True)
    )
    return q, sigma, alpha
