"""One crossing of epsilon and 2 q^2 alpha/sigma^2 for every (q, sigma) of a box, by its corners.

For orders above 1, ln A rises with q and falls with sigma. So on the box [q1, q2] x [s1, s2]

    V(alpha) = ln A at (q1, s2)  <=  ln A  <=  ln A at (q2, s1) = U(alpha),
    c1 = factor q1^2/s2^2        <=   c    <=  factor q2^2/s1^2 = c2,

and with f = ln A - c alpha (alpha - 1) three facts make one crossing, somewhere in [lo, hi], for all of it:

* U < c1 alpha (alpha - 1) on (1, lo]: the chain of orders of `maximal_alpha`, for the corner (q2, s1);
* V > c2 alpha (alpha - 1) on [hi, oo): its prolonged chords, for the corner (q1, s2);
* f crosses zero upwards wherever it does in [lo, hi]. ln A is convex: where it equals c x (x - 1), its slope is at
  least (c x (x - 1) - U(a))/(x - a) for any a < x, and that is above c (2x - 1), the slope of the other side, if
  U(a) < c (a (a - 1) - (x - a)^2). With c1 for c and hi for x this is one inequality at one order a.

>>> one_crossing(Box(Fraction("0.1"), Fraction("0.104"), Fraction(4), Fraction("4.04")), Fraction(2)).lo > 60
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.quantities.engine import log_moment
from proofs_checks.quantities.maximal_alpha import (
    chain_below,
    no_amplification,
    prolonged_beyond,
)
from verify.claims import Undecided

DIGITS = 12
_BACK = Fraction(98, 100)  # so that the chain of orders ends before ln A bends up
_STARTS = tuple(Fraction(k, 100) for k in (100, 98, 95, 90, 80, 70, 60))


@dataclass(frozen=True, slots=True)
class Box:
    """Sampling rates q1 <= q <= q2 and noises s1 <= sigma <= s2."""

    q1: Fraction
    q2: Fraction
    s1: Fraction
    s2: Fraction

    def halves(self) -> tuple[Box, Box]:
        """Cut where it is longer, measured by ratios."""
        if self.q2 / self.q1 > self.s2 / self.s1:
            middle = _between(self.q1, self.q2)
            return Box(self.q1, middle, self.s1, self.s2), Box(middle, self.q2, self.s1, self.s2)
        middle = _between(self.s1, self.s2)
        return Box(self.q1, self.q2, self.s1, middle), Box(self.q1, self.q2, middle, self.s2)

    def __str__(self) -> str:
        ends = (float(x) for x in (self.q1, self.q2, self.s1, self.s2))
        return "{:.6g} <= q <= {:.6g}, {:.6g} <= sigma <= {:.6g}".format(*ends)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where the one crossing lies, for every point of a box."""

    box: Box
    lo: Fraction
    hi: Fraction


def _between(a: Fraction, b: Fraction) -> Fraction:
    middle = Fraction(float(a * b) ** 0.5).limit_denominator(10**9)
    return middle if a < middle < b else (a + b) / 2


def one_crossing(box: Box, factor: Fraction) -> Crossing:
    """Where the one crossing is; Undecided if the corners do not settle it."""
    q1, q2, s1, s2 = box.q1, box.q2, box.s1, box.s2
    c1, c2 = factor * (q1 / s2) ** 2, factor * (q2 / s1) ** 2

    def upper(alpha: Fraction) -> Fraction:
        return Fraction(log_moment(q2, s1, alpha, DIGITS).hi)

    def lower(alpha: Fraction) -> Fraction:
        return Fraction(log_moment(q1, s2, alpha, DIGITS).lo)

    beyond = no_amplification(q1, s2, c2)
    last, _ = _switch(lambda a: upper(a) < c1 * a * (a - 1), beyond)
    lo = 1 + (last - 1) * _BACK
    _, hi = _switch(lambda a: lower(a) <= c2 * a * (a - 1), beyond)
    if not (upper(lo) < c1 * lo * (lo - 1) and lower(hi) > c2 * hi * (hi - 1)):
        raise Undecided(f"{box}: no order before and after the crossing")
    starts = (1 + (lo - 1) * part for part in _STARTS)
    if not any(upper(a) < c1 * (a * (a - 1) - (hi - a) ** 2) for a in starts):
        raise Undecided(f"{box}: more than one crossing in {float(lo):.6g}..{float(hi):.6g}")
    chain_below(q2, s1, c1, lo, log_moment(q2, s1, lo, DIGITS), DIGITS)
    prolonged_beyond(q1, s2, c2, hi, beyond, DIGITS)
    return Crossing(box, lo, hi)


def _switch(before: Callable[[Fraction], bool], end: Fraction) -> tuple[Fraction, Fraction]:
    """Two orders near each other, ``before`` true at the first and false at the second."""
    low, high = Fraction(1), end
    while high - low > (high - 1) / 500:
        middle = Fraction(round((low + high) * 500), 1000)
        if not low < middle < high:
            raise Undecided("never true, or only next to order 1")
        low, high = (middle, high) if before(middle) else (low, middle)
    return low, high


def cover(box: Box, factor: Fraction, least: Fraction = Fraction(1, 200)) -> Iterator[Crossing]:
    """Boxes that cover a box, each with one crossing; Undecided where halving does not help."""
    todo = [box]
    while todo:
        here = todo.pop()
        try:
            yield one_crossing(here, factor)
        except Undecided:
            if max(here.q2 / here.q1, here.s2 / here.s1) < 1 + least:
                raise
            todo.extend(here.halves())
