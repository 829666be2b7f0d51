"""The closed forms for much noise: 1/sigma^2 <= v0, every rate up to a largest one, every order of the region at once.

Notation: v = 1/sigma^2, x = ln(mu1/mu0), which is N(-v/2, v) under mu0, w = q(e^x - 1), L = ln(1/q), orders 2 <= alpha <= 1 + c
L/v, R = (A - 1)/(q^2 v alpha (alpha-1)).

**Kearns and Saul.** For 0 < p < 1 write f(x) = ln(1 - p + p e^x) - p x and g(x) = 2 f(x)/x^2. With l = ln((1-p)/p) > 0: g rises up
to x = 2 l and falls after. (g' = 2 k/x^3, k = x f' - 2 f, k(0) = k'(0) = 0, k'' = x f''', and f''' > 0 exactly for x < l;
k(2 l) = 0.) Hence f(x) <= tau x^2/2 with tau(p) = g(2 l) = (1 - 2p)/(2 l), which rises with p, is at most 1/4 and at most 1/(2
ln(1/p)); for p >= 1/2 tau = 1/4 serves, f'' being at most 1/4. And for x <= x0 <= 2 l: f(x) <= g(x0) x^2/2, where g(x0) rises with
p as long as p (2 + x0) <= 1.

**Two Gaussian integrals.** E[e^{k x + a x + b x^2/(2v)}] = B^{-1/2} exp(v ((a + k - 1/2)^2/B - 1/4)/2), B = 1 - b > 0.

* *Lower orders*: T = (alpha-2) q sqrt(v), b = (alpha-2) v g with a g that serves all p = u q <= q. By Taylor's remainder R is at most

      (2/v) B^{-1/2} int_0^1 (1-u) e^{-v/8 + (uT + sqrt(v)/2)^2/(2B)} (e^{v/(2B)} cosh(sqrt(v) (uT + sqrt(v)/2)/B) - 1) du,

  which rises with T, with v and with 1/B. And ln A/(v q^2 alpha (alpha-1)) is at most R and at most ln(1 + R T^2)/T^2.
* *Higher orders*: from A = E[(1+w) (1+w)^(alpha-1)], T = (alpha-1) q sqrt(v), b = (alpha-1) v g: ln A/(v q^2 alpha (alpha-1)) is at most

      1/(2B) + v tau/(2 B^2) + (ln(1/B)/2 + v b/(8B))/T^2 + max(q - 1/2, 0) sqrt(v)/(B T),

  which falls with T and rises with v.

In both b <= c L g, a function of q alone. With g = tau there is nothing else. With g = g(x0), x0 = lambda L, the part x > x0 is added,
bounded with tau and B' = 1 - c L tau >= 1 - c/2: at most (2 pi v)^{-1/2} e^{-D(x0)}/D'(x0) times 1/(2v) for R, D(x) = (B' x^2/2 -
sqrt(v) (T + 1.5 sqrt(v)) x)/v; and the same without 1/(2v) for ln A, D(x) = (B' x^2/2 - (c L q + v/2) x)/v. Where D > 1 and D' > 0
both are largest at the largest v, and both fall when x0 rises.

The first T of an order is smaller than the second, by q sqrt(v). So there is, for each q, some T0 where the second bound is at most
the constant: orders with a second T of at least T0 have it, all others have a first T of at most T0.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs_checks.tools.balls import interval, rational
from verify.claims import Undecided
from verify.numbers.balls import enclosure, precision

BITS = 80
PIECES = 120
GRID = 200
QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)
TINY = Fraction(1, 10**6)
REMAINDER = Fraction(1, 1000)
"""What the part x > x0 may add to R."""


@dataclass(frozen=True)
class NoisePlan:
    """The constant, the reach c, the largest v and rate, lambda, and the rates up to which g(x0) is used in either bound."""

    constant: Fraction
    reach: Fraction
    v: Fraction
    largest: Fraction
    share: Fraction
    lower: Fraction
    higher: Fraction
    ratio: Fraction


@dataclass(frozen=True)
class Settled:
    """An interval of rates, and what the bound for the lower orders comes to at most."""

    first: Fraction
    last: Fraction
    value: Fraction


def settle(plan: NoisePlan) -> list[Settled]:
    """Intervals that cover all rates up to the largest; Undecided where the constant is not reached."""
    with precision(BITS):
        return [_interval(plan, first, last) for first, last in _intervals(plan)]


def _intervals(plan: NoisePlan) -> list[tuple[Fraction, Fraction]]:
    """(0, 1e-6], and intervals that grow by a ratio and end where a plan changes."""
    found, here = [(Fraction(0), TINY)], TINY
    while here < plan.largest:
        there = min(plan.largest, (here * plan.ratio).limit_denominator(10**9))
        for end in (plan.lower, plan.higher, HALF):
            if here < end < there:
                there = end
        found.append((here, there))
        here = there
    return found


def _interval(plan: NoisePlan, first: Fraction, last: Fraction) -> Settled:
    rate = interval(first, last) if first else rational(last)
    least_log = -rational(last).log()
    log = -rate.log()
    by_tau = plan.reach * HALF  # c L tau <= c/2, as L tau <= 1/2
    spread = 1 - (
        rational(plan.reach) * -rational(first).log() * _tau(last) if first else rational(by_tau)
    )
    x0 = rational(plan.share) * least_log

    def inverse(hybrid: bool) -> Fraction:
        """B from below, on a grid so that few bounds are computed."""
        if not hybrid:
            return _down(spread)
        _check_share(plan, last)
        if first:
            return _down(
                1 - rational(plan.reach) * log * _curvature(rate, rational(plan.share) * log)
            )
        # L g(lambda L) <= 2 ln(1 + q^(1-lambda))/(lambda^2 L), which falls when q falls
        power = (-(1 - rational(plan.share)) * least_log).exp()
        return _down(
            1
            - 2 * rational(plan.reach) * (1 + power).log() / (rational(plan.share) ** 2 * least_log)
        )

    in_lower, in_higher = last <= plan.lower, last <= plan.higher
    v = rational(plan.v)
    beyond = arb(0)
    if in_higher:
        linear = rational(plan.reach) * (log * rate if first else least_log * rational(last))
        beyond = _beyond(spread, x0, linear + v / 2, v)
    start = _first_high(plan, inverse(in_higher), last, beyond)
    added = Fraction(0)
    if in_lower:
        part = _beyond(spread, x0, v.sqrt() * (rational(start) + 3 * v.sqrt() / 2), v) / (2 * v)
        if not part < rational(REMAINDER):
            raise Undecided(f"q up to {float(last):.6g}: the part beyond x0 is {part.str(5)}")
        added = REMAINDER
    return Settled(first, last, _low(plan.constant, plan.v, start, inverse(in_lower), added))


def _check_share(plan: NoisePlan, q: Fraction) -> None:
    """x0 <= 2 l and p (2 + x0) <= 1 for all p <= q: q (2 + lambda ln(1/q)) rises with q, 2 l - lambda L falls."""
    x0 = -rational(plan.share) * rational(q).log()
    if not (rational(q) * (2 + x0) <= 1 and x0 <= 2 * ((1 - rational(q)) / rational(q)).log()):
        raise Undecided(f"q = {q}: x0 is too large")


def _tau(q: Fraction) -> arb:
    """The constant of Kearns and Saul at the end of an interval: it rises with q."""
    if q >= HALF:
        return rational(QUARTER)
    log = ((1 - rational(q)) / rational(q)).log()
    return rational(1 - 2 * q) / (2 * log)


def _curvature(q: arb, x: arb) -> arb:
    """g(x) = 2 (ln(1 - q + q e^x) - q x)/x^2."""
    return 2 * ((1 - q + q * x.exp()).log() - q * x) / x**2


def _beyond(spread: arb, x0: arb, linear: arb, v: arb) -> arb:
    """(2 pi v)^{-1/2} e^{-D(x0)}/D'(x0), D(x) = (B' x^2/2 - linear x)/v."""
    exponent = (spread * x0**2 / 2 - linear * x0) / v
    slope = (spread * x0 - linear) / v
    if not (exponent > 1 and slope > 0):
        raise Undecided(f"the part beyond x0: D = {exponent.str(5)}, D' = {slope.str(5)}")
    return (-exponent).exp() / slope / (2 * arb.pi() * v).sqrt()


def _first_high(plan: NoisePlan, inverse: Fraction, q: Fraction, beyond: arb) -> Fraction:
    """T0: from here on the bound for the higher orders is at most the constant."""
    v, b = rational(plan.v), rational(inverse)
    if not b > 0:
        raise Undecided("b is not below 1")
    extra = rational(max(q - HALF, Fraction(0)))
    start = Fraction(1, 10)
    while start <= 6:
        t = rational(start)
        value = (
            1 / (2 * b)
            + v * rational(QUARTER) / (2 * b**2)
            + (-b.log() / 2 + v * (1 - b) / (8 * b) + beyond) / t**2
            + extra * v.sqrt() / (b * t)
        )
        if value <= rational(plan.constant):
            return start
        start += Fraction(1, 20)
    raise Undecided(f"q up to {float(q):.6g}: the bound for the higher orders stays above")


@functools.cache
def _low(
    constant: Fraction, v: Fraction, end: Fraction, inverse: Fraction, added: Fraction
) -> Fraction:
    """The largest value of the bound for the lower orders, T <= end; Undecided if it is above the constant."""
    worst, here = Fraction(0), Fraction(0)
    while here < end:
        there = min(end, here + Fraction(1, 20))
        with precision(BITS):
            excess = _excess(v, there, inverse) + rational(added)
            value = Fraction(enclosure(excess).hi)
            if here:
                square = rational(here**2)
                value = min(value, Fraction(enclosure((1 + excess * square).log() / square).hi))
        if value > constant:
            raise Undecided(
                f"T up to {float(there):.3g}, B = {float(inverse):.3g}: {float(value):.5g}"
            )
        worst, here = max(worst, value), there
    return worst


@functools.cache
def _excess(v: Fraction, top: Fraction, inverse: Fraction) -> arb:
    """The integral for R from above: each piece with the largest integrand, at its right end."""
    x, t, b = rational(v), rational(top), rational(inverse)
    root, total = x.sqrt(), arb(0)
    for i in range(PIECES):
        weight = Fraction((PIECES - i) ** 2 - (PIECES - i - 1) ** 2, 2 * PIECES**2)
        mean = rational(Fraction(i + 1, PIECES)) * t + root / 2
        inner = (x / (2 * b)).exp() * (root * mean / b).cosh() - 1
        total += rational(weight) * (-x / 8 + mean**2 / (2 * b)).exp() * inner
    return 2 * total / (x * b.sqrt())


def _down(x: arb) -> Fraction:
    """A number of the grid that is not above the ball."""
    low = Fraction(enclosure(x).lo)
    return Fraction((low * GRID).__floor__(), GRID)
