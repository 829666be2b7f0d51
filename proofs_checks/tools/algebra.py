"""Exact identities and integrals with sympy: equal means the difference simplifies to zero.

Symbols stand for real numbers with the signs they are declared with, and no rewriting goes beyond
them: log(z^2) is 2 log z only for z declared positive, and a quotient is not cancelled where its
denominator may vanish. sympy's answer "not simplified to zero" refutes nothing. An identity is
rejected only when balls show the two sides apart at some rational point; otherwise it is undecided.

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

HALF_OF_THEM = 0.5
_ROUTES: tuple[Callable[[sympy.Expr], sympy.Expr], ...] = (
    sympy.expand,
    lambda e: sympy.expand(sympy.expand_log(sympy.expand_power_base(e))),
    sympy.simplify,
    lambda e: sympy.simplify(sympy.expand_log(sympy.powsimp(sympy.expand(e)))),
    lambda e: sympy.simplify(sympy.logcombine(e)),
    lambda e: sympy.simplify(e.rewrite(sympy.exp)),
)
# Forced rewriting (sympy's force=True) would take every symbol for positive.


def is_zero(expr: sympy.Expr) -> bool:
    """Whether exact rewriting brings the expression to zero, for all real values of its symbols.

    Symbols should be declared positive where logarithms and powers are to be combined.
    """
    expr = _real(expr)
    return any(route(expr) == 0 for route in _ROUTES)


def _real(expr: sympy.Expr) -> sympy.Expr:
    """Symbols without assumptions are those of a box: real numbers."""
    plain = [s for s in expr.free_symbols if s.is_extended_real is None]
    return expr.subs({s: sympy.Symbol(s.name, real=True) for s in plain})


def _poles(expr: sympy.Expr) -> set[sympy.Expr]:
    """Denominators that may vanish for some values of the symbols, up to a factor that does not."""
    below = (p.base for p in expr.atoms(sympy.Pow) if p.exp.is_extended_positive is not True)
    factors = (f.as_base_exp()[0] for d in below for f in sympy.Mul.make_args(sympy.factor(d)))
    found = (f for f in factors if not _keeps_from_zero(f))
    return {-f if f.could_extract_minus_sign() else f for f in found}


def _keeps_from_zero(expr: sympy.Expr) -> bool:
    """Whether the signs of the symbols keep an expression from zero, as far as sympy can see.

    e^s - 1 for positive s is seen in d = e^s - 1 > 0.
    """
    above = {s: sympy.log(1 + s) for s in expr.free_symbols if s.is_positive}
    forms = (expr, sympy.simplify(expr.subs(above)))
    return any(f.is_zero is False or f.is_positive or f.is_negative for f in forms)


def _undefined_on_one_side(
    left: sympy.Expr, right: sympy.Expr, nonzero: Iterable[sympy.Expr]
) -> set[sympy.Expr]:
    """Denominators of one side only that may vanish: there one side has no value."""
    one, other = (_poles(_real(side)) for side in (left, right))
    kept = one & other | {f for d in nonzero for f in _poles(1 / _real(d))}
    return (one | other) - kept


def identity(
    left: sympy.Expr,
    right: sympy.Expr,
    detail: str = "",
    *,
    at: Iterable[Point] = (),
    nonzero: Iterable[sympy.Expr] = (),
) -> Evidence:
    """left = right for all values of the symbols, by exact algebra.

    A denominator that may vanish has to be one of both sides, or ``nonzero`` by the domain.

    Points where the two sides are compared first, to reject a false identity quickly, are drawn with
    the signs of the symbols, up to 9, unless ``at`` gives them (a domain that such points leave needs it).
    """
    left, right = sympy.sympify(left), sympy.sympify(right)
    difference = left - right
    if difference == 0 and left == right:
        return symbolic(detail=_equal(detail or f"{left} = {right}"))
    for point in list(at) or _points(difference):
        if _apart(difference, point):
            where = ", ".join(f"{s} = {v}" for s, v in point.items())
            raise StepFails(f"sides differ at {where or 'a constant'}")
    if undefined := _undefined_on_one_side(left, right, nonzero):
        raise Undecided(f"not defined where {', '.join(map(str, undefined))} vanishes")
    if is_zero(difference):
        return symbolic(detail=_equal(detail or f"{left} = {right}"))
    raise Undecided(f"not shown to vanish: {difference}")


def _equal(what: str) -> str:
    """A sentence about two sides."""
    return f"{what}: both sides are equal, by exact algebra"


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
    for route in (sympy.expand, sympy.factor, sympy.expand_log):
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
    return [{n: _drawn(draw, n) for n in names} for _ in range(18)]


def _drawn(draw: random.Random, name: sympy.Symbol) -> Fraction:
    """A value that the symbol may have."""
    size = Fraction(draw.randint(2, 161), draw.choice((18, 400, 9000)))
    if name.is_integer:
        size = Fraction(1 + int(size))
    turned = name.is_negative or (name.is_nonnegative is None and draw.random() < HALF_OF_THEM)
    return -size if turned else size


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
