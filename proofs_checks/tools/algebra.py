"""Exact identities and integrals with sympy: equal means the difference simplifies to zero.

sympy's answer "not simplified to zero" refutes nothing. An identity is rejected only when balls
show the two sides apart at some rational point; otherwise it is undecided.

>>> x = sympy.Symbol("x", positive=True)
>>> identity(sympy.exp(2 * sympy.log(x)), x**2).level
<Level.SYMBOLIC: 'symbolic'>
>>> identity((x + 1) ** 2, x**2 + 1)
Traceback (most recent call last):
...
verify.claims.model.StepFails: sides differ at x = ...
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.tools.balls import ball, rational
from verify.balls import precision
from verify.claims import Evidence, Rejected, StepFails, Undecided, symbolic

Point = Mapping[sympy.Symbol, Fraction]

_ROUTES: tuple[Callable[[sympy.Expr], sympy.Expr], ...] = (
    sympy.expand,
    lambda e: sympy.expand(sympy.expand_log(sympy.expand_power_base(e), force=True)),
    sympy.simplify,
    lambda e: sympy.simplify(
        sympy.expand_log(sympy.powsimp(sympy.expand(e), force=True), force=True)
    ),
    lambda e: sympy.simplify(sympy.logcombine(e, force=True)),
    lambda e: sympy.simplify(e.rewrite(sympy.exp)),
)


def is_zero(expr: sympy.Expr) -> bool:
    """Whether exact rewriting brings the expression to zero.

    Symbols should be declared positive where logarithms and powers are to be combined.
    """
    return any(route(expr) == 0 for route in _ROUTES)


def identity(
    left: sympy.Expr, right: sympy.Expr, detail: str = "", *, at: Iterable[Point] = ()
) -> Evidence:
    """left = right for all values of the symbols, by exact algebra.

    Points where the two sides are compared first, to reject a false identity quickly, are drawn in
    (0, 9) unless ``at`` gives them (a domain that such points leave needs it).
    """
    difference = sympy.sympify(left) - sympy.sympify(right)
    if difference == 0:
        return symbolic(detail=detail or f"{left} = {right}")
    for point in list(at) or _points(difference):
        if _apart(difference, point):
            where = ", ".join(f"{s} = {v}" for s, v in point.items())
            raise StepFails(f"sides differ at {where or 'a constant'}")
    if is_zero(difference):
        return symbolic(detail=detail or f"{left} = {right}")
    raise Undecided(f"not shown to vanish: {difference}")


def positive(expr: sympy.Expr, detail: str = "", *, strict: bool = True) -> Evidence:
    """expr > 0 (or >= 0) by the signs that its symbols are declared with, exactly.

    Good for sums and products of positive things after expanding; anything subtler needs calculus
    or the interval prover.

    >>> u = sympy.Symbol("u", positive=True)
    >>> positive((1 + u) ** 3 - 1 - 3 * u, strict=True).level
    <Level.SYMBOLIC: 'symbolic'>
    """
    expr = sympy.sympify(expr)
    forms = [expr]
    for route in (sympy.expand, sympy.factor, lambda e: sympy.expand_log(e, force=True)):
        forms.append(route(expr))
    for form in forms:
        known = form.is_positive if strict else form.is_nonnegative
        if known:
            return symbolic(detail=detail or f"{expr} has its sign from its terms")
        if known is False and not form.free_symbols:
            raise Rejected(f"{expr} is not positive")
    for point in _points(expr):
        with precision(200):
            value = ball(expr, {s: rational(v) for s, v in point.items()})
        if value < 0 or (strict and value <= 0):
            where = ", ".join(f"{s} = {v}" for s, v in point.items())
            raise Rejected(f"{expr} is negative at {where}")
    raise Undecided(f"sign not settled: {expr}")


def _points(expr: sympy.Expr) -> list[dict[sympy.Symbol, Fraction]]:
    draw = random.Random(1)  # reproducible
    names = sorted(expr.free_symbols, key=lambda s: s.name)
    return [
        {n: Fraction(draw.randint(2, 161), draw.choice((18, 400, 9000))) for n in names}
        for _ in range(18)
    ]


def _apart(difference: sympy.Expr, point: Point) -> bool:
    """Whether balls exclude zero at the point."""
    with precision(200):
        try:
            value: arb = ball(difference, {s: rational(v) for s, v in point.items()})
        except (TypeError, ZeroDivisionError):
            return False  # no balls for this expression: algebra alone has to decide
        return bool(value > 0 or value < 0)


def antiderivative(integrand: sympy.Expr, x: sympy.Symbol, primitive: sympy.Expr) -> Evidence:
    """d primitive / dx = integrand, exactly."""
    return identity(sympy.diff(primitive, x), integrand, f"d/d{x} of {primitive}")


def integral(
    integrand: sympy.Expr,
    x: sympy.Symbol,
    low: sympy.Expr,
    high: sympy.Expr,
    value: sympy.Expr,
    primitive: sympy.Expr,
) -> tuple[Evidence, Evidence]:
    """A definite integral two ways: limits of a checked primitive, and sympy integrating."""
    antiderivative(integrand, x, primitive)
    ends = sympy.limit(primitive, x, high) - sympy.limit(primitive, x, low)
    by_primitive = identity(ends, value, f"primitive {primitive}, differentiated, with limits")
    direct = sympy.integrate(integrand, (x, low, high), conds="none")
    by_integration = identity(direct, value, f"sympy integrates over ({low}, {high})")
    return by_primitive, by_integration
