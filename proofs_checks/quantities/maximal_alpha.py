"""The largest order at which epsilon <= 2 q^2 alpha/sigma^2 is true, certified to any digits.

With f(alpha) = ln A_alpha - c alpha (alpha - 1), c = 2 q^2/sigma^2, the bound is f <= 0. Three
facts make one sign change the whole truth at a given (q, sigma) with q < 1/2:

* epsilon = ln A/(alpha - 1) never falls with alpha, so epsilon(b) <= c a settles all of [a, b];
* ln A is convex. If the chord of ln A over [a, lo] is steeper than c (2 lo - 1), the slope of c
  alpha (alpha - 1) at lo, then chord - c alpha (alpha - 1) is concave and rises up to lo, so
  f(lo) < 0 settles [a, lo]. Beyond hi, the chord's prolongation lies below ln A, and its
  difference with c alpha (alpha - 1) is concave: two ends settle [hi, U];
* A >= q^alpha e^{alpha (alpha-1)/(2 sigma^2)}, so f > 0 from U = 1 + 2 sigma^2 ln(1/q)/(1 - 4
  q^2) on.

>>> lo, hi = maximal_alpha(Fraction(1, 5), Fraction(4), 10)
>>> decimals(lo, hi)
'56.28293050'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import sympy

from proofs_checks.paper import SLACK_1, SLACK_2, point
from proofs_checks.quantities.engine import kullback_leibler, log_moment
from proofs_checks.tools.balls import ball
from verify.claims import Undecided
from verify.numbers.balls import enclosure, log_enclosure, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain

_RATIOS = tuple(Fraction(r) for r in (8, 4, 2, "1.5", "1.2", "1.1", "1.05", "1.02", "1.01"))
_MAX_STEPS = 400
SIDE_DIGITS = 25

Sign = Callable[[Fraction, int], tuple[Fraction, Fraction]]
"""An enclosure of a function at an order, from a number of digits."""


@dataclass(frozen=True, slots=True)
class Maximality:
    """How it was proved that the bound holds up to lo and fails from hi on."""

    chain: tuple[Fraction, ...]  # 1 = a_0 < a_1 < ... : monotone epsilon settles each [a_i, a_i+1]
    beyond: tuple[Fraction, ...]  # hi = b_0 < ... < U: prolonged chords settle each [b_i, b_i+1]


def maximal_alpha(
    q: Fraction, sigma: Fraction, digits: int, *, factor: Fraction = Fraction(2)
) -> tuple[Fraction, Fraction]:
    """lo <= alpha* <= hi with hi - lo <= 10^-digits hi: epsilon <= factor q^2 alpha/sigma^2
    exactly up to alpha*.

    Both signs are certified, and so is that there is no other sign change (see :func:`maximality`).
    """
    q, sigma, factor = Fraction(q), Fraction(sigma), Fraction(factor)
    beyond = _no_amplification(q, sigma, factor)
    c = factor * q * q / (sigma * sigma)
    if kullback_leibler(q, sigma, SIDE_DIGITS).hi >= c:
        raise OutOfDomain(f"q = {q}, sigma = {sigma}: the bound fails already next to order 1")

    def difference(alpha: Fraction, more: int) -> tuple[Fraction, Fraction]:
        value = log_moment(q, sigma, alpha, more)
        shift = c * alpha * (alpha - 1)
        return Fraction(value.lo) - shift, Fraction(value.hi) - shift

    lo, hi = sign_change(difference, Fraction(1) + (beyond - 1) / 1000, beyond, digits)
    maximality(q, sigma, lo, hi, factor=factor)
    return lo, hi


def maximality(
    q: Fraction, sigma: Fraction, lo: Fraction, hi: Fraction, *, factor: Fraction = Fraction(2)
) -> Maximality:
    """Prove epsilon <= factor q^2 alpha/sigma^2 on (1, lo] and > on [hi, oo); Undecided if it
    cannot be."""
    beyond = _no_amplification(q, sigma, factor)
    c = factor * q * q / (sigma * sigma)
    # Next to the crossing f is tiny: take the digits that tell f(lo) and f(hi) from zero.
    digits = SIDE_DIGITS + len(str(int(hi / (hi - lo))))
    at_lo, at_hi = log_moment(q, sigma, lo, digits), log_moment(q, sigma, hi, digits)
    if not (at_lo.hi < c * lo * (lo - 1) and at_hi.lo > c * hi * (hi - 1)):
        raise Undecided(f"no certified sign change between {float(lo)} and {float(hi)}")
    chain = chain_below(q, sigma, c, lo, at_lo)
    return Maximality(chain, prolonged_beyond(q, sigma, c, hi, beyond))


def prolonged_beyond(
    q: Fraction,
    sigma: Fraction,
    c: Fraction,
    hi: Fraction,
    beyond: Fraction,
    digits: int = 2 * SIDE_DIGITS,
) -> tuple[Fraction, ...]:
    """Orders hi = b_0 < b_1 < ... = U; the chord before b_i, prolonged, stays above on [b_i,
    b_i+1]."""

    def value(alpha: Fraction) -> Certified:
        return log_moment(q, sigma, alpha, digits)

    orders = [hi]
    before, b = hi - (hi - 1) / 1000, hi
    while b < beyond and len(orders) < _MAX_STEPS:
        here = Fraction(value(b).lo)
        slope = (here - Fraction(value(before).hi)) / (b - before)
        step = beyond - b
        while here + slope * step <= c * (b + step) * (b + step - 1):
            step /= 2
            if step < (beyond - b) / 10**4:
                raise Undecided(f"the bound may hold again beyond {float(b)}")
        before, b = b, b + step
        orders.append(b)
    return tuple(orders)


def chain_below(
    q: Fraction,
    sigma: Fraction,
    c: Fraction,
    lo: Fraction,
    at_lo: Certified,
    digits: int = SIDE_DIGITS,
) -> tuple[Fraction, ...]:
    """Orders 1 = a_0 < a_1 < ... with epsilon(a_i+1) <= c a_i, until lo can be the next or the chord
    to lo is steep enough."""
    chain, value = [Fraction(1)], Certified.exactly(Fraction(0))
    while len(chain) < _MAX_STEPS:
        a = chain[-1]
        settled = at_lo.hi <= c * a * (lo - 1)  # as for the orders before
        if settled or Fraction(at_lo.lo) - Fraction(value.hi) > c * (2 * lo - 1) * (lo - a):
            return tuple(chain)
        for ratio in _RATIOS:
            b = a * ratio
            if b >= lo:
                continue
            value = log_moment(q, sigma, b, digits)
            if value.hi <= c * a * (b - 1):
                chain.append(b)
                break
        else:
            break
    raise Undecided(f"q = {q}, sigma = {sigma}: no chain of orders up to {float(lo)}")


def _no_amplification(q: Fraction, sigma: Fraction, factor: Fraction) -> Fraction:
    """The same for c = factor q^2/sigma^2."""
    if not (q > 0 and sigma > 0 and factor > 0 and 2 * factor * q * q < 1):
        raise OutOfDomain(
            f"q = {q}, sigma = {sigma}: needs sigma > 0 and 0 < q with 2 {factor} q^2 < 1; "
            "above that the bound holds at every order"
        )
    return no_amplification(q, sigma, factor * q * q / sigma**2)


def no_amplification(q: Fraction, sigma: Fraction, c: Fraction) -> Fraction:
    """U, rounded up: from there on A >= q^alpha e^{alpha (alpha-1)/(2 sigma^2)} beats c alpha."""
    room = 1 - 2 * sigma**2 * c
    if not (0 < q < 1 and room > 0):
        raise Undecided(f"q = {q}, sigma = {sigma}: {c} alpha is never beaten")
    log_q = Fraction(log_enclosure(q, 15, Deadline()).lo)
    exact = 1 - 2 * sigma**2 * log_q / room
    return Fraction(int(exact * 10**6) + 1, 10**6)


def sign_change(
    function: Sign, low: Fraction, high: Fraction, digits: int
) -> tuple[Fraction, Fraction]:
    """Where an increasing function goes from surely negative to surely positive.

    Bisection to three digits, then secants; at the end the two signs are
    certified at decimals that are 10^-digits (relative) apart at most.
    """

    def sign(x: Fraction, more: int) -> int:
        for attempt in (more, 2 * more + 10):
            lo, hi = function(x, attempt)
            if lo > 0 or hi < 0:
                return 1 if lo > 0 else -1
        raise Undecided(f"sign not certain at {float(x)} with {attempt} digits")

    if sign(low, SIDE_DIGITS) > 0 or sign(high, SIDE_DIGITS) < 0:
        raise OutOfDomain(f"no sign change in [{float(low)}, {float(high)}]")
    while high - low > high / 1000:
        middle = _round_to_digits((low + high) / 2, 6)
        low, high = (middle, high) if sign(middle, SIDE_DIGITS) < 0 else (low, middle)
    x0, x1 = low, high
    y0 = _middle(function, x0, digits)
    while abs(x1 - x0) * 10 ** (digits + 4) > x1:  # the error left is of the order of its square
        y1 = _middle(function, x1, digits)
        low, high = (x1, high) if y1 < 0 else (low, x1)
        guess = x1 - y1 * (x1 - x0) / (y1 - y0) if y1 != y0 else x1
        if not low <= guess <= high:  # ln A has sharp bends, where a secant overshoots
            guess = (low + high) / 2
        x0, y0, x1 = x1, y1, _round_to_digits(guess, digits + 12)
    step = _below(x1 / Fraction(10) ** digits / 2)
    lo, hi = x1 - step / 2, x1 + step / 2
    more = 2 * digits + SIDE_DIGITS
    if sign(lo, more) > 0 or sign(hi, more) < 0:
        raise Undecided(f"the secants missed the sign change near {float(x1)}")
    return lo, hi


def _middle(function: Sign, x: Fraction, digits: int) -> Fraction:
    lo, hi = function(x, 2 * digits + SIDE_DIGITS)
    return (lo + hi) / 2


def _round_to_digits(x: Fraction, digits: int) -> Fraction:
    """A decimal near x with about that many digits."""
    scale = Fraction(10) ** (digits - len(str(int(abs(x)))))
    return Fraction(round(x * scale)) / scale


def _below(x: Fraction) -> Fraction:
    """The power of ten below x."""
    power = Fraction(1)
    while power > x:
        power /= 10
    return power


def first_condition(q: Fraction, sigma: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """The largest alpha that the first condition of the main theorem allows."""
    return _condition(SLACK_1, q, sigma, digits)


def second_condition(q: Fraction, sigma: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """The largest alpha that the second one allows."""
    return _condition(SLACK_2, q, sigma, digits)


def _condition(
    slack: sympy.Expr, q: Fraction, sigma: Fraction, digits: int
) -> tuple[Fraction, Fraction]:
    """Both conditions hold next to order 1 and, once broken, stay broken: one sign change."""
    q, sigma = Fraction(q), Fraction(sigma)

    def broken(alpha: Fraction, more: int) -> tuple[Fraction, Fraction]:
        with precision(4 * more + 40):
            value = enclosure(-ball(slack, point(q, sigma, alpha)))
            return value.lo, value.hi

    high = Fraction(2)
    while broken(high, SIDE_DIGITS)[0] <= 0:
        high *= 2
    return sign_change(broken, Fraction(1) + Fraction(1, 10**6), high, digits)


def decimals(lo: Fraction, hi: Fraction) -> str:
    """The decimal that all numbers in [lo, hi] round to."""
    return str(Certified(lo, hi))
