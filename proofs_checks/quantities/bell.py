"""Integrals of Gaussian bells over the whole line, two ways and without limits of erf.

sympy's limit of erf((z + 1)/w) at minus infinity comes out as +1, so the ends are put in by hand:
a primitive value (1 + erf((z - mean)/(sqrt(2) scale)))/2 runs from 0 to value.

>>> x = sympy.Symbol("x", real=True)
>>> [e.level.value for e in bell(sympy.exp(-((x + 1) ** 2)), x, -1, 1 / sympy.sqrt(2), sympy.sqrt(sympy.pi))]
['symbolic', 'symbolic']
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import sigma, z
from proofs_checks.tools.algebra import identity
from verify.claims import Evidence, symbolic


def bell(
    integrand: sympy.Expr,
    x: sympy.Symbol,
    mean: sympy.Expr,
    scale: sympy.Expr,
    value: sympy.Expr,
) -> Iterator[Evidence]:
    """The integral of a bell with that mean and scale is ``value``: by primitive and by sympy."""
    primitive = value * (1 + sympy.erf((x - mean) / (sympy.sqrt(2) * scale))) / 2
    identity(_one_exponent(sympy.diff(primitive, x) / integrand), sympy.Integer(1))
    yield symbolic(detail=f"primitive {primitive}, differentiated; it runs from 0 to {value}")
    centred = _one_exponent(integrand.subs(x, x + mean))
    direct = sympy.integrate(centred, (x, -sympy.oo, sympy.oo), conds="none")
    yield identity(sympy.simplify(direct), value, f"sympy integrates to {value}")


def _one_exponent(expr: sympy.Expr) -> sympy.Expr:
    """A product of exponentials as one, its exponent multiplied out."""
    joined = sympy.powsimp(expr)
    return joined.replace(sympy.exp, lambda e: sympy.exp(sympy.expand(sympy.cancel(e))))


def power_bell(order: sympy.Expr) -> sympy.Expr:
    """mu0 (mu1/mu0)^order, the exponent multiplied out."""
    exponent = (-(z**2) + order * (2 * z - 1)) / (2 * sigma**2)
    return sympy.exp(exponent) / (sigma * sympy.sqrt(2 * sympy.pi))


def ratio_moment(order: sympy.Expr, value: sympy.Expr | None = None) -> Iterator[Evidence]:
    """E_mu0[(mu1/mu0)^order] = e^{order (order-1)/(2 sigma^2)} for real orders, two ways."""
    if value is None:
        value = sympy.exp(order * (order - 1) / (2 * sigma**2))
    yield from bell(power_bell(order), z, order, sigma, value)
