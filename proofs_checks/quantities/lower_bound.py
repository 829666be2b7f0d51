"""D_alpha(mu || mu0) >= q^2 alpha/(2 sigma^2) for every q, sigma and real alpha > 1, by exact steps.

For x, y > 0 the tangent of x^a at y gives x^a >= a x y^(a-1) - (a-1) y^a. With x = mu/mu0 and
y = C e^{lambda z} this bounds A from below by E1^a / E2^(a-1), E1 = E_mu e^{(a-1) lambda z},
E2 = E_mu0 e^{a lambda z}, for the best C = E1/E2. Both are Gaussian integrals, the logarithm of the
sampling factor in E1 is at least linear, and lambda = q/sigma^2 finishes.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import a1, density, q, sigma, z
from proofs_checks.quantities.bell import bell
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.monotone import rises_from_zero
from verify.claims import Evidence, Undecided

alpha = 1 + a1
HALF = sympy.Rational(1, 2)
k, s, slope = sympy.symbols("k s lambda", positive=True)


def tangent() -> Iterator[Evidence]:
    """t^a - a t + a - 1 >= 0 on both sides of t = 1, t = e^s and t = e^-s."""
    for sign in (1, -1):
        t = sympy.exp(sign * s)
        gap = t**alpha - alpha * t + alpha - 1
        steep = 2 * alpha * t * sympy.exp(sign * a1 * s / 2) * sympy.sinh(a1 * s / 2)
        where = "t > 1" if sign > 0 else "t < 1"
        yield rises_from_zero(gap, s, steep, f"tangent of the power, {where}")


def best_multiple() -> Evidence:
    """With x = t y, y = C w, the tangent bounds x^a below; C = E1/E2 makes that E1^a/E2^(a-1)."""
    t, y, first, second = sympy.symbols("t y E1 E2", positive=True)
    x = t * y
    tangent_at = x**alpha - alpha * x * y**a1 + a1 * y**alpha
    scaled = y**alpha * (t**alpha - alpha * t + alpha - 1)
    identity(tangent_at, scaled, "the tangent at y")
    multiple = first / second
    found = alpha * multiple**a1 * first - a1 * multiple**alpha * second
    return identity(found, first**alpha / second**a1, "the best multiple C = E1/E2")


def concave_logarithm() -> Evidence:
    """ln(1 - q + q e^s) >= q s, q = k/(1+k)."""
    gap = sympy.log((1 + k * sympy.exp(s)) / (1 + k)) - k * s / (1 + k)
    steep = 2 * k * sympy.exp(s / 2) * sympy.sinh(s / 2) / ((1 + k) * (1 + k * sympy.exp(s)))
    return rises_from_zero(gap, s, steep, "ln(1 - q + q e^s) > q s")


def lower_bound(constant: sympy.Expr = HALF) -> Iterator[Evidence]:
    """The steps of epsilon >= constant q^2 alpha/sigma^2; they go as far as the constant 1/2."""
    if constant > HALF:
        raise Undecided(f"the argument gives the constant 1/2, not {constant}")
    yield from tangent()
    yield best_multiple()
    yield concave_logarithm()
    for factor, mean in ((alpha, 0), (a1, 0), (a1, 1)):
        rate = factor * slope
        value = sympy.exp(rate * mean + rate**2 * sigma**2 / 2)
        integrand = density(z, sympy.Integer(mean)) * sympy.exp(rate * z)
        yield from bell(integrand, z, mean + rate * sigma**2, sigma, value)
    log_e1 = q * a1 * slope + (a1 * slope * sigma) ** 2 / 2  # without the slack of the logarithm
    log_e2 = (alpha * slope * sigma) ** 2 / 2
    total = (alpha * log_e1 - a1 * log_e2).subs(slope, q / sigma**2)
    target = a1 * constant * q**2 * alpha / sigma**2
    yield identity(
        total, a1 * HALF * q**2 * alpha / sigma**2, "ln A >= (alpha-1) alpha q^2/(2 sigma^2)"
    )
    if constant < HALF:
        yield positive(sympy.factor(total - target), "what is claimed is less")
