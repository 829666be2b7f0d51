"""Where the paper's closed-form bound is claimed, decided with balls.

>>> allowed(Fraction(1, 5), Fraction(4), Fraction(4)), allowed(Fraction(1, 5), Fraction(4), Fraction(5))
(True, False)
"""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.tools.balls import rational
from verify.balls import precision


def allowed(q: Fraction, sigma: Fraction, alpha: Fraction) -> bool:
    """Whether q <= 1/5, sigma >= 4, alpha > 1 and both conditions on alpha surely hold."""
    if not (0 < q <= Fraction(1, 5) and sigma >= 4 and alpha > 1):
        return False
    with precision(200):
        s, a, rate = rational(sigma), rational(alpha), rational(q)
        log_ratio = (1 + 1 / (rate * (a - 1))).log()
        first = s * s * log_ratio / 2 - 2 * s.log()
        numerator = s * s * log_ratio**2 / 2 - rational(Fraction(5)).log() - 2 * s.log()
        denominator = log_ratio + (rate * a).log() + 1 / (2 * s * s)
        # L + ln(q alpha) = ln(q alpha + alpha/(alpha-1)) > 0: the quotient may be cleared
        return bool(denominator > 0 and a <= first and a * denominator <= numerator)


def bound(q: Fraction, sigma: Fraction, alpha: Fraction) -> Fraction:
    """2 q^2 alpha / sigma^2."""
    return 2 * q**2 * alpha / sigma**2
