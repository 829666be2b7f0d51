"""The paper's densities and abbreviations as exact expressions, in one place.

Symbols carry the sign that the paper's domain gives them, so that sympy may combine powers and
logarithms: q > 0, sigma > 0, and a1 = alpha - 1 > 0 where the order stays above 1.
"""

from __future__ import annotations

import sympy

q = sympy.Symbol("q", positive=True)
sigma = sympy.Symbol("sigma", positive=True)
a1 = sympy.Symbol("a1", positive=True)  # alpha - 1
alpha = 1 + a1
z = sympy.Symbol("z", real=True)


def density(x: sympy.Expr, mean: sympy.Expr = 0) -> sympy.Expr:
    """The density of N(mean, sigma^2)."""
    return sympy.exp(-((x - mean) ** 2) / (2 * sigma**2)) / (sigma * sympy.sqrt(2 * sympy.pi))


def mu0(x: sympy.Expr) -> sympy.Expr:
    return density(x)


def mu1(x: sympy.Expr) -> sympy.Expr:
    return density(x, sympy.Integer(1))


def ratio(x: sympy.Expr) -> sympy.Expr:
    """mu1/mu0 with the exponent multiplied out."""
    return sympy.exp((2 * x - 1) / (2 * sigma**2))


r0 = 1 + 1 / (q * a1)
L = sympy.log(r0)
z0 = sympy.Rational(1, 2) + sigma**2 * L
