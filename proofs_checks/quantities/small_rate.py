"""The limit of (A - 1)/q^2 as q -> 0, for every real order above 1 and every sigma, by exact steps.

With w = q (r - 1), r = mu1/mu0, Taylor's formula with integral remainder and E[r] = 1 give
(A - 1)/q^2 = alpha (alpha-1) E[(r-1)^2 int_0^1 (1-v) (1+vw)^(alpha-2) dv]. For q <= 1/2 the base 1 + vw
lies between 1/2 and 1 + r, so its power is at most 2 + (1+r)^alpha, and all moments of r are finite:
dominated convergence leaves the value at w = 0.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import sympy

from proofs_checks.paper import a1, sigma
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.tools.algebra import identity, positive
from verify.claims import Evidence, all_of

alpha = 1 + a1
r, v, w, m, n = sympy.symbols("r v w m n", positive=True)


@functools.cache
def second_order() -> tuple[sympy.Expr, Evidence]:
    """The limit of (A - 1)/q^2, in alpha = 1 + a1 and sigma, and why.

    >>> str(second_order()[0])
    'a1*(a1 + 1)*(exp(sigma**(-2)) - 1)/2'
    """
    q, u = 1 / (2 * (1 + m)), 1 / (1 + n)  # 0 < q <= 1/2, 0 < v <= 1
    base = 1 + u * q * (r - 1)
    weight = sympy.integrate(1 - v, (v, 0, 1))
    squares = {k: sympy.exp(sympy.Integer(k * (k - 1)) / (2 * sigma**2)) for k in (0, 1, 2)}
    variance = squares[2] - 2 * squares[1] + squares[0]
    steps = all_of(
        *taylor(w, "w > 0"),
        *taylor(-1 / (1 + m), "-1 < w < 0"),
        positive(sympy.factor(base - sympy.Rational(1, 2)), "1 + vw is at least 1/2", strict=False),
        positive(sympy.factor(1 + r - base), "1 + vw is at most 1 + r"),
        *ratio_moment(sympy.Integer(1)),
        *ratio_moment(sympy.Integer(2)),
        *ratio_moment(sympy.Symbol("k", real=True)),
        identity(sympy.limit(sympy.log(1 + w) / w, w, 0), 1, "ln(1+u)/u -> 1"),
    )
    return alpha * a1 * weight * variance, steps


def taylor(share: sympy.Expr, where: str) -> Iterator[Evidence]:
    """(1+w)^alpha = 1 + alpha w + alpha (alpha-1) w^2 int_0^1 (1-v) (1+vw)^(alpha-2) dv, w of one sign."""
    power = (1 + v * w) ** (alpha - 2)
    primitive = (1 - v) * (1 + v * w) ** a1 / (a1 * w) + (1 + v * w) ** alpha / (alpha * a1 * w**2)
    rest = primitive.subs(v, 1) - primitive.subs(v, 0)
    at = {w: share, v: 1 / (1 + n)}  # 0 < v < 1
    slope = sympy.diff(primitive, v).subs(at)
    yield identity(slope, ((1 - v) * power).subs(at), f"a primitive of the remainder, {where}")
    whole = 1 + alpha * w + alpha * a1 * w**2 * rest
    yield identity(
        whole.subs(w, share), ((1 + w) ** alpha).subs(w, share), f"Taylor's formula, {where}"
    )
