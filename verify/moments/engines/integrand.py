"""One integrand F(t) = e^{-t^2/2} g(t)^s (times ln g), as facts and as balls.

What step, remainder and sum have in common: a shape in doubles to plan by, and the parameters as
balls to prove with.
"""

from __future__ import annotations

from flint import arb, fmpz

from verify.moments.engines import Moment
from verify.moments.engines.mass import Shape
from verify.numbers.balls import ball


class Integrand:
    """A moment to be integrated, and where its mass lies.

    ``entire``: F has no branch points, for g^s is a power series in e^{t/sigma} (whole s >= 0), or
    an exponential (q = 1).
    """

    __slots__ = ("complement", "entire", "log", "moment", "positive", "shape", "whole")

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.log = moment.log
        self.shape = Shape.of(moment.q, moment.sigma, moment.order)
        self.complement = 1 - moment.q  # exact: q may be 1 - 1e-300
        self.whole = moment.order.denominator == 1
        self.positive = moment.order.numerator >= 0
        self.entire = not moment.log and (moment.q == 1 or (self.whole and self.positive))


class Parameters:
    """The parameters of an integrand as balls, at the precision in force when they are made."""

    __slots__ = ("c0", "half", "inverse", "power", "pull", "q", "s", "sigma")

    def __init__(self, integrand: Integrand) -> None:
        moment = integrand.moment
        self.q = ball(moment.q)
        self.c0 = ball(integrand.complement)
        self.sigma = ball(moment.sigma)
        self.inverse = 1 / self.sigma
        self.half = self.inverse / 2
        self.s = ball(moment.order)
        self.power = fmpz(moment.order.numerator) if integrand.whole else self.s
        self.pull = self.s * self.inverse  # where the shifted mode would be if q were 1

    def ratio(self, t: arb) -> arb:
        """q e^{t/sigma - 1/(2 sigma^2)}, the part of g that varies."""
        return self.q * ((t - self.half) * self.inverse).exp()

    def at(self, t: arb) -> tuple[arb, arb]:
        """g(t), and p(t), the share of the shifted component in it."""
        x = self.ratio(t)
        g = self.c0 + x
        return g, x / g

    def column(self) -> arb:
        """t1, where both components are equal: all branch points of g^s have this real part."""
        return self.half + self.sigma * (self.c0 / self.q).log()

    def slope(self, t: arb) -> arb:
        """l'(t), where l = ln F."""
        return self.pull * self.at(t)[1] - t
