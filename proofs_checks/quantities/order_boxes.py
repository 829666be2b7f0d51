"""ln A <= c q^2 alpha (alpha - 1)/sigma^2 for boxes of q and 1/sigma^2 and a whole range of orders.

On q1 <= q <= q2, a <= 1/sigma^2 <= b the left side is at most U(alpha) = ln A at (q2, b), and the
right side at least c q1^2 a alpha (alpha - 1). (Or p(1/sigma^2) in the place of 1/sigma^2, for a
price p that rises.) U is convex in alpha: between two orders it lies below its chord, and a
parabola minus a chord has its minimum where its slope vanishes, or at an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.quantities.engine import log_moment
from proofs_checks.quantities.order_strips import noise_below
from verify.claims import Undecided

DIGITS = 10
STEP = Fraction(3, 2)
_NARROWEST = Fraction(101, 100)

Price = Callable[[Fraction], Fraction]
"""From below, what stands in the place of 1/sigma^2 >= a in the bound."""
LastOrder = Callable[[Fraction, Fraction], Fraction]
"""(q1, a) -> an order that no smaller rate or noise allows to exceed: the largest of the box."""


@dataclass(frozen=True, slots=True)
class OrderBox:
    """A box that is settled, with the number of orders it took."""

    q1: Fraction
    q2: Fraction
    a: Fraction
    b: Fraction
    orders: int


def order_boxes(
    box: tuple[Fraction, Fraction, Fraction, Fraction],
    first: Fraction | LastOrder,
    last: LastOrder,
    c: Fraction,
    price: Price = lambda a: a,
    step: Fraction = STEP,
    narrowest: Fraction = _NARROWEST,
) -> Iterator[OrderBox]:
    """Boxes that cover q1 <= q <= q2, a <= 1/sigma^2 <= b, each for all orders first..last(q1, a); ``first`` may be
    an order that every point of the box exceeds or equals, as a function of (q2, b)."""
    todo = [box]
    while todo:
        q1, q2, a, b = todo.pop()
        begin = first if isinstance(first, Fraction) else first(q2, b)
        steps = _count_orders(
            (q1, q2, noise_below(b)), begin, last(q1, a), c * q1**2 * price(a), step
        )
        if steps:
            yield OrderBox(q1, q2, a, b, steps)
        elif q2 < q1 * narrowest and b < a * narrowest:
            raise Undecided(f"q from {float(q1):.6g}, 1/sigma^2 from {float(a):.6g}")
        elif (q2 / q1) ** 2 > b / a:
            middle = _between(q1, q2)
            todo += [(q1, middle, a, b), (middle, q2, a, b)]
        else:
            middle = _between(a, b)
            todo += [(q1, q2, a, middle), (q1, q2, middle, b)]


def _count_orders(
    corner: tuple[Fraction, Fraction, Fraction],
    first: Fraction,
    last: Fraction,
    lead: Fraction,
    step: Fraction,
) -> int:
    """How many orders settled the box; 0 if they did not."""
    _, q2, noise = corner

    def upper(alpha: Fraction) -> Fraction:
        return Fraction(log_moment(q2, noise, alpha, DIGITS).hi)

    here, height, steps = first, upper(first), 1
    while here < last:
        there = min(here * step, last)
        above = upper(there)
        slope = (above - height) / (there - here)
        worst = min(max((slope / lead + 1) / 2, here), there)
        if height + slope * (worst - here) > lead * worst * (worst - 1):
            return 0
        here, height, steps = there, above, steps + 1
    return steps


def _between(x: Fraction, y: Fraction) -> Fraction:
    return Fraction(float(x * y) ** 0.5).limit_denominator(10**7)
