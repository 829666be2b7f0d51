"""What a trapezoidal sum leaves out, bounded in balls.

All bounds come from the sign of l'(t) = -t + (s/sigma) p(t), where p(t) in (0, 1) increases with t,
l = ln F and F(t) = e^{-t^2/2} g(t)^s.
"""

from __future__ import annotations

import itertools
import math

from flint import arb

from verify.balls import ball
from verify.engines import Moment
from verify.engines.mass import Profile, Sketch

_HOPS = 200


def spans(drawn: Sketch, h: float) -> list[tuple[int, int]]:
    """First and last node number of each block."""
    return [(math.floor(a / h), math.ceil(b / h)) for a, b in drawn.blocks]


class Remainder:
    """The nodes outside the blocks of a sketch."""

    def __init__(self, moment: Moment, profile: Profile, h: float) -> None:
        self.profile, self.log = profile, moment.log
        self.h = arb(h)
        self.s = ball(moment.order)
        self.sigma = ball(moment.sigma)
        self.q = ball(moment.q)
        self.pull = self.s / self.sigma
        self.half = 1 / (2 * self.sigma)
        self.one_minus_q = ball(1 - moment.q)  # exact: q may be 1 - 1e-300
        self.concave = moment.order <= 0 or moment.q == 1  # then l'' <= -1

    def bound(self, drawn: Sketch) -> arb | None:
        """A bound of the sum of F (or F |ln g|) over all nodes left out; None if unproved."""
        blocks = spans(drawn, float(self.h))
        total = arb(0)
        for part in (
            self._outwards(blocks[0][0] - 1, -1, drawn.dropped_left),
            self._outwards(blocks[-1][1] + 1, 1, drawn.dropped_right),
            *(
                self._gap(self.h * (a[1] + 1), self.h * (b[0] - 1), b[0] - a[1])
                for a, b in itertools.pairwise(blocks)
            ),
        ):
            if part is None:
                return None
            total += part
        return total

    def slope(self, t: arb) -> arb:
        """l'(t)."""
        return self.pull * self._at(t)[1] - t

    def _at(self, t: arb) -> tuple[arb, arb]:
        """g(t), p(t)."""
        x = self.q * ((t - self.half) / self.sigma).exp()
        g = self.one_minus_q + x
        return g, x / g

    def _size(self, t: arb, g: arb) -> tuple[arb, arb]:
        """F(t), and |ln g(t)| for logarithmic integrands (else 1)."""
        return (-t * t / 2).exp() * g**self.s, (abs(g.log()) if self.log else arb(1))

    def _gap(self, a: arb, b: arb, count: int) -> arb | None:
        """Nodes in [a, b] between two modes: l'(a) < 0 < l'(b) leaves one zero of l', a minimum.

        l' changes its sense at most twice, so it has at most three zeros, and one lies on either
        side of [a, b]. Hence F <= max(F(a), F(b)) in between, however many nodes there are.
        """
        if count <= 1:
            return arb(0)
        (g_a, share_a), (g_b, share_b) = self._at(a), self._at(b)
        if not (self.pull * share_a < a and self.pull * share_b > b):
            return None
        (size_a, weight_a), (size_b, weight_b) = self._size(a, g_a), self._size(b, g_b)
        return count * size_a.max(size_b) * weight_a.max(weight_b)

    def _outwards(self, first: int, sign: int, dropped: float | None) -> arb | None:
        """All nodes from number ``first`` on, rightwards for sign = 1, leftwards for -1."""
        edge = self.h * first
        if dropped is not None:
            return self._dropped(edge, sign, dropped)
        g, share = self._at(edge)
        falling = self._falling(edge, share, sign)
        if falling is None:
            return None
        # F(edge + j h) <= F(edge) e^{-falling j h}, and |ln g| grows by at most h/sigma a node.
        ratio = (-falling * self.h).exp()
        size, weight = self._size(edge, g)
        if self.log:
            weight += self.h / self.sigma * ratio / (1 - ratio)
        return size * weight / (1 - ratio)

    def _falling(self, edge: arb, share: arb, sign: int) -> arb | None:
        """A delta > 0 with sign * l' <= -delta from the edge outwards for ever, or None."""
        steepness = sign * (edge - self.pull * share)
        if not steepness > 0:
            return None
        steepness = arb(steepness.lower())
        if self.concave:  # it only gets steeper
            return steepness
        for part in (2, 32, 1024):
            if self._clear(edge, sign, steepness / part):
                return steepness / part
        return None

    def _clear(self, edge: arb, sign: int, delta: arb) -> bool:
        """Whether sign * l' <= -delta beyond the edge, by hopping outwards.

        Between u and a further v, sign * l' <= sign * ((s/sigma) p(v) - u); choose v so that this is
        -delta. Once even p = 1 (on the left: p = 0) would do, the way is clear.
        """
        for _ in range(_HOPS):
            allowed = (edge - sign * delta) / self.pull  # the share p that may be reached
            if allowed >= 1 if sign > 0 else allowed <= 0:
                return True
            share = float(allowed.mid())
            if not 0 < share < 1:
                return False
            further = self.profile.where_share(share)
            further -= sign * 1e-12 * (1 + abs(further))
            if not math.isfinite(further):
                return False
            v = arb(further)
            if not (sign * (v - edge) > 0 and sign * (self._at(v)[1] - allowed) <= 0):
                return False
            edge = v
        return False

    def _dropped(self, edge: arb, sign: int, mode: float) -> arb | None:
        """A whole mode beyond the edge, small enough to be bounded instead of summed.

        From c (just inside that mode) outwards F is at most g(c)^s e^{-t^2/2} on the left, and
        g(c)^s e^{s (t-c)/sigma - t^2/2} on the right; nodes of a Gaussian sum to at most
        sqrt(2 pi)/h + 1. Between the edge and c the gap argument holds.
        """
        c = arb(mode - sign * 1e-3 * (1 + abs(mode)))
        a, b = (edge, c) if sign > 0 else (c, edge)
        if not a < b:
            return None
        between = self._gap(a, b, int(float(((b - a) / self.h).mid())) + 3)
        if between is None:
            return None
        size = self._at(c)[0] ** self.s
        if sign > 0:
            size *= (self.pull * (self.pull / 2 - c)).exp()
        return between + size * ((2 * arb.pi()).sqrt() / self.h + 1)
