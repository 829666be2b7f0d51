"""Asking an interval for more digits until a question about its number is decided (Ziv's strategy).

The question may be what the number rounds to, or which of two numbers is larger. Where no more digits can be
had, or the last ones allowed do not decide either, the answer is an error, never a guess.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from verify.numbers.budget import Deadline
from verify.numbers.decimals import exponent10
from verify.numbers.errors import PrecisionExhausted

T = TypeVar("T")
Bound = Fraction | float
_FIRST, _LAST_ROUNDING = 25, 10_000  # digits tried to round a number
_LAST_COMPARISON = 400  # digits tried to tell two numbers apart: equal ones never are


class Interval(Protocol):
    """A number known to lie between two ends, and how to compute it again (None: nobody can)."""

    @property
    def lo(self) -> Bound: ...
    @property
    def hi(self) -> Bound: ...
    @property
    def refine(self) -> Callable[[int, Deadline], Any] | None: ...
    @property
    def max_seconds(self) -> float: ...
    def lo_str(self, digits: int) -> str: ...
    def hi_str(self, digits: int) -> str: ...


Relation = Callable[[Interval, Interval], bool]


def round_surely(number: Interval, rounding: Callable[[Bound], T]) -> T:
    """What the number rounds to, by a monotone rounding: both ends must agree on it."""
    known, deadline, asked = number, Deadline(number.max_seconds), 0
    while (low := rounding(known.lo)) != rounding(known.hi):
        asked = max(asked, known_digits(known))
        if number.refine is None or asked >= _LAST_ROUNDING:
            raise PrecisionExhausted(
                f"{number.lo_str(20)}..{number.hi_str(20)}: too close to a boundary between doubles, "
                f"or between decimals, to be rounded with {asked} digits"
            )
        asked = min(max(2 * asked, _FIRST), _LAST_ROUNDING)
        known = number.refine(asked, deadline)
    return low


def compare_surely(one: Interval, other: Interval, yes: Relation, no: Relation) -> bool:
    """Whether ``yes`` is certain of two numbers (True) or ``no`` is (False)."""
    deadline, digits = Deadline(one.max_seconds), _FIRST
    while not yes(one, other):
        if no(one, other):
            return False
        if digits > _LAST_COMPARISON or not (one.refine or other.refine):
            texts = " and ".join(x.lo_str(17) for x in (one, other))
            raise PrecisionExhausted(f"{texts} cannot be told apart by the digits known of them")
        one, other = again(one, digits, deadline), again(other, digits, deadline)
        digits *= 2
    return True


def again(x: T, digits: int, deadline: Deadline) -> T:
    """The same number with more digits, if it can have them."""
    refine = x.refine  # type: ignore[attr-defined]  # an Interval, whose own class is kept
    return refine(digits, deadline) if refine else x


def known_digits(x: Interval) -> int:
    """About how many digits are known, by the relative width of the interval."""
    if isinstance(x.lo, float) or isinstance(x.hi, float) or x.lo <= 0 <= x.hi or x.lo == x.hi:
        return 0
    return max(exponent10(min(abs(x.lo), abs(x.hi)) / (x.hi - x.lo)), 0)


def exact_number(value: object) -> Bound | None:
    """The number that value is exactly; None if it is no number (truth values, texts, NaN).

    >>> exact_number(0.5), exact_number(Decimal("0.1")), exact_number("0.1"), exact_number(True)
    (Fraction(1, 2), Fraction(1, 10), None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        return None
    if isinstance(value, numbers.Rational):  # int, Fraction, numpy's whole numbers
        return Fraction(int(value.numerator), int(value.denominator))
    if not math.isfinite(value):
        return None if math.isnan(value) else float(value)
    above, below = value.as_integer_ratio()  # type: ignore[union-attr]  # floats and decimals have it
    return Fraction(int(above), int(below))


def plus(x: Bound, y: Bound) -> Bound | None:
    """The sum of two ends; None of inf and -inf, which have none."""
    if isinstance(x, float) and isinstance(y, float) and x != y:
        return None
    if isinstance(x, float) or isinstance(y, float):
        return x if isinstance(x, float) else y
    return x + y
