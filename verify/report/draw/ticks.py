"""Labels of logarithmic axes in plain characters: text that the page can search and colour."""

from __future__ import annotations

import math
from typing import Any

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value: float, _position: int | None = None) -> str:
    """A tick of a logarithmic axis in plain characters; nothing between powers of ten.

    >>> power_of_ten(0.001), power_of_ten(10.0), power_of_ten(30.0), power_of_ten(-0.1)
    ('10⁻³', '10', '', '−10⁻¹')
    """
    if value < 0:
        return "−" + text if (text := power_of_ten(-value)) else ""
    exponent = math.log10(value) if value > 0 else 0.5
    if abs(exponent - round(exponent)) > 1e-9:
        return ""
    whole = round(exponent)
    return {0: "1", 1: "10", 2: "100"}.get(whole, "10" + str(whole).translate(_SUPERSCRIPTS))


def log_ticks(*axes: Any) -> None:
    """Label those that are logarithmic and have no labels of their own."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

    for axis in axes:
        if axis.get_scale() == "linear" or isinstance(axis.get_major_locator(), FixedLocator):
            continue
        axis.set_major_formatter(FuncFormatter(power_of_ten))
        low, high = axis.get_view_interval()
        narrow = high < 30 * low  # too few powers of ten to read a scale from
        axis.set_minor_formatter(FuncFormatter(two_or_five) if narrow else NullFormatter())


def two_or_five(value: float, _position: int | None = None) -> str:
    """A tick between powers of ten, where there is room for few.

    >>> two_or_five(0.05), two_or_five(3.0)
    ('0.05', '')
    """
    return f"{value:g}" if f"{value:e}"[:4] in ("2.00", "5.00") else ""
