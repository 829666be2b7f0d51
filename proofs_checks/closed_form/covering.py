"""epsilon <= K q^2 alpha p(v), v = 1/sigma^2, for all orders 2 <= alpha <= 1 + c sigma^2 ln(1/q), on boxes of q and v.

p(v) is v itself or t = e^v - 1. Since ln(1 + x) <= x, it is enough that R = (A - 1)/(q^2 v alpha (alpha-1)) <= K p(v)/v.

* Small rates, q <= Q: strips of v and of whole orders (:mod:`proofs_checks.quantities.order_strips`). An order from n on is
  allowed only for q <= e^{-(n-1) v/c}, and R at that rate decides; for orders without end one bound serves.
* Q <= q: boxes (:mod:`proofs_checks.quantities.order_boxes`), ln A at the corner against the bound at the other corner.

>>> len(small_rates(REMEMBER, Fraction(1, 2), Fraction(1), Fraction(1, 200))) > 10
True
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from proofs_checks.quantities.order_boxes import OrderBox, order_boxes
from proofs_checks.quantities.order_strips import Strip, at_zero, beyond, growing, strips
from proofs_checks.tools.balls import rational
from verify.claims import Undecided
from verify.numbers.balls import enclosure, precision

BITS = 80
STEP = Fraction(11, 10)
_NARROWEST = Fraction(10_005, 10_000)


@dataclass(frozen=True)
class Bound:
    """epsilon <= constant q^2 alpha p, alpha <= 1 + reach sigma^2 ln(1/q); p is 1/sigma^2 or e^{1/sigma^2} - 1."""

    constant: Fraction
    reach: Fraction
    price: Literal["v", "t"]

    def least_price(self, v: Fraction) -> Fraction:
        """p at v, from below; it rises with v."""
        if self.price == "v":
            return v
        with precision(BITS):
            return Fraction(enclosure(rational(v).expm1()).lo)

    def last_order(self, q: Fraction, v: Fraction) -> Fraction:
        """From above, the last order at rates from q and 1/sigma^2 from v on."""
        with precision(BITS):
            return 1 + self.reach * Fraction(enclosure(-rational(q).log() / rational(v)).hi)

    def largest_rate(self, n: int, v: Fraction) -> Fraction:
        """From above, the largest rate at which an order from n on is allowed, 1/sigma^2 >= v."""
        with precision(BITS):
            return Fraction(enclosure((-rational((n - 1) * v / self.reach)).exp()).hi)


REMEMBER = Bound(Fraction(1), Fraction(1), "t")


def small_rates(bound: Bound, first: Fraction, last: Fraction, rate: Fraction) -> list[Strip]:
    """Strips that settle all q <= rate, first <= 1/sigma^2 <= last and all orders from 2 on."""
    top = int(60 / first) if bound.reach <= 1 else int(80 / first)
    ratio = Fraction(21, 20) if bound.reach <= 1 else Fraction(107, 100)

    def largest(n: int, a: Fraction, _: Fraction) -> Fraction:
        return min(rate, bound.largest_rate(n, a))

    def most(_: int, __: Fraction, a: Fraction) -> Fraction:
        return bound.constant * bound.least_price(a) / a

    found = list(
        strips(first, last, growing(top, ratio), largest, most, reach=max(bound.reach, Fraction(1)))
    )
    # at_zero rises with v as the price over v does; at the first v both are smallest.
    step, v = Fraction(21, 20), first
    while v < last:
        after = min(v * step, last)
        if at_zero(after) + beyond(top, v, max(bound.reach, Fraction(1))) > most(top, rate, v):
            raise Undecided(f"orders beyond {top}, 1/sigma^2 from {float(v):.4g}")
        v = after
    return found


def large_rates(
    bound: Bound,
    box: tuple[Fraction, Fraction, Fraction, Fraction],
    first: Bound | None = None,
) -> list[OrderBox]:
    """Boxes that settle q1 <= q <= q2, v1 <= 1/sigma^2 <= v2, for the orders from 2 on, or from the end of ``first`` on."""

    def begin(q: Fraction, v: Fraction) -> Fraction:
        if first is None:
            return Fraction(2)
        with precision(BITS):
            return max(
                Fraction(2),
                1 + first.reach * Fraction(enclosure(-rational(q).log() / rational(v)).lo),
            )

    return list(
        order_boxes(
            box, begin, bound.last_order, bound.constant, bound.least_price, STEP, _NARROWEST
        )
    )
