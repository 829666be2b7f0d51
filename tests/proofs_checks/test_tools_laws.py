"""Finite laws, set functions, conditions and exact monotonicity: what the checks lean on."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations

import pytest
import sympy

from proofs_checks.paper import allowed, bound
from proofs_checks.quantities.graphs import by_inversion, excess
from proofs_checks.quantities.lower_bound import lower_bound
from proofs_checks.tools.finite import bernoulli, mix, moment, random_law
from proofs_checks.tools.monotone import rises_from_zero, sign_of_constant
from proofs_checks.tools.set_functions import (
    log_moment,
    mechanism,
    random_lipschitz,
    weights,
)
from verify import log_a, log_b, rdp
from verify.claims import StepFails, Undecided

x = sympy.Symbol("x", positive=True)


def test_a_function_that_does_not_start_at_zero_is_rejected() -> None:
    with pytest.raises(StepFails):
        rises_from_zero(sympy.exp(x), x, sympy.exp(x))


def test_a_wrong_derivative_is_rejected() -> None:
    with pytest.raises(StepFails):
        rises_from_zero(sympy.exp(x) - 1, x, 2 * sympy.exp(x))


def test_a_falling_function_is_rejected() -> None:
    with pytest.raises(StepFails):
        rises_from_zero(1 - sympy.exp(x), x, -sympy.exp(x))


def test_constants_are_compared_exactly() -> None:
    close = sympy.Rational(314159265358979323846, 10**20)
    assert sign_of_constant(sympy.pi - close, ">").effective == 1
    with pytest.raises(StepFails):
        sign_of_constant(sympy.pi - close, "<")


def test_the_lower_bound_holds_with_one_half_and_not_with_more() -> None:
    assert list(lower_bound())
    with pytest.raises(Undecided):
        list(lower_bound(sympy.Rational(51, 100)))


@pytest.mark.parametrize("q", ["1/1000", "1/5", "9/10"])
@pytest.mark.parametrize("sigma", ["1/2", "4"])
@pytest.mark.parametrize("alpha", ["11/10", "5/2", "20"])
def test_epsilon_is_at_least_what_the_lower_bound_says(q: str, sigma: str, alpha: str) -> None:
    rate, noise, order = map(Fraction, (q, sigma, alpha))
    assert rdp(rate, noise, order, digits=15).lo >= rate**2 * order / (2 * noise**2)


def test_conditions_of_the_closed_form() -> None:
    corner = Fraction(1, 5), Fraction(4)
    assert allowed(*corner, Fraction(4))
    assert not allowed(*corner, Fraction(41, 10))
    assert not allowed(Fraction(21, 100), Fraction(4), Fraction(2))
    assert not allowed(Fraction(1, 5), Fraction(39, 10), Fraction(2))
    assert not allowed(*corner, Fraction(1))
    assert bound(*corner, Fraction(4)) == Fraction(1, 50)


def test_moments_of_finite_laws() -> None:
    half, quarter = bernoulli(Fraction(1, 2)), bernoulli(Fraction(1, 4))
    assert moment(half, quarter, 2) == Fraction(4, 3)
    assert moment(half, half, 7) == 1
    assert mix(Fraction(1, 2), half, quarter) == (Fraction(3, 8), Fraction(5, 8))
    assert sum(random_law(random.Random(2), 5)) == 1


def test_graphs_without_isolated_vertices_are_counted() -> None:
    pairs = list(combinations(range(4), 2))
    counts = [0] * 7
    for chosen in range(2**6):
        graph = [pair for i, pair in enumerate(pairs) if chosen >> i & 1]
        if {v for pair in graph for v in pair} == set(range(4)):
            counts[len(graph)] += 1
    assert list(by_inversion(4)) == counts


def test_the_moment_less_one_keeps_its_digits() -> None:
    exact = log_a(Fraction(1e-8), 4, 8, digits=25)
    assert math.isclose(math.log1p(excess(8, 1e-8, 4.0)), exact.to_double(), rel_tol=1e-14)


@pytest.mark.parametrize("sensitivity", [0.5, 1.0])
def test_random_set_functions_have_their_sensitivity(sensitivity: float) -> None:
    generator = random.Random(3)
    for _ in range(50):
        f = random_lipschitz(generator, 3, sensitivity)
        steps = [abs(f[s] - f[s ^ 1 << i]) for s in range(8) for i in range(3)]
        assert max(steps) <= sensitivity + 1e-12


def test_weights_of_subsets() -> None:
    law = weights(3, Fraction(1, 4))
    assert sum(law) == 1
    assert law[0b101] == Fraction(1, 4) ** 2 * Fraction(3, 4)


@pytest.mark.parametrize("order", [1.5, 3.0, 7.0])
def test_the_sampled_integral_is_the_certified_one(order: float) -> None:
    """The mechanism that counts one person has the laws mu0 and mu."""
    rate = Fraction(1, 5)
    empty, single = mechanism([0.0], 0, rate), mechanism([0.0, 1.0], 1, rate)
    above = log_moment(single, empty, 1.0, order)
    below = log_moment(empty, single, 1.0, order)
    assert math.isclose(above, log_a(rate, 1, order, digits=20).to_double(), rel_tol=1e-11)
    assert math.isclose(below, log_b(rate, 1, order, digits=20).to_double(), rel_tol=1e-11)
