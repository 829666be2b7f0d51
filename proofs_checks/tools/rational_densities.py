"""Rational densities on the positive half-line: masses exactly, moments of order two certified.

>>> x = sympy.Symbol("x", positive=True)
>>> [e.level.value for e in mass(1 / (1 + x) ** 2, x)]
['symbolic', 'symbolic']
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb

from proofs_checks.tools.algebra import identity, integral
from proofs_checks.tools.enclosures import integral_ball
from verify.claims import Evidence
from verify.engines.trapezoid import precision

PIECES = 400


def _primitive(density: sympy.Expr, x: sympy.Symbol) -> sympy.Expr:
    return sympy.integrate(sympy.apart(density, x), x)


def mass(density: sympy.Expr, x: sympy.Symbol) -> Iterator[Evidence]:
    """The density integrates to exactly 1 over (0, infinity), two ways."""
    one = sympy.Integer(1)
    yield from integral(density, x, sympy.Integer(0), sympy.oo, one, _primitive(density, x))


def order_two(p: sympy.Expr, q: sympy.Expr, x: sympy.Symbol) -> arb:
    """The integral of p^2/q over (0, infinity), enclosed; x = t/(1-t) makes the domain [0, 1]."""
    t = sympy.Symbol("t")
    moved = sympy.cancel(sympy.together((p**2 / q).subs(x, t / (1 - t)) / (1 - t) ** 2))
    with precision(80):
        return integral_ball(moved, t, (0, 1), PIECES)


def exactly(p: sympy.Expr, q: sympy.Expr, x: sympy.Symbol, value: sympy.Expr) -> Evidence:
    """The integral of p^2/q over (0, infinity) is this rational number."""
    integrand = sympy.factor(p**2 / q)
    primitive = _primitive(integrand, x)
    identity(sympy.diff(primitive, x), integrand)
    ends = sympy.limit(primitive, x, sympy.oo) - primitive.subs(x, 0)
    return identity(ends, value, f"moment of order 2 is {value}")
