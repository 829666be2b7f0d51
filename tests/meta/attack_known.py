"""What is known of numbers that stand in no formula: which way a claim gets weaker, and where it is false."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs_checks.paper import bound
from verify import rdp

CLOSEST = Fraction(27, 200), Fraction(4), Fraction(51, 10)
"""q, sigma, alpha of the main theorem's region where epsilon is largest against the bound."""


def _share() -> Fraction:
    """epsilon sigma^2/(q^2 alpha) at that point, from below: no smaller constant is true."""
    return Fraction(rdp(*CLOSEST, digits=20).lo) * 2 / bound(*CLOSEST)


FALSE_BEYOND: dict[tuple[str, str], Callable[[Fraction], bool]] = {
    ("main-theorem/statement", "constant"): lambda c: c < _share(),
    ("table-1/this-work/closed-form", "constant"): lambda c: c < _share(),
    ("discussion/sgm-and-zcdp", "share"): lambda c: c < 1,
    ("discussion/sgm-and-zcdp", "limit"): lambda c: c != 1,
    ("discussion/sgm-and-rdp", "share"): lambda c: c < 1,
    ("beyond/zcdp/exact-constant", "rho"): lambda c: c != Fraction(1, 2),
}
"""By claim and parameter: whether a certified counterexample excludes the number."""

WEAKER: dict[tuple[str, str], tuple[str, str]] = {}
"""Which way the claim follows from itself (larger, smaller, both), and why."""
