"""Where training runs are, as ranges of q and sigma, and how a library fails in each."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterable

from verify.results.conformance import GOOD, Direction, Grade, Region, Row
from verify.results.families import AskedCell, RunCell

Q = (0.0, 1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3)
SIGMA = (0.0, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Where cells begin; each ends where the next begins, the last one has no end."""

Place = tuple[int, int]


def asked_cells(rows: Iterable[Row]) -> list[AskedCell]:
    """How many points were asked in each cell."""
    counts = Counter(_place(row) for row in rows if row.region is Region.TRAINING)
    return [AskedCell(*place, n) for place, n in sorted(counts.items())]


def near(rows: Iterable[Row]) -> list[RunCell]:
    """The cells with a failing point."""
    gathered: dict[Place, list[Row]] = {}
    for row in rows:
        if row.region is Region.TRAINING and row.verdict not in GOOD:
            gathered.setdefault(_place(row), []).append(row)
    return [_cell(place, bad) for place, bad in sorted(gathered.items())]


def _place(row: Row) -> Place:
    return bisect.bisect_right(Q, row.q) - 1, bisect.bisect_right(SIGMA, row.sigma) - 1


def _cell(place: Place, bad: list[Row]) -> RunCell:
    silent = sum(row.verdict is Grade.NO_ANSWER for row in bad)
    orders = [float(row.alpha) for row in bad]
    return RunCell(
        *place,
        failed=len(bad) - silent,
        silent=silent,
        unsafe=sum(row.direction is Direction.UNSAFE for row in bad),
        bits=max((row.bits_lost for row in bad if row.bits_lost is not None), default=0.0),
        low=_short(min(orders)),
        high=_short(max(orders)),
    )


def _short(x: float) -> float:
    """An order to six digits: it is only shown.

    >>> _short(1.0000000000009095), _short(60.5)
    (1.0, 60.5)
    """
    return float(f"{x:.6g}")
