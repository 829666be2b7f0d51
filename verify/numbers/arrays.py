"""Lists and numpy arrays where a number goes: columns of one length, and results in the shape they came in."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from verify.numbers.errors import OutOfDomain

Many: TypeAlias = Any
"""A number, a list of numbers, or a numpy array of them (which has no type without numpy)."""


def is_many(value: object) -> bool:
    """Whether a value is a list or an array with dimensions."""
    return isinstance(value, (list, tuple, range)) or (
        hasattr(value, "shape") and value.shape != ()
    )


def columns(names: str, *given: Many) -> tuple[list[list[Any]], Callable[[list[Any]], Any]]:
    """Lists of one length, and how to give the results back. ``names`` stands in the error.

    >>> columns("q and sigma", [0.1, 0.2], 1)[0]
    [[0.1, 0.2], [1, 1]]
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and any(isinstance(x, numpy.ndarray) for x in given):
        # As objects: numpy would turn [0.1, "0.5"] into texts, and large integers into doubles.
        arrays = [x if isinstance(x, numpy.ndarray) else numpy.array(x, object) for x in given]
        try:
            arrays = numpy.broadcast_arrays(*arrays)
        except ValueError as error:
            raise OutOfDomain(f"{names}: {error}") from error
        shape = arrays[0].shape
        return [a.ravel().tolist() for a in arrays], functools.partial(_array, numpy, shape)
    lengths = {len(x) for x in given if is_many(x)}
    if len(lengths) > 1:
        raise OutOfDomain(f"{names}: lists of {sorted(lengths)} numbers do not go together")
    length = lengths.pop()
    return [list(x) if is_many(x) else [x] * length for x in given], list


def _array(numpy: Any, shape: tuple[int, ...], values: list[Any]) -> Any:
    result = numpy.empty(len(values), dtype=object)
    result[:] = values
    return result.reshape(shape)


F = TypeVar("F", bound=Callable[..., Any])


def rowwise(*names: str) -> Callable[[F], F]:
    """Let the first arguments of a function, which have these names, be lists or arrays: it is called for each row."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def wrapper(*given: Many, **options: Any) -> Any:
            named = {name: options[name] for name in names[len(given) :] if name in options}
            if not any(map(is_many, (*given[: len(names)], *named.values()))):
                return function(*given, **options)
            first = given[: len(names)]
            rows, wrap = columns(", ".join(names), *first, *named.values())
            rest = {name: value for name, value in options.items() if name not in named}
            return wrap(
                [
                    function(
                        *row[: len(first)],
                        *given[len(names) :],
                        **dict(zip(named, row[len(first) :], strict=True)),
                        **rest,
                    )
                    for row in zip(*rows, strict=True)
                ]
            )

        return cast(F, wrapper)

    return decorate
