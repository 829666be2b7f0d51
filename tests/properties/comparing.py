"""Certified comparisons: digits are added until the order of two numbers is clear."""

from __future__ import annotations

from collections.abc import Callable

from verify.numbers.certified import Certified

_DIGITS = (15, 40, 120, 300)


def surely_at_least(left: Callable[[int], Certified], right: Callable[[int], Certified]) -> bool:
    """left >= right for the true values; an order that never becomes clear is an error."""
    for digits in _DIGITS:
        x, y = left(digits), right(digits)
        if x.lo >= y.hi:
            return True
        if x.hi < y.lo:
            return False
    raise AssertionError(f"still undecided at {_DIGITS[-1]} digits: {x} and {y}")


def constant(value: Certified) -> Callable[[int], Certified]:
    return lambda digits: value
