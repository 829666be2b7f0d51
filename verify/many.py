"""Functions of three numbers that take lists and numpy arrays, too."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, overload

from verify.budget import DEFAULT_SECONDS
from verify.certified import Certified
from verify.curve import evaluate_many
from verify.divergence import DEFAULT_DIGITS
from verify.errors import OutOfDomain
from verify.point import Number, Point

Many: TypeAlias = Any
"""A number, a list of numbers, or a numpy array of them (which has no type without numpy)."""


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
        if not any(map(_is_many, (q, sigma, alpha))):
            return function(q, sigma, alpha, **options)
        columns, wrap = _columns(q, sigma, alpha)
        points = [Point.of(*row) for row in zip(*columns, strict=True)]
        digits = options.pop("digits", DEFAULT_DIGITS)
        seconds = options.pop("max_seconds", DEFAULT_SECONDS)
        check = options.pop("cross_check", False)
        if options:
            raise TypeError(f"{function.__name__}() got an unexpected argument {min(options)!r}")
        return wrap(evaluate_many(function.__name__, points, digits, seconds, check=check))

    return wrapper


def _is_many(value: object) -> bool:
    return isinstance(value, (list, tuple, range)) or (
        hasattr(value, "shape") and value.shape != ()
    )


def _columns(*given: Many) -> tuple[list[list[Any]], Callable[[list[Certified]], Any]]:
    """Three lists of one length, and how to give the results back."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and any(isinstance(x, numpy.ndarray) for x in given):
        # As objects: numpy would turn [0.1, "0.5"] into texts, and large integers into doubles.
        arrays = [x if isinstance(x, numpy.ndarray) else numpy.array(x, object) for x in given]
        try:
            arrays = numpy.broadcast_arrays(*arrays)
        except ValueError as error:
            raise OutOfDomain(f"q, sigma and alpha: {error}") from error
        return [a.ravel().tolist() for a in arrays], functools.partial(
            _array, numpy, arrays[0].shape
        )
    lengths = {len(x) for x in given if _is_many(x)}
    if len(lengths) > 1:
        raise OutOfDomain(
            f"q, sigma and alpha: lists of {sorted(lengths)} numbers do not go together"
        )
    length = lengths.pop()
    return [list(x) if _is_many(x) else [x] * length for x in given], list


def _array(numpy: Any, shape: tuple[int, ...], values: list[Certified]) -> Any:
    result = numpy.empty(len(values), dtype=object)
    result[:] = values
    return result.reshape(shape)
