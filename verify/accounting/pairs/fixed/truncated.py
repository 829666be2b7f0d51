"""Poisson samples cut to a largest size, add/remove.

n *other* records and the one in question are each drawn with probability q; a sample of more than B
records is replaced by a uniform subset of B. Let m ~ Bin(n, q) be the number of the others drawn;
it is the same in both worlds.

*m < B*: nothing is cut, the step is p N(0) + q N(x) against N(0), |x| <= 1, after subtraction of
the others' sum. *m >= B*: without the record (also where it exists and was not drawn) the step is a
uniform B-subset of the m. Where it was drawn, it is kept with probability B/(m+1), and then the
rest is a uniform (B-1)-subset of the m. Write the B-subset as R + y, |R| = B - 1, y uniform among
the other m - B + 1: R is then a uniform (B-1)-subset, so that the step is, given m, R and y,
(1 - r) N(0) + r N(x - y) against N(0) after subtraction of R + y, with r_m = q B/(m+1) and
|x - y| <= 2.

**Upper end.** Given m, R, y (joint convexity) and by Lemma M (``merged``), for every a >= 0 and both directions,

    H_a(step) <= Pr[m < B] H_a(pair(q, sigma)) + sum_{m >= B} Pr[m] H_a(pair(r_m, sigma/2)),

the profile of a pair (the one that reveals m). pair(r, .) rises with r (Lemma M: the shift rises
stochastically) and r_m falls with m, so all m of a group may take the r of its least m. The product
of such pairs dominates the run. Cheaper upper ends: the Gaussian with shift 2 in every step;
pair(q, sigma/2) in every step (shift at most 2, with probability at most q); and, with
w = Pr[m >= B], delta <= delta of pair(q, sigma) + T w: with probability at least 1 - T w no sample
is cut, and P(A) - a Q(A) <= 1 otherwise.

**Lower end.** All others 0, x = 1: the record counts with probability

    q' = q Pr[m < B] + sum_{m >= B} Pr[m] q B/(m+1) = q Pr[Bin(n, q) < B] + B/(n+1) Pr[Bin(n+1, q) > B],

the pair(q', sigma) in every step, attained. (q C(n,m) q^m p^{n-m}/(m+1) = C(n+1,m+1) q^{m+1}
p^{n-m}/(n+1).) A rational number below q' is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import need
from verify.accounting.contour.planner import Direction
from verify.accounting.exact.loss import Loss
from verify.accounting.history import History, Phase
from verify.accounting.pairs.fixed.composing import Composed
from verify.accounting.pairs.fixed.ends import Attained, Between, End, OfCurve
from verify.accounting.tight import Curve
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Bound
from verify.numbers.errors import OutOfDomain, OutOfReach, PrecisionExhausted

_GROUPS = 10
_DEVIATIONS = 7.0  # of the number of others, up to which groups are made
_MOST_BITS = 1 << 14
_BY = "the record's gradient has the clipping norm, all others are zero"


def at_least(n: int, q: Fraction, k: int, bits: int = 300) -> arb:
    """Pr[Bin(n, q) >= k], to an absolute error of 2^-bits: the regularised incomplete beta function I_q(k, n-k+1).

    >>> at_least(3, Fraction(1, 2), 2).str(5, radius=False)
    '0.50000'
    """
    if k <= 0 or k > n:
        return arb(1 if k <= 0 else 0)
    if q == 1:
        return arb(1)
    working = bits + 64
    while working <= _MOST_BITS:
        with precision(working):
            value = ball(q).beta_lower(arb(k), arb(n - k + 1), 1)
            if value.is_finite() and value.rad() < arb(2) ** -bits:
                return value.intersection(arb(0).union(arb(1)))
        working *= 2
    raise PrecisionExhausted(f"the binomial tail at {k} of {n} was not resolved")


@dataclass(frozen=True, slots=True)
class Revealed:
    """A pair that reveals which of several pairs was used: the weights of these are balls."""

    weights: tuple[arb, ...]
    parts: tuple[Loss, ...]

    def above(self, x: arb) -> tuple[arb, arb]:
        both = [part.above(x) for part in self.parts]
        first, second = (
            sum((w * one[i] for w, one in zip(self.weights, both, strict=True)), arb(0))
            for i in (0, 1)
        )
        return first, second

    def tails(self, x: float) -> tuple[float, float]:
        first = second = 0.0
        for weight, part in zip(self.weights, self.parts, strict=True):
            a, b = part.tails(x)
            first, second = first + float(weight.mid()) * a, second + float(weight.mid()) * b
        return first, second


def step(q: Fraction, sigma: Fraction, n: int, most: int, direction: Direction) -> Revealed:
    """The dominating pair of one step."""
    deviation = math.sqrt(n * float(q) * (1 - float(q)))
    end = max(most + 1, math.ceil(n * float(q) + _DEVIATIONS * deviation))
    starts = sorted({most + (end - most) * i // _GROUPS for i in range(_GROUPS + 1)} - {n + 1})
    starts = [m for m in starts if m <= n]
    tails = [at_least(n, q, m) for m in starts]
    with precision(300):
        weights = [1 - tails[0]]
        weights += [a - b for a, b in zip(tails, [*tails[1:], arb(0)], strict=True)]
        weights = [w.max(arb(0)) for w in weights]
        need(bool(sum(weights, arb(0)).contains(1)), "the weights of a mixture enclose 1")
    rates = [q * most / (m + 1) for m in starts]
    parts = [Phase(q, sigma, 1), *(Phase(rate, sigma / 2, 1) for rate in rates)]
    return Revealed(tuple(weights), tuple(Loss(part, direction) for part in parts))


@dataclass(frozen=True, slots=True)
class Rarely:
    """Upper end: the run without cuts, and the probability of a cut added to delta."""

    curves: tuple[Curve, ...]
    cut: Fraction

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        return self.cut + max(
            OfCurve(curve, up=True).delta(epsilon, digits, deadline) for curve in self.curves
        )

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        if delta <= self.cut:
            raise OutOfReach("cuts are more likely than delta")
        return max(
            OfCurve(curve, up=True).epsilon(delta - self.cut, digits, deadline)
            for curve in self.curves
        )


def kept_rate(q: Fraction, n: int, most: int) -> Fraction:
    """A rational number at or just below q', the probability that the record counts."""
    plain, cut = at_least(n, q, most), at_least(n + 1, q, most + 1)
    with precision(300):
        rate = ball(q) * (1 - plain) + cut * most / (n + 1)
        low = fraction(rate.lower())
    return Fraction(math.floor(low * 2**240), 2**240)


def truncated_curve(history: History, n: int, most: int, deadline: Deadline) -> Curve | Between:
    """n other records, samples of at most so many; add/remove, the larger direction."""
    if n < 1 or most < 1:
        raise OutOfDomain("truncated samples: other records and the largest size are at least 1")
    directions: tuple[Direction, ...] = ("remove", "add")
    rates = tuple(
        Phase(kept_rate(p.q, n, most) if most <= n else p.q, p.sigma, p.steps) for p in history
    )
    halves = tuple(Phase(p.q, p.sigma / 2, p.steps) for p in history)
    lower = [
        Attained(OfCurve(Curve(rates, direction, deadline), up=False), _BY)
        for direction in directions
    ]
    cut = sum((p.steps * _upper(at_least(n, p.q, most)) for p in history), Fraction(0))
    plain = tuple(Curve(history, direction, deadline) for direction in directions)
    wide = tuple(Curve(halves, direction, deadline) for direction in directions)
    full = tuple(Phase(Fraction(1), p.sigma, p.steps) for p in halves)
    known = OfCurve(Curve(full, "remove", deadline), up=True)
    upper: list[End] = [known, Rarely(plain, cut), Rarely(wide, Fraction(0))]
    if most <= n:
        steps = [
            [(step(p.q, p.sigma, n, most, direction), p.steps) for p in history]
            for direction in directions
        ]
        return Between(lower, (*upper, Composed(steps)), deadline)
    return Between(lower, upper[:2], deadline)


def _upper(x: arb) -> Fraction:
    with precision(300):
        return fraction(x.upper())
