"""Two or three steps of a mixture pair by brute force: delta between two finite sums over the
outcomes of all steps but the last.

With r = g+/g- and y the product of the r of all steps but the last, delta = E_2[(y r - e^eps)_+],
convex in each factor. The last step is integrated in closed form (``exact``):

    f(y) = y S1(x) - e^eps S2(x),     L(x) = eps - ln y;
    f(y) = y - e^eps if L is above that everywhere, 0 if it is below.

Each other step is cut into cells of t, the first and the last without end. Let a cell have the
masses w1, w2 in the two distributions; the mean of r under the second is w1/w2. By convexity

    below   the whole mass w2 at w1/w2 (Jensen)
    above   the mass w2 at the values of r at both ends, so that the mean stays. r is at least 0 on
            the first cell; on the last cell it has no end, and as f(y) <= y, what lies in the last
            cell of some step adds at most w1 of that cell.

There is no transform, no grid of losses, no convolution and no contour in this.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from verify.accounting.history import Phase
from verify.accounting.pairs.mixtures.exact import OneStep
from verify.accounting.pairs.mixtures.transform import Degrees
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.errors import OutOfDomain, PrecisionExhausted

CELLS = 100
_BITS = 160
_REACH = 8  # standard deviations of the cells with an end
_Weights = list[tuple[arb, arb]]


def brute(
    phase: Phase, degrees: Degrees, epsilon: Fraction, cells: int = CELLS
) -> tuple[Fraction, Fraction]:
    """delta(epsilon) lies between these.

    >>> low, high = brute(Phase(Fraction(1, 5), Fraction(1), 2), (1, 1), Fraction(1))
    >>> f"{float(low):.4f} {float(high):.4f}"
    '0.0162 0.0164'
    """
    if phase.steps not in (2, 3) or not 0 < phase.q < 1:
        raise OutOfDomain("brute force is for two or three steps with 0 < q < 1")
    with precision(_BITS):
        one, eps = OneStep(phase, degrees), ball(epsilon)
        low, high, left_out = _weights(one, phase, cells)
        lower, upper = (_sum(one, eps, weights, phase.steps) for weights in (low, high))
        upper += (phase.steps - 1) * left_out
        return max(Fraction(0), fraction(lower.lower())), fraction(upper.upper())


def _last(one: OneStep, eps: arb, y: arb) -> arb:
    """f(y)."""
    if not y > 0:
        return arb(0)
    e, level = eps.exp(), eps - y.log()
    end = -one.step.k * one.step.p.log()
    if not one.up and not level < end:
        return _sure(level >= end, arb(0))
    if not one.down and not level > -end:
        return _sure(level <= -end, y - e)
    first, second = one.above(one.root(level))
    return y * first - e * second


def _sure(decided: bool, value: arb) -> arb:
    if not decided:
        raise PrecisionExhausted("a product of cells lies at an end of the loss")
    return value


def _weights(one: OneStep, phase: Phase, cells: int) -> tuple[_Weights, _Weights, arb]:
    """(r, second mass) of one step from below and from above, and what the latter leaves out."""
    right, left = _REACH + one.up / phase.sigma, -_REACH - one.down / phase.sigma
    edges = [ball(left + (right - left) * Fraction(i, cells)) for i in range(cells + 1)]
    below: _Weights = []
    above = [[r, arb(0)] for r in (arb(0), *(one.loss(t).exp() for t in edges))]
    before = arb(1), arb(1)
    for i, t in enumerate(edges):
        here = one.above(t)
        first, second = before[0] - here[0], before[1] - here[1]
        below.append((first / second, second))
        u, v = above[i][0], above[i + 1][0]
        share = (first - u * second) / (v - u)
        above[i + 1][1] += share
        above[i][1] += second - share
        before = here
    below.append((before[0] / before[1], before[1]))
    return below, [(r, w) for r, w in above], before[0]


def _sum(one: OneStep, eps: arb, weights: _Weights, steps: int) -> arb:
    """The mean of f over all steps but the last."""
    total = arb(0)
    for i, (r, w) in enumerate(weights):
        if steps == 2:
            total += w * _last(one, eps, r)
            continue
        inner = w * _last(one, eps, r * r) / 2
        for other, v in weights[:i]:
            inner += v * _last(one, eps, r * other)
        total += 2 * w * inner
    return total
