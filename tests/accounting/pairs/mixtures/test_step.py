"""Lemma R and the bounds that rest on it, seen in numbers that are computed in another way."""

from __future__ import annotations

import cmath
import dataclasses
import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from verify.accounting.contour.line import BadPlan, Line
from verify.accounting.history import Phase
from verify.accounting.pairs.mixtures.plan import height_line, moment_line, table_line
from verify.accounting.pairs.mixtures.sketch import MixtureSketch
from verify.accounting.pairs.mixtures.step import MixtureStep
from verify.accounting.pairs.mixtures.transform import height, real_moment, transform
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline

PHASE = Phase(Fraction(1, 10), Fraction(1), 1)


def zeros(phase, k):
    """The zeros of G, by mpmath."""
    with mpmath.workdps(60):
        q, s = mpmath.mpf(phase.q.numerator) / phase.q.denominator, mpmath.mpf(float(phase.sigma))
        terms = [
            mpmath.binomial(k, j) * q**j * (1 - q) ** (k - j) * mpmath.exp(-j * j / (2 * s * s))
            for j in range(k + 1)
        ]
        return mpmath.polyroots(terms[::-1], maxsteps=500, extraprec=400)


@pytest.mark.parametrize("sigma", ["1/2", "1", "3"])
@pytest.mark.parametrize("k", [2, 5, 12])
def test_the_zeros_are_real_and_negative(k, sigma):
    found = zeros(Phase(Fraction(1, 10), Fraction(sigma), 1), k)
    assert all(abs(mpmath.im(z)) < 1e-20 * abs(z) and mpmath.re(z) < 0 for z in found)


@pytest.mark.parametrize("k", [1, 4, 9])
def test_the_logarithm_is_the_sum_of_the_logarithms_of_the_factors(k):
    """Also where k b >= pi, and the principal logarithm of the polynomial is another one."""
    line = Line(1.4, 0.25, -20, 40)
    rhos = [float(-mpmath.re(z)) for z in zeros(PHASE, k)]
    with precision(200):
        up, down = MixtureStep(PHASE, (k, k)).logs(line)
    for j, one, two in zip(range(line.low, line.high + 1), up, down, strict=True):
        t = complex(0.25 * j, 1.4)
        for found, sign in ((one, 1), (two, -1)):
            direct = k * math.log(0.9) + sum(
                cmath.log(1 + cmath.exp(sign * t) / rho) for rho in rhos
            )
            assert complex(found) == pytest.approx(direct, rel=1e-9, abs=1e-9)


def test_a_step_along_which_the_argument_may_jump_is_refused():
    with precision(100), pytest.raises(BadPlan, match="argument"):
        MixtureStep(PHASE, (40, 40)).logs(Line(1.5, 0.5, -20, 40))


@pytest.mark.parametrize("degrees", [(1, 1), (3, 3), (3, 0), (0, 3)])
@pytest.mark.parametrize("a", [1.5, 8.0])
def test_psi_is_the_integral(degrees, a):
    """At complex orders, by mpmath."""
    sketch = MixtureSketch(0.1, 1.0, degrees)
    with precision(150):
        line = table_line(sketch, a, 40.0)
        values, top = transform(PHASE, degrees, arb(a), arb(0.75), 2, line, Deadline())
        assert top >= values[0].real.mid()
    k = max(degrees)

    def power(t, z):
        def side(degree, sign):
            if not degree:
                return mpmath.mpf(1)
            return sum(
                mpmath.binomial(k, j)
                * mpmath.mpf(0.1) ** j
                * mpmath.mpf(0.9) ** (k - j)
                * mpmath.exp(sign * j * t - mpmath.mpf(j * j) / 2)
                for j in range(k + 1)
            )

        return mpmath.npdf(t) * mpmath.exp(
            z * mpmath.log(side(degrees[0], 1)) + (1 - z) * mpmath.log(side(degrees[1], -1))
        )

    for i, value in enumerate(values):
        z = mpmath.mpc(a, 0.75 * i)
        summit = a * degrees[0]
        truth = mpmath.quad(
            lambda t, z=z: power(t, z), [-14, -5, 0, 3, *(summit + x for x in (5, 10, 16))]
        )
        assert complex(value) == pytest.approx(complex(truth), rel=1e-9)


@pytest.mark.parametrize("degrees", [(1, 1), (5, 5), (0, 5)])
def test_a_height_bounds_psi_there_and_above(degrees):
    sketch = MixtureSketch(0.1, 1.0, degrees)
    with precision(200):
        values, top = transform(
            PHASE, degrees, arb(3), arb(0.5), 12, table_line(sketch, 3.0, 50.0), Deadline()
        )
        for eta in (0.05, 0.2, 0.6):
            bound = height(PHASE, degrees, arb(3), arb(1), height_line(sketch, 3.0, eta, 20.0), top)
            assert all(bound > abs(v) for v in values[2:])


@pytest.mark.parametrize("eta", [0.0, 1.0])
@pytest.mark.parametrize("degrees", [(1, 1), (4, 4), (0, 4), (4, 0)])
def test_what_is_cut_off_bounds_the_terms_outside(degrees, eta):
    """Against the sum over a much longer line."""
    for high in (4, 8, 20, 60):
        short = Line(eta, 0.25, -8, high)
        long = dataclasses.replace(short, low=-90, high=200)
        with precision(300):
            step = MixtureStep(PHASE, degrees)
            total, a = arb(0), arb(4)
            for j, up, down in zip(range(-90, 201), *step.logs(long), strict=True):
                if not short.low <= j <= short.high:
                    total += (a * up.real + (1 - a) * down.real - (arb(j) / 4) ** 2 / 2).exp()
            bound = step.cut_off(a, short)
            assert bound >= total
            assert bound < 1e9 * total


def test_orders_are_checked():
    with precision(100), pytest.raises(BadPlan):
        MixtureStep(PHASE, (1, 1)).spread(arb(1), arb(-1))
    with precision(100), pytest.raises(BadPlan):
        transform(PHASE, (1, 1), arb(2), arb(1), 3, Line(1.6, 0.1, -50, 50), Deadline())
    with precision(100), pytest.raises(BadPlan):
        real_moment(PHASE, (1, 1), arb(2), Line(0.0, 8.0, -5, 5, 3.0))


def test_moments_of_the_swapped_pair_are_those_at_one_minus_the_order():
    sketch = MixtureSketch(0.1, 1.0, (3, 0))
    assert sketch.cumulants(-1.5)[0] == pytest.approx(sketch.swapped.cumulants(2.5)[0])
    with precision(200):
        there = real_moment(PHASE, (0, 3), arb(2.5), moment_line(sketch.swapped, 2.5, 50.0))
    direct = mpmath.quad(
        lambda t: (
            mpmath.npdf(t)
            * sum(
                mpmath.binomial(3, j)
                * mpmath.mpf(0.1) ** j
                * mpmath.mpf(0.9) ** (3 - j)
                * mpmath.exp(j * t - mpmath.mpf(j * j) / 2)
                for j in range(4)
            )
            ** mpmath.mpf(-1.5)
        ),
        [-15, -5, 0, 5, 15],
    )
    assert float(there) == pytest.approx(float(direct), rel=1e-9)
