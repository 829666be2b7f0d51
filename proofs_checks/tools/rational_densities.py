"""Rational densities on the positive half-line: integrals exactly, two ways, or enclosed.

>>> x = sympy.Symbol("x", positive=True)
>>> [e.level.value for e in half_line_integral(1 / (1 + x) ** 2, x, sympy.Integer(1))]
['symbolic', 'symbolic']
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb

from proofs_checks.tools.algebra import identity
from proofs_checks.tools.enclosures import integral_ball
from verify.claims import Evidence, Undecided
from verify.numbers.balls import precision

PIECES = 400
t = sympy.Symbol("t")
u, w = sympy.symbols("u w", positive=True)


def half_line_integral(f: sympy.Expr, x: sympy.Symbol, value: sympy.Expr) -> Iterator[Evidence]:
    """The integral over (0, infinity) of a polynomial over a power of 1+x, two ways.

    In u = 1+x a sum of negative powers with a primitive of that kind, which is differentiated again;
    and on [0, 1] by x = t/(1-t). Anything else is Undecided at once: sympy would integrate it for ever.
    """
    _polynomial_over_a_power(f, x)
    powers = sympy.expand(f.subs(x, u - 1))
    primitive = sympy.integrate(powers, u)
    identity(sympy.expand(sympy.diff(primitive, u)), powers)
    ends = sympy.expand(primitive.subs(u, 1 / w)).subs(w, 0) - primitive.subs(u, 1)
    yield identity(ends, value, f"{f} over (0, oo) is {value}: primitive, differentiated")
    moved = sympy.integrate(_on_unit_interval(f, x), (t, 0, 1))
    yield identity(moved, value, f"{f} over (0, oo) is {value}: by x = t/(1-t)")


def _polynomial_over_a_power(f: sympy.Expr, x: sympy.Symbol) -> None:
    """Undecided unless f is a polynomial over a power of 1+x, of a degree that makes it integrable."""
    above, below = sympy.fraction(sympy.cancel(f)) if f.is_rational_function(x) else (f, x)
    size = sympy.degree(below, x) if below.is_polynomial(x) else 0
    power = sympy.expand(below - sympy.LC(below, x) * (1 + x) ** size) if size else below
    if power != 0 or sympy.degree(above, x) > size - 2:
        raise Undecided(f"{f} is no polynomial over a power of 1+x with an integral to infinity")


def order_two(p: sympy.Expr, q: sympy.Expr, x: sympy.Symbol) -> arb:
    """The integral of p^2/q over (0, infinity), enclosed."""
    with precision(80):
        return integral_ball(_on_unit_interval(p**2 / q, x), t, (0, 1), PIECES)


def _on_unit_interval(f: sympy.Expr, x: sympy.Symbol) -> sympy.Expr:
    return sympy.cancel(sympy.together(f.subs(x, t / (1 - t)) / (1 - t) ** 2))
