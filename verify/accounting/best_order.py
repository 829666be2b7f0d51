"""epsilon by way of RDP over all real orders: the global minimum, proved.

With F, K, L as in ``conversions`` and r = ln alpha for cks and balle, 0 for mironov,

    (alpha-1)^2 F'(alpha) = (alpha-1) K'(alpha) - K(alpha) - L + r(alpha)

increases from -L < 0: F falls, then rises, and has its minimum where that vanishes.

**Where.** K is convex. For a < m < b let k be the slope of the chord over [a, m] and C = K(m) - k
(m-1) + L, its value at alpha = 1 plus L. As K'(a) <= k, F falls at a if C > r(a). In the same way,
with the chord over [m, b], F rises at b if C < r(b). If both, the minimum of all real orders lies
in (a, b). These signs are of first order in b - a, while F(a) - F(m) is of second: a flat minimum
is found as well as a sharp one. The other way round, with K'(m) between the slopes, F rises at m if
C < r(m) over [a, m], and falls at m if C > r(m) over [m, b].

**How deep.** On [a, m] K lies above the chord over [m, b] continued, on [m, b] above the one over
[a, m]. With K replaced by a line of slope k:

    mironov      k + C/(alpha-1)                                   monotone
    cks, balle   k + (C - ln alpha)/(alpha-1) + ln(1 - 1/alpha)    derivative -(C - ln alpha)/(alpha-1)^2: falls to e^C, then rises

so that its least value on an interval is at an end, or at e^C. The minimum lies between that and
F(m), which the order m attains; the difference is of second order in b - a. Where the balls of K
are too wide for a sign or for the digits, K is computed again with more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.conversions import CONVERSIONS
from verify.accounting.renyi import RdpEpsilon, RenyiCurve, clip_at_zero, rational
from verify.accounting.tight import Bracketed
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.certified import Certified
from verify.numbers.errors import PrecisionExhausted

ALL_ORDERS = "all real orders"
_ROUNDS = 400
_FINER = 5  # how often the digits of K are doubled
_WIDE = Fraction(1, 1024)


@dataclass(frozen=True, slots=True)
class _Chord:
    """The chord of K over two orders: its slope, and its value at alpha = 1 plus L."""

    slope: arb
    c: arb


@dataclass(frozen=True, slots=True)
class _Look:
    """What three neighbouring orders say; F at m, and whether F surely falls or rises at a place."""

    a: Fraction
    m: Fraction
    b: Fraction
    left: _Chord
    right: _Chord
    here: arb
    least: arb
    found: Certified
    newton: Fraction
    falls_at_a: bool
    falls_at_m: bool
    rises_at_m: bool
    rises_at_b: bool

    @property
    def enclosed(self) -> bool:
        """Whether the minimum of all real orders surely lies between a and b."""
        return self.falls_at_a and self.rises_at_b

    @property
    def undecided(self) -> bool:
        """Whether the balls of K are too wide to say on which side of m, or how near to it, the minimum is."""
        return not (self.enclosed or self.falls_at_m or self.rises_at_m)


class _Search:
    """Where to look next, and how far apart: at Newton's order and halfway in turn, until orders
    enclose the minimum closely.

    F falls at ``low`` and rises at ``high`` (None: no such order is known yet). With tiny q, K
    takes off within a billionth of the order, and Newton's order is far off until that place is
    found.
    """

    def __init__(self, start: Fraction) -> None:
        self.low, self.width, self.stride = Fraction(1), _WIDE, Fraction(17, 16)
        self.high: Fraction | None = None
        self.m = _short(start, self.width)
        self.halved = True
        self.error = (
            32  # Newton's order is off by the square of the width times something: this, or more
        )

    def learn(self, look: _Look) -> None:
        """From a look that says on which side of m, or how near to it, the minimum is."""
        if look.falls_at_a:
            self.low = max(self.low, look.m if look.falls_at_m else look.a)
        if look.rises_at_b:
            high = look.m if look.rises_at_m else look.b
            self.high = high if self.high is None else min(self.high, high)
        self.m = _short(self._next(look), self.width)

    def _next(self, look: _Look) -> Fraction:
        if self.low == 1 or self.high is None:
            return self._stride(look)
        newton = look.newton if self.low < look.newton < self.high else None
        if look.enclosed and newton:
            self.width = min(max(self.error * self.width**2, self.width / 2**17), self.width / 4)
            return newton
        self.error *= 32
        self.halved = not self.halved
        if newton and not self.halved:
            self.width = min(_WIDE, _dyadic(abs(newton - look.m) / (newton - 1)))
            return newton
        self.width = min(_WIDE, _dyadic((self.high - self.low) / (self.high - 1) / 8))
        return (self.low + self.high) / 2

    def _stride(self, look: _Look) -> Fraction:
        """One side is open: Newton's order, but not too far, and farther every time."""
        up = look.falls_at_m
        far = 1 + (look.m - 1) * (self.stride if up else 1 / self.stride)
        self.stride = min(self.stride**2, Fraction(10**6))
        between = look.m < look.newton < far if up else far < look.newton < look.m
        return look.newton if between else far


def _dyadic(x: Fraction) -> Fraction:
    """A power of two, about x."""
    return Fraction(2) ** (x.numerator.bit_length() - x.denominator.bit_length())


def _short(order: Fraction, width: Fraction) -> Fraction:
    """An order of few bits, not farther away than the orders that will be compared."""
    unit = _dyadic(order - 1) * width / 16
    return 1 + round((order - 1) / unit) * unit


def over_all(curve: RenyiCurve, delta: Fraction, conversion: str, digits: int) -> RdpEpsilon:
    """The minimum over all real orders above 1.

    An epsilon of 0 is any order's that gives 0 or less: there ``order`` is one of them.
    """
    search = _Search(_start(curve, delta, conversion))
    best: RdpEpsilon | None = None
    finer = 0
    for _ in range(_ROUNDS):
        curve.deadline.check()
        look = _look(curve, delta, conversion, (search.m, search.width))
        if look.here <= 0:
            zero, order = Certified.exactly(Fraction(0)), Certified.exactly(look.m)
            return RdpEpsilon(ALL_ORDERS, conversion, zero, order)
        if look.enclosed:
            best = RdpEpsilon(ALL_ORDERS, conversion, look.found, Certified(look.a, look.b))
            if _narrow(look.found, digits):
                return best
        if look.undecided or (look.enclosed and _is_blurred(look)):
            if finer == _FINER:
                break
            finer += 1
            curve = RenyiCurve(curve.history, 2 * curve.digits, curve.deadline)
        else:
            search.learn(look)
    if best is None:
        raise PrecisionExhausted(
            f"the best order near {float(search.m):.10g} could not be enclosed with {curve.digits} digits"
        )
    lo, hi = best.epsilon.lo, best.epsilon.hi
    return RdpEpsilon(ALL_ORDERS, conversion, Bracketed(lo, hi), best.order)


def _start(curve: RenyiCurve, delta: Fraction, conversion: str) -> Fraction:
    """The optimal order in doubles, by golden section on ln(alpha - 1); a guess, whatever it is."""
    low, high, ratio = -16.0, 34.0, (math.sqrt(5) - 1) / 2

    def value(x: float) -> float:
        return curve.rough(conversion, 1 + math.exp(x), delta)

    x, y = high - ratio * (high - low), low + ratio * (high - low)
    fx, fy = value(x), value(y)
    while high - low > 1e-6:
        if fx <= fy:
            high, y, fy = y, x, fx
            x = high - ratio * (high - low)
            fx = value(x)
        else:
            low, x, fx = x, y, fy
            y = low + ratio * (high - low)
            fy = value(y)
    return 1 + Fraction(math.exp((low + high) / 2))


def _look(
    curve: RenyiCurve, delta: Fraction, conversion: str, at: tuple[Fraction, Fraction]
) -> _Look:
    m, width = at
    a, b = 1 + (m - 1) * (1 - width), 1 + (m - 1) * (1 + width)
    with precision(curve.bits, curve.deadline):
        inverse = -ball(delta).log()
        left, right = (_chord(curve, inverse, x, y, m) for x, y in ((a, m), (m, b)))
        ra, rm, rb = (_shift(conversion, x) for x in (a, m, b))
        here = CONVERSIONS[conversion](ball(m), curve.at(m), inverse)
        least = _least(conversion, left, right, (a, m, b))
        return _Look(
            a,
            m,
            b,
            left,
            right,
            here,
            least,
            clip_at_zero(least.min(here).union(here)),
            _newton(conversion, left, right, at),
            falls_at_a=bool(left.c > ra or right.c > rm),
            falls_at_m=bool(right.c > rm),
            rises_at_m=bool(left.c < rm),
            rises_at_b=bool(right.c < rb or left.c < rm),
        )


def _chord(curve: RenyiCurve, inverse: arb, x: Fraction, y: Fraction, m: Fraction) -> _Chord:
    slope = (curve.at(y) - curve.at(x)) / ball(y - x)
    return _Chord(slope, curve.at(m) - slope * ball(m - 1) + inverse)


def _shift(conversion: str, alpha: Fraction) -> arb:
    """r(alpha)."""
    return arb(0) if conversion == "mironov" else ball(alpha).log()


def _newton(
    conversion: str, left: _Chord, right: _Chord, at: tuple[Fraction, Fraction]
) -> Fraction:
    """Where the sign of F' would change if K were a parabola, from midpoints."""
    m, width = at
    gap = (m - 1) * width
    value = fraction((_shift(conversion, m) - (left.c + right.c) / 2).mid())
    bend = fraction((right.slope - left.slope).mid()) / gap
    slope = (m - 1) * bend + (0 if conversion == "mironov" else 1 / m)
    return m - value / slope if slope > 0 else m


def _least(
    conversion: str, left: _Chord, right: _Chord, orders: tuple[Fraction, Fraction, Fraction]
) -> arb:
    """A lower bound of F on [a, b], from the lines below K."""
    a, m, b = orders
    bounds = []
    for line, low, high in ((right, a, m), (left, m, b)):

        def bound(alpha: arb, line: _Chord = line) -> arb:
            if conversion == "mironov":
                return line.slope + line.c / (alpha - 1)
            return line.slope + (line.c - alpha.log()) / (alpha - 1) + (1 - 1 / alpha).log()

        bounds += [bound(ball(low)), bound(ball(high))]
        if conversion != "mironov" and not (
            line.c < ball(low).log() or line.c > ball(high).log()
        ):  # e^C may lie between the ends
            bounds.append(line.slope + (1 - (-line.c).exp()).log())
    least = bounds[0]
    for other in bounds[1:]:
        least = least.min(other)
    return least


def _narrow(x: Certified, digits: int) -> bool:
    lo, hi = rational(x.lo), rational(x.hi)
    return bool((hi - lo) * 10**digits <= hi)


def _is_blurred(look: _Look) -> bool:
    """Whether the width comes from the balls of K rather than from the distance of the orders."""
    noise = fraction(look.here.rad()) + fraction(look.least.rad())
    return 4 * noise > rational(look.found.hi) - rational(look.found.lo)
