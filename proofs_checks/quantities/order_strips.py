"""R = (A - 1) sigma^2/(q^2 alpha (alpha-1)) for all orders up to a limit that depends on q and sigma.

Write v = 1/sigma^2. For whole orders n, R_n is a polynomial in q whose coefficients, C(n, k) E[(r-1)^k]
over n (n-1) v, are not negative; so it is convex in q and lies below its chord from q = 0, where it is
(e^v - 1)/(2v). A rises with q and with v. Between whole orders R is log-convex. Hence, where orders in
[n, m] are allowed only for q <= Q and a <= v <= b,

    R_alpha <= max over j in {n, m} of the chord of (A_j(q, b) - 1)/(q^2 j (j-1) a), 0 <= q <= Q.

Orders without end: with E[(r-1)^k] <= 2 e^{v k (k-1)/2} and q <= e^{-(m-2) v/c}, m = n + 1, b =
1/c, the exponents -(m-2)(k-2) b + k (k-1)/2 are convex in k, so below their chord from k = 3 to k =
m, of slope s = (m+2)/2 - (m-2) b, and

    R_m - (e^v - 1)/(2v)  <=  m^2 e^{(3 - (m-2) b) v + m e^{s v}} / (3 (m-1) v),

which falls with v where s < 0 and (m-2) b > 3, and with m from m v (b - 1/2) >= 1 on. At one and the same q, R_n is at
most R_m: each of its coefficients is. c, the reach, is 1 where no other is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from proofs_checks.quantities.engine import log_moment
from proofs_checks.tools.balls import rational
from verify.claims import Undecided
from verify.numbers.balls import enclosure, precision

DIGITS = 12
BITS = 80
_NARROWEST = Fraction(1001, 1000)

LargestRate = Callable[[int, Fraction, Fraction], Fraction]
"""(n, a, b) -> Q: no order from n on is allowed for a rate above Q, if a <= v <= b."""
Most = Callable[[int, Fraction, Fraction], Fraction]
"""(n, Q, a) -> what R may be at q = Q for orders from n on, v >= a; linear in Q and at least its value at 0."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Orders n..m for a <= 1/sigma^2 <= b, settled by R at the largest rate."""

    n: int
    m: int
    a: Fraction
    b: Fraction
    rate: Fraction
    value: Fraction


def strips(
    first: Fraction,
    last: Fraction,
    orders: list[int],
    largest: LargestRate,
    most: Most,
    later: int = 1,
    reach: Fraction = Fraction(1),
) -> Iterator[Strip]:
    """Strips that cover first <= 1/sigma^2 <= last and orders[0] <= alpha <= orders[-1].

    An order j must be allowed only for q <= e^{-(j - 2 + later) v/reach}.
    """
    for n, m in pairwise(orders):
        todo = [(first, last)]
        while todo:
            a, b = todo.pop()
            if (found := _settle_strip(n, m, a, b, largest, most, later, reach)) is not None:
                yield found
            elif b < a * _NARROWEST:
                raise Undecided(f"orders {n}..{m}, {float(a):.6g} <= 1/sigma^2 <= {float(b):.6g}")
            else:
                middle = Fraction(float(a * b) ** 0.5).limit_denominator(10**6)
                todo += [(a, middle), (middle, b)]


def _settle_strip(
    n: int,
    m: int,
    a: Fraction,
    b: Fraction,
    largest: LargestRate,
    most: Most,
    later: int,
    reach: Fraction,
) -> Strip | None:
    rate, least = largest(n, a, b), most(n, Fraction(0), a)
    if falls(n + later, a, reach):
        by_tail = at_zero(b) + beyond(n + later, a, reach)
        if by_tail <= least:
            return Strip(n, m, a, b, rate, by_tail)
    if at_zero(b) * b / a > least:
        return None
    noise = noise_below(b)
    worst = Fraction(0)
    for order in (n, m):
        with precision(BITS):
            excess = log_moment(rate, noise, Fraction(order), DIGITS).hi
            value = rational(Fraction(excess)).expm1() / rational(rate**2 * order * (order - 1) * a)
            worst = max(worst, Fraction(enclosure(value).hi))
    return Strip(n, m, a, b, rate, worst) if worst <= most(n, rate, a) else None


def at_zero(v: Fraction) -> Fraction:
    """(e^v - 1)/(2v), R at q = 0, from above."""
    with precision(BITS):
        return Fraction(enclosure(rational(v).expm1() / rational(2 * v)).hi)


def noise_below(v: Fraction) -> Fraction:
    """A sigma with 1/sigma^2 >= v, and not much more."""
    guess = Fraction(float(v) ** -0.5 * (1 - 1e-9)).limit_denominator(10**12)
    if guess**2 * v > 1:
        raise Undecided(f"no noise for 1/sigma^2 = {v}")
    return guess


def falls(m: int, v: Fraction, reach: Fraction = Fraction(1)) -> bool:
    """Whether the bound for all orders from m on falls with the order and with 1/sigma^2."""
    slope = Fraction(m + 2, 2) - (m - 2) / reach
    return m * v * (1 / reach - Fraction(1, 2)) >= 1 and slope < 0 and (m - 2) / reach > 3


def beyond(m: int, v: Fraction, reach: Fraction = Fraction(1)) -> Fraction:
    """What R exceeds (e^v - 1)/(2v) by at most, for all whole orders from m on and all 1/sigma^2 >= v."""
    if not falls(m, v, reach):
        raise Undecided(f"m = {m}, 1/sigma^2 = {v}: the bound does not fall yet")
    with precision(BITS):
        size, x = rational(m), rational(v)
        slope, first = Fraction(m + 2, 2) - (m - 2) / reach, 3 - (m - 2) / reach
        rho = size * (rational(slope) * x).exp()
        bound: arb = size**2 * (rho + rational(first) * x).exp() / (3 * (size - 1) * x)
        return Fraction(enclosure(bound).hi)


def growing(last: int, ratio: Fraction) -> list[int]:
    """Whole orders 2, 3, ... that grow by at most that ratio, or by 1, up to ``last``."""
    orders = [2]
    while orders[-1] < last:
        orders.append(min(last, max(orders[-1] + 1, int(orders[-1] * ratio))))
    return orders
