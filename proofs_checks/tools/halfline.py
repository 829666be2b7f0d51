"""The paper's two half-line series for A at fractional orders, with a ball for what is cut off.

>>> half_line_series(Fraction(1, 5), Fraction(2), Fraction(5, 2), 40).str(6)
'[1.02193 +/- 4.60e-6]'
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from proofs_checks.tools.balls import rational
from verify.claims import Undecided


def half_line_series(
    q: Fraction, sigma: Fraction, alpha: Fraction, terms: int, parts: int = 2
) -> arb:
    """A by ``terms`` terms of either series; beyond alpha they alternate and decrease.

    The error of an alternating series with decreasing terms is at most its first omitted term.
    """
    if terms <= alpha + 1:
        raise Undecided("the terms alternate only beyond alpha")
    s, a, rate = rational(sigma), rational(alpha), rational(q)
    cut = rational(Fraction(1, 2)) + s**2 * (1 / rate - 1).log()
    scale = arb(2).sqrt() * s
    total, last = arb(0), [arb(0), arb(0)]
    coefficient = arb(1)
    for k in range(terms + 1):
        j = a - k
        left = rate**k * (1 - rate) ** j * _gauss(arb(k), s) * ((k - cut) / scale).erfc() / 2
        right = rate**j * (1 - rate) ** k * _gauss(j, s) * ((cut - j) / scale).erfc() / 2
        last = [coefficient * left, coefficient * right][:parts]
        if k < terms:
            total += sum(last, arb(0))
        coefficient *= (a - k) / (k + 1)
    for omitted in last:
        total += omitted.union(arb(0))
    return total


def _gauss(k: arb, sigma: arb) -> arb:
    """e^{k(k-1)/(2 sigma^2)}."""
    return (k * (k - 1) / (2 * sigma**2)).exp()
