"""One epoch of two batches with opposite gradients: delta by one integral in doubles, which knows
neither end of the bracket."""

from __future__ import annotations

import math
from fractions import Fraction

from verify.accounting.pairs.allocation import Allotted
from verify.accounting.pairs.fixed.allocated import allocated_replaced
from verify.audit.pairs.fixed_case import FixedCase, order_text
from verify.numbers.errors import OutOfReach

_LEAST, _NODES = 0.7, 220  # sigma; of each half of the integral
_OWN = Fraction(1, 10**9)  # error of the integral, relative; seen: 1e-12


def two_batches(sigma: float, epsilon: float) -> float:
    """H_a((N(1,0) + N(0,1))/2 || (N(-1,0) + N(0,-1))/2), a = e^epsilon.

    Given the first output, the difference of the densities changes its sign once as the second
    output z grows: at u - a/u = -level, u = e^{z/s^2}.
    """
    square, a = sigma * sigma, math.exp(epsilon)

    def above(z: float) -> float:
        return math.erfc(z / sigma / math.sqrt(2)) / 2

    def inner(z: float) -> float:
        up, still, down = (math.exp(-((z - mean) ** 2) / (2 * square)) for mean in (1, 0, -1))
        level = (up - a * down) / still * math.exp(1 / (2 * square))
        root = math.hypot(level, 2 * math.sqrt(a))
        u = 2 * a / (level + root) if level > 0 else (root - level) / 2
        z = square * math.log(u)
        return up * above(z) + still * above(z - 1) - a * (down * above(z) + still * above(z + 1))

    width = sigma / 20
    total = sum(inner(i * width) for i in range(-_NODES, _NODES + 1))
    return total * width / (2 * sigma * math.sqrt(2 * math.pi))


def opposite(case: FixedCase) -> tuple[bool, str]:
    """Both ends around it; the lower one, a test of this very pair, is close where two outputs are nearly added up."""
    if case.sigma < _LEAST:
        raise OutOfReach("the integral is known for more noise only")
    epsilon = (Fraction(1, 5) + Fraction(case.choice, 50)) / case.sigma
    epsilon = epsilon.limit_denominator(1000)
    truth = Fraction(two_batches(float(case.sigma), float(epsilon)))
    try:
        found = allocated_replaced((Allotted(2, case.sigma, 1),), case.deadline()).delta(epsilon, 6)
    except AssertionError as error:  # a lower end above an upper end
        return False, str(error)
    low, high = Fraction(found.lo), Fraction(found.hi)
    ok = truth * Fraction(9, 10) < low <= truth * (1 + _OWN) and truth * (1 - _OWN) <= high
    return ok, f"{order_text(low, truth)} <= {float(high)!r}"
