"""An exact number as a format specification, a notebook or a page of LaTeX wants it.

Formatting rounds the exact number once (half to even), not a double that was made of it before, so that it
is monotone: what both ends of an interval are printed as is what every number between them is.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from verify.numbers.decimals import exponent10

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<grouping>[,_])?(?:\.(?P<precision>\d+))?(?P<kind>[eEfFgG%])",
    re.DOTALL,
)


def is_for_numbers(spec: str) -> bool:
    """Whether a format specification is one of numbers: it ends in their letter.

    >>> is_for_numbers(".3f"), is_for_numbers(">20"), is_for_numbers("")
    (True, False, False)
    """
    return spec[-1:] in tuple("eEfFgG%")


def format_number(x: Fraction | float, spec: str) -> str:
    """x by a specification of numbers, as Python formats floats, to any precision.

    >>> format_number(Fraction(2, 3), ".3f"), format_number(Fraction(1, 3) / 10**9, ".25e")
    ('0.667', '3.3333333333333333333333333e-10')
    >>> format_number(Fraction(10**7), ",.1f"), format_number(Fraction(1, 8), "08.1%"), format_number(Fraction(5), "g")
    ('10,000,000.0', '00012.5%', '5')
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ValueError(f"invalid format specification {spec!r}")
    if isinstance(x, float):
        return format(x, spec)
    precision = int(match["precision"] or 6) if match["precision"] != "0" else 0
    body = _body(abs(x), precision, match["kind"], match["grouping"] or "")
    sign = "-" if x < 0 else (match["sign"] or "").replace("-", "")
    return _pad(sign, body, match)


def _body(x: Fraction, precision: int, kind: str, grouping: str) -> str:
    lower = kind.lower()
    if lower == "%":
        return _fixed_point(100 * x, precision, grouping) + "%"
    if lower == "f":
        return _fixed_point(x, precision, grouping)
    digits = max(precision, 1)
    text = _scientific(x, precision) if lower == "e" else _general(x, digits, grouping)
    return text.upper() if kind.isupper() else text


def _fixed_point(x: Fraction, places: int, grouping: str = "") -> str:
    shifted = Decimal((0, tuple(map(int, str(round(x * 10**places)))), -places))
    text = format(shifted, f"{',' if grouping else ''}.{places}f")
    return text.replace(",", grouping)


def _mantissa(x: Fraction, digits: int) -> tuple[int, int]:
    """So many digits as a whole number, and the exponent of the first."""
    if x == 0:
        return 0, 0
    e = exponent10(x)
    m = round(x / Fraction(10) ** (e - digits + 1))
    return (m // 10, e + 1) if m == 10**digits else (m, e)


def _scientific(x: Fraction, places: int) -> str:
    m, e = _mantissa(x, places + 1)
    digits = str(m).zfill(places + 1)
    return f"{digits[0]}{'.' if places else ''}{digits[1:]}e{e:+03d}"


def _general(x: Fraction, digits: int, grouping: str) -> str:
    _, e = _mantissa(x, digits)
    if -4 <= e < digits:
        return _without_zeros(_fixed_point(x, digits - 1 - e, grouping))
    mantissa, _, exponent = _scientific(x, digits - 1).partition("e")
    return f"{_without_zeros(mantissa)}e{exponent}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _pad(sign: str, body: str, match: re.Match[str]) -> str:
    width = int(match["width"] or 0)
    fill, align = match["fill"] or " ", match["align"] or ">"
    if match["zero"] and not match["align"]:
        fill, align = "0", "="
    if align == "=":
        return sign + body.rjust(width - len(sign), fill)
    return format(sign + body, f"{fill}{align}{width}")


def with_ellipsis(text: str) -> str:
    """A decimal that has more digits than are shown.

    >>> with_ellipsis("0.333"), with_ellipsis("6.298e-04")
    ('0.333…', '6.298…e-04')
    """
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}…{e}{exponent}"


def latex(text: str) -> str:
    r"""A decimal, as this project prints it, in LaTeX.

    >>> latex("6.3e-04"), latex("inf"), latex("[-0.1, 0.1]")
    ('6.3 \\times 10^{-4}', '\\infty', '[-0.1, 0.1]')
    """
    text = text.replace("inf", r"\infty").replace("…", r"\ldots")
    return re.sub(r"e([+-]\d+)", lambda found: rf" \times 10^{{{int(found[1])}}}", text)
