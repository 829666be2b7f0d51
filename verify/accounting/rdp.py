"""epsilon by way of RDP: over a list of orders, and over all real orders, the minimum proved.

F(alpha) first falls and then rises (``conversions``). So one order of a list whose neighbours in the list are surely larger is
the minimum of the list, and a < m < b with F(a) > F(m) < F(b) has the minimum of all real orders in (a, b).

**Value of the real minimum.** K is convex: on [a, m] it lies above the line through (m, K(m)) and (b, K(b)), on [m, b] above the
one through (a, K(a)) and (m, K(m)). With K replaced by a line of slope k, C the value of that line at alpha = 1 plus L:

    mironov   k + C/(alpha-1)                                   monotone
    cks       k + (C - ln alpha)/(alpha-1) + ln(1 - 1/alpha)    derivative -(C - ln alpha)/(alpha-1)^2: falls to e^C, then rises

so that its least value on an interval is at an end, or at e^C. The minimum lies between that and F(m); the difference is of second
order in b - a.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.conversions import CONVERSIONS, ORDERS
from verify.accounting.history import History
from verify.accounting.planner import Planner
from verify.accounting.routes import log
from verify.balls import ball, fraction, precision
from verify.budget import Deadline
from verify.certified import Certified
from verify.engines import Moment
from verify.errors import OutOfDomain, PrecisionExhausted
from verify.moments import certified

ALL_ORDERS = "all real orders"


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
            lo, hi = sum(_rational(p.lo) for p in parts), sum(_rational(p.hi) for p in parts)
            self.known[alpha] = Certified(Fraction(lo), Fraction(hi))
        value = self.known[alpha]
        return ball(_rational(value.lo)).union(ball(_rational(value.hi)))


def _rational(x: Fraction | float) -> Fraction:
    if isinstance(x, float):
        raise OutOfDomain("a Rényi divergence is infinite")
    return x


def over_list(
    curve: RenyiCurve, delta: Fraction, conversion: str, orders: str | tuple[Fraction, ...]
) -> RdpEpsilon:
    """The minimum over a list of orders: a name of ORDERS, or the orders themselves."""
    listed = ORDERS[orders] if isinstance(orders, str) else orders
    if not listed or min(listed) <= 1:
        raise OutOfDomain("orders must be above 1, and at least one")
    sequence = sorted(set(listed))
    name = orders if isinstance(orders, str) else f"{len(sequence)} orders given"
    convert = CONVERSIONS[conversion]
    with precision(curve.bits):
        inverse = -ball(delta).log()

        def value(i: int) -> arb:
            return convert(ball(sequence[i]), curve.at(sequence[i]), inverse)

        i = min(range(len(sequence)), key=lambda j: _rough(curve, conversion, sequence[j], delta))
        while True:  # downhill; a tie that balls cannot decide is as good as a minimum
            curve.deadline.check()
            if i + 1 < len(sequence) and value(i + 1) < value(i):
                i += 1
            elif i > 0 and value(i - 1) < value(i):
                i -= 1
            else:
                break
        least = value(i)
        for side in (range(i + 1, len(sequence)), range(i - 1, -1, -1)):
            for j in side:
                if value(j) > value(i):  # from here on they only grow
                    break
                least = least.min(value(j))
        return RdpEpsilon(name, conversion, _clipped(least), Certified.exactly(sequence[i]))


def _rough(curve: RenyiCurve, conversion: str, alpha: Fraction, delta: Fraction) -> float:
    return _formula(conversion, float(alpha), curve.sketch.log_psi(float(alpha)), -log(delta))


def _formula(conversion: str, a: float, k: float, inverse: float) -> float:
    if conversion == "mironov":
        return (k + inverse) / (a - 1)
    return (k + inverse - math.log(a)) / (a - 1) + math.log1p(-1 / a)


def over_all(curve: RenyiCurve, delta: Fraction, conversion: str, digits: int) -> RdpEpsilon:
    """The minimum over all real orders above 1."""
    convert = CONVERSIONS[conversion]
    middle, width = _start(curve, delta, conversion), Fraction(1, 1000)
    with precision(curve.bits):
        inverse = -ball(delta).log()
        for _ in range(60):
            curve.deadline.check()
            a, b = 1 + (middle - 1) * (1 - width), 1 + (middle - 1) * (1 + width)
            low, here, high = (convert(ball(x), curve.at(x), inverse) for x in (a, middle, b))
            if low > here and high > here:
                least = _least(curve, conversion, inverse, (a, middle, b)).min(here)
                found = _clipped(least.union(here))
                if _wide(found) <= Fraction(1, 10**digits):
                    return RdpEpsilon(ALL_ORDERS, conversion, found, Certified(a, b))
                middle, width = (
                    _vertex((a, middle, b), (low, here, high), curve.bits),
                    max(width**2, width / 10**5),
                )
            elif high <= here:
                middle = b
                width = min(2 * width, Fraction(1, 2))
            elif low <= here:
                middle = a
                width = min(2 * width, Fraction(1, 2))
            else:
                raise PrecisionExhausted("the optimal order could not be bracketed")
    raise PrecisionExhausted("the optimal order was not found")


def _start(curve: RenyiCurve, delta: Fraction, conversion: str) -> Fraction:
    """The optimal order in doubles, by golden section on ln(alpha - 1)."""
    low, high, ratio = -12.0, 16.0, (math.sqrt(5) - 1) / 2

    def value(x: float) -> float:
        a = 1 + math.exp(x)
        return _formula(conversion, a, curve.sketch.log_psi(a), -log(delta))

    x, y = high - ratio * (high - low), low + ratio * (high - low)
    fx, fy = value(x), value(y)
    while high - low > 1e-6:
        if fx < fy:
            high, y, fy = y, x, fx
            x = high - ratio * (high - low)
            fx = value(x)
        else:
            low, x, fx = x, y, fy
            y = low + ratio * (high - low)
            fy = value(y)
    return 1 + Fraction(math.exp((low + high) / 2))


def _vertex(
    orders: tuple[Fraction, Fraction, Fraction], values: tuple[arb, arb, arb], bits: int
) -> Fraction:
    """The lowest point of the parabola through three points, from midpoints, to that many bits."""
    a, m, b = orders
    ya, ym, yb = (fraction(f.mid()) for f in values)
    top = (m - a) ** 2 * (ym - yb) - (m - b) ** 2 * (ym - ya)
    bottom = 2 * ((m - a) * (ym - yb) - (m - b) * (ym - ya))
    new = m - top / bottom if bottom else m
    new = new if a < new < b else m
    return Fraction(round(new * (1 << bits)), 1 << bits)


def _least(
    curve: RenyiCurve, conversion: str, inverse: arb, points: tuple[Fraction, Fraction, Fraction]
) -> arb:
    """A lower bound of F on [a, b], from the lines below K."""
    a, m, b = points
    bounds = []
    for x, y, low, high in ((m, b, a, m), (a, m, m, b)):
        slope = (curve.at(y) - curve.at(x)) / ball(y - x)
        c = curve.at(m) - slope * ball(m - 1) + inverse

        def bound(alpha: arb, slope: arb = slope, c: arb = c) -> arb:
            rest = c if conversion == "mironov" else c - alpha.log()
            gain = arb(0) if conversion == "mironov" else (1 - 1 / alpha).log()
            return slope + rest / (alpha - 1) + gain

        inner = [bound(c.exp())] if _inside(conversion, c, low, high) else []
        bounds += [bound(ball(low)), bound(ball(high)), *inner]
    least = bounds[0]
    for other in bounds[1:]:
        least = least.min(other)
    return least


def _inside(conversion: str, c: arb, low: Fraction, high: Fraction) -> bool:
    """Whether e^C may lie between the ends."""
    return conversion != "mironov" and not (c < ball(low).log() or c > ball(high).log())


def _clipped(value: arb) -> Certified:
    """As an interval, never below 0."""
    lo, hi = fraction(value.lower()), fraction(value.upper())
    return Certified(max(lo, Fraction(0)), max(hi, Fraction(0)))


def _wide(x: Certified) -> Fraction:
    lo, hi = _rational(x.lo), _rational(x.hi)
    return Fraction(0) if lo == hi else (hi - lo) / hi


def rdp_table(
    history: History,
    delta: Fraction,
    digits: int,
    deadline: Deadline,
    conversions: tuple[str, ...] = ("cks", "mironov"),
) -> list[RdpEpsilon]:
    """All conversions over dp-accounting's orders, Opacus's orders and all real orders.

    >>> from verify.accounting.history import history
    >>> table = rdp_table(history([("0.01", 1, 1000)]), Fraction(1, 10**5), 10, Deadline())
    >>> print(table[0].orders, table[0].conversion, table[0].epsilon)
    dp-accounting cks 2.10136527164839...
    """
    if not 0 < delta < 1:
        raise OutOfDomain("RDP gives an epsilon for 0 < delta < 1 only")
    if not history:
        return []
    curve = RenyiCurve(history, digits + 4, deadline)
    fine = RenyiCurve(history, 2 * digits + 12, deadline)
    found = []
    for conversion in conversions:
        found += [over_list(curve, delta, conversion, name) for name in ORDERS]
        found.append(over_all(fine, delta, conversion, digits))
    return found
