"""Rényi divergences of mixture pairs at real orders: ln psi(alpha), certified (``transform``)."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from verify.accounting.history import Phase
from verify.accounting.pairs.mixtures.plan import moment_line
from verify.accounting.pairs.mixtures.side import Change, degrees_of
from verify.accounting.pairs.mixtures.sketch import MixtureSketch
from verify.accounting.pairs.mixtures.transform import real_moment
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, PrecisionExhausted

_ATTEMPTS = 8


def log_moment(
    phase: Phase,
    direction: Change,
    group: int,
    alpha: Fraction,
    digits: int,
    deadline: Deadline | None = None,
) -> Certified:
    """ln psi(alpha) of one step, alpha > 1; divided by alpha - 1 it is the Rényi divergence of that order.

    >>> one = Phase(Fraction(1, 100), Fraction(1), 1)
    >>> print(log_moment(one, "replace", 1, Fraction(2), 12))
    0.000457554382537...
    """
    degrees, deadline = degrees_of(direction, group), deadline or Deadline()
    if not alpha > 1:
        raise OutOfDomain(f"alpha = {float(alpha):.6g}: must be above 1")
    if phase.q == 1:
        return Certified.exactly(alpha * (alpha - 1) * sum(degrees) ** 2 / (2 * phase.sigma**2))
    sketch = MixtureSketch(float(phase.q), float(phase.sigma), degrees)
    a = float(alpha)
    size = max(1e-30, sketch.log_moment(a))
    goal = digits * math.log(10) + 6 - min(0.0, math.log(size))
    for _ in range(_ATTEMPTS):
        deadline.check()
        line = moment_line(sketch, a, goal)
        ends = [
            abs(x)
            for j in (line.low, line.high)
            for x in sketch.logs(round(line.step * j / sketch.step))
        ]
        bits = int(goal / math.log(2) + math.log2(2 + a * max(ends) + len(line))) + 24
        with precision(bits, deadline):
            value: arb = real_moment(phase, degrees, ball(alpha), line).log()
            if value > 0 and value.rel_accuracy_bits() >= 3.33 * digits + 2:
                return Certified(fraction(value.lower()), fraction(value.upper()))
            goal += max(8.0, (3.33 * digits + 4 - value.rel_accuracy_bits()) * math.log(2))
    raise PrecisionExhausted(f"{digits} digits of ln psi({a:.6g}) were not reached")
