"""Certified numbers: an interval with exact ends, and what may be read off it.

>>> x = Certified(Fraction(333, 1000), Fraction(3334, 10000))
>>> str(x), x.lo_str(2), x.hi_str(2)
('0.333', '0.33', '0.34')
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import TypeVar

from verify.budget import DEFAULT_SECONDS, Deadline
from verify.decimals import decimal, exponent10, significant, trim
from verify.errors import PrecisionExhausted

Bound = Fraction | float
"""An end of an interval: an exact rational, or math.inf."""

_SHOWN = 50  # digits of an exact number whose decimals do not end
_FIRST_ROUNDING, _LAST_ROUNDING = 25, 10_000  # digits tried to round a number to a double


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What an engine returns: the true value lies in [lo, hi].

    ``proved`` says whether that is a theorem (certified trapezoid) or a careful estimate.
    """

    lo: Fraction
    hi: Fraction
    proved: bool

    def relative_width(self) -> Bound:
        """(hi - lo) / |value| at its worst; infinite if zero is inside."""
        if self.lo == self.hi:
            return Fraction(0)
        smallest = min(abs(self.lo), abs(self.hi))
        if self.lo <= 0 <= self.hi or smallest == 0:
            return math.inf
        return (self.hi - self.lo) / smallest

    def scaled(self, factor: Fraction) -> Enclosure:
        """The enclosure of factor times the value."""
        return Enclosure(*scaled_ends(self.lo, self.hi, factor), self.proved)


B = TypeVar("B", Fraction, Bound)


def scaled_ends(low: B, high: B, factor: Fraction) -> tuple[B, B]:
    """factor times the interval, for a factor other than 0."""
    n, d = factor.numerator, factor.denominator
    low, high = _ratio(low, n, d), _ratio(high, n, d)
    return (high, low) if n < 0 else (low, high)


def _ratio(x: B, n: int, d: int) -> B:
    """x n/d, with one common divisor sought instead of Fraction's four, and half the time."""
    return x * n / d if isinstance(x, float) else Fraction(x.numerator * n, x.denominator * d)


Refine = Callable[[int, Deadline], "Certified"]
"""How to compute a number again: a module's function, or a functools.partial of one (no closure)."""


@dataclass(frozen=True, slots=True)
class Certified:
    """A real number known to lie in [lo, hi], both ends exact.

    ``refine(digits, deadline)`` computes the same number again with more digits; correct rounding
    asks for it when the interval straddles a rounding boundary (Ziv's strategy), and has
    ``max_seconds`` for it. Both can be pickled, and so can the number. ``witnesses`` names the
    independent engines that confirmed the value, if that was asked for.
    """

    lo: Bound
    hi: Bound
    refine: Refine | None = field(default=None, repr=False, compare=False)
    witnesses: tuple[str, ...] = ()
    max_seconds: float = field(default=DEFAULT_SECONDS, repr=False, compare=False)

    @classmethod
    def exactly(cls, value: Bound) -> Certified:
        """A number that is known without error.

        >>> Certified.exactly(Fraction(1, 3)).to_double()
        0.3333333333333333
        """
        return cls(value, value)

    def lo_str(self, digits: int) -> str:
        """The lower end as a decimal of that many significant digits, rounded down."""
        return decimal(self.lo, digits, ROUND_FLOOR)

    def hi_str(self, digits: int) -> str:
        """The upper end as a decimal of that many significant digits, rounded up."""
        return decimal(self.hi, digits, ROUND_CEILING)

    def certain_digits(self, at_most: int = 120) -> int:
        """How many significant digits all numbers of the interval round to alike."""
        if self.lo == self.hi:
            return at_most
        if isinstance(self.lo, float) or isinstance(self.hi, float) or self.lo <= 0 <= self.hi:
            return 0
        width = (self.hi - self.lo) / max(abs(self.lo), abs(self.hi))
        guess = min(at_most, exponent10(1 / width) + 1)
        while guess and decimal(self.lo, guess) != decimal(self.hi, guess):
            guess -= 1
        return max(guess, 0)

    def __str__(self) -> str:
        return self.text()

    def text(self, digits: int = _SHOWN) -> str:
        """The number in decimal: what is certain of an interval, all of an exact number.

        >>> Certified(Fraction(333, 1000), Fraction(3334, 10000)).text()
        '0.333'
        >>> Certified.exactly(1 + Fraction(1, 2**60)).text()  # ends: printed in full, however long
        '1.000000000000000000867361737988403547205962240695953369140625'

        Decimals of an exact number that do not end (or only after more than 1000 digits) are rounded
        to the digits asked, and trailing zeros are kept to show it:

        >>> Certified.exactly(Fraction(2, 3)).text(10), Certified.exactly(Fraction(3, 4)).text(10)
        ('0.6666666667', '0.75')
        >>> Certified.exactly(1 + Fraction(1, 3 * 10**60)).text(10)
        '1.000000000'
        """
        if self.lo == self.hi:
            all_of_them = significant(self.lo)
            if all_of_them is None:
                return decimal(self.lo, digits)
            return trim(decimal(self.lo, max(all_of_them, _SHOWN)))
        certain = self.certain_digits(100_000)
        if certain == 0:
            return f"[{self.lo_str(3)}, {self.hi_str(3)}]"
        return decimal(self.lo, certain)

    def __float__(self) -> float:
        return self.to_double()

    def __format__(self, spec: str) -> str:
        """Like a float for the specs of numbers, like the text for those of texts.

        >>> x = Certified(Fraction(333, 1000), Fraction(3334, 10000))
        >>> f"{x:>8}|{Certified.exactly(Fraction(2, 3)):.3f}"
        '   0.333|0.667'
        """
        number = spec and spec[-1] in "eEfFgG%"
        return format(float(self), spec) if number else format(str(self), spec)

    def to_double(self) -> float:
        """The double nearest to the true value (ties to even)."""
        return self._rounded(nearest_double)

    def to_double_up(self) -> float:
        """The least double that is not below the true value."""
        return self._rounded(double_above)

    def scaled(self, factor: Fraction) -> Certified:
        """factor times the number.

        >>> str(Certified(Fraction(333, 1000), Fraction(3334, 10000)).scaled(Fraction(-2)))
        '-0.67'
        """
        low, high = scaled_ends(self.lo, self.hi, factor)
        again = self.refine and functools.partial(_refine_scaled, self.refine, factor)
        return Certified(low, high, again, self.witnesses, self.max_seconds)

    def _rounded(self, rounding: Callable[[Bound], float]) -> float:
        known, deadline, asked = self, Deadline(self.max_seconds), 0
        while (low := rounding(known.lo)) != rounding(known.hi):
            asked = max(asked, known._known_digits())
            if self.refine is None or asked >= _LAST_ROUNDING:
                raise PrecisionExhausted(
                    f"{self.lo_str(20)}..{self.hi_str(20)}: too close to a boundary between doubles "
                    f"to be rounded with {asked} digits"
                )
            asked = min(max(2 * asked, _FIRST_ROUNDING), _LAST_ROUNDING)
            known = self.refine(asked, deadline)
        return low

    def _known_digits(self) -> int:
        """About how many digits are known, by the relative width of the interval."""
        if isinstance(self.lo, float) or isinstance(self.hi, float):
            return 0
        width = Enclosure(self.lo, self.hi, proved=True).relative_width()
        return 0 if isinstance(width, float) else max(exponent10(1 / width), 0)


def _refine_scaled(refine: Refine, factor: Fraction, digits: int, deadline: Deadline) -> Certified:
    return refine(digits, deadline).scaled(factor)


def nearest_double(x: Bound) -> float:
    """Round to the nearest double, ties to even; beyond the largest double to infinity.

    >>> nearest_double(Fraction(1, 10)), nearest_double(Fraction(10) ** 400)
    (0.1, inf)
    """
    try:
        return float(x)  # division of integers in CPython is correctly rounded
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def double_above(x: Bound) -> float:
    """The least double >= x.

    >>> double_above(Fraction(1, 10)), double_above(Fraction(10) ** -400)
    (0.1, 5e-324)
    """
    nearest = nearest_double(x)
    if math.isinf(nearest):
        return nearest if nearest > 0 else -math.nextafter(math.inf, 0)
    return nearest if Fraction(nearest) >= x else math.nextafter(nearest, math.inf)
