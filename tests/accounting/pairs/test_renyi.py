"""Rényi divergences for other relations and samplings: against plain integrals, limits, and each other."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import mpmath
import numpy
import pytest

import verify
from verify.accounting.pairs.allocation.parts import Allotted
from verify.accounting.pairs.renyi import negative_moment
from verify.numbers.budget import Deadline


def integral(q, sigma, alpha, group, replace):
    """D_alpha by mpmath's quadrature of the two densities."""
    with mpmath.workdps(30):
        q, sigma, alpha = map(mpmath.mpf, (q, sigma, alpha))
        weights = [
            mpmath.binomial(group, j) * q**j * (1 - q) ** (group - j) for j in range(group + 1)
        ]

        def first(x):
            return mpmath.fsum(w * mpmath.npdf(x, j, sigma) for j, w in enumerate(weights))

        def second(x):
            if not replace:
                return mpmath.npdf(x, 0, sigma)
            return mpmath.fsum(w * mpmath.npdf(x, -j, sigma) for j, w in enumerate(weights))

        ends = [-40, -12, -4, 0, 2, 4, 8, 16, 28, 40]
        value = mpmath.quad(lambda x: first(x) ** alpha * second(x) ** (1 - alpha), ends)
        return mpmath.log(value) / (alpha - 1)


@pytest.mark.parametrize(
    ("q", "sigma", "alpha", "group", "relation"),
    [
        ("0.01", "1", "2", 1, "replace-one"),
        ("0.1", "2", "3.7", 1, "replace-one"),
        ("0.3", "1.5", "1.2", 3, "replace-one"),
        ("0.2", "2", "2.5", 3, "add/remove"),
        ("0.05", "1", "4", 2, "zero-out"),
    ],
)
def test_real_orders_are_the_integral_of_the_two_densities(q, sigma, alpha, group, relation):
    found = verify.rdp(q, sigma, alpha, relation=relation, group=group, digits=15)
    value = integral(q, sigma, alpha, group, relation == "replace-one")
    assert abs(value / mpmath.mpf(found.lo.numerator) * found.lo.denominator - 1) < 1e-14
    assert found.certain_digits() >= 15


def test_a_millionth_is_seen():
    """The comparison above would refuse a noise that is a millionth off."""
    found = verify.rdp("0.1", "2.000002", "3.7", relation="replace-one", digits=15)
    assert abs(float(found) / float(integral("0.1", "2", "3.7", 1, True)) - 1) > 5e-7


def test_the_default_relation_is_the_usual_function():
    found = verify.rdp("0.01", "1.1", "8.5", relation="add/remove", digits=20)
    usual = verify.rdp("0.01", "1.1", "8.5", digits=20)
    assert found.lo <= usual.hi
    assert usual.lo <= found.hi
    assert str(verify.rdp("0.01", "1.1", "8.5", group=1, digits=20))[:20] == str(usual)[:20]


def test_batches_of_a_fixed_size_have_half_the_noise():
    found = verify.rdp("0.01", "1.1", 4, sampling="fixed-size", steps=7, digits=20)
    step = verify.rdp("0.01", "0.55", 4, digits=30)
    assert found.lo <= 7 * step.hi
    assert 7 * step.lo <= found.hi


@pytest.mark.parametrize("relation", ["zero-out", "replace-one"])
def test_sequential_is_the_gaussian(relation):
    move = 2 if relation == "replace-one" else 1
    found = verify.rdp(None, 3, "2.5", sampling="sequential", relation=relation, steps=9, epochs=5)
    exact = Fraction(5 * move**2) * Fraction(5, 2) / (2 * 9)
    assert found.lo <= exact <= found.hi


def test_one_batch_of_an_allocation_is_the_gaussian():
    found = verify.rdp(None, 2, 3, sampling="allocation", steps=1, epochs=4)
    assert found.lo <= Fraction(4 * 3, 8) <= found.hi


def test_two_batches_of_an_allocation_are_a_binomial_sum():
    """E S^3 for T = 2 by its four terms."""
    found = verify.rdp(None, 1, 3, sampling="allocation", steps=2, digits=20)
    with mpmath.workdps(40):
        # E X^k = e^{k(k-1)/2}; (X+Y)^3/8
        total = (2 * mpmath.e**3 + 6 * mpmath.e) / 8
        assert (
            abs(mpmath.log(total) / 2 - mpmath.mpf(found.lo.numerator) / found.lo.denominator)
            < 1e-20
        )


@pytest.mark.parametrize(("sigma", "x"), [(1, 1), (2, 3)])
def test_negative_orders_are_the_double_integral(sigma, x):
    found = negative_moment(Allotted(2, Fraction(sigma), 1), x, 12, Deadline())

    def ratio(s, t):
        return (math.exp(s / sigma - 0.5 / sigma**2) + math.exp(t / sigma - 0.5 / sigma**2)) / 2

    # the trapezoidal rule in the plane; the integrand is analytic and falls like a Gaussian
    nodes = [i / 8 for i in range(-120, 121)]
    weights = [math.exp(-t * t / 2) / math.sqrt(2 * math.pi) / 8 for t in nodes]
    total = math.fsum(
        v * w * ratio(s, t) ** -x
        for s, v in zip(nodes, weights, strict=True)
        for t, w in zip(nodes, weights, strict=True)
    )
    assert math.log(total) == pytest.approx(float(found.lo), rel=1e-11)


@pytest.mark.parametrize(("steps", "sigma"), [(5, "0.7"), (1000, 1), (10_000, 100)])
def test_both_directions_of_an_allocation_are_computed(steps, sigma):
    """Removing is the larger one at these; the answer is not below either."""
    found = verify.rdp(None, sigma, 4, sampling="allocation", steps=steps, digits=12)
    back = negative_moment(Allotted(steps, Fraction(sigma), 1), 3, 15, Deadline())
    assert back.hi / 3 <= found.hi
    assert found.certain_digits() >= 12


def test_epochs_and_steps_multiply():
    one = verify.rdp(None, 1, 5, sampling="allocation", steps=50, digits=20)
    many = verify.rdp(None, 1, 5, sampling="allocation", steps=50, epochs=12, digits=20)
    assert many.lo <= 12 * one.hi
    assert 12 * one.lo <= many.hi


def test_divergences_grow_with_everything_but_noise():
    def value(q="0.05", sigma=2, alpha=3, group=2):
        return verify.rdp(q, sigma, alpha, relation="replace-one", group=group, digits=10)

    base = value()
    assert all(base < more for more in (value(q="0.06"), value(alpha="3.1"), value(group=3)))
    assert value(sigma="2.1") < base


def test_lists_give_lists_and_arrays_arrays():
    found = verify.rdp("0.01", [1, 2], 4, relation="replace-one", digits=8)
    single = [verify.rdp("0.01", s, 4, relation="replace-one", digits=8) for s in (1, 2)]
    assert [(x.lo, x.hi) for x in found] == [(x.lo, x.hi) for x in single]
    many = verify.rdp(
        numpy.array([0.01, 0.02]), 1.0, numpy.array([[2.0], [3.0]]), group=2, digits=6
    )
    assert many.shape == (2, 2)


def test_an_infinite_order_is_infinite():
    assert verify.rdp("0.01", 1, "inf", relation="replace-one").lo == math.inf
    assert verify.rdp(0, 1, 2, relation="replace-one").hi == 0


def test_answers_can_be_computed_again():
    found = verify.rdp("0.01", 1, 3, relation="replace-one", digits=8)
    more = pickle.loads(pickle.dumps(found)).refine(30, Deadline())
    assert found.lo <= more.lo <= more.hi <= found.hi
    assert more.certain_digits() >= 30


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"alpha": 1}, "alpha = 1: must be a number above 1, or inf"),
        ({"alpha": "x"}, "alpha = 'x'"),
        ({"sampling": "fixed-size"}, "fixed-size, replace-one: no Rényi divergence is known"),
        ({"q": None, "sampling": "shuffle", "steps": 9}, "shuffle, replace-one: no Rényi"),
        ({"group": 65}, "group = 65"),
    ],
)
def test_what_is_not_known_is_refused(given, words):
    asked = {"q": "0.01", "sigma": 1, "alpha": 2, "relation": "replace-one"} | given
    first = [asked.pop(name) for name in ("q", "sigma", "alpha")]
    with pytest.raises(verify.OutOfDomain, match=words):
        verify.rdp(*first, **asked)


def test_allocation_is_answered_at_whole_orders():
    with pytest.raises(verify.OutOfDomain, match="whole orders"):
        verify.rdp(None, 1, "2.5", sampling="allocation", steps=9)
