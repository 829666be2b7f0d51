"""Two or three steps by direct summation: delta lies between two finite sums over the outcomes of
all steps but the last.

With g = g(t1) ... g(tT) under N(0, 1)^T

    removing   delta = E[(g - e^eps)_+]
    adding     delta = E[(1 - e^eps g)_+]

and both are convex in each factor. The last step is integrated in closed form: with y the product of the others,

    removing   f(y) = y S1(x) - e^eps S2(x),             y g(x) = e^eps
    adding     f(y) = Phi(x) - e^eps y (1 - S1(x)),      e^eps y g(x) = 1

(S1 and S2 as in ``pair``; x = -inf where g cannot be so small). The others are cut into cells of t,
the first and the last without end. Let a cell have the mass w and the mean m of g, and g run from u
to v on it. By convexity

    below   the whole mass at m (Jensen)
    above   the mass at u and v that has the same mean; g has no end on the last cell: when adding,
            f falls, and all is put at u; when removing, f(y) <= y, so that steps in their last
            cells add at most S1(its left end) each

for one step after the other. There is no transform, no grid of losses, no convolution and no
contour in this: only the normal distribution function in balls. It costs the square of the number
of cells at three steps, and its error falls with that square.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.planner import Direction
from verify.accounting.history import Phase
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.errors import OutOfDomain, PrecisionExhausted

CELLS = 160
_BITS = 192
_REACH = 9  # standard deviations of the cells with an end
_Weights = list[tuple[arb, arb]]
"""Values of g with their weights."""


@dataclass(frozen=True, slots=True)
class _Step:
    q: arb
    p: arb
    sigma: arb

    def ratio(self, t: arb) -> arb:
        return self.p + self.q * (t / self.sigma - 1 / (2 * self.sigma**2)).exp()

    def beyond(self, t: arb) -> tuple[arb, arb]:
        """S1(t), S2(t)."""
        plain = normal(-t)
        return self.p * plain + self.q * normal(1 / self.sigma - t), plain

    def place(self, ratio: arb) -> arb | None:
        """Where g has this value; None if it is below all of them."""
        rest = ratio - self.p
        if rest > 0:
            return self.sigma * (rest / self.q).log() + 1 / (2 * self.sigma)
        if rest <= 0:
            return None
        raise PrecisionExhausted("a product of cells lies at the least ratio")


def brute(
    phase: Phase, direction: Direction, epsilon: Fraction, cells: int = CELLS
) -> tuple[Fraction, Fraction]:
    """delta(epsilon) lies between these.

    >>> low, high = brute(Phase(Fraction(1, 10), Fraction(2), 3), "remove", Fraction(1, 4), 40)
    >>> f"{float(low):.6f} {float(high):.6f}"
    '0.000819 0.000928'
    """
    if phase.steps not in (2, 3) or not 0 < phase.q < 1:
        raise OutOfDomain("brute force is for two or three steps with 0 < q < 1")
    with precision(_BITS):
        step = _Step(ball(phase.q), ball(1 - phase.q), ball(phase.sigma))
        last = _last(step, direction, ball(epsilon).exp())
        low, high, left_out = _weights(step, direction, phase, cells)
        lower, upper = (_sum(last, weights, phase.steps) for weights in (low, high))
        upper += (phase.steps - 1) * left_out if direction == "remove" else 0
        return max(Fraction(0), fraction(lower.lower())), fraction(upper.upper())


def _last(step: _Step, direction: Direction, e: arb) -> Callable[[arb], arb]:
    """f, of e^eps."""

    def remove(y: arb) -> arb:
        at = step.place(e / y)
        if at is None:
            return y - e
        first, second = step.beyond(at)
        return y * first - e * second

    def add(y: arb) -> arb:
        at = step.place(1 / (e * y))
        if at is None:
            return arb(0)
        first, second = step.beyond(at)
        return (1 - second) - e * y * (1 - first)

    return remove if direction == "remove" else add


def _weights(
    step: _Step, direction: Direction, phase: Phase, cells: int
) -> tuple[_Weights, _Weights, arb]:
    """One step's outcomes from below and from above, and what the latter leaves out."""
    right = _REACH + 1 / phase.sigma
    edges = [ball(-_REACH + (right + _REACH) * Fraction(i, cells)) for i in range(cells + 1)]
    ends = [step.beyond(t) for t in edges]
    ratios = [step.ratio(t) for t in edges]
    below: _Weights = []
    above = [[g, arb(0)] for g in (step.p, *ratios)]
    before = arb(1), arb(1)
    for i, (here, v) in enumerate(zip(ends, ratios, strict=True)):
        u = above[i][0]
        mass, moment = before[1] - here[1], before[0] - here[0]
        below.append((moment / mass, mass))
        share = (moment - u * mass) / (v - u)
        above[i + 1][1] += share
        above[i][1] += mass - share
        before = here
    below.append((before[0] / before[1], before[1]))
    if direction == "add":
        above[-1][1] += before[1]
    return below, [(g, w) for g, w in above], before[0]


def _sum(last: Callable[[arb], arb], weights: _Weights, steps: int) -> arb:
    """The mean of f over all steps but the last."""
    total = arb(0)
    for i, (g, w) in enumerate(weights):
        if steps == 2:
            total += w * last(g)
            continue
        inner = w * last(g * g) / 2
        for h, v in weights[:i]:
            inner += v * last(g * h)
        total += 2 * w * inner
    return total
