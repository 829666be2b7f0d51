"""What somebody wrote in a spec: the right kind of thing, or one clear error."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from verify.numbers.errors import OutOfDomain
from verify.numbers.point import MAX_TEXT, exact, exact_text

PRINTABLE = 14_000  # bits of a number that Python writes out: 4300 digits, less a few


def number(name: str, given: Any) -> Fraction | None:
    """The exact rational somebody wrote (TOML's 0.01 is one hundredth); None is infinity."""
    if isinstance(given, bool) or not isinstance(given, (int, str)):
        raise OutOfDomain(f"{name} = {quote(given)}: must be a number")
    x = exact(name, given, "a number")
    return x if x is None else readable(name, x, given)


def readable(name: str, x: Fraction, given: Any) -> Fraction:
    """A spec travels as text, which must be readable again."""
    bits = max(abs(x.numerator), x.denominator).bit_length()
    if bits > PRINTABLE or len(exact_text(x)) > MAX_TEXT:
        raise OutOfDomain(f"{name} = {quote(given)}: as a ratio has more than {MAX_TEXT} digits")
    return x


def quote(given: Any) -> str:
    """The beginning of what somebody wrote.

    >>> quote("a"), quote(16**5000)
    ("'a'", '<int>')
    """
    try:
        return f"{given!r:.40}"
    except (ValueError, RecursionError):  # an integer too long to print, or too deep a table
        return f"<{type(given).__name__}>"


def many(count: int) -> str:
    """A number of points, however large.

    >>> many(12345), many(10**400)
    ('12345', 'over 10^399')
    """
    return (
        str(count) if count < 10**18 else f"over 10^{int((count.bit_length() - 1) * math.log10(2))}"
    )


def whole_number(name: str, given: Any, low: int, high: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise OutOfDomain(f"{name} = {quote(given)}: must be a whole number from {low} to {high}")
    return given


def flag(name: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise OutOfDomain(f"{name} = {quote(given)}: must be true or false")
    return given


def only(table: dict[str, Any], allowed: set[str], where: str) -> None:
    """Refuse keys that mean nothing here: a misspelt one must not be ignored."""
    for key in table:
        if key not in allowed:
            raise OutOfDomain(
                f"{where}: unknown key {quote(key)}; there are {', '.join(sorted(allowed))}"
            )
