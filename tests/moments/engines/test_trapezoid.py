"""The certified engine against exact values and its own promises."""

from __future__ import annotations

from fractions import Fraction as Q

import mpmath
import pytest
from hypothesis import given

from tests.patience import patient
from tests.strategies import noises, orders, rates
from verify.moments.engines import Moment
from verify.moments.engines.trapezoid import evaluate, moment_enclosure
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded


def encloses(value, exact) -> bool:
    return (
        mpmath.mpf(value.lo.numerator) / value.lo.denominator
        <= exact
        <= mpmath.mpf(value.hi.numerator) / value.hi.denominator
    )


@given(rates(), noises())
def test_contains_the_closed_form_at_order_two(q, sigma):
    """A_2 = 1 + q^2 (e^{1/sigma^2} - 1)."""
    value = evaluate(Moment(q, sigma, Q(2)), 40, patient())
    with mpmath.workdps(120):
        exact = mpmath.log1p(
            mpmath.mpf(q.numerator) ** 2
            / q.denominator**2
            * mpmath.expm1(mpmath.mpf(sigma.denominator) ** 2 / sigma.numerator**2)
        )
        assert encloses(value, exact)


@given(noises(), orders())
def test_contains_the_closed_form_without_sampling(sigma, alpha):
    """At q = 1, ln A = ln B = alpha (alpha-1)/(2 sigma^2)."""
    for order in (alpha, 1 - alpha):
        value = evaluate(Moment(Q(1), sigma, order), 30, patient())
        assert value.lo <= alpha * (alpha - 1) / (2 * sigma**2) <= value.hi


@given(rates(), noises())
def test_moments_of_order_zero_and_one_are_one(q, sigma):
    for order in (0, 1):
        value = moment_enclosure(Moment(q, sigma, Q(order)), 100, patient())
        assert value.lo <= 1 <= value.hi
        assert value.hi - value.lo < Q(1, 10**25)


@given(rates(), noises(), orders())
def test_keeps_its_promise_of_digits(q, sigma, alpha):
    for order in (alpha, 1 - alpha):
        assert evaluate(Moment(q, sigma, order), 35, patient()).relative_width() <= Q(1, 10**35)


@given(rates(), noises(), orders())
def test_more_digits_refine_fewer(q, sigma, alpha):
    for order in (alpha, 1 - alpha):
        rough, fine = (evaluate(Moment(q, sigma, order), d, patient()) for d in (8, 60))
        assert max(rough.lo, fine.lo) <= min(rough.hi, fine.hi)


@given(rates(), noises())
def test_kullback_leibler_is_the_slope_at_one(q, sigma):
    """E[g ln g] is the derivative of ln E[g^s] at s = 1, and ln E[g^s] is convex in s."""
    value = evaluate(Moment(q, sigma, Q(1), log=True), 20, patient())
    step = Q(1, 10**30)
    above = evaluate(Moment(q, sigma, 1 + step), 25, patient())
    below = evaluate(Moment(q, sigma, 1 - step), 25, patient())
    assert -below.hi / step <= value.hi
    assert value.lo <= above.hi / step


EXTREMES = [
    ("1e-300", "1", "3/2"), ("1e-300", "1e8", "1.5"), ("1e-300", "0.2", "1.999999999999"),
    ("0.5", "0.01", "1000000"), ("0.5", "0.01", "999999.5"), ("1e-12", "2", "1024"),
    ("0.3", "1000", "9999.5"), ("0.999999", "0.05", "1.000000000001"), ("1e-300", "1e-1", "1000000"),
    ("1e-9", "1e8", "1000000"), ("0.9999999999", "100", "1.5"), ("1e-300", "1", "700.5"),
    ("0.99999999999999999995", "0.871", "75401"), ("0.99999999999999999995", "0.1", "2.5"),
]  # fmt: skip


@pytest.mark.parametrize(("q", "sigma", "alpha"), EXTREMES)
def test_extremes_are_answered(q, sigma, alpha):
    for order in (Q(alpha), 1 - Q(alpha)):
        value = evaluate(Moment(Q(q), Q(sigma), order), 30, patient())
        assert 0 < value.lo <= value.hi
        assert value.relative_width() <= Q(1, 10**30)


@pytest.mark.parametrize(("q", "sigma", "alpha"), [("0.01", "1.1", "8.5"), ("1e-9", "1", "1024")])
def test_a_thousand_digits(q, sigma, alpha):
    moment = Moment(Q(q), Q(sigma), Q(alpha))
    rough, fine = evaluate(moment, 50, patient()), evaluate(moment, 1000, patient())
    assert fine.relative_width() <= Q(1, 10**1000)
    assert rough.lo <= fine.lo <= fine.hi <= rough.hi


def test_budget_is_an_error_not_a_number():
    with pytest.raises(BudgetExceeded):
        evaluate(Moment(Q("1e-300"), Q("0.01"), Q("1.000000000001")), 30, Deadline(0.0))


def test_near_tangent_modes_are_summed_through():
    """q, sigma and alpha where l' almost touches zero between the modes."""
    for thousandths in range(150, 190, 3):
        value = evaluate(Moment(Q(1, 100), Q(4), Q(thousandths)), 30, patient())
        assert value.relative_width() <= Q(1, 10**30)


@pytest.mark.parametrize("digits", [1, 2, 5])
@pytest.mark.parametrize("sigma", ["0.05", "0.4", "2"])
def test_few_digits_are_answered_too(digits, sigma):
    """Precision that suits the answer may be too little for the proof."""
    for order in (Q("1.5"), Q("-0.5"), Q(-30), Q(7)):
        value = evaluate(Moment(Q("0.3"), Q(sigma), order), digits, patient())
        fine = evaluate(Moment(Q("0.3"), Q(sigma), order), digits + 25, patient())
        assert value.lo <= fine.lo <= fine.hi <= value.hi
