"""The frontier: up to which order a condition of the theorem, or its bound, is true."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.numbers.certified import Certified, double_above
from verify.numbers.point import Point
from verify.sweeps.axes import double_below
from verify.sweeps.boundary import checked_curve, largest
from verify.sweeps.computations.model import (
    DOUBLE,
    TEXT,
    Computation,
    Outcome,
    Run,
    Status,
    Where,
)

_DIGITS = 10  # the search itself works with decimals of ten digits


def _check_options(given: dict[str, Any]) -> dict[str, Any]:
    return {"curve": checked_curve("compute.curve", given.get("curve", "bound"))}


def _prepare(digits: int, options: dict[str, Any]) -> Run:
    def run(where: Where, max_seconds: float) -> Outcome:
        bracket = largest(options["curve"], where.q.finite(), where.sigma.finite(), max_seconds)
        if bracket is None:
            return Outcome(Status.NONE, "false already next to order 1", (None,) * 4)
        lo, hi = bracket
        between = Certified(lo, hi)
        ends = double_below(lo), double_above(hi)  # away from the boundary
        return Outcome(Status.VALUE, "", (*ends, between.lo_str(_DIGITS), between.hi_str(_DIGITS)))

    return run


def _domain(point: Point) -> bool:
    return 0 < point.q < Fraction(1, 2)


LARGEST_ORDER = Computation(
    "largest-order",
    "the largest order at which the paper's bound (or a condition of its theorem) is true, certified",
    (("true_at", DOUBLE), ("false_at", DOUBLE), ("true_at_lo", TEXT), ("false_at_hi", TEXT)),
    _prepare,
    options=("curve",),
    check=_check_options,
    alpha=False,
    needs="0 < q < 1/2",
    domain=_domain,
)
