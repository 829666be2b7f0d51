"""Epochs of random allocation, their likelihood ratio, and its moments of whole order.

In an epoch of T batches every record goes to one batch, uniformly, with fresh bins each epoch. The
pair of one epoch is P = (1/T) sum_i N(e_i, s^2 I), Q = N(0, s^2 I) in R^T, for adding, removing and
zeroing out a record, with a proof and data sets that attain it (the run is a post-processing of
this pair, whatever the dimension and the adaptivity: from o' in R^T make o_t = m_t + x_t
o'_t + N(0, s^2 (I - x_t x_t^T)), |x_t| <= 1). With probability ``idle`` = r a record takes part in
no batch of an epoch. Under Q, with t_i independent standard normal variables and
X_i = exp(t_i/s - 1/(2 s^2)),

    dP/dQ = S' = r + (1-r) S,      S = (X_1 + ... + X_T)/T,      E S = 1.

**Whole orders.** e^{uS'} = e^{ru} prod_i e^{(1-r)uX_i/T} as power series in u; E X^k = e^{k(k-1)/(2
s^2)} and independence give

    E S'^n = n! [u^n] e^{ru} (sum_k e^{k(k-1)/(2 s^2)} ((1-r)u/T)^k / k!)^T,            all coefficients positive.

(Formal series: both sides are polynomials in finitely many moments for each n.) ln E S'^q is convex
in q and E S'^1 = 1, so between two computed orders the chord bounds it from above (Hoelder).

**Tilting.** X phi(t) is the normal density about 1/s, so E X^k f(X) = e^{k(k-1)/(2 s^2)} E f(X e^{k/s^2}). With
F(w) = E e^{-wX} and c = (1-r)/T, and the exchangeability of the X_i,

    E e^{-wS'}      = e^{-rw} F(cw)^T,
    E S e^{-wS'}    = e^{-rw} F(cw)^{T-1} F(cw e^{1/s^2}),
    E S^2 e^{-wS'}  = e^{-rw} [ (e^{1/s^2}/T) F(cw)^{T-1} F(cw e^{2/s^2}) + ((T-1)/T) F(cw)^{T-2} F(cw e^{1/s^2})^2 ],

and G_n(w) = E S'^n e^{-wS'} for n = 0, 1, 2 by the binomial theorem for (r + (1-r)S)^n: a sum of
:class:`Tilted` terms, each a positive coefficient times a product of powers of F at tilted
arguments, all times e^{-rw}.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly

from verify.accounting.history import Phase
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, PrecisionExhausted

LEAST_SIGMA, _MOST_SIGMA = Fraction(1, 20), Fraction(10**6)
_MOST_BATCHES = _MOST_EPOCHS = 10**9
_MOST_BITS = 1 << 17
MOST_TILTED = 2  # the largest n for which G_n is written out


@dataclass(frozen=True, slots=True)
class Allotted:
    """So many epochs of so many batches; a record sits out an epoch with probability ``idle``.

    >>> Allotted(0, Fraction(1), 1)
    Traceback (most recent call last):
    ...
    verify.numbers.errors.OutOfDomain: batches = 0: must be a whole number from 1 to 1000000000
    """

    batches: int
    sigma: Fraction
    epochs: int
    idle: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name, most in (("batches", _MOST_BATCHES), ("epochs", _MOST_EPOCHS)):
            count = getattr(self, name)
            if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
                raise OutOfDomain(
                    f"{name} = {count!s:.40}: must be a whole number from 1 to {most}"
                )
        if not LEAST_SIGMA <= self.sigma <= _MOST_SIGMA:
            raise OutOfDomain(f"sigma = {self.sigma!s:.40}: must be a number from 0.05 to 1e6")
        if not 0 <= self.idle <= 1:
            raise OutOfDomain(f"idle = {self.idle!s:.40}: must be a number in [0, 1]")

    def as_phase(self) -> Phase | None:
        """One batch: the Gaussian, or the Poisson pair with q = 1 - idle. None if there are more."""
        return Phase(1 - self.idle, self.sigma, self.epochs) if self.batches == 1 else None


@dataclass(frozen=True, slots=True)
class Tilted:
    """coefficient * prod F(cw e^{tilt/s^2})^power over (tilt, power)."""

    coefficient: arb
    powers: tuple[tuple[int, int], ...]


def tilted_terms(part: Allotted, n: int) -> list[Tilted]:
    """G_n(w) e^{rw} as a sum of positive terms, at the precision in force."""
    t, r = part.batches, ball(part.idle)
    share, lift = 1 - r, (1 / ball(part.sigma) ** 2).exp()
    powers: dict[int, list[tuple[arb, tuple[tuple[int, int], ...]]]] = {
        0: [(arb(1), ((0, t),))],
        1: [(arb(1), ((0, t - 1), (1, 1)))],
        2: [(lift / t, ((0, t - 1), (2, 1))), (arb(t - 1) / t, ((0, t - 2), (1, 2)))],
    }
    found = []
    for k in range(n + 1):
        weight = math.comb(n, k) * r ** (n - k) * share**k
        if part.idle > 0 or k == n:
            found += [Tilted(weight * c, p) for c, p in powers[k] if min(m for _, m in p) >= 0]
    return found


def whole_moments(part: Allotted, n: int) -> list[arb]:
    """E S'^k for k = 0..n, at the precision in force."""
    s, scale = ball(part.sigma), ball((1 - part.idle) / part.batches)
    half = 1 / (2 * s * s)
    base = arb_poly(
        [(k * (k - 1) * half).exp() * scale**k / math.factorial(k) for k in range(n + 1)]
    )
    rest = ball(part.idle)
    result = arb_poly([rest**k / math.factorial(k) for k in range(n + 1)])
    times = part.batches
    while times:
        if times & 1:
            result = (result * base).truncate(n + 1)
        times >>= 1
        if times:
            base = (base * base).truncate(n + 1)
    return [result[k] * math.factorial(k) for k in range(n + 1)]


def log_moment(part: Allotted, n: int, digits: int, deadline: Deadline | None = None) -> Certified:
    """ln E S'^n of one epoch for a whole order n >= 0, to so many digits: (n-1) times its Renyi divergence of order n.

    >>> log_moment(Allotted(4, Fraction(2), 1), 2, 10)  # ln(1 + (e^{1/4} - 1)/4)
    Certified(0.068598724381658406…, 27 digits certain)
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise OutOfDomain(f"n = {n!s:.40}: must be a whole number, at least 0")
    if n <= 1 or part.idle == 1:
        return Certified.exactly(Fraction(0))
    again = functools.partial(log_moment, part, n)
    bits = 64 + int(3.4 * digits)
    while bits < _MOST_BITS:
        if deadline is not None:
            deadline.check()
        with precision(bits):
            value = whole_moments(part, n)[n].log()
            if value.rel_accuracy_bits() > 3.33 * digits + 3:
                return Certified(fraction(value.lower()), fraction(value.upper()), again)
        bits *= 2
    raise PrecisionExhausted(f"{digits} digits of a moment of order {n} were not reached")


class Orders:
    """Upper bounds of ln E S'^q for real q >= 1: exact at some whole orders, chords between them."""

    WHOLE = tuple(range(1, 41))
    FAR = (64, 100, 160, 256)  # only where losses are small: the powers take time

    def __init__(self, part: Allotted) -> None:
        self.part = part
        far = self.FAR if part.sigma >= 1 and part.batches > 20 else ()
        self.known: tuple[int, ...] = (*self.WHOLE, *far)
        self.bits = 128
        with precision(self.bits):
            moments = whole_moments(part, self.known[-1])
            self.logs = [moments[k].log().upper() for k in self.known]
        self.doubles: list[float] = [float(x) for x in self.logs]

    @property
    def last(self) -> int:
        return self.known[-1]

    def _place(self, q: float) -> int:
        return next(i for i, k in enumerate(self.known[1:]) if q <= k)

    def double(self, q: float) -> float:
        """The bound in doubles, to plan with."""
        i = self._place(q)
        low, high = self.known[i], self.known[i + 1]
        share = (q - low) / (high - low)
        return (1 - share) * self.doubles[i] + share * self.doubles[i + 1]

    def above(self, q: Fraction) -> arb:
        """The bound as a ball without radius above it."""
        i = self._place(float(q))
        low, high = self.known[i], self.known[i + 1]
        if not low <= q <= high:
            raise OutOfDomain(f"order {q}: not between {low} and {high}")
        share = ball((q - low) / (high - low))
        return ((1 - share) * self.logs[i] + share * self.logs[i + 1]).upper()
