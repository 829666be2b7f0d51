"""Counterexamples that are exact, or certified by balls, never floating point.

>>> exact_counterexample(Fraction(4, 3), "==", Fraction(5, 4), "Bernoulli, order 1").role
<Role.COUNTEREXAMPLE: 'counterexample'>
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from verify.claims import Evidence, StepFails, Undecided, certified_points, symbolic

_EXACT: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
_SURELY: dict[str, Callable[[arb, arb], bool]] = {
    "<": lambda x, y: bool(x < y),
    "<=": lambda x, y: bool(x <= y),
    ">": lambda x, y: bool(x > y),
    ">=": lambda x, y: bool(x >= y),
}
_NOT = {
    "<": "is not below",
    "<=": "is above",
    ">": "is not above",
    ">=": "is below",
    "==": "is not",
}
_NEGATION = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def exact_counterexample(left: Fraction, relation: str, right: Fraction, detail: str) -> Evidence:
    """The claimed ``left relation right`` is false in exact arithmetic; Rejected if it is true."""
    if _EXACT[relation](Fraction(left), Fraction(right)):
        raise StepFails(f"no counterexample: {left} {relation} {right} ({detail})")
    return symbolic(detail=f"{detail}: {left} {_NOT[relation]} {right}").against()


def certified_counterexample(left: arb, relation: str, right: arb, detail: str) -> Evidence:
    """The claimed ``left relation right`` is surely false for these balls."""
    if _SURELY[_NEGATION[relation]](left, right):
        shown = f"{left.str(12, radius=False)} {_NOT[relation]} {right.str(12, radius=False)}"
        return certified_points(detail=f"{detail}: {shown}").against()
    if _SURELY[relation](left, right):
        raise StepFails(f"no counterexample: {detail}")
    raise Undecided(f"balls too wide to tell: {detail}")


def surely(left: arb, relation: str, right: arb, detail: str) -> Evidence:
    """``left relation right`` holds for these balls; Rejected if it surely fails."""
    if _SURELY[relation](left, right):
        return certified_points(detail=detail)
    if _SURELY[_NEGATION[relation]](left, right):
        raise StepFails(f"{detail}: {left.str(12)} {relation} {right.str(12)} is false")
    raise Undecided(f"balls too wide to tell: {detail}")
