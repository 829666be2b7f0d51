"""A property of the divergence, decided at each point by certified intervals: true, false or undecided."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verify.bounds.table import Truth, table
from verify.moments.divergence import evaluate
from verify.numbers.certified import Bound
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point
from verify.sweeps.computations.bound_ratio import inside_table
from verify.sweeps.computations.model import (
    TEXT,
    Computation,
    Outcome,
    Run,
    Status,
    Where,
)
from verify.sweeps.given import quote

_STATUS = {
    Truth.TRUE: Status.VALUE,
    Truth.FALSE: Status.FAILED,
    Truth.UNDECIDED: Status.UNDECIDED,
}


def _at_most(low: tuple[Bound, Bound], high: tuple[Bound, Bound]) -> Truth:
    """Whether the number in the first interval is at most the one in the second."""
    if low[1] <= high[0]:
        return Truth.TRUE
    return Truth.FALSE if low[0] > high[1] else Truth.UNDECIDED


def theorem(point: Point, digits: int, max_seconds: float) -> tuple[Truth, str]:
    """Where the main theorem's conditions hold, its bound does. Elsewhere vacuously true."""
    row = table(point, ["this-work"], max_seconds)[0]
    if row.applies is Truth.FALSE:
        return Truth.TRUE, "vacuous"
    if row.applies is Truth.UNDECIDED and row.holds is not Truth.TRUE:
        return Truth.UNDECIDED, "conditions undecided"
    return row.holds or Truth.UNDECIDED, ""


def reverse_at_most_forward(point: Point, digits: int, max_seconds: float) -> tuple[Truth, str]:
    """D(mu0 || mu) <= D(mu || mu0)."""
    there = evaluate("rdp", point, digits, False, max_seconds)
    back = evaluate("rdp_reverse", point, digits, False, max_seconds)
    return _at_most((back.lo, back.hi), (there.lo, there.hi)), ""


def sampling_helps(point: Point, digits: int, max_seconds: float) -> tuple[Truth, str]:
    """epsilon <= alpha/(2 sigma^2), its value without sampling."""
    value = evaluate("rdp", point, digits, False, max_seconds)
    most = Fraction(point.alpha or 0) / (2 * point.sigma**2)
    return _at_most((value.lo, value.hi), (most, most)), ""


PROPERTIES: dict[str, Callable[[Point, int, float], tuple[Truth, str]]] = {
    "theorem": theorem,
    "reverse-at-most-forward": reverse_at_most_forward,
    "sampling-helps": sampling_helps,
}


def _check_options(given: dict[str, Any]) -> dict[str, Any]:
    if "property" not in given:
        raise OutOfDomain(f"compute: property is missing; there are {', '.join(PROPERTIES)}")
    name = given["property"]
    if not isinstance(name, str) or name not in PROPERTIES:
        raise OutOfDomain(
            f"compute.property = {quote(name)}: must be one of {', '.join(PROPERTIES)}"
        )
    return {"property": name}


def _prepare(digits: int, options: dict[str, Any]) -> Run:
    holds = PROPERTIES[options["property"]]

    def run(where: Where, max_seconds: float) -> Outcome:
        truth, note = holds(where.point(), digits, max_seconds)
        return Outcome(_STATUS[truth], note, (str(truth),))

    return run


PROPERTY = Computation(
    "property",
    f"whether a property holds: {', '.join(PROPERTIES)}",
    (("truth", TEXT),),
    _prepare,
    options=("property",),
    check=_check_options,
    needs="q > 0 and 1 < alpha < inf",
    domain=inside_table,
)
