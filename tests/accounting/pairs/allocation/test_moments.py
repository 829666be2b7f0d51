"""Moments of an epoch: whole orders exactly, complex orders by Mellin integrals with different n."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction as Q

import pytest
from flint import arb

from verify.accounting.contour.line import BadPlan
from verify.accounting.pairs.allocation import Allotted, log_moment
from verify.accounting.pairs.allocation.mellin import RayHeights, moments
from verify.accounting.pairs.allocation.outline import Outline, log_gamma
from verify.accounting.pairs.allocation.parts import Orders
from verify.accounting.pairs.allocation.ray_plan import planned_ray
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain


@pytest.mark.parametrize("idle", [Q(0), Q(1, 5)])
def test_whole_orders_are_sums_over_all_products(idle):
    """E S'^n by multiplying out: every choice of n factors among the batches and the idle part."""
    t, sigma, n = 3, 1.3, 4
    total = 0.0
    for choice in itertools.product(range(t + 1), repeat=n):
        counts = [choice.count(i) for i in range(t)]
        weight = float(idle) ** choice.count(t) * (float(1 - idle) / t) ** sum(counts)
        total += weight * math.exp(sum(k * (k - 1) for k in counts) / (2 * sigma**2))
    found = log_moment(Allotted(t, Q("1.3"), 1, idle), n, 15)
    assert math.isclose(float(found), math.log(total), rel_tol=1e-12)


def test_order_two_has_a_closed_form():
    """E S^2 = 1 + (e^{1/s^2} - 1)/T, also where it is next to 1."""
    found = log_moment(Allotted(10_000, Q(100), 1), 2, 20)
    assert math.isclose(float(found), math.log1p(math.expm1(1e-4) / 10_000), rel_tol=1e-12)
    assert found.certain_digits() >= 19


def test_orders_zero_and_one_are_exact():
    assert log_moment(Allotted(7, Q(1), 1), 1, 10).hi == 0
    with pytest.raises(OutOfDomain, match="whole number"):
        log_moment(Allotted(7, Q(1), 1), -1, 10)


def test_chords_are_above_the_moments():
    """Between 1 and 2 the bound of Orders is above the certified moment, and at 2 it is it."""
    part = Allotted(30, Q(1), 1)
    value = moments(Outline(part), 2, 1.5, 1.0, 0, 40.0, Deadline())[0][0].real
    orders = Orders(part)
    with precision(100):
        assert value.log() < orders.above(Q(3, 2))
        assert abs(orders.above(Q(2)) - arb(float(log_moment(part, 2, 20)))) < 1e-15


@pytest.mark.parametrize("idle", [Q(0), Q(1, 10)])
def test_three_mellin_integrals_give_one_moment(idle):
    """n = 0, 1, 2 have different integrands and rays."""
    outline = Outline(Allotted(40, Q("0.8"), 1, idle))
    found = [moments(outline, n, -1.5, 0.9, 12, 40.0, Deadline())[0] for n in (0, 1, 2)]
    for one, two, three in zip(*found, strict=True):
        assert one.overlaps(two)
        assert two.overlaps(three)
        assert one.rad() < 1e-12


def test_a_moment_of_two_batches_by_quadrature():
    """E S^{a+iy} for T = 2 by a double sum over a fine grid of both variables, in doubles."""
    s, a, y = 1.0, -1.5, 2.0
    nodes = [0.1 * i for i in range(-100, 101)]
    weights = [0.1 * math.exp(-t * t / 2) / math.sqrt(2 * math.pi) for t in nodes]
    sizes = [math.exp(t / s - 0.5 / s**2) for t in nodes]
    total = 0j
    for w, x in zip(weights, sizes, strict=True):
        total += w * sum(
            v * ((x + z) / 2) ** complex(a, y) for v, z in zip(weights, sizes, strict=True)
        )
    found = moments(Outline(Allotted(2, Q(1), 1)), 0, a, y, 1, 40.0, Deadline())[0][1]
    assert abs(complex(float(found.real.mid()), float(found.imag.mid())) - total) < 1e-10


def test_the_gamma_function_in_doubles():
    """|Gamma(1/2 + iy)|^2 = pi / cosh(pi y)."""
    for y in (0.0, 1.0, 7.0):
        known = 0.5 * math.log(math.pi / math.cosh(math.pi * y))
        assert math.isclose(log_gamma(0.5, y), known, abs_tol=1e-7)


def test_a_turn_round_the_circle_is_refused():
    """The rotation lemma asks for an angle within a right angle, not only for a positive cosine."""
    outline = Outline(Allotted(4, Q(1), 1))
    ray = planned_ray(outline, 0, 1.0, 0.0, (0.0, 1.0), 20.0)
    with precision(ray.bits):
        assert RayHeights(outline, 0, -1.0, ray).beyond() > 0
        turned = dataclasses.replace(ray, right_turn=2 * math.pi)
        with pytest.raises(BadPlan, match="half-plane"):
            RayHeights(outline, 0, -1.0, turned).beyond()
