"""Rationals in decimal, rounded in a given direction, by the decimal module of the standard
library."""

from __future__ import annotations

from decimal import (
    MAX_EMAX,
    MAX_PREC,
    MIN_EMIN,
    ROUND_FLOOR,
    ROUND_HALF_UP,
    Context,
    Decimal,
    Inexact,
)
from fractions import Fraction

LONGEST = 1000  # digits of the longest exact number that is printed in full
_EXACT = Context(MAX_PREC, ROUND_HALF_UP, MIN_EMIN, MAX_EMAX)


def quotient(x: Fraction, digits: int, rounding: str) -> tuple[Decimal, bool]:
    """x to so many significant digits, rounded once, and whether that was exact."""
    context = Context(digits, rounding, MIN_EMIN, MAX_EMAX, traps=[])
    found = context.divide(Decimal(x.numerator), Decimal(x.denominator))
    return found, not context.flags[Inexact]


def exponent10(x: Fraction) -> int:
    """The e with 10**e <= |x| < 10**(e+1).

    >>> exponent10(Fraction(1, 1000)), exponent10(Fraction(999, 1000)), exponent10(Fraction(-10))
    (-3, -1, 1)
    """
    return quotient(abs(x), 1, ROUND_FLOOR)[0].adjusted()


def significant(x: Fraction | float) -> int | None:
    """How many digits x has in decimal, without trailing zeros; None if they do not end soon.

    >>> significant(Fraction(1, 8)), significant(Fraction(1200)), significant(Fraction(1, 3))
    (3, 2, None)
    """
    if isinstance(x, float) or x == 0:
        return 0
    found, exact = quotient(x, LONGEST, ROUND_FLOOR)
    return len(found.normalize(Context(LONGEST)).as_tuple().digits) if exact else None


def decimal(x: Fraction | float, digits: int, rounding: str = ROUND_HALF_UP) -> str:
    """x in decimal with that many significant digits; plain for ordinary sizes, else scientific.

    >>> decimal(Fraction(2, 3), 5, ROUND_FLOOR), decimal(Fraction(-2, 3) / 10**9, 2, ROUND_FLOOR)
    ('0.66666', '-6.7e-10')
    >>> decimal(Fraction(10), 3), decimal(Fraction(12345), 2)
    ('10.0', '1.2e+04')
    """
    if isinstance(x, float):
        return "inf" if x > 0 else "-inf"
    if x == 0:
        return "0"
    found, _ = quotient(x, digits, rounding)
    e = found.adjusted()
    # All digits asked, zeros at the end too: they say how far the number is known.
    padded = found.quantize(Decimal((0, (1,), e - digits + 1)), context=_EXACT)
    if -6 <= e < digits:
        return f"{padded:f}"
    return f"{padded.scaleb(-e, context=_EXACT):f}e{e:+03d}"


def trim(text: str) -> str:
    """The same number without zeros at the end of its decimals."""
    mantissa, e, exponent = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa + e + exponent
