"""The binomial sum in balls: exact where it can be checked exactly, refused where there is none."""

from __future__ import annotations

import math
from fractions import Fraction as Q

import mpmath
import pytest

from tests.patience import patient
from verify.moments.engines import Moment, whole
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfReach


def interval(q, sigma, n, digits=30):
    return whole.evaluate(Moment(Q(q), Q(sigma), Q(n)), digits, patient())


def binomial_sum(q, sigma, n, dps):
    """The sum as it stands in the paper, in mpmath, with digits for its cancellation."""
    with mpmath.workdps(dps):
        q, sigma = (mpmath.mpf(x.numerator) / x.denominator for x in (Q(q), Q(sigma)))
        terms = (
            math.comb(n, k) * (1 - q) ** (n - k) * q**k * mpmath.exp((k * k - k) / (2 * sigma**2))
            for k in range(n + 1)
        )
        value = mpmath.log(mpmath.fsum(terms))
        return Q(mpmath.nstr(value, dps - 60))


@pytest.mark.parametrize(
    ("q", "sigma", "n"),
    [("0.01", "2", 2), ("0.01", "1.1", 8), ("1e-4", "1.63", 42), ("0.5", "0.3", 64), ("1e-12", "3", 256),
     ("0.999999", "0.7", 257), ("1e-3", "4", 300)],
)  # fmt: skip
def test_it_contains_the_sum_of_the_paper(q, sigma, n):
    found = interval(q, sigma, n)
    truth = binomial_sum(q, sigma, n, 300)
    assert found.lo <= truth <= found.hi
    assert found.relative_width() <= Q(1, 10**30)


def test_exact_and_rounded_binomials_tell_the_same_number(monkeypatch):
    short = interval("0.02", "1.5", 200)
    monkeypatch.setattr(whole, "_EXACT", 10)
    long = interval("0.02", "1.5", 200)
    assert short.lo <= long.hi
    assert long.lo <= short.hi


@pytest.mark.parametrize("orders", [[2], [2, 3], [64, 5, 2, 17], list(range(2, 65))], ids=len)
def test_orders_taken_together_contain_the_sum_of_the_paper(orders):
    for order, found in zip(
        orders, whole.together(Q("0.01"), Q("1.1"), orders, 30, patient()), strict=True
    ):
        truth = binomial_sum("0.01", "1.1", order, 300)
        assert found.lo <= truth <= found.hi
        assert found.relative_width() <= Q(1, 10**30)


def test_nothing_is_lost_next_to_one():
    """A - 1 is 1e-600 here, and thirty digits of it come from a few words of precision."""
    found = interval("1e-300", "1", 2)
    with mpmath.workdps(50):
        factor = Q(mpmath.nstr(mpmath.e - 1, 40))
    assert abs(found.lo * Q(10) ** 600 - factor) < Q(1, 10**29)


def test_orders_zero_and_one_are_trivial():
    assert interval("0.3", "1", 0) == interval("0.3", "1", 1) == interval("0", "1", 9)


def test_without_sampling_it_is_exact():
    assert interval("1", "2", 5).lo == interval("1", "2", 5).hi == Q(5, 2)


def test_a_huge_order_is_a_number_like_any_other():
    """ln A_n is n ln q + n (n-1)/(2 sigma^2) when the shifted component is all there is."""
    n = 50_000
    found = interval("0.01", "0.1", n)
    with mpmath.workdps(60):
        alone = n * mpmath.log(mpmath.mpf(1) / 100) + mpmath.mpf(n) * (n - 1) * 50
        assert abs(mpmath.mpf(found.lo.numerator) / found.lo.denominator - alone) < 1e-9


@pytest.mark.parametrize("order", ["2.5", "-1", "-0.5"])
def test_other_orders_are_out_of_reach(order):
    with pytest.raises(OutOfReach, match="no binomial sum"):
        whole.evaluate(Moment(Q(1, 2), Q(1), Q(order)), 10, Deadline())


def test_logarithmic_moments_are_out_of_reach():
    with pytest.raises(OutOfReach, match="no binomial sum"):
        whole.evaluate(Moment(Q(1, 2), Q(1), Q(1), log=True), 10, Deadline())


def test_too_many_terms_are_out_of_reach():
    with pytest.raises(OutOfReach, match="more than"):
        interval("0.5", "1", whole.LARGEST + 1)


def test_the_deadline_is_kept():
    with pytest.raises(BudgetExceeded):
        whole.evaluate(Moment(Q(1, 2), Q(1), Q(2_000_000)), 10, Deadline(0.0))
