"""How far the true value moves if q, sigma and alpha are moved by a few ulps: what conditioning explains.

A program that rounds its parameters once or twice answers for a neighbouring point, and no double
program can be blamed for that. How much it moves the answer is certified, not estimated: every quantity
that is judged grows with q and with alpha, and falls with sigma,

    q      A is convex in q with slope 0 at q = 0 (E g = 1), so it grows; ln B likewise;
    sigma  more noise is post-processing of less (data processing inequality);
    alpha  the order of Rényi divergences; ln A is convex in alpha, 0 at 1 and never negative;

so over the box of all parameters within some ulps, the least and the largest value are at two opposite
corners, and two certified evaluations there bound everything between.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from verify.judge.protocol.question import Question
from verify.moments.divergence import evaluate
from verify.numbers.certified import Bound, Certified
from verify.numbers.point import Point

ULPS = 8
_DIGITS = 20
_SECONDS = 60.0


@functools.lru_cache(maxsize=1 << 16)
def bounds_nearby(question: Question) -> tuple[Bound, Bound]:
    """Bounds of the quantity over all q, sigma, alpha within 8 ulps of those asked.

    >>> low, high = bounds_nearby(Question("rdp", 1.0, 2.0, 3.0))
    >>> float(low) < 0.375 < float(high), float(high - low) < 1e-14
    (True, True)
    """
    return _corner(question, -1).lo, _corner(question, +1).hi


def condition(question: Question) -> float:
    """The largest relative move of the value, in relative moves of 2^-52 of the parameters.

    >>> 3 < condition(Question("rdp", 1.0, 2.0, 3.0)) < 5
    True
    """
    low, high = bounds_nearby(question)
    if isinstance(low, float) or isinstance(high, float) or high == 0:
        return 0.0
    return float((high - low) / (high + low) * 2**52 / ULPS)


def _corner(question: Question, side: int) -> Certified:
    q, sigma, alpha = (
        _ulps_away(question.q, side),
        _ulps_away(question.sigma, -side),
        question.alpha if math.isinf(question.alpha) else _ulps_away(question.alpha, side),
    )
    inside = Point.of(
        min(max(q, Fraction(0)), Fraction(1)),
        max(sigma, Fraction(question.sigma) / 2),
        alpha if isinstance(alpha, float) else max(alpha, Fraction(1)),
    )
    return evaluate(question.quantity, inside, _DIGITS, False, _SECONDS)


def _ulps_away(x: float, side: int) -> Fraction:
    return Fraction(x) + side * ULPS * Fraction(math.ulp(x))
