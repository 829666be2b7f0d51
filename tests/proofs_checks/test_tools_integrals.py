"""Integrals, exact and enclosed: right values are confirmed, wrong ones are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from flint import arb

from proofs_checks.paper import sigma
from proofs_checks.quantities.bell import bell, ratio_moment
from proofs_checks.tools.balls import rational
from proofs_checks.tools.enclosures import integral_ball
from proofs_checks.tools.noise import rounded_moments
from proofs_checks.tools.rational_densities import half_line_integral, order_two
from verify.claims import Level, StepFails, Undecided
from verify.numbers.balls import precision

x = sympy.Symbol("x", positive=True)
z = sympy.Symbol("z", real=True)


def test_a_bell_far_to_the_left_is_integrated_two_ways() -> None:
    value = sympy.sqrt(sympy.pi)
    found = list(bell(sympy.exp(-((z + 9) ** 2)), z, sympy.Integer(-9), 1 / sympy.sqrt(2), value))
    assert [e.level for e in found] == [Level.SYMBOLIC, Level.SYMBOLIC]


@pytest.mark.parametrize("wrong", [2 * sympy.sqrt(sympy.pi), sympy.Integer(2)])
def test_a_wrong_value_of_a_bell_is_rejected(wrong: sympy.Expr) -> None:
    with pytest.raises(StepFails):
        list(bell(sympy.exp(-(z**2)), z, sympy.Integer(0), 1 / sympy.sqrt(2), wrong))


def test_a_wrong_mean_of_a_bell_is_rejected() -> None:
    with pytest.raises(StepFails):
        list(bell(sympy.exp(-(z**2)), z, sympy.Integer(1), 1 / sympy.sqrt(2), sympy.sqrt(sympy.pi)))


def test_moments_of_the_ratio_at_real_orders() -> None:
    order = sympy.Symbol("k", real=True)
    assert len(list(ratio_moment(order))) == 2


def test_the_square_in_place_of_the_product_is_rejected() -> None:
    order = sympy.Symbol("k", real=True)
    with pytest.raises(StepFails):
        list(ratio_moment(order, sympy.exp(order**2 / (2 * sigma**2))))


def test_half_line_integrals_of_rational_functions() -> None:
    assert len(list(half_line_integral(x / (1 + x) ** 4, x, sympy.Rational(1, 6)))) == 2
    with pytest.raises(StepFails):
        list(half_line_integral(x / (1 + x) ** 4, x, sympy.Rational(1, 7)))


@pytest.mark.parametrize(
    "density",
    [
        x / (1 + x) ** sympy.Rational(4_000_001, 10**6),
        x / (sympy.Rational(1_000_001, 10**6) + x) ** 4,
        x**3 / (1 + x) ** 4,
        sympy.exp(-x),
    ],
)
def test_what_is_no_polynomial_over_a_power_of_1_plus_x_is_undecided_at_once(
    density: sympy.Expr,
) -> None:
    with pytest.raises(Undecided):
        list(half_line_integral(density, x, sympy.Integer(1)))


def test_moments_of_order_two_are_enclosed() -> None:
    p, q = 2 / (1 + x) ** 3, 1 / (1 + x) ** 2
    # the integral of 4/(1+x)^4 is 4/3
    assert order_two(p, q, x).overlaps(rational(Fraction(4, 3)))
    assert order_two(p, q, x).rad() < 1e-9


@pytest.mark.parametrize("pieces", [1, 3, 50])
def test_an_enclosure_contains_the_integral_however_coarse(pieces: int) -> None:
    y = sympy.Symbol("y")
    with precision(100):
        assert integral_ball(sympy.exp(y), y, (0, 1), pieces).contains(arb(1).exp() - 1)


def test_a_singularity_leaves_an_enclosure_without_a_bound() -> None:
    y = sympy.Symbol("y")
    assert not integral_ball(1 / y, y, (0, 1), 10).is_finite()


def test_rounded_noise_without_a_shift_is_one_law() -> None:
    forwards, backwards = rounded_moments(Fraction(1, 3), Fraction(0))
    assert forwards.contains(1)
    assert backwards.contains(1)


def test_rounded_noise_after_a_shift_reverses_the_inequality() -> None:
    forwards, backwards = rounded_moments(Fraction(1, 3), Fraction(3, 10))
    assert forwards < arb("1.60713")
    assert backwards > arb("1.72733")


def test_shifts_beyond_the_tail_bound_are_not_judged() -> None:
    with pytest.raises(Undecided):
        rounded_moments(Fraction(1, 3), Fraction(3, 4))
