"""Closed forms of mixture pairs against references that share nothing with them."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from tests.patience import patient
from verify.accounting.history import Phase, history
from verify.accounting.pairs.mixtures.exact import OneStep, Pair, gaussian, single
from verify.accounting.pairs.mixtures.table import MixtureLine
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline

PAIRS = [(1, 1), (1, 0), (0, 1), (3, 3), (3, 0), (0, 3), (64, 64)]
_NODES = np.polynomial.legendre.leggauss(60)


def quadrature(low, high, pieces):
    """Gauss nodes and weights on so many pieces."""
    ends = np.linspace(low, high, pieces + 1)
    x, w = _NODES
    middles, halves = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
    return (middles[:, None] + halves[:, None] * x).ravel(), (halves[:, None] * w).ravel()


def replaced_once(q, s, level):
    """delta of one step at an array of levels, one record replaced."""
    p, kappa, e = 1 - q, q * math.exp(-0.5 / s**2), np.exp(level)
    u = (p * (e - 1) + np.sqrt(p * p * (e - 1) ** 2 + 4 * kappa**2 * e)) / (2 * kappa)
    t = s * np.log(u)
    normal = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))
    return p * normal(-t) + q * normal(1 / s - t) - e * (p * normal(-t) + q * normal(-t - 1 / s))


def nested(q, s, steps, level):
    """delta of two or three steps by nested quadrature, no transform."""
    t, w = quadrature(-10, 10 + 1 / s, 8)
    plus = 1 - q + q * np.exp(t / s - 0.5 / s**2)
    minus = 1 - q + q * np.exp(-t / s - 0.5 / s**2)
    loss, mass = np.log(plus / minus), w * np.exp(-t * t / 2) / math.sqrt(2 * math.pi) * plus
    if steps == 2:
        return float((mass * replaced_once(q, s, level - loss)).sum())
    inner = (
        m * (mass * replaced_once(q, s, level - x - loss)).sum()
        for m, x in zip(mass, loss, strict=True)
    )
    return float(sum(inner))


@pytest.mark.parametrize(
    ("q", "steps", "level", "known"),
    [("0.2", 2, "1", 0.01629834733975), ("0.01", 3, "0.5", 7.871083078741e-7)],
)
def test_few_steps_agree_with_nested_quadrature(q, steps, level, known):
    """The two values that the derivation gives, computed again in doubles without a transform."""
    run = history([(q, 1, steps)])
    found = MixtureLine(run, (1, 1)).at(Fraction(level), 15.0, 15.0, Deadline())
    assert float(found.lo) == pytest.approx(known, rel=2e-12)
    if steps == 2:
        assert nested(float(q), 1.0, steps, float(level)) == pytest.approx(
            float(found.lo), rel=1e-11
        )


def test_three_steps_agree_with_nested_quadrature():
    found = MixtureLine(history([("0.2", 1, 3)]), (1, 1)).at(Fraction(1), 15.0, 15.0, Deadline())
    assert nested(0.2, 1.0, 3, 1.0) == pytest.approx(float(found.lo), rel=1e-10)


@pytest.mark.parametrize("degrees", PAIRS)
def test_the_root_of_the_loss_lies_between_two_signs(degrees):
    phase = Phase(Fraction(1, 20), Fraction(2), 1)
    with precision(150):
        one = OneStep(phase, degrees)
        root = one.root(ball(Fraction(1, 25)))
        assert one.loss(root).contains(ball(Fraction(1, 25)))
        assert root.rad() < 1e-30


@pytest.mark.parametrize("degrees", PAIRS[:6])
def test_one_step_is_the_integral_of_the_positive_part(degrees):
    """delta = int (phi g+ - e^eps phi g-)_+, by mpmath on both sides of the root."""
    phase, eps = Phase(Fraction(1, 20), Fraction(2), 1), Fraction(1, 20)
    up, down = degrees
    k = max(degrees)

    def mixture(t, degree, sign):
        if not degree:
            return mpmath.npdf(t)
        return sum(
            mpmath.binomial(k, j)
            * (mpmath.mpf(1) / 20) ** j
            * (mpmath.mpf(19) / 20) ** (k - j)
            * mpmath.npdf(t - sign * mpmath.mpf(j) / 2)
            for j in range(k + 1)
        )

    def gap(t):
        return mixture(t, up, 1) - mpmath.exp(mpmath.mpf(1) / 20) * mixture(t, down, -1)

    with mpmath.workdps(25):
        root = mpmath.findroot(
            lambda t: gap(t) / mpmath.npdf(t), (-25, 25), solver="bisect", verify=False
        )
        value = mpmath.quad(gap, [root, root + 2, root + 5, 25])
    found = single(phase, degrees).at(eps, 20.0, 20.0, Deadline())
    assert float(found.lo) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize(
    ("degrees", "eps"), [((1, 1), "0.5"), ((2, 2), "0.5"), ((2, 0), "0.5"), ((0, 2), "0.1")]
)
def test_two_steps_by_the_integral_and_on_the_contour(degrees, eps):
    phase = Phase(Fraction(1, 10), Fraction(2), 2)
    exact = Pair(phase, degrees).at(Fraction(eps), 8.0, 8.0, patient())
    wide = MixtureLine((phase,), degrees).at(Fraction(eps), 5.0, 5.0, patient())
    assert wide.lo <= exact.lo <= exact.hi <= wide.hi
    assert exact.relative_width() < 1e-8 < wide.relative_width() * 1e6


@pytest.mark.parametrize(("degrees", "shift"), [((1, 0), 1), ((0, 5), 5), ((3, 3), 6)])
def test_full_batches_are_one_gaussian(degrees, shift):
    """mu = D sqrt(T)/sigma, by the formula in mpmath."""
    found = gaussian(history([(1, 4, 9)]), degrees).at(Fraction(2), 20.0, 20.0, Deadline())
    mu = mpmath.mpf(shift) * 3 / 4
    value = mpmath.ncdf(mu / 2 - 2 / mu) - mpmath.exp(2) * mpmath.ncdf(-mu / 2 - 2 / mu)
    assert float(found.lo) == pytest.approx(float(value), rel=1e-13)


def test_nothing_is_lost_beyond_the_end_of_the_loss():
    """Three records added: L <= -3 ln(1-q)."""
    phase = Phase(Fraction(1, 2), Fraction(2), 1)
    assert single(phase, (0, 3)).at(Fraction(21, 10), 5.0, 5.0, Deadline()).hi == 0
    assert single(phase, (0, 3)).at(Fraction(207, 100), 5.0, 5.0, Deadline()).lo > 0
