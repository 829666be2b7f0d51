"""The exact steps behind :mod:`kearns_saul`, and the small sigmas of the bound that holds for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.monotone import rises_from_zero
from proofs_checks.tools.prover import prove
from proofs_checks.tools.signs import rises, slack
from verify.claims import Evidence, all_of

x, y, v, a, b, k, q, m, j, s = sympy.symbols("x y v a b k q m j s", positive=True)
log_odds = sympy.Symbol("l", positive=True)
HALF = sympy.Rational(1, 2)


def kearns_saul() -> Iterator[Evidence]:
    """ln(1-p+pe^x) - p x <= tau(p) x^2/2, and with the curvature at x0 for x <= x0."""
    p = 1 / (1 + y)
    f = sympy.log(1 - p + p * sympy.exp(x)) - p * x
    share = p * sympy.exp(x) / (1 - p + p * sympy.exp(x))
    third = share * (1 - share) * (1 - 2 * share)
    numerator = x * sympy.diff(f, x) - 2 * f
    yield identity(
        sympy.diff(2 * f / x**2, x), 2 * numerator / x**3, "the slope of 2f/x^2 is 2k/x^3"
    )
    yield identity(
        sympy.diff(numerator, x, 2),
        x * third,
        "k'' = x f''', and f''' > 0 exactly for x < ln((1-p)/p)",
    )
    for value in (numerator, sympy.diff(numerator, x)):
        identity(sympy.limit(value, x, 0), 0)
    at_end = 1 / (1 + sympy.exp(log_odds))  # l = ln((1-p)/p)
    there = (
        sympy.log(1 - at_end + at_end * sympy.exp(2 * log_odds)) - at_end * 2 * log_odds,
        1 - 2 * at_end,
    )
    yield identity(
        sympy.simplify(there[0].rewrite(sympy.exp)),
        log_odds * there[1],
        "f(2l) = l (1-2p), so k(2l) = 0",
    )
    yield identity(
        (1 - 2 * at_end).rewrite(sympy.exp),
        sympy.tanh(log_odds / 2).rewrite(sympy.exp),
        "1-2p = tanh(l/2)",
    )
    yield rises_from_zero(
        sympy.sinh(2 * x) / 2 - x,
        x,
        2 * sympy.sinh(x) ** 2,
        "tanh(x)/x falls: tau rises with p, up to 1/4",
    )
    small = sympy.Symbol("p", positive=True)
    concave = sympy.log(1 - small) - 2 * small * sympy.log(small)
    bend = -1 / (1 - small) ** 2 - 2 / small
    at = [{small: Fraction(1, 5)}]
    yield identity(
        sympy.diff(concave, small, 2), bend,
        "ln(1-p) + 2p ln(1/p) is concave and 0 at 0 and 1/2: tau <= 1/(2 ln(1/p))", at=at,
        nonzero=[1 - small],
    )  # fmt: skip
    identity(concave.subs(small, HALF), 0)
    yield identity(
        sympy.diff(sympy.log(1 - small + small * sympy.exp(x)) - small * x, small),
        (sympy.exp(x) - 1) / (1 - small + small * sympy.exp(x)) - x,
        "the slope of f in p", at=[{small: Fraction(1, 5), x: Fraction(1, 2)}],
        nonzero=[1 - small + small * sympy.exp(x)],
    )  # fmt: skip
    room = (sympy.exp(x) - 1) / x - (
        1 + (sympy.exp(x) - 1) / (2 + x)
    )  # not negative: f rises up to p = 1/(2+x)
    yield identity(
        room * x * (2 + x), 2 * (sympy.exp(x) - 1) - 2 * x - x**2, "p (2+x) <= 1 is enough"
    )
    (more,) = slack("more")
    yield rises(sympy.exp(more) - 1 - more - more**2 / 2, more, 3, "e^x >= 1 + x + x^2/2")


def gaussian_integrals() -> Iterator[Evidence]:
    """The completed square, the three terms of (e^x - 1)^2, and the factor 1 + w."""
    inverse = 1 - b  # B
    centre = v * (a + k - HALF) / inverse
    exponent = -((x + v / 2) ** 2) / (2 * v) + (k + a) * x + b * x**2 / (2 * v)
    squared = (
        -inverse * (x - centre) ** 2 / (2 * v) + v * ((a + k - HALF) ** 2 / inverse - HALF**2) / 2
    )
    yield identity(exponent, squared, "the completed square", nonzero=[1 - b], at=[
        {x: Fraction(1, 3), v: Fraction(1, 7), k: Fraction(2), a: Fraction(3, 5), b: Fraction(1, 4)},
    ])  # fmt: skip
    mean, c = sympy.symbols("mean c", positive=True)  # a + 1/2, and B

    def term(shift: int) -> sympy.Expr:
        return sympy.exp(v * (mean + shift) ** 2 / (2 * c))

    together = 2 * sympy.exp(v * mean**2 / (2 * c)) * (
        sympy.exp(v / (2 * c)) * sympy.cosh(v * mean / c) - 1
    )  # fmt: skip
    yield identity(
        sympy.expand(term(1) - 2 * term(0) + term(-1)),
        sympy.expand(together.rewrite(sympy.exp)),
        "the terms of (e^x - 1)^2 together",
    )
    yield identity(
        (1 - q) * sympy.exp(-y / 2) + q * sympy.exp(y / 2),
        sympy.exp(-y / 2) * (1 - q + q * sympy.exp(y)),
        "the factor 1 + w: e^{(q-1/2) y} times what Kearns and Saul bound",
    )


def little_noise() -> Iterator[Evidence]:
    """sigma <= 1, orders up to 1 + sigma^2 ln(1/q)/2: epsilon <= 7/12 q^2 alpha t, by hand and two intervals.

    R' = (A - 1)/(q^2 (t/2) alpha (alpha-1)) is 1 at order 2. N_k = E(r-1)^k <= E r^k = e^{v k (k-1)/2}, all N_j being at least 0.
    Orders 2 + d up to 3: R' <= R'_3^d, R'_3 = 1 + q (t^2 + 3t)/3 and q <= e^{-2v(1+d)}: R' <= (1 + (1 + 1/e) e^{-2d}/3)^d.
    Orders from m - 1 to m, m >= 4: q <= e^{-2v(m-2)} and 1/t <= e^{-v}/(1 - 1/e), so R'_m - 1 is at most 1/(1 - 1/e) times the sum
    over k from 3 to m of 2 C(m,k)/(m(m-1)) e^{v f(k)}, f(k) = k(k-1)/2 - 2(m-2)(k-2) - 1 <= 0, convex: below its chord of slope -(3m/2
    - 5) from f(3) = -2(m-3).
    """
    d, third = sympy.Symbol("d"), sympy.Rational(1, 3)
    base = 1 + (1 + sympy.exp(-1)) * sympy.exp(-2 * d) * third
    yield prove(d * sympy.log(base) < sympy.log(sympy.Rational(7, 6)), {d: (0, 1)}).evidence(
        "orders 2 + d up to 3: R' < 7/6"
    )
    f = k * (k - 1) / 2 - 2 * (m - 2) * (k - 2) - 1
    chord = -2 * (m - 3) - (3 * m / 2 - 5) * (k - 3)
    yield identity(f - chord, (k - 3) * (k - m) / 2, "the exponents are below their chord")
    yield positive(sympy.expand((j + 1) * (j + 2) * (j + 3) - 6), "2/(j+3)! <= 1/(3 j!)")
    factor = 1 / (1 - sympy.exp(-1))
    four = factor * (sympy.Rational(2, 3) * sympy.exp(-2) + sympy.Rational(1, 6) * sympy.exp(-3))
    yield positive(sympy.Rational(1, 6) - four, "order 4: R' - 1 < 1/6")
    bound = sympy.log(m / 3) - 2 * (m - 3) + m * sympy.exp(-(3 * m / 2 - 5))
    slope = 1 / m - 2 + (1 - 3 * m / 2) * sympy.exp(-(3 * m / 2 - 5))
    yield identity(sympy.diff(bound, m), slope, "orders from 5 on: the slope of the bound in m")
    yield all_of(
        positive(sympy.factor(2 - 1 / (5 + s)), "1/m < 2"),
        positive(3 * (5 + s) / 2 - 1, "it falls: 1 < 3m/2"),
    )
    yield positive(
        sympy.log(sympy.Rational(1, 6)) - sympy.log(factor) - bound.subs(m, 5),
        "order 5: R' - 1 < 1/6",
    )
