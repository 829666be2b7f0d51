"""Formulas changed a little, by rewriting their trees: whatever the formula is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from proofs_checks.tools.formula import AnyFormula, Formula, Several, rebuilt

MILLIONTH = sympy.Rational(1, 10**6)
Path = tuple[int, ...]


def constants(expr: sympy.Expr, path: Path = ()) -> Iterator[Path]:
    """Where numbers stand that somebody wrote: not the -1 in 1/x, -x or a - b, no limits of a range."""
    for index, argument in enumerate(expr.args):
        here = (*path, index)
        if isinstance(argument, sympy.Rational):
            sign = argument == -1 and isinstance(expr, sympy.Mul | sympy.Pow)
            # Integral and Limit put a factor 1 or a direction of their own
            if not sign and not isinstance(expr, sympy.Tuple | sympy.Limit):
                yield here
        elif not isinstance(argument, sympy.Tuple):
            yield from constants(argument, here)


def sums(expr: sympy.Expr, path: Path = ()) -> Iterator[Path]:
    """Where a second term of a sum stands."""
    for index, argument in enumerate(expr.args):
        here = (*path, index)
        if isinstance(expr, sympy.Add) and index == 1:
            yield here
        if not isinstance(argument, sympy.Tuple):
            yield from sums(argument, here)


def at(expr: sympy.Expr, path: Path) -> sympy.Expr:
    return at(expr.args[path[0]], path[1:]) if path else expr


def put(expr: sympy.Expr, path: Path, new: sympy.Expr) -> sympy.Expr:
    if not path:
        return new
    arguments = list(expr.args)
    arguments[path[0]] = put(arguments[path[0]], path[1:], new)
    return rebuilt(expr, arguments)


def nudged(number: sympy.Rational, step: sympy.Rational) -> sympy.Rational:
    return number * (1 + step) if number else step


def in_sides(formula: Formula) -> Iterator[tuple[str, Formula]]:
    """One number nudged up or down, one sign of a sum turned."""
    for index, side in enumerate(formula.sides):
        whole = [((), "")] if isinstance(side, sympy.Rational) else []
        for path, _ in [*((p, "") for p in constants(side)), *whole]:
            number = at(side, path)
            for step in (MILLIONTH, -MILLIONTH):
                new = put(side, path, nudged(number, step))
                label = f"side {index}: {number} times 1 {'+' if step > 0 else '-'} 1e-6 at {path}"
                yield label, _with_side(formula, index, new)
        for path in sums(side):
            with sympy.evaluate(False):
                new = put(side, path, -at(side, path))
            yield f"side {index}: sign at {path}", _with_side(formula, index, new)


def _with_side(formula: Formula, index: int, new: sympy.Expr) -> Formula:
    sides = list(formula.sides)
    sides[index] = new
    return replace(formula, sides=tuple(sides))


def changes(formula: AnyFormula) -> Iterator[tuple[str, AnyFormula]]:
    """Every such change of a formula, and inequalities with their outer sides exchanged."""
    if isinstance(formula, Several):
        for index, part in enumerate(formula.formulas):
            for label, new in changes(part):
                parts = list(formula.formulas)
                assert isinstance(new, Formula)
                parts[index] = new
                yield f"part {index}, {label}", replace(formula, formulas=tuple(parts))
        return
    yield from in_sides(formula)
    if set(formula.relations) != {"="}:
        yield "sides exchanged", formula.exchanged()
