"""The corrected reduction theorem on random set functions of sensitivity 1."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from proofs_checks.tools.balls import rational
from tests.properties.counting import holds
from tests.properties.set_functions import lipschitz, log_integral, mechanisms
from verify import log_a, log_b
from verify.numbers.balls import precision

TOLERANCE = Fraction(1, 10**16)
RATES = st.one_of(
    st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    st.sampled_from([Fraction(1, 2), Fraction(1, 100), Fraction(99, 100)]),
)
NOISES = st.sampled_from([Fraction(x) for x in ("0.7", "1", "1.5", "2", "4")])
ORDERS = st.one_of(
    st.fractions(Fraction(1), Fraction(5), max_denominator=8).filter(lambda a: a > 1),
    st.sampled_from([Fraction(2), Fraction(1001, 1000)]),
)


def excess(
    function: tuple[int, dict[int, Fraction]], q: Fraction, sigma: Fraction, alpha: Fraction
) -> tuple[Fraction, Fraction]:
    """By how much each direction exceeds its one-dimensional bound (negative: it does not)."""
    without, with_one = mechanisms(*function, q)
    pairs = (
        (log_integral(with_one, without, sigma, alpha), log_a(q, sigma, alpha, digits=40)),
        (log_integral(without, with_one, sigma, alpha), log_b(q, sigma, alpha, digits=40)),
    )
    with precision(200):
        return tuple(Fraction(float((x - rational(Fraction(b.hi))).mid())) for x, b in pairs)  # type: ignore[return-value]  # two of them


@holds(function=lipschitz(), q=RATES, sigma=NOISES, alpha=ORDERS)
def test_reduction_to_one_dimension(
    function: tuple[int, dict[int, Fraction]], q: Fraction, sigma: Fraction, alpha: Fraction
) -> None:
    """Neither direction of the divergence exceeds that of N(0) against (1-q) N(0) + q N(1)."""
    assert max(excess(function, q, sigma, alpha)) <= TOLERANCE


@pytest.mark.parametrize("direction", [0, 1])
def test_the_bound_is_attained(direction: int) -> None:
    """f(T) = 1 if the new element is in T makes both bounds equalities."""
    indicator = (1, {0: Fraction(0), 1: Fraction(0), 2: Fraction(1), 3: Fraction(1)})
    assert (
        abs(excess(indicator, Fraction(1, 3), Fraction(1), Fraction(5, 2))[direction]) < TOLERANCE
    )


@pytest.mark.parametrize("direction", [0, 1])
def test_sensitivity_two_violates_it(direction: int) -> None:
    """The same comparison says no to a function that is not 1-Lipschitz."""
    steep = (0, {0: Fraction(0), 1: Fraction(2)})
    assert excess(steep, Fraction(1, 3), Fraction(1), Fraction(5, 2))[direction] > TOLERANCE
