"""Where a library loses digits: its answers, point by point, gathered in cells over sigma, q and alpha.

The file of a check lists every point with the answer, the verdict and the bits lost. Cells keep a page
of twelve libraries readable; the points themselves stay in the file.
"""

from __future__ import annotations

import bisect
import statistics
from collections import Counter
from collections.abc import Mapping
from typing import Any

from verify.report.drawing import INK, colours, drawn, scale
from verify.report.ticks import power_of_ten
from verify.results.conformance import BITS, Conformance, Direction, Grade, Row

SIGMA = (0.0, 1.0, 10.0)
Q = (0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.5)
ALPHA = (1.0, 1.01, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1024.0, 65536.0)
"""Where cells begin; each ends where the next begins, the last one has no end."""
AXES = {"sigma": SIGMA, "q": Q, "alpha": ALPHA}
TABLE = ("σ", "q", "α", "points", "most bits lost", "median", "overstated", "UNSAFE", "no answer")


def cells(found: Conformance) -> list[dict[str, Any]]:
    """The cells that have a point, from the file of a check."""
    gathered: dict[tuple[int, int, int], list[Row]] = {}
    for row in found.cases.rows:
        place = _index(SIGMA, row.sigma), _index(Q, row.q), _index(ALPHA, float(row.alpha))
        gathered.setdefault(place, []).append(row)
    return [_cell(place, gathered[place]) for place in sorted(gathered)]


def _index(edges: tuple[float, ...], value: float) -> int:
    """The cell a coordinate is in."""
    return bisect.bisect_right(edges, value) - 1


def _cell(place: tuple[int, int, int], rows: list[Row]) -> dict[str, Any]:
    lost = [row.bits_lost for row in rows if row.bits_lost is not None]
    count = Counter(row.verdict for row in rows)
    errs = Counter(row.direction for row in rows)
    return {
        **dict(zip(AXES, place, strict=True)),
        "points": len(rows),
        "most": max(lost, default=None),
        "median": round(statistics.median(lost), 2) if lost else None,
        "overstated": errs[Direction.OVERSTATED],
        "unsafe": errs[Direction.UNSAFE],
        "silent": count[Grade.NO_ANSWER],
    }


def table(library: Mapping[str, Any]) -> list[list[Any]]:
    """The cells of a library as rows for people."""
    return [
        [
            *(span(AXES[name], cell[name]) for name in AXES),
            *(cell[k] for k in ("points", "most", "median", "overstated", "unsafe", "silent")),
        ]
        for cell in library["map"]
    ]


def span(edges: tuple[float, ...], index: int) -> str:
    """A cell's extent along one axis.

    >>> span(SIGMA, 0), span(Q, 4), span(ALPHA, 11)
    ('below 1', '0.001 to 0.01', '65536 and above')
    """
    if index == len(edges) - 1:
        return f"{edges[index]:g} and above"
    if edges[index] == 0:
        return f"below {edges[1]:g}"
    return f"{edges[index]:g} to {edges[index + 1]:g}"


# -- the drawing ---------------------------------------------------------------------------


def draw(name: str, library: Mapping[str, Any]) -> str:
    """Bits lost over q and alpha, one panel for each range of sigma."""
    title = f"{library['target']} {library['version']}: bits lost over q and α"
    return drawn(name, title, lambda page: _panels(page, library["map"]), (10.2, 4.4))


def _panels(page: Any, found: list[dict[str, Any]]) -> None:
    axes = page.subplots(1, len(SIGMA), sharey=True)
    mesh = None
    for index, panel in enumerate(axes):
        mesh = _panel(panel, [cell for cell in found if cell["sigma"] == index])
        panel.set_title(f"σ {span(SIGMA, index)}", fontsize=11)
    axes[0].set_ylabel("order α, from")
    axes[1].set_xlabel("sampling rate q, from")
    scale(list(axes), mesh, "most bits lost, of 53")


def _panel(axes: Any, found: list[dict[str, Any]]) -> Any:
    import numpy as np

    lost = np.full((len(ALPHA), len(Q)), np.nan)
    for cell in found:
        if cell["most"] is not None:
            lost[cell["alpha"], cell["q"]] = cell["most"]
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(lost),
        vmin=0,
        vmax=BITS,
        cmap=colours(),
        edgecolors="face",
        linewidth=0.3,
    )
    for cell in found:
        sign = mark(cell)
        if sign:
            bright = cell["most"] is None or cell["most"] > 0.6 * BITS
            colour = INK if cell["most"] is None else "#000000" if bright else "#ffffff"
            axes.text(
                cell["q"] + 0.5, cell["alpha"] + 0.45, sign, ha="center", va="center",
                color=colour, fontsize=9,
            )  # fmt: skip
    axes.set_xticks(range(len(Q)), [power_of_ten(q) or f"{q:g}" for q in Q], fontsize=9)
    axes.set_yticks(range(len(ALPHA)), [f"{alpha:g}" for alpha in ALPHA], fontsize=9)
    return mesh


def mark(cell: Mapping[str, Any]) -> str:
    """The gravest verdict in a cell as one character: unsafe, overstated, silent, or nothing.

    >>> mark({"unsafe": 1, "overstated": 5, "silent": 1}), mark({"unsafe": 0, "overstated": 0, "silent": 0})
    ('!', '')
    """
    return "!" if cell["unsafe"] else "+" if cell["overstated"] else "?" if cell["silent"] else ""
