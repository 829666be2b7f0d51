"""Many orders at one (q, sigma): one set of nodes for a whole curve.

ln E[g^s] for orders s_1 < ... < s_n of one sign, by the certified trapezoid (``trapezoid``, ``step``,
``remainder``) with the same step and one block of nodes. What is shared, and why it may be:

* **The step.** For s > 0 the relative error of a line does not depend on s, and that of a slit only
  through F(t1). For s < 0 the constant C decreases in s, so that of the least order serves all.
* **The tails.** l'(t) = -t + (s/sigma) p(t) increases with s, so where it is at most -delta for the
  greatest order it is so for all (right tail), and where it is at least delta for the least order
  it is so for all (left tail). What is left out is F_s(edge)/(1 - e^{-delta h}), order by order.
* **The powers.** Orders with a common denominator cost a multiplication a node (``lattice``).

Small whole orders need no nodes at all: they share the terms of a finite sum (``whole``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from verify.moments.engines import Moment, trapezoid
from verify.moments.engines import whole as sums
from verify.moments.engines.cover import Cover
from verify.moments.engines.integrand import Integrand, Parameters
from verify.moments.engines.lattice import Lattice, Table
from verify.moments.engines.mass import guess_log_size, sketch
from verify.moments.engines.remainder import falling
from verify.moments.engines.step import Plan, error, plan
from verify.moments.engines.trapezoid import Nodes, around_zero
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure, nearest_double
from verify.numbers.errors import OutOfReach

_LN2 = math.log(2)
_GUARD_BITS = 30
_FEW = 4  # orders for which sharing does not pay
_MOST_NODES = 600
_MUCH = 8000  # multiplications from which two smaller families are cheaper than one


def evaluate(
    q: Fraction, sigma: Fraction, orders: Sequence[Fraction], digits: int, deadline: Deadline
) -> list[Enclosure]:
    """ln E[g^s] for each order s, certified to the digits asked, in the order given.

    >>> from fractions import Fraction as Q
    >>> [float(x.lo) for x in evaluate(Q(1, 100), Q(2), [Q(2), Q(8)], 20, Deadline())]
    [2.84...e-05, 0.00081029303550...]
    """
    places: dict[tuple[int, int], int] = {}  # hashing fractions is slow
    distinct: list[Fraction] = []
    where = []
    for s in orders:
        place = places.setdefault((s.numerator, s.denominator), len(distinct))
        where.append(place)
        if place == len(distinct):
            distinct.append(s)
    found: list[Enclosure | None] = [None] * len(distinct)
    fractional, whole = [], []
    if q not in (0, 1):
        for index, s in enumerate(distinct):
            if s.denominator > 1:
                fractional.append((s, index))
            elif s.numerator not in (0, 1):
                whole.append((s, index))
    small = [place for place in whole if 0 < place[0].numerator <= sums.SHARED]
    if small:
        short = sums.together(q, sigma, [s.numerator for s, _ in small], digits, deadline)
        for (_, index), sum_ in zip(small, short, strict=True):
            found[index] = sum_
    whole = [place for place in whole if found[place[1]] is None]
    for some in (fractional, whole):
        some.sort(key=_ascending)
        negative = sum(s.numerator < 0 for s, _ in some)
        for part in (some[:negative], some[negative:]):
            for index, value in _together(q, sigma, part, digits, deadline):
                found[index] = value
    values = [
        value or trapezoid.evaluate(Moment(q, sigma, s), digits, deadline)
        for s, value in zip(distinct, found, strict=True)
    ]
    return [values[index] for index in where]


Place = tuple[Fraction, int]
"""An order, and where it stands in the list given."""


def _ascending(place: Place) -> tuple[float, Fraction]:
    """A key that sorts exactly, but compares doubles first: fractions are slow to compare."""
    return nearest_double(place[0]), place[0]


def _together(
    q: Fraction, sigma: Fraction, places: list[Place], digits: int, deadline: Deadline
) -> Iterator[tuple[int, Enclosure]]:
    """What can be had with shared nodes, from orders of one sign; the caller sees to the rest."""
    if len(places) < _FEW:
        return
    try:
        family = Family.of(q, sigma, [s for s, _ in places], digits)
        if family is not None and family.work > _MUCH and len(places) > 2 * _FEW:
            family = None  # low orders need small steps, high ones reach far: apart they do less
        values = None if family is None else family.enclosures(deadline)
    except (OverflowError, ZeroDivisionError, ValueError, OutOfReach):
        return  # the engine for one order says what is wrong, or manages
    if values is not None:
        for (_, index), value in zip(places, values, strict=True):
            if value is not None:
                yield index, value
        return
    middle = _split([float(s) for s, _ in places])
    yield from _together(q, sigma, places[:middle], digits, deadline)
    yield from _together(q, sigma, places[middle:], digits, deadline)


def _split(orders: list[float]) -> int:
    """Where to cut a list that reaches too far: at the geometric middle of the sizes.

    >>> _split([2, 3, 5, 9, 1000])
    4
    """
    middle = math.sqrt(orders[0] * orders[-1])
    first_half = sum((abs(s) < middle) == (abs(orders[0]) < middle) for s in orders)
    return min(max(first_half, 1), len(orders) - 1)


@dataclass(frozen=True, slots=True)
class Family:
    """Orders of one sign, all whole or none, from low to high: one step, one block of nodes."""

    orders: list[Fraction]
    lattice: Lattice | None
    low: Integrand
    high: Integrand
    chosen: Plan
    block: range
    wanted: int
    bits: int
    full: int

    @classmethod
    def of(cls, q: Fraction, sigma: Fraction, orders: list[Fraction], digits: int) -> Family | None:
        """Step and block for these orders; None if they have too little in common."""
        lattice = Lattice.of(orders)
        if lattice is not None and lattice.size > 4 * (len(orders) + 16):
            return None
        low, high = (Integrand(Moment(q, sigma, s)) for s in (orders[0], orders[-1]))
        # Most bits are lost next to s = 0 and 1 (between them the guess may be poor).
        hardest = orders[0] if low.positive else orders[-1]
        wanted = math.ceil(digits * math.log2(10)) + 3
        lost = guess_log_size(Moment(q, sigma, hardest))
        bits = max(wanted - int(lost / _LN2), 12) + 2
        chosen = _common_plan(low, high, bits)
        drawn = []
        for integrand in (low, high):
            shape = integrand.shape
            depth = bits * _LN2 + 2 + math.log1p(abs(shape.s) / shape.sigma)
            drawn.append(sketch(shape, depth, keep_all=True))
        ends = [edge for sketched in drawn for block in sketched.blocks for edge in block]
        cover = Cover.of([(min(ends), max(ends))], chosen.h)
        if cover.count > _MOST_NODES:
            return None
        argument = max(
            trapezoid.argument_bits(i.shape, d) for i, d in zip((low, high), drawn, strict=True)
        )
        full = max(bits + _GUARD_BITS, 64) + argument
        return cls(orders, lattice, low, high, chosen, cover.blocks[0], wanted, bits, full)

    @property
    def work(self) -> int:
        """Multiplications or so: the powers of the lattice, or an exponential for each order, at the nodes."""
        each = 10 * len(self.orders) if self.lattice is None else 2 * self.lattice.width
        return len(self.block) * each

    def enclosures(self, deadline: Deadline) -> list[Enclosure | None]:
        """One for each order; None where the digits were not reached."""
        with precision(self.full, deadline):
            low, high = Parameters(self.low), Parameters(self.high)
            tails = self._tails(low, high)
            if tails is None:
                return [None] * len(self.orders)
            wrong = error(self.low, self.chosen, low)
            # F(t1) of the slit has (2(1-q))^s.
            rate = (2 * low.c0).log() if self.chosen.slit else arb(0)
            slit = Exponential(rate, wrong.absolute * (-rate * low.s).exp())
            scale = arb(self.chosen.h) / (2 * arb.pi()).sqrt(), 1 + around_zero(wrong.relative)
            return [
                self._closed(ball(order), total, tails, slit, scale)
                for order, total in zip(self.orders, self._totals(low, deadline), strict=True)
            ]

    def _totals(self, balls: Parameters, deadline: Deadline) -> list[arb]:
        table = Table(Nodes(self.low, balls, self.chosen.h), self.block)
        if self.lattice is None:
            return table.one_by_one(self.orders, deadline)
        return table.together(self.lattice, self.bits + 3, deadline)

    def _closed(
        self,
        s: arb,
        total: arb,
        tails: tuple[Exponential, Exponential],
        slit: Exponential,
        scale: tuple[arb, arb],
    ) -> Enclosure | None:
        """ln E[g^s] from the sum, as ``trapezoid.closed`` has it; None if it has too few digits."""
        missing = (tails[0].at(s) + tails[1].at(s)).abs_upper() / 2
        value = (total + arb(missing, missing)) * scale[0]
        if self.chosen.slit:
            value += around_zero(slit.at(s))
        result = (value / scale[1]).log()
        reached = result.is_finite() and result.rel_accuracy_bits() >= self.wanted
        return enclosure(result) if reached else None

    def _tails(self, low: Parameters, high: Parameters) -> tuple[Exponential, Exponential] | None:
        """The least order decides on the left, the greatest on the right."""
        tails = []
        for integrand, balls, first, sign in (
            (self.low, low, self.block.start - 1, -1),
            (self.high, high, self.block.stop, 1),
        ):
            h = arb(self.chosen.h)
            edge = h * first
            g, share = balls.at(edge)
            concave = integrand.moment.order < 0
            steep = falling(balls, integrand.shape, edge, share, sign, concave=concave)
            if steep is None:
                return None
            ratio = (-steep * h).exp()
            tails.append(Exponential(g.log(), (-edge * edge / 2).exp() / (1 - ratio)))
        return tails[0], tails[1]


def _common_plan(low: Integrand, high: Integrand, bits: int) -> Plan:
    """The smaller step of the two ends, on a contour that is right for every order between."""
    if not low.positive:  # C decreases in s on a line; a bridge's parts do not all
        first, last = (plan(integrand, bits, bridges=False) for integrand in (low, high))
        return replace(first, h=min(first.h, last.h))
    return min(plan(low, bits), plan(high, bits), key=lambda p: p.h)


@dataclass(frozen=True, slots=True)
class Exponential:
    """A bound factor e^{rate s}, for every order s of the family."""

    rate: arb
    factor: arb

    def at(self, s: arb) -> arb:
        return self.factor * (self.rate * s).exp()
