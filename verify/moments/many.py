"""Functions of three numbers that take lists and numpy arrays, too."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, overload

from verify.moments.curve import evaluate_many
from verify.moments.divergence import DEFAULT_DIGITS
from verify.numbers.arrays import Many, columns, is_many
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.point import Number, Point

_PLAIN = (float, str, int, Fraction)  # recognised at once


class PointFunction(Protocol):
    """Numbers to a number; lists to a list, arrays to an array of the same shape."""

    @overload
    def __call__(
        self,
        q: Number,
        sigma: Number,
        alpha: Number,
        *,
        digits: int = ...,
        cross_check: bool = ...,
        max_seconds: float = ...,
    ) -> Certified: ...

    @overload
    def __call__(
        self,
        q: Many,
        sigma: Many,
        alpha: Many,
        *,
        digits: int = ...,
        cross_check: bool = ...,
        max_seconds: float = ...,
    ) -> Any: ...


def of_lists_too(function: Callable[..., Certified]) -> PointFunction:
    """Let a function of three numbers take lists and arrays; lists must be equally long."""

    @functools.wraps(function)
    def wrapper(q: Many, sigma: Many, alpha: Many, **options: Any) -> Any:
        if type(alpha) in _PLAIN and type(q) in _PLAIN and type(sigma) in _PLAIN:
            return function(q, sigma, alpha, **options)
        if not any(map(is_many, (q, sigma, alpha))):
            return function(q, sigma, alpha, **options)
        rows, wrap = columns("q, sigma and alpha", q, sigma, alpha)
        points = [Point.of(*row) for row in zip(*rows, strict=True)]
        digits = options.pop("digits", DEFAULT_DIGITS)
        seconds = options.pop("max_seconds", DEFAULT_SECONDS)
        check = options.pop("cross_check", False)
        if options:
            raise TypeError(f"{function.__name__}() got an unexpected argument {min(options)!r}")
        return wrap(evaluate_many(function.__name__, points, digits, seconds, check=check))

    return wrapper
