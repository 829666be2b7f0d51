"""Random 1-Lipschitz set functions and the divergences of the mechanisms they make.

f maps subsets of {0, .., k} to the line; the last element is the one that the neighbouring dataset
has in addition. M(S) is then a mixture of at most 2^k Gaussians, M(S') of at most 2^(k+1).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb
from hypothesis import strategies as st

from proofs_checks.tools.balls import rational
from verify.numbers.balls import precision

Mixture = list[tuple[Fraction, Fraction]]
"""Weights and means."""

_BITS = 140
_FAR = 15  # standard deviations beyond which a Gaussian weighs less than 1e-48


@st.composite
def lipschitz(draw: st.DrawFn, largest: int = 2) -> tuple[int, dict[int, Fraction]]:
    """Any f with |f(T) - f(T + one element)| <= 1, built up by size; ends of the range are drawn
    often.

    The allowed values given all smaller neighbours form an interval that is never empty: two of
    them differ by at most 2.
    """
    k = draw(st.integers(0, largest))
    part = st.one_of(
        st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]),
        st.fractions(Fraction(0), Fraction(1), max_denominator=16),
    )
    values = {0: Fraction(0)}
    for subset in sorted(range(1, 1 << (k + 1)), key=int.bit_count):
        below = [values[subset & ~(1 << i)] for i in range(k + 1) if subset >> i & 1]
        low, high = max(below) - 1, min(below) + 1
        values[subset] = low + draw(part) * (high - low)
    return k, values


def mechanisms(k: int, f: Mapping[int, Fraction], q: Fraction) -> tuple[Mixture, Mixture]:
    """M(S) and M(S'), S' = S with the last element."""
    without: Mixture = []
    with_one: Mixture = []
    for subset in range(1 << k):
        size = subset.bit_count()
        weight = q**size * (1 - q) ** (k - size)
        without.append((weight, f[subset]))
        with_one.append((weight * (1 - q), f[subset]))
        with_one.append((weight * q, f[subset | 1 << k]))
    return _merged(without), _merged(with_one)


def _merged(mixture: Mixture) -> Mixture:
    total: dict[Fraction, Fraction] = {}
    for weight, mean in mixture:
        total[mean] = total.get(mean, Fraction(0)) + weight
    return [(weight, mean) for mean, weight in total.items() if weight]


def log_integral(p: Mixture, q: Mixture, sigma: Fraction, alpha: Fraction) -> arb:
    """ln int P^alpha Q^{1-alpha} by the trapezoidal rule: high precision, not certified.

    The integrand is analytic at least pi sigma^2/spread around the line and all but Gaussian
    beyond the means, so step min(sigma, sigma^2)/10 leaves about 1e-20.
    """
    means = [mean for _, mean in (*p, *q)]
    tilt = (alpha - 1) * (max(means) - min(means))
    low = min(means) - tilt - _FAR * sigma
    high = max(means) + tilt + _FAR * sigma
    with precision(_BITS):
        step = rational(min(sigma, sigma**2) / 10)
        start, count = rational(low), int((high - low) / (min(sigma, sigma**2) / 10)) + 2
        width = rational(1 / (2 * sigma**2))
        order, rest = rational(alpha), rational(1 - alpha)
        balls = [[(rational(w), rational(m)) for w, m in mixture] for mixture in (p, q)]
        total = arb(0)
        for i in range(count):
            x = start + i * step
            sides = [
                sum((w * (-(x - m) * (x - m) * width).exp() for w, m in mixture), arb(0)).mid()
                for mixture in balls
            ]
            total += (order * sides[0].log() + rest * sides[1].log()).exp().mid()
        return (total * step * (width / arb.pi()).sqrt()).log()
