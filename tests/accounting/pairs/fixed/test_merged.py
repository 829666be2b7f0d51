"""The merged pair of one step: a pair, above every data set, attained on each side."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from verify.accounting.pairs.fixed.merged import ZeroedOut, loss_of_replacing, losses_of_zeroing
from verify.numbers.balls import ball, precision

RUNS = [("0.01", 2), ("0.3", "0.7"), ("0.9", 3)]


def profile(loss, x):
    """H_a at a = e^x."""
    with precision(120):
        first, second = loss.above(ball(Fraction(x)))
        return first - ball(Fraction(x)).exp() * second


def stick(q, sigma, y, first, second, x):
    """H_a of p N(y) + q N(first) against p N(y) + q N(second), by a plain integral."""
    q, s, a = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.exp(x)

    def excess(z):
        common = (1 - q) * mpmath.npdf(z, y, s)
        p1 = common + q * mpmath.npdf(z, first, s)
        p2 = common + q * mpmath.npdf(z, second, s)
        return max(p1 - a * p2, 0)

    return mpmath.quad(excess, mpmath.linspace(-1 - 9 * s, 1 + 9 * s, 120))


@pytest.mark.parametrize(("q", "sigma"), RUNS)
def test_p_and_q_have_the_same_atom_at_0(q, sigma):
    """p (2 Phi(1/sigma) - 1), for replace-one."""
    q, sigma = Fraction(q), Fraction(sigma)
    with precision(200):
        here, left = (loss_of_replacing(q, sigma).above(x) for x in (arb(0), -(arb(2) ** -150)))
        atom = ball(1 - q) * (1 / (ball(sigma) * arb(2).sqrt())).erf()
        for one, other in zip(left, here, strict=True):
            assert abs(one - other - atom) < arb(2) ** -120


@pytest.mark.parametrize(("q", "sigma"), RUNS)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_masses_are_1(q, sigma, which):
    loss = (
        loss_of_replacing(Fraction(q), Fraction(sigma)),
        *losses_of_zeroing(Fraction(q), Fraction(sigma)),
    )[which]
    with precision(200):
        everything, nothing = loss.above(arb(-300)), loss.above(arb(300))
        for one, other in zip(everything, nothing, strict=True):
            assert one > 1 - arb(10) ** -9
            assert not one > 1
            assert other < arb(10) ** -9


@pytest.mark.parametrize(("q", "sigma"), RUNS)
@pytest.mark.parametrize("x", ["0", "0.01", "0.3", "2"])
def test_the_closed_form_of_zero_out_is_the_integral(q, sigma, x):
    value = profile(ZeroedOut(Fraction(q), Fraction(sigma)), x)
    assert float(value) == pytest.approx(float(stick(q, sigma, -1, 1, 0, mpmath.mpf(x))), rel=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_no_data_set_is_above_the_merged_pair(seed):
    """Random gradients in [-1, 1], a on both sides of 1, replace-one and both directions of zero-out."""
    rng = random.Random(seed)
    q, sigma = rng.choice(RUNS)
    y, first, second = (rng.choice((-1, 1, rng.uniform(-1, 1))) for _ in range(3))
    x = rng.uniform(-1, 1)
    which = rng.randrange(3)
    if which == 1:
        second = 0
    elif which == 2:
        first = 0
    loss = (
        loss_of_replacing(Fraction(q), Fraction(sigma)),
        *losses_of_zeroing(Fraction(q), Fraction(sigma)),
    )[which]
    assert float(stick(q, sigma, y, first, second, x)) <= float(profile(loss, x)) + 1e-7


@pytest.mark.parametrize(("q", "sigma"), RUNS)
@pytest.mark.parametrize(
    ("which", "x", "y", "first", "second"),
    [
        (0, "0.2", -1, 1, -1),
        (0, "-0.2", 1, 1, -1),
        (1, "0.2", -1, 1, 0),
        (1, "-0.2", 1, 1, 0),
        (2, "0.2", 1, 0, 1),
        (2, "-0.2", -1, 0, 1),
    ],
)
def test_each_side_is_attained_by_its_data_set(q, sigma, which, x, y, first, second):
    loss = (
        loss_of_replacing(Fraction(q), Fraction(sigma)),
        *losses_of_zeroing(Fraction(q), Fraction(sigma)),
    )[which]
    found = float(stick(q, sigma, y, first, second, mpmath.mpf(x)))
    assert float(profile(loss, x)) == pytest.approx(found, rel=1e-5, abs=1e-9)


def test_doubles_and_balls_agree():
    for loss in (
        loss_of_replacing(Fraction("0.1"), Fraction(1)),
        *losses_of_zeroing(Fraction("0.1"), Fraction(1)),
    ):
        for x in (-3.0, -0.1, 0.0, 0.1, 3.0):
            with precision(100):
                balls = loss.above(arb(x))
            assert [float(b.mid()) for b in balls] == pytest.approx(loss.tails(x), abs=1e-12)


def test_a_loss_that_may_be_of_either_sign_has_the_trivial_bounds():
    with precision(60):
        first, second = loss_of_replacing(Fraction("0.1"), Fraction(1)).above(arb(0, 1e-9))
        for one in (first, second):
            assert one.contains(0)
            assert one.contains(1)
