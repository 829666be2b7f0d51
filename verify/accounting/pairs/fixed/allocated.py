"""Random allocation with one record replaced: no pair is known that is attained and dominates, so
both ends are compared.

In an epoch the record goes to one of T batches; b is the vector that is 1 there and 0 elsewhere.
Its gradient is x_t in one world and x'_t in the other.

**Upper end, through a third world** R in which the record's gradient is zero. Between the world of
x and R one record is zeroed out, and so it is between R and the world of x': for both the exact
(epsilon, delta) is known (``allocation``), whatever the other records and the adversary do. For any
event S and e1, e2 >= 0

    P(S) <= e^e1 R(S) + d1,   R(S) <= e^e2 Q(S) + d2:        P(S) <= e^(e1+e2) Q(S) + d1 + e^e1 d2,

with d1 = delta_remove(e1), d2 = delta_add(e2). So delta(e1 + e2) <= d1 + e^e1 d2 for every split,
the worlds exchanged as well (x and x' are any). Doubles propose the split. And, given the batches,
each epoch moves one step by at most 2: the Gaussian with mu^2 = sum 4 epochs/sigma^2.

**Lower ends.** x against 0, all others zero: allocation with one record zeroed out, exact. And x
against -x, all others zero: the outputs are N(b, sigma^2) against N(-b, sigma^2), coordinate by
coordinate. A test that looks at the sum of f over all outputs does not see which batch the record
was in: the sum has the law of E independent values of f(N(1)) (against f(N(-1))) and E (T-1)
independent values of f(N(0)), in both worlds. ``policies`` composes these laws, with power rounded
down and size up, so every f gives a lower end; here f is the log-likelihood ratio of the Poisson
step with rate 1/T,

    f(z) = ln(1 - 1/T + e^{(2z-1)/(2 sigma^2)}/T) - ln(1 - 1/T + e^{(-2z-1)/(2 sigma^2)}/T).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.exact.loss import Loss
from verify.accounting.history import Phase
from verify.accounting.pairs.allocation import Allocation, Allotted
from verify.accounting.pairs.fixed.composing import Played
from verify.accounting.pairs.fixed.ends import (
    Attained,
    Between,
    End,
    Larger,
    OfCurve,
    delta_of,
    epsilon_of,
)
from verify.accounting.tight import Curve
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Bound

_BITS = 128
_SPLITS = 24  # at which doubles look
_NULL = "the record's gradient has the clipping norm, its replacement and all others are zero"
_OPPOSITE = (
    "the record's gradient has the clipping norm, its replacement is the opposite gradient, "
    "all others are zero"
)


@dataclass(frozen=True, slots=True)
class ThroughZero:
    """delta(e1 + e2) <= delta_remove(e1) + e^e1 delta_add(e2)."""

    remove: Allocation
    add: Allocation

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        """A number that delta(epsilon) is not above."""
        first = epsilon * self._share(float(epsilon))
        one = Fraction(delta_of(self.remove, first, digits, deadline.share(0.5)).hi)
        other = Fraction(delta_of(self.add, epsilon - first, digits, deadline).hi)
        with precision(_BITS):
            front = fraction(ball(first).exp().upper())
        return min(Fraction(1), one + front * other)

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        """A number that epsilon(delta) is not above: half of delta for each way."""
        first = epsilon_of(self.remove, delta / 2, digits, deadline.share(0.5)).hi
        if not isinstance(first, Fraction):
            return first
        with precision(_BITS):
            rest = fraction((ball(delta) / 2 * (-ball(first)).exp()).lower())
        second = epsilon_of(self.add, rest, digits, deadline).hi
        return first + second if isinstance(second, Fraction) else second

    def _share(self, x: float) -> Fraction:
        """The part of epsilon for the first way, in doubles."""

        def size(i: int) -> float:
            first = x * i / _SPLITS
            one = self.remove.forecast.log_delta(first)
            other = first + self.add.forecast.log_delta(x - first)
            return max(one, other)

        return Fraction(min(range(_SPLITS // 2, _SPLITS), key=size), _SPLITS)


@dataclass(frozen=True, slots=True)
class OneOutput:
    """One output: N(mean) against N(-mean). The label is f, which is not the loss of this output."""

    batches: int
    sigma: Fraction
    mean: int

    def below(self, z: arb) -> tuple[arb, arb]:
        s = ball(self.sigma)
        return normal((z - self.mean) / s), normal((z + self.mean) / s)

    def loss(self, z: float) -> float:
        square = float(self.sigma) ** 2
        first, second = (self._log((sign * 2 * z - 1) / (2 * square)) for sign in (1, -1))
        return first - second

    def _log(self, exponent: float) -> float:
        """ln(1 - 1/T + e^exponent/T)."""
        rate = exponent - math.log(self.batches)
        top = max(rate, 0.0)
        return top + math.log(math.exp(rate - top) + (1 - 1 / self.batches) * math.exp(-top))

    def range(self, nats: float) -> tuple[float, float]:
        reach = self.mean + float(self.sigma) * math.sqrt(2 * nats)
        return -reach, reach


def allocated_replaced(parts: Iterable[Allotted], deadline: Deadline) -> Curve | Between:
    """Replace-one under random allocation, records that sit out no epoch."""
    parts = tuple(parts)
    known = Curve(
        tuple(Phase(Fraction(1), p.sigma / 2, p.epochs) for p in parts), "remove", deadline
    )
    if all(p.batches == 1 for p in parts):
        return known
    remove, add = (Allocation(parts, (), d, deadline) for d in ("remove", "add"))
    upper: list[End] = [OfCurve(known, up=True), ThroughZero(remove, add)]
    lower = [Attained(Larger((remove, add)), _NULL), Attained(_opposite(parts), _OPPOSITE)]
    return Between(lower, upper, deadline)


def _opposite(parts: tuple[Allotted, ...]) -> Played:
    outputs, grid = [], []
    for p in parts:
        for mean, times in ((1, p.epochs), (0, p.epochs * (p.batches - 1))):
            if times:
                outputs.append(([OneOutput(p.batches, p.sigma, mean)], times))
        # a grid for about as much loss: steps against zero, four times as many
        one = Loss(Phase(Fraction(1, p.batches), p.sigma, 1), "remove")
        grid.append((one, 4 * p.batches * p.epochs))
    return Played([outputs], [grid], drifting=False)
