"""Certified epsilon, in one direction or both."""

from __future__ import annotations

from typing import Any

from verify.moments.divergence import QUANTITIES, evaluate
from verify.numbers.errors import OutOfDomain
from verify.sweeps.computations.model import (
    Computation,
    Outcome,
    Run,
    Status,
    Where,
    certified_columns,
    certified_values,
)
from verify.sweeps.given import quote


def _one(digits: int, options: dict[str, Any]) -> Run:
    quantity = options["quantity"]

    def run(where: Where, max_seconds: float) -> Outcome:
        value = evaluate(quantity, where.point(), digits, False, max_seconds)
        return Outcome(Status.VALUE, "", certified_values(value, digits))

    return run


def _both(digits: int, options: dict[str, Any]) -> Run:
    def run(where: Where, max_seconds: float) -> Outcome:
        point = where.point()
        there = evaluate("rdp", point, digits, False, max_seconds)
        back = evaluate("rdp_reverse", point, digits, False, max_seconds)
        values = certified_values(there, digits) + certified_values(back, digits)
        return Outcome(Status.VALUE, "", values)

    return run


def _quantity(given: dict[str, Any]) -> dict[str, Any]:
    quantity = given.get("quantity", "rdp")
    if not isinstance(quantity, str) or quantity not in QUANTITIES:
        raise OutOfDomain(
            f"compute.quantity = {quote(quantity)}: must be one of {', '.join(QUANTITIES)}"
        )
    return {"quantity": quantity}


EPSILON = Computation(
    "epsilon",
    "certified epsilon (or another quantity: rdp, rdp_reverse, log_a, log_b)",
    certified_columns("value"),
    _one,
    options=("quantity",),
    check=_quantity,
)

EPSILON_BOTH = Computation(
    "epsilon-both",
    "certified epsilon in both directions",
    certified_columns("epsilon") + certified_columns("epsilon_reverse"),
    _both,
)
