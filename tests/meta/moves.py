"""The numbers of a check, and other numbers in their place.

What a parameter can be is what it is declared to be: a ``Literal`` has its other choices, an ``int`` is a
whole number and moved by one, everything else is a real number and moved by the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from inspect import signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

import sympy

from proofs_checks.tools.formula import AnyFormula, Formula, Several
from tests.meta.attack_known import CEILINGS, EDGES
from tests.meta.truth import known_false
from tests.proofs_checks.changes import at, constants, put
from verify.claims import Claim

STEPS = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))
FAR = tuple(map(Fraction, ("11/10", "3/2", "3", "10", "1000")))


@dataclass(frozen=True)
class Number:
    """One number of a check: where it stands, and how to put another one there."""

    parameter: str
    place: str
    value: Fraction
    whole: Any
    path: tuple[int, ...] = ()
    part: int = -1
    side: int = -1
    counted: bool = False
    choices: tuple[int, ...] = ()

    def moved(self, new: Fraction) -> Any:
        """The parameter with another number."""
        if isinstance(self.whole, Several):
            formulas = list(self.whole.formulas)
            formulas[self.part] = self._in_formula(formulas[self.part], new)
            return replace(self.whole, formulas=tuple(formulas))
        if isinstance(self.whole, Formula):
            return self._in_formula(self.whole, new)
        if isinstance(self.whole, tuple):
            return (
                *self.whole[: self.part],
                self._like(self.whole[self.part], new),
                *self.whole[self.part + 1 :],
            )
        return self._like(self.whole, new)

    def _in_formula(self, formula: Formula, new: Fraction) -> Formula:
        sides = list(formula.sides)
        sides[self.side] = put(sides[self.side], self.path, sympy.Rational(new))
        return replace(formula, sides=tuple(sides))

    def _like(self, old: Any, new: Fraction) -> Any:
        if isinstance(old, sympy.Basic):
            return put(old, self.path, sympy.Rational(new))
        if isinstance(old, float):
            return float(new)
        return int(new) if self.counted or self.choices else new


def _leaves(side: sympy.Expr) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    paths = [()] if isinstance(side, sympy.Rational) else list(constants(side))
    for path in paths:
        number = at(side, path)
        yield path, Fraction(int(number.p), int(number.q))


def numbers(claim: Claim) -> Iterator[Number]:
    """The numbers of a check, parameter by parameter."""
    declared = get_type_hints(claim.function)
    for name, parameter in signature(claim.function).parameters.items():
        whole = parameter.default
        if isinstance(whole, Formula | Several):
            formulas = whole.formulas if isinstance(whole, Several) else (whole,)
            for part, formula in enumerate(formulas):
                for index, side in enumerate(formula.sides):
                    for path, value in _leaves(side):
                        label = f"part {part}, side {index}, {path}"
                        yield Number(name, label, value, whole, path, part, index)
        elif isinstance(whole, sympy.Expr):
            for path, value in _leaves(whole):
                yield Number(name, f"{path}", value, whole, path)
        elif isinstance(whole, tuple):
            counted = int in get_args(declared.get(name))
            for index, item in enumerate(whole):
                place = f"item {index}"
                if _is_number(item):
                    yield Number(name, place, Fraction(item), whole, part=index, counted=counted)
                elif isinstance(item, sympy.Expr):
                    for path, value in _leaves(item):
                        yield Number(name, f"{place}, {path}", value, whole, path, index)
        elif _is_number(whole):
            yield _plain(name, whole, declared.get(name))


def _plain(name: str, whole: Any, declared: Any) -> Number:
    choices = get_args(declared) if get_origin(declared) is Literal else ()
    return Number(name, "", Fraction(whole), whole, counted=declared is int, choices=choices)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction | float) and not isinstance(value, bool | Enum)


@dataclass(frozen=True)
class Variant:
    number: Number
    new: Fraction
    label: str


def variants(
    claim: Claim, number: Number, steps: tuple[Fraction, ...] = STEPS
) -> Iterator[Variant]:
    """The number moved by the steps, both ways; and past the point where its formula gets false."""
    if number.choices or number.counted:
        yield from _other_settings(number)
        return
    for step in steps:
        for sign in (1, -1):
            new = number.value * (1 + sign * step) if number.value else sign * step
            yield Variant(number, new, f"{'+' if sign > 0 else '-'}{float(step):g}")
    for sign, edges in ((-1, EDGES), (1, CEILINGS)):
        if known := edges.get((claim.id, number.parameter)):
            for step in steps:
                label = f"{'above' if sign > 0 else 'below'} the truth by {float(step):g}"
                yield Variant(number, known() * (1 + sign * step), label)
    if isinstance(number.whole, Formula | Several) and number.value:
        for sign in (1, -1):
            edge = _edge(number.whole, number, sign, steps[-1])
            for step in steps if edge else ():
                new = number.value * (edge * (1 + step) if sign > 0 else edge / (1 + step))
                yield Variant(number, new, f"past {float(edge):.9g} by {float(step):g}")


def _other_settings(number: Number) -> Iterator[Variant]:
    """The other choices of a switch, and both neighbours of a whole number."""
    for choice in number.choices:
        if choice != number.value:
            yield Variant(number, Fraction(choice), f"of {number.choices}")
    for step in (1, -1) if number.counted else ():
        yield Variant(number, number.value + step, f"{step:+d}")


def _edge(own: AnyFormula, number: Number, sign: int, least: Fraction) -> Fraction | None:
    """The factor from which on a counterexample is known; None if there is none, or from the start."""

    def false(factor: Fraction) -> bool:
        real = factor if sign > 0 else 1 / factor
        return bool(known_false(own, number.moved(number.value * real)))

    if false(1 + least):
        return None
    low, high = 1 + least, next((f for f in FAR if false(f)), None)
    if high is None:
        return None
    for _ in range(24):  # to 1e-7 of the way
        middle = ((low + high) / 2).limit_denominator(10**9)
        low, high = (low, middle) if false(middle) else (middle, high)
    return high if sign > 0 else 1 / high
