"""Shuffled epochs: the largest output of an epoch tells the worlds apart (the event of Chua et al. 2024).

n = m T records, in each epoch a permutation, T batches of m. *Data sets*: all other gradients -1,
the record's +1 against 0. After centring (-m is added) the batch of the record has the mean 2 or 1,
all others 0, and the batch of the record is uniform:

    P = mean_i N(2 e_i, sigma^2 I),   Q = mean_i N(e_i, sigma^2 I).

Forgetting all but the largest output M of the epoch is post-processing, and by symmetry

    P(M <= C) = Phi((C-2)/sigma) Phi(C/sigma)^{T-1},      Q(M <= C) = Phi((C-1)/sigma) Phi(C/sigma)^{T-1}.

*One epoch*: delta(eps) >= P(M > C) - e^eps Q(M > C), and, the worlds
exchanged, >= Q(M <= C) - e^eps P(M <= C), for every C; doubles propose C, balls evaluate. *E
epochs* with fresh permutations: the E largest outputs are independent, a test of them is one of the
run (``policies``); and a run of E epochs is not more private than one of them. *One permutation for
all epochs*: the mean of the E outputs of each batch has the same law with noise sigma/sqrt(E); a
rational number above that noise is used (more noise is post-processing, so the value stays a lower
one).

*A smaller last batch* is forgotten (post-processing), and so is a batch that is dropped: with
probability r, the share of its records, the record is in none of the T others, whose outputs are
then all centred. Phi((C-2)/sigma) becomes r Phi(C/sigma) + (1-r) Phi((C-2)/sigma), the other world
likewise.

*Other data sets*: all others zero. Then the outputs are those of random allocation, whose exact
value is a lower end too: the larger one where noise is large.

*Upper end*: given the permutations, one step of each epoch differs, by at most 1: the Gaussian with mu = sqrt(E)/sigma.

*Replace-one* (all others -1, +1 against -1): the means are 2 and 0. Random allocation with half the
noise (``sides``) keeps all outputs and is the larger end; the event serves where that noise is
below what allocation is computed for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.planner import Direction
from verify.accounting.exact.loss import Loss
from verify.accounting.history import History, Phase
from verify.accounting.pairs.allocation import LEAST_SIGMA, Allocation, Allotted
from verify.accounting.pairs.fixed.composing import Played
from verify.accounting.pairs.fixed.ends import Attained, Between, Larger, OfCurve
from verify.accounting.tight import Curve
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Bound

_BITS, _MOST_BITS, _SPARE_BITS = 256, 1 << 15, 64
_RARE = -7.0  # ln of a probability that is about its union bound
_NEVER = 1e12  # what an event that proves nothing is worth less
_BOTH: tuple[Direction, ...] = ("remove", "add")
_LOOKED_AT, _ROUNDS = 400, 60
_BY = (
    "the record's gradient has the clipping norm, all others are the opposite gradient, "
    "its replacement is zero"
)
_LONE = "the record's gradient has the clipping norm, its replacement and all others are zero"
_REPLACED = (
    "the record's gradient has the clipping norm, all others are the opposite gradient, "
    "and so is its replacement"
)


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest output of an epoch of so many batches; ``back`` exchanges the worlds.

    ``idle`` is the probability that the record is in none of them.
    """

    batches: int
    sigma: Fraction
    back: bool = False
    idle: Fraction = Fraction(0)
    means: tuple[int, int] = (2, 1)

    def below(self, z: arb) -> tuple[arb, arb]:
        s, r = ball(self.sigma), ball(self.idle)
        plain = normal(z / s)
        others = plain ** (self.batches - 1)
        two, one = ((r * plain + (1 - r) * normal((z - mean) / s)) * others for mean in self.means)
        return (one, two) if self.back else (two, one)

    def log_below(self, z: float, mean: int) -> float:
        """ln of that probability in one world, in doubles."""
        s, r = float(self.sigma), float(self.idle)
        plain, moved = _log_normal(z / s), _log_normal((z - mean) / s)
        mixed = [math.log1p(-r) + moved, *([math.log(r) + plain] if r else [])]
        return _log_sum(mixed) + (self.batches - 1) * plain

    def log_above(self, z: float, mean: int) -> float:
        """ln of what is left, also where that is no double."""
        s, r = float(self.sigma), float(self.idle)
        plain, moved = _log_normal(-z / s), _log_normal((mean - z) / s)
        rest = self.batches - 1 + r
        small = _log_sum([math.log1p(-r) + moved, *([math.log(rest) + plain] if rest else [])])
        below = self.log_below(z, mean)
        return small if small < _RARE or below > -1e-9 else math.log(-math.expm1(below))

    def loss(self, z: float) -> float:
        """From the densities, divided by that of the other batches."""
        s, r = float(self.sigma), float(self.idle)
        alone = _log_normal(z / s)
        logs = []
        for mean in self.means:
            terms = [math.log1p(-r) + (2 * mean * z - mean * mean) / (2 * s * s) + alone]
            if self.batches > 1:
                terms.append(
                    math.log1p(-r) + math.log(self.batches - 1) + _log_normal((z - mean) / s)
                )
            if r:
                terms.append(math.log(r * self.batches) + alone)
            top = max(terms)
            logs.append(top + math.log(sum(math.exp(term - top) for term in terms)))
        return (logs[0] - logs[1]) * (-1 if self.back else 1)

    def range(self, nats: float) -> tuple[float, float]:
        s = float(self.sigma)
        most = s * math.sqrt(2 * (nats + math.log(self.batches)))
        return -s * math.sqrt(2 * nats), 2 + most


def _log_sum(logs: list[float]) -> float:
    top = max(logs)
    return top + math.log(sum(math.exp(x - top) for x in logs))


def _log_normal(x: float) -> float:
    """ln Phi(x), about."""
    if x > 0:
        return math.log1p(-math.erfc(x / math.sqrt(2)) / 2)
    if x > -30:
        return math.log(math.erfc(-x / math.sqrt(2)) / 2)
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi))


@dataclass(frozen=True, slots=True)
class Event:
    """One epoch: M > C, and M <= C with the worlds exchanged, at the C that doubles propose."""

    batches: int
    sigma: Fraction
    idle: Fraction = Fraction(0)
    means: tuple[int, int] = (2, 1)

    @property
    def _largest(self) -> Largest:
        return Largest(self.batches, self.sigma, idle=self.idle, means=self.means)

    @property
    def _bits(self) -> int:
        """Enough for the tails that tell means so far apart: a Gaussian's loss and a few deviations."""
        mu = 2 / float(self.sigma)
        return min(_BITS + int(1.45 * (mu * mu / 2 + 10 * mu)), _MOST_BITS)

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        """A number that delta(epsilon) is not below."""
        e = float(epsilon)

        def excess(a: float, b: float) -> float:
            return math.exp(a) - math.exp(min(e + b, 700.0))

        with precision(self._bits, deadline):
            size = ball(epsilon).exp()
            values = [alpha - size * beta for alpha, beta in self._tests(excess, deadline)]
            return max(Fraction(0), *(fraction(value.lower()) for value in values))

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        """A number that epsilon(delta) is not below."""
        d, least = float(delta), (_SPARE_BITS - self._bits) * math.log(2)

        def ratio(a: float, b: float) -> float:
            """Its logarithm, with no size that the balls do not tell from 0."""
            excess = math.exp(a) - d
            return math.log(excess) - b if excess > 0 and b > least else excess - _NEVER

        found = [Fraction(0)]
        with precision(self._bits, deadline):
            for alpha, beta in self._tests(ratio, deadline):
                value = ((alpha - ball(delta)) / beta).log()
                if value.is_finite():
                    found.append(fraction(value.lower()))
        return max(found)

    def _tests(
        self, worth: Callable[[float, float], float], deadline: Deadline
    ) -> list[tuple[arb, arb]]:
        """P and Q of M > C, and Q and P of M <= C, each at the best C found; ``worth`` is told their logarithms."""
        found = []
        for complement in (False, True):
            deadline.check()
            c = arb(self._best(worth, complement))
            first, second = self._largest.below(c)
            found.append((second, first) if complement else (1 - first, 1 - second))
        return found

    def _best(self, worth: Callable[[float, float], float], complement: bool) -> float:
        largest = self._largest

        def value(c: float) -> float:
            if complement:
                first, second = (largest.log_below(c, mean) for mean in self.means)
                return worth(second, first)
            first, second = (largest.log_above(c, mean) for mean in self.means)
            return worth(first, second)

        low, high = largest.range(60.0)
        step = (high - low) / _LOOKED_AT
        best = max((low + i * step for i in range(_LOOKED_AT + 1)), key=value)
        low, high = best - step, best + step
        for _ in range(_ROUNDS):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (one, high) if value(one) < value(two) else (low, two)
        return max(low, best, high, key=value)


def above_root(square: Fraction) -> Fraction:
    """A rational number at or just above the square root.

    >>> above_root(Fraction(9, 4)), above_root(Fraction(2)) ** 2 > 2
    (Fraction(3, 2), True)
    """
    scale = 1 << 256
    whole = square.numerator * scale * scale // square.denominator
    root = math.isqrt(whole)
    exact = root * root * square.denominator == square.numerator * scale * scale
    return Fraction(root if exact else root + 1, scale)


def shuffled_zeroed(
    batches: int,
    sigma: Fraction,
    epochs: int,
    once: bool,
    deadline: Deadline,
    idle: Fraction = Fraction(0),
) -> Curve | Between:
    """Zero-out, so many batches an epoch; ``once``: one permutation for all epochs; ``idle``: the
    share of a smaller batch."""
    gaussian = Curve((Phase(Fraction(1), sigma, epochs),), "remove", deadline)
    if batches == 1 and not idle:
        return gaussian
    noise, times = (above_root(sigma * sigma / epochs), 1) if once else (sigma, epochs)
    lower = [Attained(Event(batches, noise, idle), _BY)]
    if times > 1:
        grid = [(Loss(Phase(Fraction(1), sigma, 1), "remove"), epochs)]
        plays = [[([Largest(batches, sigma, back, idle)], epochs)] for back in (False, True)]
        lower.append(Attained(Played(plays, [grid, grid]), _BY))
    if noise >= LEAST_SIGMA:
        part = (Allotted(batches, noise, times, idle),)
        lower.append(Attained(Larger([Allocation(part, (), d, deadline) for d in _BOTH]), _LONE))
    return Between(lower, (OfCurve(gaussian, up=True),), deadline)


def shuffled_replaced(
    parts: tuple[Allotted, ...], still: History, event: Event | None, known: Curve
) -> Between:
    """Replace-one: allocation with ``parts`` and the steps ``still`` from below, ``known`` from above.

    ``event`` is that of a run whose noise is below what allocation is computed for.
    """
    lower = [] if event is None else [Attained(event, _REPLACED)]
    if parts or still:
        sides = [Allocation(parts, still, d, known.deadline) for d in _BOTH]
        lower.append(Attained(Larger(sides), _REPLACED))
    return Between(lower, (OfCurve(known, up=True),), known.deadline)
