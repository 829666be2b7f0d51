"""Certified numbers: an interval with exact ends, and what may be read off it.

>>> x = Certified(Fraction(333, 1000), Fraction(3334, 10000))
>>> str(x), x.lo_str(2), x.hi_str(2)
('0.333', '0.33', '0.34')
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from verify.errors import PrecisionExhausted

Bound = Fraction | float
"""An end of an interval: an exact rational, or math.inf."""

_ZIV_DIGITS = (25, 60, 150, 400)


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
        low, high = sorted((self.lo * factor, self.hi * factor))
        return Enclosure(low, high, self.proved)


@dataclass(frozen=True, slots=True)
class Certified:
    """A real number known to lie in [lo, hi], both ends exact.

    ``refine`` computes the same number again with more digits; correct rounding asks for it when
    the interval straddles a rounding boundary (Ziv's strategy). ``witnesses`` names the independent
    engines that confirmed the value, if that was asked for.
    """

    lo: Bound
    hi: Bound
    refine: Callable[[int], Certified] | None = field(default=None, repr=False, compare=False)
    witnesses: tuple[str, ...] = ()

    @classmethod
    def exactly(cls, value: Bound) -> Certified:
        """A number that is known without error.

        >>> Certified.exactly(Fraction(1, 3)).to_double()
        0.3333333333333333
        """
        return cls(value, value)

    def lo_str(self, digits: int) -> str:
        """The lower end as a decimal of that many significant digits, rounded down."""
        return decimal(self.lo, digits, _floor)

    def hi_str(self, digits: int) -> str:
        """The upper end as a decimal of that many significant digits, rounded up."""
        return decimal(self.hi, digits, _ceil)

    def certain_digits(self, at_most: int = 120) -> int:
        """How many significant digits all numbers of the interval round to alike."""
        if isinstance(self.lo, float) or isinstance(self.hi, float) or self.lo == self.hi:
            return at_most
        if self.lo <= 0 <= self.hi:
            return 0
        width = (self.hi - self.lo) / max(abs(self.lo), abs(self.hi))
        guess = min(at_most, _exponent10(1 / width) + 1)
        while guess and decimal(self.lo, guess, _round) != decimal(self.hi, guess, _round):
            guess -= 1
        return max(guess, 0)

    def __str__(self) -> str:
        digits = self.certain_digits(100_000 if self.lo != self.hi else 50)
        if digits == 0:
            return f"[{self.lo_str(3)}, {self.hi_str(3)}]"
        text = decimal(self.lo, digits, _round)
        return _trim(text) if self.lo == self.hi else text

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def to_double(self) -> float:
        """The double nearest to the true value (ties to even)."""
        return self._rounded(nearest_double)

    def to_double_up(self) -> float:
        """The least double that is not below the true value."""
        return self._rounded(double_above)

    def _rounded(self, rounding: Callable[[Bound], float]) -> float:
        known = self
        for digits in _ZIV_DIGITS:
            low, high = rounding(known.lo), rounding(known.hi)
            if low == high:
                return low
            if self.refine is None:
                break
            known = self.refine(digits)
        raise PrecisionExhausted(f"cannot round {self.lo_str(20)}..{self.hi_str(20)} to a double")


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


def _floor(n: int, d: int) -> int:
    return n // d


def _ceil(n: int, d: int) -> int:
    return -(-n // d)


def _round(n: int, d: int) -> int:
    return (2 * n + d) // (2 * d)


def _exponent10(x: Fraction) -> int:
    """The e with 10**e <= |x| < 10**(e+1).

    >>> _exponent10(Fraction(1, 1000)), _exponent10(Fraction(999, 1000)), _exponent10(Fraction(10))
    (-3, -1, 1)
    """
    n, d = abs(x.numerator), x.denominator
    e = int((n.bit_length() - d.bit_length()) * 0.30102999566398120)
    while n < d * Fraction(10) ** e:
        e -= 1
    while n >= d * Fraction(10) ** (e + 1):
        e += 1
    return e


def decimal(x: Bound, digits: int, rounding: Callable[[int, int], int]) -> str:
    """x in decimal with that many significant digits; plain for ordinary sizes, else scientific.

    >>> decimal(Fraction(2, 3), 5, _floor), decimal(Fraction(-2, 3) / 10**9, 2, _floor)
    ('0.66666', '-6.7e-10')
    """
    if isinstance(x, float):
        return "inf"
    if x == 0:
        return "0"
    e = _exponent10(x)
    scaled = x * Fraction(10) ** (digits - 1 - e)
    n = rounding(scaled.numerator, scaled.denominator)
    sign, text = ("-" if n < 0 else ""), _digits(abs(n))
    if len(text) > digits:  # rounding carried into a new digit
        text, e = text[:-1], e + 1
    if -6 <= e < 0:
        return f"{sign}0.{'0' * (-e - 1)}{text}"
    if 0 <= e < digits - 1:
        return f"{sign}{text[: e + 1]}.{text[e + 1 :]}"
    if e == digits - 1:
        return sign + text
    return f"{sign}{text[0]}{'.' * (digits > 1)}{text[1:]}e{e:+03d}"


def _digits(n: int) -> str:
    """str(n) without CPython's limit on the length of the conversion (4300 digits)."""
    if n.bit_length() < 10_000:
        return str(n)
    half = int(n.bit_length() * 0.30103) // 2
    high, low = divmod(n, 10**half)
    return _digits(high) + _digits(low).rjust(half, "0")


def _trim(text: str) -> str:
    mantissa, e, exponent = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa + e + exponent
