"""Every row of the paper's Table 1 at some points, next to the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

from verify.bounds.table import Row, Truth, table
from verify.moments.divergence import evaluate
from verify.numbers.certified import Certified
from verify.numbers.point import Point
from verify.results import report

POINTS = (
    ("0.01", "4", "8"),
    ("0.001", "10", "64"),
    ("0.01", "0.5", "2"),
    ("0.1", "1.1", "16"),
)
"""Two points inside the paper's region, two outside."""
_SECONDS = 60.0


def table_1(advance: Callable[[], None]) -> Iterator[report.TablePoint]:
    for q, sigma, alpha in POINTS:
        point = Point.of(q, sigma, alpha)
        epsilon = evaluate("rdp", point, 30, True, _SECONDS)
        rows = tuple(_row(row) for row in table(point))
        yield report.TablePoint(q, sigma, alpha, epsilon.lo_str(20), rows)
        advance()


def _row(row: Row) -> report.BoundRow:
    return report.BoundRow(
        name=row.name,
        source=row.source,
        formula=row.formula,
        conditions=tuple(report.Condition(c.text, _truth(c.truth)) for c in row.conditions),
        applies=_truth(row.applies),
        bound=None if row.epsilon is None else _bound_text(row.epsilon),
        holds=None if row.holds is None else _truth(row.holds),
        remark=row.remark,
    )


def _truth(truth: Truth) -> report.Truth:
    said = {str(word): word for word in get_args(report.Truth)}
    found: report.Truth = said[str(truth)]
    return found


def _bound_text(value: Certified) -> str:
    whole = str(value) if value.lo == value.hi else ""
    return whole if whole and len(whole) <= 12 else value.lo_str(8)
