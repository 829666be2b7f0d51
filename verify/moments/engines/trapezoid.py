"""Certified trapezoid in ball arithmetic: the reference engine. Every error is proved.

With F(t) = e^{-t^2/2} g(t)^s the integral is h/sqrt(2 pi) times the sum of F over all nodes t = jh, up
to a discretisation error that ``step`` bounds. ``mass`` sketches in doubles where F is large,
``cover`` turns the sketch into blocks of nodes, gaps and tails that together are every integer once,
``remainder`` bounds gaps and tails in balls, and here the blocks are summed:

    I in (h/sqrt(2 pi) (sum + [0, rest]) + [-absolute, absolute]) / (1 + [-relative, relative]).

Nodes are equidistant, so e^{t/sigma} and e^{-t^2/2} advance by multiplication and one power a node is
the only transcendental function.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from flint import arb, ctx

from verify.moments.engines import Moment
from verify.moments.engines.cover import Cover
from verify.moments.engines.integrand import Integrand, Parameters
from verify.moments.engines.mass import Shape, Sketch, everything, guess_log_size, sketch
from verify.moments.engines.remainder import Remainder
from verify.moments.engines.step import Error, Plan, error, plan
from verify.numbers.balls import enclosure, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach, PrecisionExhausted

_LN2 = math.log(2)
_SIDE_BITS = 64  # for what only has to be an upper bound
_GUARD_BITS = 20
_SEGMENT = 32  # nodes between two fresh starts of the recurrences
_SHORT = 160  # bits up to which less precision at the edges saves nothing
_LONG = 20_000  # bits beyond which a node alone takes a millisecond
_AT_ONCE = 500_000  # nodes times bits summed in one turn: less than a millisecond or so
_MAX_NODES = 100_000_000
_TRIES = 40


def evaluate(moment: Moment, digits: int, deadline: Deadline) -> Enclosure:
    """ln E[g^s] or E[g^s ln g], certified to the digits asked.

    >>> from fractions import Fraction as Q
    >>> x = evaluate(Moment(Q(1, 100), Q(2), Q(8)), 20, Deadline())
    >>> float(x.lo), x.proved
    (0.0008102930355093..., True)
    """
    if moment.q == 0 or (not moment.log and moment.order in (0, 1)):
        return Enclosure(Fraction(0), Fraction(0), proved=True)
    try:
        integrand = Integrand(moment)
        lost = guess_log_size(moment)
        wanted = math.ceil(digits * math.log2(10)) + 3
        bits = max(wanted - int(lost / _LN2), 12) + 2
        for _ in range(_TRIES):
            value = integral(integrand, bits, deadline)
            with precision(2 * wanted + bits, deadline):
                result = value if moment.log else value.log()
                accuracy = result.rel_accuracy_bits()
                if result.is_finite() and accuracy >= wanted:
                    return enclosure(result)
            # Zero is inside: nothing is known yet about the size. Else: what is missing is known.
            bits += wanted - accuracy + 2 if accuracy > 0 else bits + wanted
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        raise OutOfReach(f"{moment}: parameters beyond the engine's range") from error
    raise PrecisionExhausted(f"{moment}: {digits} digits not reached with {bits} bits")


def moment_enclosure(moment: Moment, bits: int, deadline: Deadline) -> Enclosure:
    """E[g^s] itself (or E[g^s ln g]) with about that many bits."""
    value = integral(Integrand(moment), bits, deadline)
    with precision(bits + 64, deadline):
        return enclosure(value)


def integral(integrand: Integrand, bits: int, deadline: Deadline) -> arb:
    """E[g^s] to a relative, E[g^s ln g] to an absolute accuracy of about 2^-bits."""
    shape, chosen = integrand.shape, plan(integrand, bits)
    depth = bits * _LN2 + 1 + math.log1p(abs(shape.s) / shape.sigma)
    for attempt in ("light", "full", "everything"):
        if attempt == "everything":
            drawn = everything(shape, depth)
        else:
            drawn = sketch(shape, depth, keep_all=integrand.log or attempt == "full")
        cover = Cover.of(drawn.blocks, chosen.h)
        if cover.count > _MAX_NODES:
            raise OutOfReach(f"{integrand.moment}: needs more than {_MAX_NODES} nodes")
        argument = argument_bits(shape, drawn)
        full = bits + _GUARD_BITS + argument
        at_once = cover.count * full < _AT_ONCE
        with precision(max(full, _SIDE_BITS + argument), deadline):
            balls = Parameters(integrand)
            ctx.prec = _SIDE_BITS + argument
            rest = Remainder(integrand, balls, chosen.h).bound(cover, drawn)
            if rest is None:
                continue
            wrong = error(integrand, chosen, balls)
            ctx.prec = full
            sums = Sums(integrand, Nodes(integrand, balls, chosen.h), cover, drawn, full)
            if at_once:
                total = sums.whole(deadline)
                ctx.prec = bits + 64
                if _enough(drawn, rest, total, bits):
                    return closed(integrand, total, rest, chosen, wrong)
                continue
        total = sums.in_turns(deadline)
        with precision(bits + 64, deadline):
            if _enough(drawn, rest, total, bits):
                return closed(integrand, total, rest, chosen, wrong)
    raise PrecisionExhausted(f"{integrand.moment}: could not bound what the sum leaves out")


def _enough(drawn: Sketch, rest: arb, total: arb, bits: int) -> bool:
    """Whether a mode that was left out (if any) is small enough to be left out."""
    return drawn.dropped is None or rest < abs(total) * arb(2) ** (2 - bits)


def closed(integrand: Integrand, total: arb, rest: arb, chosen: Plan, wrong: Error) -> arb:
    """The integral from its sum: what is missing added, what is wrong allowed for."""
    missing = rest.abs_upper()
    total += arb(0, missing) if integrand.log else arb(missing / 2, missing / 2)
    value = total * arb(chosen.h) / (2 * arb.pi()).sqrt() + around_zero(wrong.absolute)
    return value / (1 + around_zero(wrong.relative))


def around_zero(size: arb) -> arb:
    """[-size, size]."""
    return arb(0, size.abs_upper())


def argument_bits(shape: Shape, drawn: Sketch) -> int:
    """Bits that exp and power lose to the size of their arguments."""
    far = max(abs(edge) for block in drawn.blocks for edge in block) / shape.sigma
    steep = (2 + abs(shape.s)) * (2 + far + shape.sigma**-2)
    return math.frexp(steep)[1]


# -- the nodes -------------------------------------------------------------------------


class Sums:
    """The sum of F (or F ln g) over the nodes of the blocks, segment by segment.

    A segment e^-below under the top needs that many bits less.
    """

    __slots__ = ("add", "cover", "drawn", "full", "h", "shape")

    def __init__(
        self, integrand: Integrand, nodes: Nodes, cover: Cover, drawn: Sketch, full: int
    ) -> None:
        self.shape, self.cover, self.drawn, self.full = integrand.shape, cover, drawn, full
        self.add = nodes.logarithmic if integrand.log else nodes.power
        self.h = float(nodes.h)

    def whole(self, deadline: Deadline) -> arb:
        """In one turn, inside a precision."""
        total = arb(0)
        for start, stop in self._segments():
            total = self._added(total, start, stop)
            deadline.check()
        return total

    def in_turns(self, deadline: Deadline) -> arb:
        """Other threads may compute between two segments."""
        total = arb(0)
        for start, stop in self._segments():
            with precision(self.full, deadline):
                total = self._added(total, start, stop)
            deadline.check()
        return total

    def _segments(self) -> Iterator[tuple[int, int]]:
        length = _SEGMENT if self.full < _LONG else 2
        for block in self.cover.blocks:
            for start in range(block.start, block.stop, length):
                yield start, min(start + length, block.stop)

    def _added(self, total: arb, start: int, stop: int) -> arb:
        if self.full > _SHORT:
            top = _segment_top(self.shape, start * self.h, (stop - 1) * self.h)
            below = self.drawn.top - top
            ctx.prec = min(max(self.full - int(below / _LN2), 64), self.full)
        part = self.add(start, stop)
        ctx.prec = self.full
        return total + part


def _segment_top(shape: Shape, a: float, b: float) -> float:
    top = max(shape.level(a), shape.level(b))
    for mode in (shape.left, shape.right):
        if a < mode < b:
            top = max(top, shape.level(mode))
    return top


class Nodes:
    """Runs of consecutive nodes t = j h; the constants are computed once, at full precision."""

    __slots__ = ("balls", "h", "order_zero", "ratio_ratio", "x_ratio")

    def __init__(self, integrand: Integrand, balls: Parameters, h: float) -> None:
        self.balls = balls
        self.h = arb(h)
        self.x_ratio = (self.h * balls.inverse).exp()
        self.ratio_ratio = (-self.h * self.h).exp()
        self.order_zero = integrand.moment.order == 0

    def start(self, first: int) -> tuple[arb, arb, arb]:
        """q e^{t/sigma - 1/(2 sigma^2)}, e^{-t^2/2} and its first ratio, at t = first h."""
        t = self.h * first
        return self.balls.ratio(t), (-t * t / 2).exp(), (-(t + self.h / 2) * self.h).exp()

    def power(self, first: int, stop: int) -> arb:
        """The sum of e^{-t^2/2} g^s over the nodes first, ..., stop - 1."""
        x, gauss, ratio = self.start(first)
        c0, s, x_ratio, ratio_ratio = (
            self.balls.c0,
            self.balls.power,
            self.x_ratio,
            self.ratio_ratio,
        )
        total = gauss * (c0 + x) ** s
        for _ in range(stop - first - 1):
            x *= x_ratio
            gauss *= ratio
            ratio *= ratio_ratio
            total += gauss * (c0 + x) ** s
        return total

    def logarithmic(self, first: int, stop: int) -> arb:
        """The sum of e^{-t^2/2} g^s ln g, s = 0 or 1, over the same nodes."""
        x, gauss, ratio = self.start(first)
        total = arb(0)
        for _ in range(first, stop):
            g = self.balls.c0 + x
            total += gauss * g.log() if self.order_zero else gauss * g * g.log()
            x *= self.x_ratio
            gauss *= ratio
            ratio *= self.ratio_ratio
        return total
