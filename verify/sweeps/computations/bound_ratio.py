"""Certified epsilon over a closed-form bound of the paper's Table 1, and whether its conditions hold."""

from __future__ import annotations

from typing import Any

from verify.bounds import table
from verify.divergence import evaluate
from verify.errors import OutOfDomain
from verify.point import Point
from verify.sweeps.computations.model import (
    TEXT,
    Computation,
    Outcome,
    Run,
    Status,
    Where,
    certified_columns,
    certified_values,
    finite,
)
from verify.sweeps.given import told

ROWS = ("this-work", "bun")  # those that give a number at a point


def inside_table(point: Point) -> bool:
    """The points that Table 1 speaks about."""
    return point.q > 0 and point.alpha is not None and point.alpha > 1


def checked_row(given: dict[str, Any]) -> dict[str, Any]:
    row = given.get("row", "this-work")
    if not isinstance(row, str) or row not in ROWS:
        raise OutOfDomain(f"compute.row = {told(row)}: must be one of {', '.join(ROWS)}")
    return {**given, "row": row}


def _prepare(digits: int, options: dict[str, Any]) -> Run:
    def run(where: Where, max_seconds: float) -> Outcome:
        point = where.point()
        row = table(point, [options["row"]], max_seconds)[0]
        if row.epsilon is None or row.holds is None:
            raise OutOfDomain(f"{row.name} gives no number at a point")
        bound = finite(row.epsilon.lo)
        ratio = evaluate("rdp", point, digits, False, max_seconds).scaled(1 / bound)
        values = certified_values(ratio, digits)
        return Outcome(Status.VALUE, "", (*values, str(row.applies), str(row.holds)))

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
