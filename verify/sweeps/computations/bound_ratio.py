"""Certified epsilon over a closed-form bound of the paper's Table 1, and whether its conditions hold."""

from __future__ import annotations

from typing import Any

from verify.bounds.tightness import tightness
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point
from verify.sweeps.computations.model import (
    TEXT,
    Computation,
    Outcome,
    Run,
    Status,
    Where,
    certified_columns,
    certified_values,
)
from verify.sweeps.given import quote

ROWS = ("this-work", "bun")  # those that give a number at a point


def inside_table(point: Point) -> bool:
    """The points that Table 1 speaks about."""
    return point.q > 0 and point.alpha is not None and point.alpha > 1


def checked_row(given: dict[str, Any]) -> dict[str, Any]:
    row = given.get("row", "this-work")
    if not isinstance(row, str) or row not in ROWS:
        raise OutOfDomain(f"compute.row = {quote(row)}: must be one of {', '.join(ROWS)}")
    return {**given, "row": row}


def _prepare(digits: int, options: dict[str, Any]) -> Run:
    def run(where: Where, max_seconds: float) -> Outcome:
        point = where.point()
        found = tightness(point, digits, row=options["row"], max_seconds=max_seconds)
        values = certified_values(found.ratio, digits)
        return Outcome(Status.VALUE, "", (*values, str(found.applies), str(found.holds)))

    return run


BOUND_RATIO = Computation(
    "bound-ratio",
    "certified epsilon over a bound of Table 1: slack where below 1, and whether the row applies",
    (*certified_columns("ratio"), ("applies", TEXT), ("holds", TEXT)),
    _prepare,
    options=("row",),
    check=checked_row,
    needs="q > 0 and 1 < alpha < inf",
    domain=inside_table,
)
