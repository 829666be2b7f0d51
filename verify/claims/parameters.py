"""What the parameters of a check can be: as they are declared.

A parameter declared ``int`` is a whole number and one declared as a ``Literal`` has its choices:
any other value would make another statement, or none, so checks are never given it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, Literal, get_args, get_origin, get_type_hints

Sign = Literal[1, -1]


@functools.cache
def declared_types(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The types of a function's parameters, as far as they can be had."""
    try:
        return get_type_hints(function)
    except NameError:  # of a module that only type checkers import
        return {}


def misfit(function: Callable[..., Any], parameters: Mapping[str, Any]) -> str:
    """What is wrong with the first parameter that is not of its kind; empty if there is none.

    >>> def check(count: int, sign: Literal[1, -1] = 1, orders: tuple[int, ...] = ()): ...
    >>> misfit(check, {"count": 3, "sign": -1, "orders": (2, 3)})
    ''
    >>> misfit(check, {"count": 5 / 2})
    'count is a whole number, not 2.5'
    >>> misfit(check, {"sign": 0})
    'sign is one of 1, -1, not 0'
    """
    kinds = declared_types(function)
    wrong = (_wrong(kinds.get(name), value) for name, value in parameters.items())
    return next((f"{name} {why}" for name, why in zip(parameters, wrong, strict=True) if why), "")


def _wrong(kind: Any, value: Any) -> str:
    if get_origin(kind) is Literal and value not in get_args(kind):
        return f"is one of {', '.join(map(str, get_args(kind)))}, not {value}"
    if kind is int and not isinstance(value, Integral):
        return f"is a whole number, not {value}"
    if get_origin(kind) is tuple and set(get_args(kind)) <= {int, ...}:
        return next((why for why in (_wrong(int, item) for item in value) if why), "")
    return ""
