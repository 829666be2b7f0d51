"""The Rényi curve of a run in balls: K(alpha) = sum_j T_j ln A_alpha(q_j, sigma_j), which is convex."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.planner import Planner
from verify.accounting.history import History
from verify.accounting.routes import log
from verify.moments.agreement import certified
from verify.moments.engines import Moment
from verify.numbers.balls import ball, fraction
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain


@dataclass(frozen=True, slots=True)
class RdpEpsilon:
    """The least epsilon a conversion gives over some orders, and the order that gives it."""

    orders: str
    conversion: str
    epsilon: Certified
    order: Certified


class RenyiCurve:
    """K(alpha) of a run in balls; every order is computed once."""

    def __init__(self, history: History, digits: int, deadline: Deadline) -> None:
        self.history, self.digits, self.deadline = history, digits, deadline
        self.sketch = Planner(history, "remove")
        self.known: dict[Fraction, Certified] = {}
        self.bits = 96 + int(3.4 * digits)

    def at(self, alpha: Fraction) -> arb:
        """K(alpha), within a precision() block."""
        if alpha not in self.known:
            parts = [
                certified(
                    Moment(p.q, p.sigma, alpha), self.digits, self.deadline, scale=Fraction(p.steps)
                )
                for p in self.history
            ]
            lo, hi = sum(rational(p.lo) for p in parts), sum(rational(p.hi) for p in parts)
            self.known[alpha] = Certified(Fraction(lo), Fraction(hi))
        value = self.known[alpha]
        return ball(rational(value.lo)).union(ball(rational(value.hi)))

    def rough(self, conversion: str, alpha: float, delta: Fraction) -> float:
        """What a conversion gives at an order, in doubles; infinity where they end."""
        self.deadline.check()
        try:
            k = self.sketch.log_psi(alpha) - log(delta)
        except (ArithmeticError, ValueError):
            return math.inf
        if conversion == "mironov":
            return k / (alpha - 1)
        return (k - math.log(alpha)) / (alpha - 1) + math.log1p(-1 / alpha)


def rational(x: Fraction | float) -> Fraction:
    if isinstance(x, float):
        raise OutOfDomain("a Rényi divergence is infinite")
    return x


def clip_at_zero(value: arb) -> Certified:
    """As an interval, never below 0."""
    lo, hi = fraction(value.lower()), fraction(value.upper())
    return Certified(max(lo, Fraction(0)), max(hi, Fraction(0)))
