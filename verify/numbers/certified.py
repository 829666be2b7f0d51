"""Certified numbers: an interval with exact ends, and the digits and doubles that follow from it.

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

from verify.numbers.budget import DEFAULT_SECONDS, Deadline
from verify.numbers.deciding import (
    Relation,
    again,
    compare_surely,
    exact_number,
    plus,
    round_surely,
)
from verify.numbers.decimals import decimal, exponent10, significant, trim
from verify.numbers.errors import OutOfDomain, PrecisionExhausted
from verify.numbers.typeset import format_number, is_for_numbers, latex, with_ellipsis

T = TypeVar("T")
Bound = Fraction | float
"""An end of an interval: an exact rational, or math.inf."""

_SHOWN = 50  # digits of an exact number whose decimals do not end
_IN_SHORT = 17  # digits in a notebook; as many as tell doubles apart


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


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Certified:
    """A real number known to lie in [lo, hi], both ends exact.

    What can be read off it, all of it certain:

    >>> x = Certified(Fraction(333, 1000), Fraction(3334, 10000))
    >>> x  # its certain digits; a notebook shows them as a formula
    Certified(0.333, 3 digits certain)
    >>> str(x), x.lo, x.hi
    ('0.333', Fraction(333, 1000), Fraction(1667, 5000))
    >>> f"{x:.2f}", f"{x:>10}"  # rounded once, from the number itself
    ('0.33', '     0.333')

    ``float(x)`` and :meth:`to_double` are the nearest double, :meth:`to_double_up` the least double that
    is not below: correctly rounded, or an error. So is every comparison with ``<``, ``<=``, ``>``, ``>=``:
    more digits are computed until the answer is certain, and if it stays open that is an error, never a
    guess.

    >>> x < 0.5, Fraction(1, 3) < x + 1
    (True, True)
    >>> x > Fraction(1, 3)
    Traceback (most recent call last):
    ...
    verify.numbers.errors.PrecisionExhausted: 0.333 and 0.33333333333333333 cannot be told apart ...

    ``==`` with a number is decided in the same way; ``==`` of two Certified asks whether they are the same
    interval, which is no statement on the numbers. Sums and differences, and products and quotients with
    exact numbers (int, Fraction, Decimal; a float counts as the binary number it is), are certified again:

    >>> 1000 * x, x - 1
    (Certified(333, 3 digits certain), Certified(-0.667, 3 digits certain))

    ``refine(digits, deadline)`` computes the same number again with more digits, and has ``max_seconds``
    for it. Everything can be pickled. ``witnesses`` names the independent engines that confirmed the value,
    if that was asked for. Lists of numbers become arrays by ``numpy.array(values, dtype=float)``.
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

    def __repr__(self) -> str:
        text, rest = self._in_short()
        return f"Certified({text}{', ' if rest else ''}{rest})"

    def _repr_latex_(self) -> str:
        """For notebooks."""
        return f"${latex(self._in_short()[0])}$"

    def _in_short(self) -> tuple[str, str]:
        """At most 17 digits, with dots if more are known, and the number of certain digits."""
        if isinstance(self.lo, float) or isinstance(self.hi, float):
            return self.text(), ""
        known = self.certain_digits(100_000)
        if self.lo == self.hi:
            digits = significant(self.lo)
            if digits is not None and digits <= _IN_SHORT:
                return self.text(), "exact"
            return with_ellipsis(decimal(self.lo, _IN_SHORT)), "exact"
        if known == 0:
            return f"[{self.lo_str(3)}, {self.hi_str(3)}]", ""
        shown = self.certain_digits(_IN_SHORT)
        text = decimal(self.lo, shown)
        text = with_ellipsis(text) if shown < known else text
        return text, f"{known} digit{'s' if known > 1 else ''} certain"

    def __float__(self) -> float:
        return self.to_double()

    def __format__(self, spec: str) -> str:
        """Format specifications of numbers round the number itself, once; those of texts pad or cut
        its text.

        >>> x = Certified(Fraction(333, 1000), Fraction(3334, 10000))
        >>> f"{x:>8}|{Certified.exactly(Fraction(2, 3)):.20f}"
        '   0.333|0.66666666666666666667'
        """
        if not is_for_numbers(spec):
            return format(str(self), spec)
        return self._rounded(functools.partial(format_number, spec=spec))

    def to_double(self) -> float:
        """The double nearest to the true value (ties to even)."""
        return self._rounded(nearest_double)

    def to_double_up(self) -> float:
        """The least double that is not below the true value."""
        return self._rounded(double_above)

    def _rounded(self, rounding: Callable[[Bound], T]) -> T:
        return round_surely(self, rounding)

    def as_json(self, digits: int = 20) -> dict[str, str | None]:
        """What JSON can hold, as the command line writes it: the ends as decimals, rounded outward,
        and the doubles in hexadecimal.

        The doubles are to nearest (None if the interval does not decide it) and rounded up.

        >>> Certified.exactly(Fraction(3, 8)).as_json(2)
        {'lo': '0.37500', 'hi': '0.37500', 'double': '0x1.8000000000000p-2', 'double_up': '0x1.8000000000000p-2'}
        """
        ends = {"lo": self.lo_str(digits + 3), "hi": self.hi_str(digits + 3)}
        try:
            return {
                **ends,
                "double": self.to_double().hex(),
                "double_up": self.to_double_up().hex(),
            }
        except PrecisionExhausted:
            return {**ends, "double": None, "double_up": double_above(self.hi).hex()}

    def scaled(self, factor: Fraction) -> Certified:
        """factor times the number.

        >>> str(Certified(Fraction(333, 1000), Fraction(3334, 10000)).scaled(Fraction(-2)))
        '-0.67'
        """
        low, high = scaled_ends(self.lo, self.hi, factor)
        again = self.refine and functools.partial(_refine_scaled, self.refine, factor)
        return Certified(low, high, again, self.witnesses, self.max_seconds)

    # -- comparison: decided, or an error ------------------------------------------------------

    def __lt__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a.hi < b.lo, lambda a, b: a.lo >= b.hi)

    def __le__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a.hi <= b.lo, lambda a, b: a.lo > b.hi)

    def __gt__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a.lo > b.hi, lambda a, b: a.hi <= b.lo)

    def __ge__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a.lo >= b.hi, lambda a, b: a.hi < b.lo)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Certified):
            mine, theirs = (self.lo, self.hi, self.witnesses), (other.lo, other.hi, other.witnesses)
            return type(self) is type(other) and mine == theirs
        return self._compare(
            other, lambda a, b: a.lo == a.hi == b.lo, lambda a, b: a.hi < b.lo or a.lo > b.hi
        )

    def __hash__(self) -> int:
        return hash(self.lo if self.lo == self.hi else (self.lo, self.hi, self.witnesses))

    def _compare(self, other: object, yes: Relation, no: Relation) -> bool:
        against = _as_certified(other)
        return NotImplemented if against is None else compare_surely(self, against, yes, no)

    # -- arithmetic with exact numbers, sums and differences ------------------------------------

    def __abs__(self) -> Certified:
        return self if self >= 0 else -self

    def __round__(self, places: int | None = None) -> float | int:
        """The number rounded to nearest, as for doubles; what may be published is ``to_double_up``.

        >>> from verify import epsilon
        >>> round(epsilon("0.01", 1, 1000, "1e-5"), 3), round(epsilon("0.01", 1, 1000, "1e-5"))
        (1.828, 2)
        """
        if math.isinf(self.hi):
            return round(float(self), places)
        if places is None:
            return int(f"{self:.0f}")
        return float(f"{self:.{places}f}") if places >= 0 else round(float(self), places)

    def __neg__(self) -> Certified:
        return self.scaled(Fraction(-1))

    def __add__(self, other: object) -> Certified:
        term = _as_certified(other)
        return NotImplemented if term is None else _sum(self, term)

    __radd__ = __add__

    def __sub__(self, other: object) -> Certified:
        term = _as_certified(other)
        return NotImplemented if term is None else _sum(self, -term)

    def __rsub__(self, other: object) -> Certified:
        return -self + other

    def __mul__(self, other: object) -> Certified:
        factor = exact_number(other)
        if isinstance(factor, Fraction) and (factor or not isinstance(self.hi, float)):
            return self.scaled(factor)
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Certified:
        divisor = exact_number(other)
        return self.scaled(1 / divisor) if isinstance(divisor, Fraction) else NotImplemented


def _as_certified(value: object) -> Certified | None:
    if isinstance(value, Certified):
        return value
    number = exact_number(value)
    return None if number is None else Certified.exactly(number)


def _sum(a: Certified, b: Certified) -> Certified:
    low, high = plus(a.lo, b.lo), plus(a.hi, b.hi)
    if low is None or high is None:
        raise OutOfDomain("the sum of inf and -inf is no number")
    refine = functools.partial(_refine_sum, a, b) if a.refine or b.refine else None
    witnesses = tuple(w for w in a.witnesses if b.lo == b.hi or w in b.witnesses)
    return Certified(low, high, refine, witnesses, max(a.max_seconds, b.max_seconds))


def _refine_sum(a: Certified, b: Certified, digits: int, deadline: Deadline) -> Certified:
    return _sum(again(a, digits, deadline), again(b, digits, deadline))


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
