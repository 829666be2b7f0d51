"""Integrals over an interval as balls.

>>> x = sympy.Symbol("x")
>>> integral_ball(1 / (1 + x), x, (0, 1), 64).str(5)
'[0.69315 +/- 2.96e-6]'
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.tools.balls import ball, interval, rational

Ends = tuple[Fraction | int, Fraction | int]


def integral_ball(f: sympy.Expr, x: sympy.Symbol, ends: Ends, pieces: int) -> arb:
    """The integral of a twice differentiable f: midpoints, and h^3 f''/24 for what they miss.

    f'' is enclosed on the whole piece, so the result contains the integral whatever f does there;
    an f'' that is infinite on a piece makes the ball infinite, which decides nothing.
    """
    low, high = Fraction(ends[0]), Fraction(ends[1])
    h = (high - low) / pieces
    curvature = sympy.diff(f, x, 2)
    total = arb(0)
    for i in range(pieces):
        left = low + i * h
        bend = ball(curvature, {x: interval(left, left + h)})
        total += rational(h) * ball(f, {x: rational(left + h / 2)}) + rational(h**3 / 24) * bend
    return total
