"""What a trapezoidal sum leaves out, bounded in balls.

All bounds come from the sign of l'(t) = -t + (s/sigma) p(t), where p(t) in (0, 1) increases with t,
l = ln F and F(t) = e^{-t^2/2} g(t)^s. A bound may count a node of the gaps and tails more than once:
it only has to be large enough.
"""

from __future__ import annotations

import math

from flint import arb

from verify.moments.engines.cover import Cover
from verify.moments.engines.integrand import Integrand, Parameters
from verify.moments.engines.mass import Shape, Sketch

_HOPS = 200


class Remainder:
    """The nodes outside the blocks of a cover."""

    __slots__ = ("balls", "concave", "h", "log", "shape")

    def __init__(self, integrand: Integrand, balls: Parameters, h: float) -> None:
        self.shape, self.log, self.balls = integrand.shape, integrand.log, balls
        self.h = arb(h)
        moment = integrand.moment
        self.concave = moment.order <= 0 or moment.q == 1  # then l'' <= -1

    def bound(self, cover: Cover, drawn: Sketch) -> arb | None:
        """A bound of the sum of F (or F |ln g|) over all nodes left out; None if unproved."""
        total = self._outwards(cover.left_tail, -1, drawn.dropped_left)
        if total is None:
            return None
        right = self._outwards(cover.right_tail, 1, drawn.dropped_right)
        if right is None:
            return None
        total += right
        for gap in cover.gaps:
            part = self._gap(gap)
            if part is None:
                return None
            total += part
        return total

    def _size(self, t: arb, g: arb) -> tuple[arb, arb]:
        """F(t), and |ln g(t)| for logarithmic integrands (else 1)."""
        log = g.log()
        return (self.balls.s * log - t * t / 2).exp(), (abs(log) if self.log else arb(1))

    def _gap(self, gap: range) -> arb | None:
        """Nodes between two modes: l'(a) < 0 < l'(b) at the ends leaves one zero of l', a minimum.

        l' changes its sense at most twice, so it has at most three zeros, and one lies on either
        side of [a, b]. Hence F <= max(F(a), F(b)) in between, however many nodes there are.
        """
        a, b = self.h * gap.start, self.h * (gap.stop - 1)
        (g_a, share_a), (g_b, share_b) = self.balls.at(a), self.balls.at(b)
        if not (self.balls.pull * share_a < a and self.balls.pull * share_b > b):
            return None
        (size_a, weight_a), (size_b, weight_b) = self._size(a, g_a), self._size(b, g_b)
        return (gap.stop - gap.start) * size_a.max(size_b) * weight_a.max(weight_b)

    def _outwards(self, first: int, sign: int, dropped: float | None) -> arb | None:
        """All nodes from number ``first`` on, rightwards for sign = 1, leftwards for -1."""
        if dropped is not None:
            return self._dropped(first, sign, dropped)
        edge = self.h * first
        g, share = self.balls.at(edge)
        steep = falling(self.balls, self.shape, edge, share, sign, concave=self.concave)
        if steep is None:
            return None
        # F(edge + j h) <= F(edge) e^{-steep j h}, and |ln g| grows by at most h/sigma a node.
        ratio = (-steep * self.h).exp()
        size, weight = self._size(edge, g)
        if self.log:
            weight += self.h * self.balls.inverse * ratio / (1 - ratio)
        return size * weight / (1 - ratio)

    def _dropped(self, first: int, sign: int, mode: float) -> arb | None:
        """A whole mode beyond the blocks, small enough to be bounded instead of summed.

        From c (a node just inside that mode) outwards F is at most g(c)^s e^{-t^2/2} on the left,
        and g(c)^s e^{s (t-c)/sigma - t^2/2} on the right; nodes of a Gaussian sum to at most
        sqrt(2 pi)/h + 1. Up to c the gap argument holds.
        """
        inside = (mode - sign * 1e-3 * (1 + abs(mode))) / float(self.h)
        node = math.floor(inside) if sign > 0 else math.ceil(inside)
        between = range(first, node + 1) if sign > 0 else range(node, first + 1)
        part = self._gap(between) if between else None
        if part is None:
            return None
        c = self.h * node
        exponent = self.balls.s * self.balls.at(c)[0].log()
        if sign > 0:
            exponent += self.balls.pull * (self.balls.pull / 2 - c)
        return part + exponent.exp() * ((2 * arb.pi()).sqrt() / self.h + 1)


def falling(
    balls: Parameters, shape: Shape, edge: arb, share: arb, sign: int, *, concave: bool
) -> arb | None:
    """A delta > 0 with sign * l' <= -delta from the edge outwards for ever, or None."""
    steepness = sign * (edge - balls.pull * share)
    if not steepness > 0:
        return None
    steepness = arb(steepness.lower())
    if concave:  # it only gets steeper
        return steepness
    for part in (2, 32, 1024):
        if _clear(balls, shape, edge, sign, steepness / part):
            return steepness / part
    return None


def _clear(balls: Parameters, shape: Shape, edge: arb, sign: int, delta: arb) -> bool:
    """Whether sign * l' <= -delta beyond the edge, by hopping outwards.

    Between u and a further v, sign * l' <= sign * ((s/sigma) p(v) - u); choose v so that this is
    -delta. Once even p = 1 (on the left: p = 0) would do, the way is clear.
    """
    for _ in range(_HOPS):
        allowed = (edge - sign * delta) / balls.pull  # the share p that may be reached
        if allowed >= 1 if sign > 0 else allowed <= 0:
            return True
        share = float(allowed.mid())
        if not 0 < share < 1:
            return False
        further = shape.where_share(share)
        further -= sign * 1e-12 * (1 + abs(further))
        if not math.isfinite(further):
            return False
        v = arb(further)
        if not (sign * (v - edge) > 0 and sign * (balls.at(v)[1] - allowed) <= 0):
            return False
        edge = v
    return False
