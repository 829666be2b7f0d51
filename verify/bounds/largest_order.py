"""Up to which order a condition of the main theorem, or its bound, is true: certified changes of sign.

That there is no other change of sign is a claim of its own (the allowed orders form an interval).
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from verify.bounds.table import Truth, table
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import PrecisionExhausted
from verify.numbers.point import Point

SECONDS = 60.0
LEAST = Fraction(1001, 1000)


class Ending(StrEnum):
    """What ends at an order: the theorem's condition (4) or (5), or the truth of its bound."""

    FIRST = "first-condition"
    SECOND = "second-condition"
    BOUND = "bound"


_CONDITION = {Ending.FIRST: 2, Ending.SECOND: 3}  # place among the conditions of the table's row

Bracket = tuple[Fraction, Fraction]


def is_true_at(
    curve: Ending, q: Fraction, sigma: Fraction, alpha: Fraction, deadline: Deadline | None = None
) -> bool:
    """Whether the condition (or the bound) is true at a point; an error if balls cannot tell."""
    if deadline is not None:
        deadline.check()
    seconds = SECONDS if deadline is None else deadline.left()
    row = table(Point.of(q, sigma, alpha), ["this-work"], seconds)[0]
    truth = row.holds if curve is Ending.BOUND else row.conditions[_CONDITION[curve]].truth
    if truth is Truth.UNDECIDED or truth is None:
        raise PrecisionExhausted(f"undecided at q = {q}, sigma = {sigma}, alpha = {alpha}")
    return truth is Truth.TRUE


def largest_order(
    curve: Ending, q: Fraction, sigma: Fraction, deadline: Deadline | None = None
) -> Bracket | None:
    """Orders lo < hi, close together, with the condition true at lo and false at hi.

    None if it is false already next to order 1. The deadline is for the whole search; without one
    each decision has its own time.

    >>> lo, hi = largest_order(Ending.BOUND, Fraction(1, 5), Fraction(4))
    >>> float(lo) < 56.28293050 < float(hi), float(hi - lo) < 1e-4
    (True, True)
    """
    lo, hi = LEAST, Fraction(4)
    if not is_true_at(curve, q, sigma, lo, deadline):
        return None
    while is_true_at(curve, q, sigma, hi, deadline):
        lo, hi = hi, hi * 8
    while (hi - lo) > (lo - 1) / 10**6:
        middle = Fraction(f"{float((lo - 1) * (hi - 1)) ** 0.5 + 1:.10g}")
        if not lo < middle < hi:
            break
        lo, hi = (middle, hi) if is_true_at(curve, q, sigma, middle, deadline) else (lo, middle)
    return lo, hi


def shared_digits(bracket: Bracket | None) -> str | None:
    """The digits that both ends of a bracket share."""
    return None if bracket is None else str(Certified(*bracket))
