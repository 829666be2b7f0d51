"""Precision comes and goes as promised, and the one logarithm that needs no engine."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest
from flint import arb, ctx

from tests.patience import patient
from verify.numbers.balls import ball, enclosure, fraction, log_enclosure, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded


def test_precision_is_put_back_after_an_error():
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), precision(300), precision(90):
        raise ZeroDivisionError
    assert ctx.prec == before


@pytest.mark.parametrize("bits", [0, -5, 10**30, "many"])
def test_an_impossible_precision_leaves_nothing_behind(bits):
    before = ctx.prec
    with pytest.raises((ValueError, TypeError, OverflowError)), precision(bits):
        pytest.fail("was set")
    assert ctx.prec == before
    with precision(70):
        assert ctx.prec == 70


def test_rationals_survive_the_round_trip():
    with precision(200):
        assert fraction(ball(Q(-3, 8)).mid()) == Q(-3, 8)


def test_an_enclosure_contains_the_ball():
    with precision(60):
        found = enclosure(arb(1) / 3)
    assert found.lo < Q(1, 3) < found.hi


def test_logarithm_next_to_one():
    """ln(1 - x) = -x - x^2/2 - ..."""
    x = Q("1e-300")
    value = log_enclosure(1 - x, 30, patient())
    assert value.lo <= -x - x**2 / 2 <= value.hi
    assert value.relative_width() <= Q(1, 10**30)


@pytest.mark.parametrize("x", [Q(1, 10**5000), Q(1, 3), Q(1, 2), Q(2, 3), 1 - Q(1, 10**5000)])
def test_logarithm_has_its_digits_and_contains_the_finer_one(x):
    rough, fine = (log_enclosure(x, digits, patient()) for digits in (12, 60))
    assert rough.relative_width() <= Q(1, 10**12)
    assert rough.lo < fine.lo <= fine.hi < rough.hi


def test_logarithm_keeps_to_its_time():
    with pytest.raises(BudgetExceeded):
        log_enclosure(Q(1, 3), 20, Deadline(0.0))
