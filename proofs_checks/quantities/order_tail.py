"""The exact steps behind `order_strips.beyond`: R at all orders from some m on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.tools.algebra import identity, positive
from verify.claims import Evidence

k, m, v, j, c, d = sympy.symbols("k m v j c d", positive=True)


def tail(reach: Fraction = Fraction(1)) -> Iterator[Evidence]:
    """Exponents below their chord, factorials, and a bound that falls with m and with v."""
    b = 1 / sympy.Rational(reach.numerator, reach.denominator)
    half = sympy.Rational(1, 2)
    s = (m + 2) / 2 - (m - 2) * b
    exponent = -(m - 2) * (k - 2) * b + k * (k - 1) / 2
    chord = 3 - (m - 2) * b + (k - 3) * s
    yield identity(
        exponent - chord, (k - 3) * (k - m) / 2, "the exponents are below their chord, 3 <= k <= m"
    )
    yield positive(
        sympy.expand((j + 1) * (j + 2) * (j + 3) - 6),
        "3!/(j+3)! <= 1/j!: the sum is an exponential",
    )
    rho = m * sympy.exp(s * v)
    log_bound = 2 * sympy.log(m) + (3 - (m - 2) * b) * v + rho - sympy.log(3 * (m - 1) * v)
    by_order = (m - 2) / (m * (m - 1)) - b * v + sympy.exp(s * v) * (1 - m * v * (b - half))
    at = [{m: sympy.Integer(9), v: sympy.Rational(1, 3)}]
    yield identity(sympy.diff(log_bound, m), by_order, "the slope of the bound in m", at=at)
    # m v (b - 1/2) = 1 + c and m = 1 + d: b v > (m-2)/(m(m-1)), and 1 - m v (b - 1/2) = -c.
    first = (b * v - (m - 2) / (m * (m - 1))).subs(v, (1 + c) / (m * (b - half))).subs(m, 1 + d)
    yield positive(
        sympy.factor(sympy.together(first)), "it falls with m from m v (1/c - 1/2) = 1 on"
    )
    slope = 3 - (m - 2) * b + m * s * sympy.exp(s * v) - 1 / v
    yield identity(sympy.diff(log_bound, v), slope, "the slope of the bound in v", at=at)
    least = sympy.Max((1 + 2 * b) / (b - half), 2 + 3 / b)  # from here on s < 0 and (m-2) b > 3
    yield positive(sympy.expand((-slope).subs(m, least + c)), "it falls with v")


def moments_below() -> Iterator[Evidence]:
    """|r - 1|^k <= r^k + 1, and E r^k = e^{v k (k-1)/2} >= 1: E (r-1)^k <= 2 e^{v k (k-1)/2}."""
    more, less = sympy.symbols("more less", positive=True)
    yield positive(sympy.expand((1 + more) - more), "r >= 1: r - 1 < r")
    yield positive(1 - 1 / (1 + less) + 1 / (1 + less), "r < 1: 1 - r < 1")
    yield positive(sympy.expand(v * (2 + c) * (1 + c) / 2), "k >= 2: the exponent is positive")
