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
from verify.claims import Evidence, StepFails, Undecided, symbolic
from verify.numbers.balls import precision

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


LARGEST_DENOMINATOR = 64


def factored(expr: sympy.Expr) -> sympy.Expr:
    """As a product, where that is to be had: x^1.000001 makes polynomials of degree a million."""
    exponents = (e for power in expr.atoms(sympy.Pow) for e in power.exp.atoms(sympy.Rational))
    return expr if any(e.q > LARGEST_DENOMINATOR for e in exponents) else sympy.factor(expr)


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


_BELOW: dict[type[sympy.Function], type[sympy.Function]] = {
    sympy.tan: sympy.cos, sympy.sec: sympy.cos, sympy.cot: sympy.sin, sympy.csc: sympy.sin,
    sympy.coth: sympy.sinh, sympy.csch: sympy.sinh,
}  # fmt: skip
"""Functions that are quotients, by what stands below."""


def _poles(expr: sympy.Expr) -> set[sympy.Expr]:
    """What may vanish or leave a function without a value, for some values of the symbols.

    Denominators, up to a factor that does not vanish; logarithms of such factors; and Gamma functions,
    factorials and binomials, unless their arguments are known to be harmless.
    """
    below = [p.base for p in expr.atoms(sympy.Pow) if p.exp.is_extended_positive is not True]
    below += [_BELOW[f.func](f.args[0]) for f in expr.atoms(*_BELOW)]
    logarithms = {
        sympy.log(f) for whole in expr.atoms(sympy.log) for f in _may_vanish(whole.args[0])
    }
    return {f for d in below for f in _may_vanish(d)} | logarithms | _combinatorial(expr)


def _may_vanish(expr: sympy.Expr) -> set[sympy.Expr]:
    """The factors of an expression that the signs of the symbols do not keep from zero."""
    factors = (f.as_base_exp()[0] for f in sympy.Mul.make_args(factored(expr)))
    found = (f for f in factors if not _keeps_from_zero(f))
    return {-f if f.could_extract_minus_sign() else f for f in found}


def _combinatorial(expr: sympy.Expr) -> set[sympy.Expr]:
    """Gamma functions and the like whose arguments may be those where the usual rules fail."""
    gammas = expr.atoms(sympy.gamma, sympy.loggamma, sympy.polygamma)
    found = {f for f in gammas if not f.args[-1].is_positive}
    found |= {f for f in expr.atoms(sympy.factorial) if not f.args[0].is_nonnegative}
    choices = expr.atoms(sympy.binomial)
    return found | {
        f for f in choices if not (f.args[0].is_nonnegative and f.args[1].is_nonnegative)
    }


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
    """What may vanish on one side only: there that side has no value."""
    one, other = (_poles(_real(side)) for side in (left, right))
    known = {f for d in nonzero for f in _may_vanish(_real(d))}
    kept = one & other | known | {sympy.log(f) for f in known}
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

    A denominator that may vanish has to be one of both sides, or ``nonzero`` by the domain; so has a
    logarithm's argument, and a Gamma function, factorial or binomial whose arguments may be negative.

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
        told = ", ".join(sorted(map(str, undefined)))
        raise Undecided(f"not defined on both sides where {told} vanishes or has no value")
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
    for route in (sympy.expand, factored, sympy.expand_log):
        forms.append(route(expr))
    for form in forms:
        known = form.is_positive if strict else form.is_nonnegative
        if known:
            return symbolic(detail=detail or f"{expr} has its sign from its terms")
        if known is False and not form.free_symbols:
            raise StepFails(f"{expr} is not positive")
    for point in _points(expr):
        with precision(200):
            value = ball(expr, {s: rational(v) for s, v in point.items()})
        if value < 0 or (strict and value <= 0):
            where = ", ".join(f"{s} = {v}" for s, v in point.items())
            raise StepFails(f"{expr} is negative at {where}")
    raise Undecided(f"sign not settled: {expr}")


def _points(expr: sympy.Expr) -> list[dict[sympy.Symbol, Fraction]]:
    draw = random.Random(1)  # reproducible
    names = sorted(expr.free_symbols, key=lambda s: s.name)
    return [{n: _draw_value(draw, n) for n in names} for _ in range(18)]


def _draw_value(draw: random.Random, name: sympy.Symbol) -> Fraction:
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
