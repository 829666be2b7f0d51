"""Gaussian noise that is rounded to the integers after the shift: a pair of laws, certified.

>>> low, high = rounded_moments(Fraction(1, 3), Fraction(3, 10))
>>> bool(low < high)
True
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from proofs_checks.tools.balls import rational
from verify.claims import Undecided
from verify.numbers.balls import precision

REACH = 12  # cells on either side; what lies beyond is bounded


def _cell(k: int, sigma: Fraction, shift: Fraction) -> arb:
    """The probability that the shifted noise is rounded to k."""
    scale = rational(sigma) * arb(2).sqrt()
    left = rational(Fraction(2 * k - 1, 2) - shift) / scale
    right = rational(Fraction(2 * k + 1, 2) - shift) / scale
    # erfc of positive arguments keeps the digits of the far cells
    return ((left.erfc() - right.erfc()) if k > 0 else ((-right).erfc() - (-left).erfc())) / 2


def rounded_moments(sigma: Fraction, shift: Fraction) -> tuple[arb, arb]:
    """The moments of order 2, P against Q and Q against P; P = round(Z), Q = round(Z + shift).

    On the cell of k the ratio of the densities is at most e^{(c^2 + 2c(|k| + 1/2))/(2 sigma^2)} for
    either order, so a cell beyond the reach adds at most that ratio times its own probability,
    which is below the density at its inner edge; these bounds more than halve from cell to cell.
    """
    if not 0 <= shift <= Fraction(1, 2) or sigma > 1:
        raise Undecided("the bound on the far cells is for shifts up to 1/2 and sigma up to 1")
    with precision(400):
        forwards, backwards = arb(0), arb(0)
        for k in range(-REACH, REACH + 1):
            p, q = _cell(k, sigma, Fraction(0)), _cell(k, sigma, shift)
            forwards += p * p / q
            backwards += q * q / p
        edge, slack = REACH + Fraction(1, 2) - shift, REACH + 1 + Fraction(1, 2)
        exponent = (shift**2 + 2 * shift * slack - edge**2) / (2 * sigma**2)
        first = rational(exponent).exp() / (rational(sigma) * (2 * arb.pi()).sqrt())
        beyond = (4 * first).union(arb(0))  # two sides, each at most twice its first cell
        return forwards + beyond, backwards + beyond
