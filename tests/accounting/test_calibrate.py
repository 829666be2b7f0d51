"""Calibration: the number returned meets the target, and its neighbour does not."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import verify
from tests.patience import PATIENCE
from verify.accounting.calibration import calibrate
from verify.accounting.questions import Account
from verify.numbers.errors import BudgetExceeded, OutOfDomain

TARGET = {"epsilon": 2, "delta": "1e-5"}
DELTA = Fraction(1, 10**5)


def test_smallest_sigma():
    found = calibrate(**TARGET, q="0.01", steps=200)
    assert verify.delta("0.01", found.value, 200, 2).hi <= DELTA
    assert verify.delta("0.01", math.nextafter(found.value, 0), 200, 2).lo > DELTA


def test_most_steps():
    found = calibrate(**TARGET, q="0.01", sigma=1)
    assert (
        verify.delta("0.01", 1, found.value, 2).hi
        <= DELTA
        < verify.delta("0.01", 1, found.value + 1, 2).lo
    )


def test_smallest_sigma_if_a_record_is_replaced():
    found = calibrate(**TARGET, q="0.01", steps=5, relation="replace-one", max_seconds=PATIENCE)
    less = math.nextafter(found.value, 0)
    assert verify.delta("0.01", found.value, 5, 2, relation="replace-one").hi <= DELTA
    assert verify.delta("0.01", less, 5, 2, relation="replace-one").lo > DELTA


def test_largest_q():
    found = calibrate(**TARGET, sigma=2, steps=100)
    assert verify.delta(found.value, 2, 100, 2).hi <= DELTA
    assert verify.delta(math.nextafter(found.value, 1), 2, 100, 2).lo > DELTA


def test_full_batches_if_they_meet_the_target():
    assert calibrate(epsilon=5, delta="1e-5", sigma=20, steps=10).value == 1.0


def test_the_optimum_lies_between_the_neighbours():
    found = calibrate(**TARGET, q=1, steps=1)
    assert found.optimum.lo < found.optimum.hi == Fraction(found.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {**TARGET, "q": "0.01"},
        {**TARGET, "q": "0.01", "sigma": 1, "steps": 5},
        {"epsilon": "inf", "delta": "1e-5", "q": "0.01", "steps": 5},
        {"epsilon": 1, "delta": 0, "q": "0.01", "steps": 5},
        {**TARGET, "q": "0.01", "steps": 5, "relation": "replace-two"},
        {"epsilon": "0.001", "delta": "1e-9", "q": 1, "sigma": "0.5"},
        {"epsilon": "1e10", "delta": "1e-5", "q": "0.01", "steps": 10},
    ],
)
def test_impossible_questions_are_refused(arguments):
    with pytest.raises(OutOfDomain):
        calibrate(**arguments)


def test_a_budget_that_runs_out_is_the_one_that_was_allowed():
    with pytest.raises(BudgetExceeded, match=r"no answer within 0\.05 s"):
        calibrate(epsilon=2, delta="1e-9", q="1e-4", steps=10**6, max_seconds=0.05)


def test_a_start_far_on_the_safe_side_is_not_computed(monkeypatch):
    """The saddle point alone was 30 times off there, and deltas of e^-190 were computed to three digits."""
    asked = []
    healthy = Account.delta

    def counted(self, *given):
        asked.append(given)
        return healthy(self, *given)

    monkeypatch.setattr(Account, "delta", counted)
    found = calibrate(epsilon="0.475", delta="6e-7", sigma="2.63", steps=5000, max_seconds=PATIENCE)
    assert found.value == 0.004083629390025193
    assert len(asked) < 20


def test_below_the_total_variation_every_noise_is_too_much():
    """delta is below the target for all noises: decided without any contour."""
    with pytest.raises(OutOfDomain, match="still meets"):
        calibrate(epsilon="4.266", delta="0.000731", q="6.666e-05", steps=7, max_seconds=PATIENCE)


def test_a_moment_whose_terms_almost_stop_falling_does_not_stop_the_search():
    """The nodes of its bound are coarse: between two of them no fall is shown, though there is one."""
    found = calibrate(
        epsilon="0.4745", delta="1.84e-08", sigma="4.36", steps=187, max_seconds=PATIENCE
    )
    assert found.value == 0.029861195386304305
