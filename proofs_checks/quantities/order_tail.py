"""The exact steps behind `order_strips.beyond`: R at all orders from some m on."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.tools.algebra import identity, positive
from verify.claims import Evidence

k, m, v, j, c, d = sympy.symbols("k m v j c d", positive=True)


def tail() -> Iterator[Evidence]:
    """Exponents below their chord, factorials, and a bound that falls with m and with v."""
    exponent = -(m - 2) * (k - 2) + k * (k - 1) / 2
    chord = (5 - m) - (k - 3) * (m - 6) / 2
    yield identity(
        exponent - chord, (k - 3) * (k - m) / 2, "the exponents are below their chord, 3 <= k <= m"
    )
    yield positive(
        sympy.expand((j + 1) * (j + 2) * (j + 3) - 6),
        "3!/(j+3)! <= 1/j!: the sum is an exponential",
    )
    rho = m * sympy.exp(-(m - 6) * v / 2)
    log_bound = 2 * sympy.log(m) - (m - 5) * v + rho - sympy.log(3 * (m - 1) * v)
    by_order = (m - 2) / (m * (m - 1)) - v + sympy.exp(-(m - 6) * v / 2) * (1 - m * v / 2)
    at = [{m: sympy.Integer(9), v: sympy.Rational(1, 3)}]
    yield identity(sympy.diff(log_bound, m), by_order, "the slope of the bound in m", at=at)
    # m v = 2 + c and m = 1 + d: -v + (m-2)/(m(m-1)) = -(1 + c + ...)/m, and 1 - m v/2 = -c/2.
    first = (v - (m - 2) / (m * (m - 1))).subs(v, (2 + c) / m).subs(m, 1 + d)
    yield positive(sympy.factor(sympy.together(first)), "it falls with m from m v = 2 on")
    slope = -(m - 5) - m * (m - 6) / 2 * sympy.exp(-(m - 6) * v / 2) - 1 / v
    yield identity(sympy.diff(log_bound, v), slope, "the slope of the bound in v", at=at)
    yield positive((-slope).subs(m, 6 + c), "it falls with v")


def moments_below() -> Iterator[Evidence]:
    """|r - 1|^k <= r^k + 1, and E r^k = e^{v k (k-1)/2} >= 1: E (r-1)^k <= 2 e^{v k (k-1)/2}."""
    more, less = sympy.symbols("more less", positive=True)
    yield positive(sympy.expand((1 + more) - more), "r >= 1: r - 1 < r")
    yield positive(1 - 1 / (1 + less) + 1 / (1 + less), "r < 1: 1 - r < 1")
    yield positive(sympy.expand(v * (2 + c) * (1 + c) / 2), "k >= 2: the exponent is positive")
