"""Certified trapezoid in ball arithmetic: the reference engine. Every error is proved.

F(t) = e^{-t^2/2} g(t)^s is analytic in the strip |Im t| < pi sigma (everywhere when s is a
non-negative integer or q = 1). On the line Im t = d, with b = d/sigma and 0 <= f <= b/2,
b - f < pi/2:

* |e^{-t^2/2}| grows by the factor e^{d^2/2};
* |g(x+id)| <= g(x), which serves s >= 0: the integral of |F| over the line is at most C int F with
  C = e^{d^2/2};
* |g(x+id)| >= Re e^{-if} g = cos f ((1-q) + q e^{...} cos(b-f)/cos f), that is cos f times g moved
  by lam = sigma ln(cos f / cos(b-f)) >= 0. For s < 0 undoing the move leaves the factor
  e^{-lam t - lam^2/2} under the integral; F is then strongly log-concave (l'' <= -1), so its mean is
  within 1 of its mode t* and E_F[e^{-lam t}] <= e^{lam (1 - t*) + lam^2/2}. Hence
  C = e^{d^2/2} (cos f)^s e^{lam (1 - t*)}; f = b/2 gives the plain C = e^{d^2/2} (cos b/2)^s.

The trapezoidal sum T with step h obeys |T - I| <= E I with E = 2C/(e^{2 pi d/h} - 1) (Trefethen
and Weideman, SIAM Review 56, 2014, Theorem 5.1), so I lies in T/(1 + [-E, E]): a *relative* error,
whatever q and s are. For the logarithmic integrands F ln g the same theorem gives an absolute
error, from |ln g(x+id)| <= |ln g(x)| + ln sec(b/2) + pi and simple bounds of E|g^s ln g|.

Nodes are equidistant, so e^{t/sigma} and e^{-t^2/2} advance by multiplication and one power a node is
the only transcendental function. What the sum leaves out is bounded in ``remainder``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpz

from verify.balls import ball, enclosure, precision
from verify.budget import Deadline
from verify.certified import Enclosure
from verify.engines import Moment
from verify.engines.mass import Profile, Sketch, everything, guess_log_size, sketch
from verify.engines.remainder import Remainder, spans
from verify.errors import OutOfReach, PrecisionExhausted

_LN2 = math.log(2)
_SIDE_BITS = 64  # for what only has to be an upper bound
_SEGMENT = 32  # nodes between two fresh starts of the recurrences
_LONG = 20_000  # bits beyond which a node alone takes a millisecond
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
            value = integrand.integral(bits, deadline)
            with precision(2 * wanted + bits):
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
    value = Integrand(moment).integral(bits, deadline)
    with precision(bits + 64):
        return enclosure(value)


def log_enclosure(x: Fraction, digits: int) -> Enclosure:
    """ln x for a rational 0 < x < 1, to that many digits of the logarithm.

    >>> float(log_enclosure(Fraction(1, 2), 20).hi)
    -0.6931471805599453
    """
    wanted = math.ceil(digits * math.log2(10)) + 3
    bits = wanted
    while True:
        with precision(bits):
            value = (ball(x - 1)).log1p()
            if value.rel_accuracy_bits() >= wanted:
                return enclosure(value)
        bits *= 2


@dataclass(frozen=True, slots=True)
class Step:
    """A step h and the proved discretisation error it brings (relative; absolute for logs)."""

    h: float
    error: arb


class Integrand:
    """One moment, with what all its sums have in common."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.profile = Profile.of(moment.q, moment.sigma, moment.order)
        self.complement = 1 - moment.q  # exact: q may be 1 - 1e-300
        integer = moment.order.denominator == 1
        self.power: int | None = int(moment.order) if integer else None
        self.positive = moment.order.numerator >= 0
        self.entire = not moment.log and (moment.q == 1 or (integer and self.positive))

    def integral(self, bits: int, deadline: Deadline) -> arb:
        """E[g^s] to a relative, E[g^s ln g] to an absolute accuracy of about 2^-bits."""
        step = self.step(bits)
        depth = bits * _LN2 + 1 + math.log1p(abs(self.profile.s) / self.profile.sigma)
        for attempt in ("light", "full", "everything"):
            if attempt == "everything":
                drawn = everything(self.profile, depth)
            else:
                keep_all = self.moment.log or attempt == "full"
                drawn = sketch(self.profile, depth, keep_all=keep_all)
            with precision(_SIDE_BITS + self._argument_bits(drawn)):
                rest = Remainder(self.moment, self.profile, step.h).bound(drawn)
            if rest is None:
                continue
            total, largest = self._sum(drawn, step.h, bits, deadline)
            if drawn.dropped is None or rest * step.h < largest * arb(2) ** (2 - bits):
                return self._closed(total, rest, step, bits)
        raise PrecisionExhausted(f"{self.moment}: could not bound what the sum leaves out")

    def _closed(self, total: arb, rest: arb, step: Step, bits: int) -> arb:
        """The integral from its sum: what is missing added, what is wrong allowed for."""
        with precision(bits + 64):
            upper, error = rest.abs_upper(), arb(0, step.error.abs_upper())
            total += arb(0, upper) if self.moment.log else arb(upper / 2, upper / 2)
            value = total * arb(step.h) / (2 * arb.pi()).sqrt()
            return value + error if self.moment.log else value / (1 + error)

    # -- discretisation ----------------------------------------------------------------

    def step(self, bits: int) -> Step:
        """The largest step whose proved error is below 2^-bits, and that error."""
        goal = bits * _LN2 + 2
        h, d, f = max(
            (2 * math.pi * d / (goal + self._log_constant(d, f)), d, f)
            for d, f in self._strips(goal)
        )
        if not 0 < h < math.inf:
            raise OutOfReach(f"{self.moment}: no usable step")
        scale = 20 - math.frexp(h)[1]  # few bits, so that multiples of h are exact
        h = math.ldexp(math.floor(math.ldexp(h, scale)), -scale)
        with precision(_SIDE_BITS):
            decay = (2 * arb.pi() * arb(d) / arb(h)).exp() - 1
            return Step(h, 2 * self._constant(d, f, h) / decay)

    def _strips(self, goal: float) -> Iterator[tuple[float, float]]:
        """Candidates (d, f) for the line Im t = d and the rotation f."""
        free = math.sqrt(2 * goal)  # the best d when nothing is in the way
        wide = min(free, math.pi * self.profile.sigma * (1 - 2.0**-40))
        if self.entire:
            yield free, 0.0
        elif self.positive and not self.moment.log:
            yield wide, 0.0
        else:
            for part in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96):
                d = wide * part
                b = d / self.profile.sigma
                yield d, b / 2
                lowest = max(0.0, b - 1.5)
                if lowest < b / 2 and not self.moment.log:
                    yield d, lowest

    def _log_constant(self, d: float, f: float) -> float:
        """ln C in doubles, to choose d and f by."""
        if self.entire or (self.positive and not self.moment.log):
            return d * d / 2
        sigma, b = self.profile.sigma, d / self.profile.sigma
        if self.moment.log:
            return d * d / 2 + math.log(8 + 1 / sigma**2 - math.log(math.cos(f)))
        lam = sigma * (math.log(math.cos(f)) - math.log(math.cos(b - f)))
        cosine = self.profile.s * math.log(math.cos(f))
        return d * d / 2 + cosine + max(lam, 0.0) * (2 - self.profile.left)

    def _constant(self, d: float, f: float, h: float) -> arb:
        """C (see the module's head) as a ball, for exactly these d and f."""
        gauss = (arb(d) ** 2 / 2).exp()
        if self.entire:
            return gauss
        sigma = ball(self.moment.sigma)
        b = arb(d) / sigma
        if not b < arb.pi():
            raise OutOfReach(f"{self.moment}: no strip of analyticity within reach")
        if self.moment.log:
            # |E[g^s ln g]| <= q/(2 sigma^2), hence E|g^s ln g| <= q/(2 sigma^2) + 2 max(1/e, ln 2);
            # on the line |ln g| gains at most ln sec(b/2) + pi, against the mass E[g^s] = 1.
            size = ball(self.moment.q) / (2 * sigma**2) + 2 * arb(2).log()
            return gauss * (size - (b / 2).cos().log() + arb.pi())
        if self.positive:
            return gauss
        rotation = arb(f)
        if not (rotation <= b / 2 and b - rotation < arb.pi() / 2):
            rotation = b / 2
        lam = (sigma * (rotation.cos() / (b - rotation).cos()).log()).abs_upper()
        mode = arb(self.profile.left - 0.5)  # not above the mode if l' > 0 there
        if not Remainder(self.moment, self.profile, h).slope(mode) > 0:
            mode = ball(self.moment.order) / sigma  # l'(s/sigma) >= 0 always
        return gauss * rotation.cos() ** ball(self.moment.order) * (lam * (1 - mode)).exp()

    # -- the nodes ---------------------------------------------------------------------

    def _argument_bits(self, drawn: Sketch) -> int:
        """Bits that exp and power lose to the size of their arguments."""
        far = max(abs(edge) for block in drawn.blocks for edge in block) / self.profile.sigma
        steep = (2 + abs(self.profile.s)) * (2 + far + self.profile.sigma**-2)
        return math.frexp(steep)[1]

    def _sum(self, drawn: Sketch, h: float, bits: int, deadline: Deadline) -> tuple[arb, arb]:
        """Sum of F (or F ln g) over the nodes in the blocks, and the largest part of it."""
        blocks = spans(drawn, h)
        if sum(last - first for first, last in blocks) > _MAX_NODES:
            raise OutOfReach(f"{self.moment}: needs more than {_MAX_NODES} nodes")
        full = bits + 20 + self._argument_bits(drawn)
        with precision(full):
            nodes = Nodes(self, h)
            add = nodes.logarithmic if self.moment.log else nodes.power
            total, largest = arb(0), arb(0)
            length = _SEGMENT if full < _LONG else 2  # between two looks at the clock
            for first, last in blocks:
                for start in range(first, last + 1, length):
                    stop = min(start + length, last + 1)
                    # A segment e^-below under the top needs that many bits less.
                    below = drawn.top - self._segment_top(start * h, (stop - 1) * h)
                    ctx.prec = min(max(full - int(below / _LN2), 64), full)
                    part = add(start, stop)
                    ctx.prec = full
                    total += part
                    largest = largest.max(part)
                    deadline.check()
            return total, largest

    def _segment_top(self, a: float, b: float) -> float:
        level = self.profile.level
        top = max(level(a), level(b))
        for mode in (self.profile.left, self.profile.right):
            if a < mode < b:
                top = max(top, level(mode))
        return top


class Nodes:
    """Runs of consecutive nodes t = j h; the constants are computed once, at full precision."""

    def __init__(self, integrand: Integrand, h: float) -> None:
        moment = integrand.moment
        self.h = arb(h)
        self.q = ball(moment.q)
        self.c0 = ball(integrand.complement)
        self.inverse = 1 / ball(moment.sigma)
        self.half = self.inverse / 2
        self.x_ratio = (self.h * self.inverse).exp()
        self.ratio_ratio = (-self.h * self.h).exp()
        self.s = ball(moment.order) if integrand.power is None else fmpz(integrand.power)
        self.order_zero = moment.order == 0

    def _start(self, start: int) -> tuple[arb, arb, arb]:
        """q e^{t/sigma - 1/(2 sigma^2)}, e^{-t^2/2} and its first ratio, at t = start h."""
        t = self.h * start
        x = self.q * ((t - self.half) * self.inverse).exp()
        return x, (-t * t / 2).exp(), (-(t + self.h / 2) * self.h).exp()

    def power(self, start: int, stop: int) -> arb:
        x, gauss, ratio = self._start(start)
        c0, s, x_ratio, ratio_ratio = self.c0, self.s, self.x_ratio, self.ratio_ratio
        total = gauss * (c0 + x) ** s
        for _ in range(stop - start - 1):
            x *= x_ratio
            gauss *= ratio
            ratio *= ratio_ratio
            total += gauss * (c0 + x) ** s
        return total

    def logarithmic(self, start: int, stop: int) -> arb:
        x, gauss, ratio = self._start(start)
        total = arb(0)
        for _ in range(start, stop):
            g = self.c0 + x
            total += gauss * g.log() if self.order_zero else gauss * g * g.log()
            x *= self.x_ratio
            gauss *= ratio
            ratio *= self.ratio_ratio
        return total
