"""Options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import click

from verify.budget import DEFAULT_SECONDS
from verify.certified import Certified
from verify.divergence import DEFAULT_DIGITS
from verify.point import Point

F = TypeVar("F", bound=Callable[..., Any])


def digits(f: F) -> F:
    return click.option(
        "--digits", type=int, default=DEFAULT_DIGITS, show_default=True, help="Significant digits."
    )(f)


def max_seconds(f: F) -> F:
    return click.option(
        "--max-seconds",
        type=float,
        default=DEFAULT_SECONDS,
        show_default=True,
        help="Time allowed for each number; when it runs out the answer is an error.",
    )(f)


def as_json(f: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(f)


def exact_text(x: Fraction | None) -> str:
    """A parameter written so that it reads back as exactly the same number.

    >>> exact_text(Fraction(1, 8)), exact_text(Fraction(1, 3)), exact_text(None)
    ('0.125', '1/3', 'inf')
    """
    if x is None:
        return "inf"
    if x.denominator == 1 and abs(x) < 10**15:
        return str(x.numerator)
    for places in range(1, 40):
        scaled = x * 10**places
        if scaled.denominator == 1:
            text = f"{scaled.numerator:0{places + 1}d}"
            return (
                f"{text[:-places]}.{text[-places:]}"
                if places <= 12
                else f"{text.lstrip('0')}e-{places}"
            )
    return f"{x.numerator}/{x.denominator}"


def point_json(point: Point) -> dict[str, str]:
    return {
        "q": exact_text(point.q),
        "sigma": exact_text(point.sigma),
        "alpha": exact_text(point.alpha),
    }


def number_json(number: Certified, digits: int) -> dict[str, str]:
    """Outward-rounded decimals, and the correctly rounded doubles in hexadecimal."""
    return {
        "lo": number.lo_str(digits + 3),
        "hi": number.hi_str(digits + 3),
        "double": number.to_double().hex(),
        "double_up": number.to_double_up().hex(),
    }


def emit(value: object) -> None:
    """One JSON document on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))
