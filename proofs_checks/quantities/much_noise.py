"""R = (A - 1) sigma^2/(q^2 alpha (alpha-1)) for much noise, at all orders and rates at once, by the
majorant.

v = 1/sigma^2, and s is the most that v n can be: ln(1/q), or ln(1/(q sigma)), and 2 v for the whole order next to
one that is allowed.

**Rates up to x/sigma, orders up to 1 + sigma^2 ln(1/(q sigma))** (:func:`excess`). T = q sigma v n,
so both T and, for k > K, T^(k-2) e^{k s/2} are largest where v n = s, and there at the largest q
sigma.

**Rates up to Q, orders up to sigma^2 ln(1/q), n q <= Y** (:func:`excess_at_mean`). T is at most Y
sqrt(v) and s q/sqrt(v), so T^2 <= Y s q. The terms beyond K are in two parts. Take some p < Q with
s q <= Y v at q = p.

* Up to k = h s: e^{v k (k-1)/2} <= E^k, E = e^{h v s/2}. For q >= p both T <= Y sqrt(v) and s <= s(p); for q <= p the
  bound T^(k-2) E^k with T^2 = Y s q falls when q falls. So all of it is at most what it is with T = Y sqrt(v), s = s(p).
* Beyond: with l = max(1, 2 M e^{s/2}), M = min(Y sqrt(v), s q/sqrt(v)) >= T, a term is at most 4
  e^s 2^{-k} G(l/sqrt(v)). There
  l^2 <= 4 Y s e^{2v}, and w = t l/sqrt(v) is at most 2 (t/v) e^v Y v/sqrt(p): for q >= p since M sqrt(v) <= Y v, for q <= p
  since M sqrt(v) <= s q, and s sqrt(q) falls when q falls. So ln G <= C s, and all these terms sum up to at most
  8 e^{-s (h ln 2 - 1 - C)}, which is largest at the least s, ln(1/Q).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.quantities.majorant import LAST, following, head
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import rational
from verify.claims import Evidence, Undecided
from verify.numbers.balls import enclosure, precision

BITS = 80


def excess(v: Fraction, x: Fraction) -> Fraction:
    """What R is at most for all 1/sigma^2 <= v, q sigma <= x and whole orders from 2 on, up to the one next above the
    row's last.

    >>> f"{float(excess(Fraction(1, 15**2), Fraction(1, 16))):.3f}"
    '0.626'
    """
    with precision(BITS):
        noise, rate = rational(v), rational(x)
        s = 2 * noise - rate.log()
        # ln x is the variable: slope 1 - 1/s of ln T, and (k/2 - 2) - (k-2)/s for k > K, least at k = K + 1.
        if not (s > 1 and (LAST - 3) * s > 2 * (LAST - 1)):
            raise Undecided(f"q sigma up to {x}: the bound may be larger at smaller rates")
        top = rate * s
        return _above(head(noise, top) + following(noise, top, (s / 2).exp()))


def excess_at_mean(
    v: Fraction, mean: Fraction, largest: Fraction, p: Fraction = Fraction(1, 800)
) -> Fraction:
    """What R is at most for all 1/sigma^2 <= v, q <= largest, n q <= mean and whole orders n from 2 on with
    (n - 2) v <= ln(1/q).

    >>> f"{float(excess_at_mean(Fraction(1, 900), Fraction(9), Fraction(11, 100))):.3f}"
    '0.544'
    """
    with precision(BITS):
        noise, y, rate = rational(v), rational(mean), rational(p)
        s = 2 * noise - rate.log()  # at q = p
        w = 2 * noise.expm1() * noise.exp() * y / rate.sqrt()
        if not (s * rate <= y * noise and s > 2 and w < 1 and w > noise.expm1() / noise.sqrt()):
            raise Undecided(f"1/sigma^2 up to {v}, n q up to {mean}: {p} does not divide the rates")
        exponent = noise.expm1() / noise * 2 * y * (2 * noise).exp() * w.exp() / (1 - w)
        h = ((exponent + 8) / arb(2).log()).ceil()
        # The slope of ln(T^(k-2) E^k) in ln q, T^2 = Y s q, is least at k = K + 1 and s = s(p).
        if not (LAST - 1) * (1 - h * noise - 1 / s) > 2 * h * noise:
            raise Undecided(f"1/sigma^2 up to {v}: the terms beyond {LAST} grow at smaller rates")
        top = y * noise.sqrt()
        least = -rational(largest).log()
        if not h * least > LAST:
            raise Undecided(f"q up to {largest}: nothing lies between the first and the last terms")
        last = 8 * (-least * (h * arb(2).log() - 1 - exponent)).exp()
        return _above(head(noise, top) + following(noise, top, (h * noise * s / 2).exp()) + last)


def _above(x: arb) -> Fraction:
    return Fraction(enclosure(x).hi)


def steps() -> Iterator[Evidence]:
    """The slopes that decide where the bounds are largest."""
    k, c, h, v, y = sympy.symbols("k c h v y", positive=True)
    log_q = sympy.Symbol("L", real=True)
    s = c - log_q  # the largest v n
    yield identity(
        sympy.diff(log_q + sympy.log(s), log_q), 1 - 1 / s, "the slope of ln T in ln(q sigma)"
    )
    term = (k - 2) * (log_q + sympy.log(s)) + k * s / 2
    yield identity(
        sympy.diff(term, log_q), (k / 2 - 2) - (k - 2) / s, "the slope of a term beyond K"
    )
    least = (k - 2) / (k / 2 - 2)
    yield identity(
        sympy.diff(least, k), -1 / (k / 2 - 2) ** 2, "(k-2)/(k/2-2) falls: the first term decides"
    )
    middle = (k - 2) * sympy.log(y * s * sympy.exp(log_q)) / 2 + k * h * v * s / 2
    slope = (k - 2) * (1 - 1 / s - h * v) / 2 - h * v
    yield identity(sympy.diff(middle, log_q), slope, "the slope of a term up to h s in ln q")
    yield identity(
        sympy.diff(sympy.log(s) + log_q / 2, log_q), (s - 2) / (2 * s), "the slope of ln(s sqrt q)"
    )
