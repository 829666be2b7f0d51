"""A bracket of delta that is always there, by closed forms and a few moments.

**Above.** delta is at most that of the Gaussian with mu^2 = sum epochs/s^2 + sum steps/s^2: given
the bins (and the Poisson draws) every epoch is at most one full Gaussian step, and delta is convex
in the pair. And Chernoff: B(x) <= k(q) psi(q) e^{-(q-1)x}, A(x) <= kappa(u) psi(-u) e^{-ux}
(``spectrum``). And (Without time for the moments of negative order: E S'^-u <= E S^-u, as x^-u is
convex and E S^-u >= 1; E S^-u <= e^{u(u+1)/(2 s^2)} since S^-u is at most the mean of the X_i^-u; E
S^-u <= e^{u/(2 s^2) + u^2/(2 s^2 T)} since S is at least the geometric mean.) And the total
variation: delta(eps) <= delta(0) = E|R - 1|/2 <= sqrt(E R^2 - 1)/2 (Cauchy-Schwarz).

**Below.** Forgetting outputs is post-processing, so delta of one part of the run is at most that of
the run. Of an epoch keep only whether its largest output is above a level C (in units of s): under
Q the answer is yes with probability p0 = 1 - Phi(C)^T, under P with p1 = 1 - r Phi(C)^T - (1-r)
Phi(C - 1/s) Phi(C)^{T-1} (r = idle). Over the epochs of the part the number of yeses is sufficient:
delta >= sum_k (Bin(E, p1)(k) - e^eps Bin(E, p0)(k))_+ when removing, and with p0, p1 exchanged when
adding. Every k may be left out: a positive sum over some k is a lower bound.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import log_moment_above, normal
from verify.accounting.contour.nodes import height_line
from verify.accounting.exact.closed import gaussian
from verify.accounting.history import History, Phase
from verify.accounting.pairs.allocation.forecast import Forecast
from verify.accounting.pairs.allocation.mellin import moment_above
from verify.accounting.pairs.allocation.outline import Outline
from verify.accounting.pairs.allocation.parts import Allotted
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import SgmError

_BITS = 192
_MOST_EPOCHS = 200  # terms of a binomial sum; more epochs are forgotten
_LEVELS = 12
_LEAST = -10_000  # no smaller power of 2 is told: its digits would take time
_DISTANCES = tuple(0.1 * 1.5**i for i in range(40))
_ZERO, _ONE = Fraction(0), Fraction(1)


class Crude:
    """Upper and lower bounds of delta(epsilon) of a run in one direction."""

    def __init__(self, forecast: Forecast, poisson: History, deadline: Deadline) -> None:
        self.forecast, self.poisson, self.deadline = forecast, poisson, deadline
        parts = [one.part for one, _ in forecast.epochs]
        full = [Phase(_ONE, p.sigma, p.epochs) for p in parts]
        full += [Phase(_ONE, p.sigma, p.steps) for p in poisson if p.q > 0]
        self.full = gaussian(tuple(full))
        self.full.most_bits = 1 << 12
        self.parts = parts
        self._moments: dict[float, arb] = {}

    def above(self, epsilon: Fraction) -> Fraction:
        """delta(epsilon) is at most this."""
        best = _ONE
        with suppress(SgmError):  # too small to resolve: the other bound serves
            best = min(best, self.full.at(epsilon, 3.0, 3.0, Deadline(math.inf)).hi)
        order = self._order(float(epsilon))
        with precision(_BITS):
            chernoff = (self._log_moment(order) + self._front(order, ball(epsilon))).exp()
            square = self._log_moment(2.0).exp() - 1
            for bound in (chernoff.max(arb(2) ** _LEAST), square.sqrt() / 2):
                if bound.is_finite() and bound.upper() < ball(best):
                    best = fraction(bound.upper())
        return best

    def _front(self, order: float, x: arb) -> arb:
        q = arb(order)
        if self.forecast.remove:
            return (q - 1) * (q - 1).log() - q * q.log() - (q - 1) * x
        return -q * (-q).log() - (1 - q) * (1 - q).log() + q * x

    def _order(self, x: float) -> float:
        """The order at which Chernoff's bound is best, in doubles."""
        forecast = self.forecast
        best, found = math.inf, 2.0 if forecast.remove else -1.0
        for distance in forecast.epochs[0][0].orders.known if forecast.remove else _DISTANCES:
            u = float(distance)  # q - 1 when removing
            size = u * math.log(u) - (1 + u) * math.log1p(u) - u * x
            order = 1 + u if forecast.remove else -u
            if forecast.remove and order > forecast.last_order:
                break
            size += forecast.log_above(order) if forecast.remove else forecast.log_moment(order)
            if size < best:
                best, found = size, order
            elif size > best + 50:
                break
        return found

    def _log_moment(self, order: float) -> arb:
        """ln psi(order) from above."""
        if order not in self._moments:
            total = arb(0)
            for one, epochs in self.forecast.epochs:
                if order > 1:
                    total += epochs * one.orders.above(Fraction(order))
                else:
                    total += epochs * self._negative(one.outline, order, epochs)
            for phase, (sketch, steps) in zip(self.poisson, self.forecast.phases, strict=True):
                line = height_line(sketch, order, 0.0, math.log(steps) + 8)
                total += steps * log_moment_above(phase, arb(order), line)
            self._moments[order] = total.upper()
        return self._moments[order]

    def _negative(self, outline: Outline, order: float, epochs: int) -> arb:
        """ln E S'^order, order < 0, from above: the moment, or without time a closed form."""
        try:
            return moment_above(outline, 0, order, epochs, self.deadline).log()
        except (SgmError, ArithmeticError):
            u, half = -arb(order), 1 / (2 * ball(outline.part.sigma) ** 2)
            return (u * (u + 1) * half).min(u * half + u * u * half / outline.t)

    def below(self, epsilon: Fraction) -> Fraction:
        """delta(epsilon) is at least this."""
        best = _ZERO
        with precision(_BITS):
            for part in self.parts:
                best = max(best, self._event(part, epsilon))
        return best

    def _event(self, part: Allotted, epsilon: Fraction) -> Fraction:
        """The best event of one part: some levels, all numbers of yeses."""
        s, t = ball(part.sigma), part.batches
        epochs = min(part.epochs, _MOST_EPOCHS)
        low, high = 0.0, 1 / float(part.sigma) + math.sqrt(2 * math.log(t)) + 3
        best, factor = arb(0), ball(epsilon).exp()
        for i in range(_LEVELS + 1):
            level = arb(low + (high - low) * i / _LEVELS)
            rest = normal(level) ** (t - 1)
            r = ball(part.idle)
            none = rest * normal(level)
            some = r * none + (1 - r) * rest * normal(level - 1 / s)
            first, second = (some, none) if self.forecast.remove else (none, some)
            total = _excess(1 - first, 1 - second, first, second, epochs, factor)
            if total > best:
                best = total
        return max(_ZERO, fraction(best.lower()))


def _excess(p: arb, q: arb, no_p: arb, no_q: arb, count: int, factor: arb) -> arb:
    """sum_k (Bin(count, p)(k) - factor Bin(count, q)(k))_+ over the k at which a term is surely positive."""
    total = arb(0)
    one, other = no_p**count, no_q**count
    for k in range(count + 1):
        term = one - factor * other
        if term > 0:
            total += term
        if not (no_p > 0 and no_q > 0):
            break
        grow = arb(count - k) / (k + 1)
        one, other = one * grow * p / no_p, other * grow * q / no_q
    return total
