"""Exact expressions to balls: one formula serves the algebra and the interval prover.

>>> import sympy
>>> x = sympy.Symbol("x")
>>> ball(sympy.exp(x) - 1 - x, {x: arb(1)}) > arb("0.718")
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy
from flint import arb

from verify.numbers.balls import ball as of_rational

Env = Mapping[sympy.Symbol, arb]

_FUNCTIONS: dict[object, Callable[[arb], arb]] = {
    sympy.exp: lambda x: x.exp(),
    sympy.log: lambda x: x.log(),
    sympy.sinh: lambda x: x.sinh(),
    sympy.cosh: lambda x: x.cosh(),
    sympy.tanh: lambda x: x.tanh(),
    sympy.erf: lambda x: x.erf(),
    sympy.erfc: lambda x: x.erfc(),
    sympy.gamma: lambda x: x.gamma(),
    sympy.Abs: abs,
}


def rational(x: Fraction | int) -> arb:
    """The ball of an exact rational."""
    return of_rational(Fraction(x))


def interval(lo: Fraction, hi: Fraction) -> arb:
    """The ball that covers [lo, hi]."""
    return rational(lo).union(rational(hi))


def ball(expr: sympy.Expr, env: Env) -> arb:
    """An enclosure of the values of an expression on the balls of its symbols."""
    if isinstance(expr, sympy.Symbol):
        return env[expr]
    if isinstance(expr, sympy.Rational):
        return rational(Fraction(int(expr.p), int(expr.q)))
    if expr is sympy.pi:
        return arb.pi()
    if expr is sympy.E:
        return arb(1).exp()
    if isinstance(expr, sympy.Add):
        total = arb(0)
        for term in expr.args:
            total += ball(term, env)
        return total
    if isinstance(expr, sympy.Mul):
        product = arb(1)
        for factor in expr.args:
            product = _times(product, ball(factor, env))
        return product
    if isinstance(expr, sympy.Pow):
        return _power(expr, env)
    function = _FUNCTIONS.get(expr.func)
    if function is None:
        raise TypeError(f"no ball for {expr.func}")
    return function(ball(expr.args[0], env))


def _times(x: arb, y: arb) -> arb:
    """The product by its corners: a product of balls would reach below zero for [0, 1] [0, 1]."""
    if x.is_exact() or y.is_exact() or not (x.is_finite() and y.is_finite()):
        return x * y
    corners = [a * b for a in (x.lower(), x.upper()) for b in (y.lower(), y.upper())]
    product = corners[0]
    for corner in corners[1:]:
        product = product.union(corner)
    return product


def _integer_power(x: arb, n: int) -> arb:
    """x^n by its ends where it is monotone; an even power of a ball around zero starts at zero."""
    if x.is_exact() or not x.is_finite() or n in (0, 1):
        return x**n
    if n < 0:
        return 1 / _integer_power(x, -n)
    ends = (x.lower() ** n).union(x.upper() ** n)
    return ends.union(arb(0)) if n % 2 == 0 and x.contains(0) else ends


def _power(expr: sympy.Pow, env: Env) -> arb:
    base, exponent = expr.args
    if base is sympy.E:
        return ball(exponent, env).exp()
    value = ball(base, env)
    if isinstance(exponent, sympy.Integer):
        return _integer_power(value, int(exponent))
    if exponent == sympy.Rational(1, 2):
        return value.sqrt()
    if exponent == sympy.Rational(-1, 2):
        return 1 / value.sqrt()
    return (ball(exponent, env) * value.log()).exp()
