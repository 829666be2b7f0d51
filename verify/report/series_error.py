"""How fast the paper's series for fractional orders converges, summed as it stands and accelerated.

With R = e^{(z - z1)/sigma^2}, the half-lines left and right of z1 give for every k the terms

    C(a, k) (1-q)^a E[R^k; z < z1]   and   C(a, k) q^a e^{a(a-1)/(2 sigma^2)} E_a[R^-k; z > z1]

(E_a: mean shifted to a). From k = ceil(a) on they alternate and are Hausdorff moments, so the
Cohen-Villegas-Zagier weights leave an error of at most (first accelerated term)/d_n.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath

from verify.divergence import evaluate
from verify.point import Point

Q, SIGMA, ALPHA = "0.5", "1", "1.1"
TERMS = (2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 36, 43, 51, 60, 80, 100, 150, 200, 300, 500, 700, 1000)
ACCELERATED = 60  # more would only show the working precision
_WORKING = 90


def term(mp: Any, q: Any, sigma: Any, a: Any, k: int) -> Any:
    """Both half-lines' k-th terms together."""
    z1 = mp.mpf(1) / 2 + sigma**2 * mp.log(1 / q - 1)
    root = mp.sqrt(2) * sigma

    def moment(order: Any) -> Any:
        return mp.exp((order * order - order) / (2 * sigma**2)) / 2

    left = moment(k) * mp.erfc((k - z1) / root) * (1 - q) ** (a - k) * q**k
    right = moment(a - k) * mp.erfc((z1 - a + k) / root) * q ** (a - k) * (1 - q) ** k
    return mp.binomial(a, k) * (left + right)


def accelerated(mp: Any, moments: list[Any], n: int) -> tuple[Any, Any]:
    """The alternating sum of the moments from its first n, and the proved bound of the error."""
    d = (3 + mp.sqrt(8)) ** n
    d = (d + 1 / d) / 2
    b, c, total = mp.mpf(-1), -d, mp.mpf(0)
    for k in range(n):
        c = b - c
        total += c * moments[k]
        b = b * (k + n) * (k - n) / ((k + mp.mpf(1) / 2) * (k + 1))
    return total / d, moments[0] / d


def series_rows() -> list[list[str | None]]:
    """Terms, error of the plain sum, error of the accelerated sum, proved bound of that error."""
    point = Point.of(Q, SIGMA, ALPHA)
    log_a = evaluate("log_a", point, 75, True, 120.0)
    rows: list[list[str | None]] = []
    with mpmath.workdps(_WORKING):
        mp = mpmath.mp
        q, sigma, a = (
            mp.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in (Q, SIGMA, ALPHA)
        )
        middle = (Fraction(log_a.lo) + Fraction(log_a.hi)) / 2
        truth = mp.exp(mp.mpf(middle.numerator) / middle.denominator)
        terms = [term(mp, q, sigma, a, k) for k in range(max(TERMS) + 1)]
        head = int(mp.ceil(a))
        before = mp.fsum(terms[:head])
        moments = [abs(t) for t in terms[head:]]
        sign = mp.sign(terms[head])
        for n in TERMS:
            plain = abs(mp.fsum(terms[:n]) - truth)
            row = [str(n), mp.nstr(plain, 4), None, None]
            if head < n <= ACCELERATED:
                tail, bound = accelerated(mp, moments, n - head)
                row[2:] = [mp.nstr(abs(before + sign * tail - truth), 4), mp.nstr(bound, 4)]
            rows.append(row)
    return rows
