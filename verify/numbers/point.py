"""Exact, validated parameters.

A number means exactly what was written: the float 0.01 is the binary number
0.01000000000000000020816..., the string "0.01" is one hundredth. Nothing is rounded on the way in.

>>> Point.of(0.01, 1, 2).q == Point.of("0.01", 1, 2).q
False
>>> Point.of("1/100", "0x1.8p-3", "1e1").sigma
Fraction(3, 16)
"""

from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, Inexact, localcontext
from fractions import Fraction
from typing import TypeAlias

from verify.numbers.certified import nearest_double
from verify.numbers.errors import OutOfDomain

Number: TypeAlias = int | float | Fraction | Decimal | str
"""What a parameter may be given as; numpy scalars count as the numbers they hold."""

# Sizes beyond which a parameter is refused instead of being carried along: a few thousand digits
# serve every honest use, and a ten-byte string such as "1e999999999" must not cost a gigabyte.
MAX_TEXT = 4000
MAX_EXPONENT = 4000
MAX_BITS = 16_384

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?", re.ASCII)
_HEX = re.compile(
    r"([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?\d{1,9}))?", re.ASCII
)
_RATIO = re.compile(r"([+-]?\d+)\s*/\s*(\d+)", re.ASCII)
_INFINITE = {"inf", "+inf", "infinity", "+infinity"}


@dataclass(frozen=True, slots=True)
class Point:
    """Sampling rate q in [0, 1], noise sigma > 0, order alpha >= 1 (None means infinity)."""

    q: Fraction
    sigma: Fraction
    alpha: Fraction | None

    @classmethod
    def of(cls, q: Number, sigma: Number, alpha: Number) -> Point:
        """Validate three numbers of any supported kind.

        >>> Point.of(2, 1, 2)
        Traceback (most recent call last):
        ...
        verify.numbers.errors.OutOfDomain: q = 2: must be a number in [0, 1]

        Args:
            q: Sampling rate in [0, 1].
            sigma: Noise multiplier > 0.
            alpha: Order >= 1, or "inf".

        Returns:
            The point, its numbers exact.

        Raises:
            OutOfDomain: One of them is not a number, or not in its domain.
        """
        exact_q = exact("q", q, "a number in [0, 1]")
        exact_sigma = exact("sigma", sigma, "a finite number > 0")
        if exact_q is None or not 0 <= exact_q <= 1:
            raise out_of_domain("q", q, "a number in [0, 1]")
        if exact_sigma is None or exact_sigma <= 0:
            raise out_of_domain("sigma", sigma, "a finite number > 0")
        return cls(exact_q, exact_sigma, None).at_order(alpha)

    def at_order(self, alpha: Number) -> Point:
        """The point of the same mechanism at another order."""
        order = exact("alpha", alpha, "a number >= 1, or inf")
        if order is not None and order < 1:
            raise out_of_domain("alpha", alpha, "a number >= 1, or inf")
        return Point(self.q, self.sigma, order)

    def __str__(self) -> str:
        alpha = "inf" if self.alpha is None else shown(self.alpha)
        return f"q = {shown(self.q)}, sigma = {shown(self.sigma)}, alpha = {alpha}"


def shown(x: Fraction) -> str:
    """An exact parameter as text for people: as short as possible, and rounded only if it is long.

    >>> shown(Fraction(1, 8)), shown(Fraction(1, 3)), shown(Fraction(0.1)), shown(Fraction(10) ** -400)
    ('0.125', '1/3', '0.1', '1e-400')
    """
    if x.denominator == 1 and abs(x) < 10**15:
        return str(x.numerator)
    with localcontext() as context:
        context.prec = 25
        context.Emax, context.Emin = MAX_EMAX, MIN_EMIN
        decimal = Decimal(x.numerator) / Decimal(x.denominator)
        if not context.flags[Inexact]:
            return f"{decimal.normalize():g}"
        if x.numerator.bit_length() <= 53 and Fraction(nearest_double(x)) == x:
            return repr(nearest_double(x))
        ratio = f"{x.numerator}/{x.denominator}" if x.denominator.bit_length() < 40 else ""
        return ratio if 0 < len(ratio) <= 14 else f"{decimal:.12g}"


def exact_text(x: Fraction | None) -> str:
    """A parameter written so that it reads back as exactly the same number; one text for one number.

    >>> exact_text(Fraction(1, 8)), exact_text(Fraction(-1, 20)), exact_text(Fraction(1, 3)), exact_text(None)
    ('0.125', '-0.05', '1/3', 'inf')
    """
    if x is None:
        return "inf"
    if x.denominator == 1:
        return str(x.numerator)
    if x < 0:
        return f"-{exact_text(-x)}"
    places = _places(x.denominator)
    if places is None or places >= 40:
        return f"{x.numerator}/{x.denominator}"
    text = f"{x.numerator * (10**places // x.denominator):0{places + 1}d}"
    return f"{text[:-places]}.{text[-places:]}" if places <= 12 else f"{text.lstrip('0')}e-{places}"


def _places(denominator: int) -> int | None:
    """The decimal places of a fraction in lowest terms; None if its decimals never end.

    >>> _places(1), _places(8), _places(50), _places(3)
    (0, 3, 2, None)
    """
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest > 1:
        rest, remainder = divmod(rest, 5)
        if remainder:
            return None
        fives += 1
    return max(twos, fives)


def out_of_domain(name: str, value: object, allowed: str) -> OutOfDomain:
    try:
        text = value if isinstance(value, str) else str(value)
        text = repr(text) if isinstance(value, str) else text
    except Exception:  # noqa: BLE001  # a hostile __str__, or an int too long to print
        text = f"<{type(value).__name__}>"
    if len(text) > 60:
        text = text[:57] + "..."
    return OutOfDomain(f"{name} = {text}: must be {allowed}")


def exact(name: str, value: object, allowed: str) -> Fraction | None:
    """The rational that value stands for, None for +infinity; OutOfDomain for all else."""
    try:
        result = _rational(value)
    except _OutOfProportion as error:
        size = f"of at most {MAX_TEXT} characters, with an exponent up to {MAX_EXPONENT}"
        raise out_of_domain(name, value, f"{allowed}, {size}") from error
    except Exception as error:  # whatever a foreign number type raises
        raise out_of_domain(name, value, allowed) from error
    if result is not None and max(_bits(result.numerator), _bits(result.denominator)) > MAX_BITS:
        raise out_of_domain(name, value, f"{allowed}, of at most {MAX_BITS} bits")
    return result


class _OutOfProportion(ValueError):
    """The number has too many digits to be a parameter."""


def _bits(n: int) -> int:
    return n.bit_length()


def _rational(value: object) -> Fraction | None:
    if type(value) is float and math.isfinite(value):  # the usual case, without a look at the rest
        return Fraction(value)
    if getattr(value, "shape", None) == () and not isinstance(value, numbers.Number):
        value = value.item()  # type: ignore[attr-defined]  # a numpy array without dimensions
    if isinstance(value, bool):
        raise TypeError("a truth value is not a number")
    if isinstance(value, str):
        return _parse(value)
    if isinstance(value, Decimal):
        if value.is_infinite() and value > 0:
            return None
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or abs(exponent) > MAX_EXPONENT:
            raise ValueError("not a finite decimal of reasonable size")
        return Fraction(value)
    if isinstance(value, numbers.Rational):  # int, Fraction, numpy integers
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):  # float, numpy floats
        if value == math.inf:  # not float(value): a long double may be beyond all doubles
            return None
        numerator, denominator = value.as_integer_ratio()  # type: ignore[attr-defined]  # floats have it
        return Fraction(int(numerator), int(denominator))
    raise TypeError("not a real number")


def _parse(text: str) -> Fraction | None:
    text = text.strip()
    if len(text) > MAX_TEXT:
        raise _OutOfProportion
    if text.lower() in _INFINITE:
        return None
    if match := _RATIO.fullmatch(text):
        return Fraction(int(match[1]), int(match[2]))
    for pattern, base, scale in ((_HEX, 16, 2), (_DECIMAL, 10, 10)):
        if match := pattern.fullmatch(text):
            sign, whole, part, exponent = match[1], match[2] or "", match[3] or "", match[4] or "0"
            power = int(exponent)
            if not whole + part:
                raise ValueError("no digits")
            if abs(power) > MAX_EXPONENT:
                raise _OutOfProportion
            magnitude = Fraction(int(whole + part, base), base ** len(part))
            return magnitude * Fraction(scale) ** power * (-1 if sign == "-" else 1)
    raise ValueError("not a number")
