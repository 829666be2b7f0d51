"""ln A at large orders from ln A at smaller ones, by splitting a binomial into equal parts.

At a whole order A_n(q, v) = E e^{v K (K-1)/2}, K binomial with n trials of probability q, v =
1/sigma^2. With m n trials K is a sum of m independent ones with n, and (K_1 + ... + K_m)^2 <= m
(K_1^2 + ... + K_m^2). So at v' = v/m, with c = (v - v')/2,

    A_{mn}(q, v')  <=  (E e^{v K_1 (K_1 - 1)/2 + c K_1})^m  =  ((1 - q + q e^c)^n A_n(q', v))^m,

q' = q e^c/(1 - q + q e^c) <= q e^{v/2}. If ln A_n(q', v) <= C q'^2 n (n-1) v, then for m >= 2

    ln A_{mn}(q, v')  <=  q^2 mn (mn - 1) v' [ (e^{v/2} - 1)/(v q (n - 1/2)) + C e^v ].

An order beta with beta q > 2 Y is reached so: m = floor(beta q/Y) >= 2, n = ceil(beta/m). Then Y <= n q <= 2 Y + q;
m (n - 1) < beta, so mn <= beta (1 + 1/(n-1)), and (n - 1) v <= beta v'. Epsilon does not fall with the order (ln A is
convex in it and 0 at 1), so epsilon(beta) <= epsilon(mn) <= [...] (1 + 1/(n-1)) q^2 beta v'. Where beta v' <=
ln(1/q), also (n - 3/2) v <= ln(1/q').
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy

from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from verify.claims import Evidence, Undecided
from verify.numbers.balls import enclosure, precision

BITS = 80


@dataclass(frozen=True, slots=True)
class Base:
    """Where ln A_n <= C q^2 n (n-1) v has to be known, and what follows for all larger orders at q <= rate."""

    rate: Fraction  # the largest q'
    mean: Fraction  # the largest n q'
    variance: Fraction  # the largest v
    constant: Fraction  # epsilon <= constant q^2 beta v' for all beta with beta q > 2 Y


def base(rate: Fraction, least: Fraction, variance: Fraction, c: Fraction) -> Base:
    """For q <= rate < 1/e, orders up to sigma^2 ln(1/q), Y = least; ``variance`` is at least the largest v."""
    with precision(BITS):
        q, v = rational(rate), rational(variance)
        if not -q.log() * q / rational(least - rate) <= v or 3 * rate > 1:
            raise Undecided(f"1/sigma^2 may be larger than {variance} in the parts")
        tilt = (v / 2).exp()
        bracket = (tilt - 1) / v / rational(least - rate / 2) + rational(c) * v.exp()
        whole = bracket * rational(1 + rate / (least - rate))
        up = [
            Fraction(enclosure(x).hi) for x in (q * tilt, rational(2 * least + rate) * tilt, whole)
        ]
        return Base(up[0], up[1], variance, up[2])


def steps() -> Iterator[Evidence]:
    """The exact steps of the argument."""
    v, m, n, q, c, j, u = sympy.symbols("v m n q c j u", positive=True)
    total, squares = sympy.symbols("K S", positive=True)
    exponent = (v / m) * (total**2 - total) / 2
    split = v * squares / 2 - v * total / (2 * m)
    yield identity(
        split - exponent,
        v * (m * squares - total**2) / (2 * m),
        "K^2 <= m S, S the sum of the squares",
    )
    parts = v * (squares - total) / 2 + (v - v / m) / 2 * total
    yield identity(split, parts, "each part has its own v K (K-1)/2, and c K")
    trial = 1 - q + q * sympy.exp(c)
    tilted = q * sympy.exp(c) / trial
    yield identity(q * sympy.exp(c), trial * tilted, "e^(cK) turns q into q', success")
    yield identity(1 - q, sympy.simplify(trial * (1 - tilted)), "e^(cK) turns q into q', failure")
    yield positive(
        sympy.expand((trial - 1).subs(sympy.exp(c), 1 + u)), "1 - q + q e^c >= 1, so q' <= q e^c"
    )
    unit = q**2 * m * n * (m * n - 1) * (v / m)
    yield identity(m * n * q * u / unit, u / (v * q * (n - 1 / m)), "the first term in this unit")
    share = (m * n * (n - 1) * v / unit * q**2).subs({m: 1 + j, n: 1 + c})
    yield positive(sympy.factor(sympy.together(1 - share)), "the second term is at most e^v C")
