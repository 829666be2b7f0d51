"""Random allocation, replace-one: both ends against the exact law of one pair, computed without any of them."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest

import verify
from verify.accounting.pairs.allocation import Allotted
from verify.accounting.pairs.fixed import allocated
from verify.accounting.pairs.fixed.allocated import allocated_replaced
from verify.audit.pairs.fixed_opposite import two_batches
from verify.numbers.budget import Deadline

WORDS = {"sampling": "allocation", "relation": "replace-one"}


@pytest.mark.parametrize(("sigma", "epsilon"), [("1", 1.0), ("2", 0.3)])
def test_two_batches_lie_between_the_ends(sigma, epsilon):
    """The lower end is a test of this pair, and the upper end holds for every pair."""
    found = allocated_replaced((Allotted(2, Q(sigma), 1),), Deadline()).delta(Q(str(epsilon)), 6)
    truth = two_batches(float(sigma), epsilon)
    assert 0.97 * truth < found.lo < truth * (1 + 1e-6)
    assert truth * (1 - 1e-6) < found.hi < 1.6 * truth


def test_a_wrong_mean_is_above_the_pair(monkeypatch):
    """The batch of the record moved by a hundredth more."""
    healthy = allocated.OneOutput.below

    def moved(self, z):
        first, second = healthy(self, z)
        return (healthy(self, z - 0.05 * self.mean)[0], second) if self.mean else (first, second)

    monkeypatch.setattr(allocated.OneOutput, "below", moved)
    found = allocated_replaced((Allotted(2, Q(2), 1),), Deadline()).delta(Q("0.3"), 6)
    assert found.lo > two_batches(2.0, 0.3)


def test_one_way_alone_is_below_the_pair(monkeypatch):
    """Without the second way the upper end would be below an attained value."""
    monkeypatch.setattr(
        allocated.ThroughZero, "epsilon", lambda self, d, n, t: self.remove.epsilon(d, n).hi
    )
    with pytest.raises(AssertionError, match="above an upper end"):
        verify.epsilon(None, "0.9", 98, "1e-5", 6, epochs=20, **WORDS)


def test_the_bracket_is_narrow_and_says_who_attains_it():
    found = verify.epsilon(None, "0.9", 98, "1e-5", 8, epochs=20, **WORDS)
    assert 4.9 < found.lo < found.hi < 6.6
    assert "the opposite gradient" in found.attained
    assert "no tight pair" in found.why
    single = verify.epsilon(None, "0.9", 98, "1e-5", 8, epochs=20, sampling="allocation")
    assert single.hi < found.lo


def test_both_questions_have_one_curve():
    """delta at the ends of epsilon(1e-5) is on either side of 1e-5."""
    given = {"epochs": 3, **WORDS}
    found = verify.epsilon(None, 1, 10, "1e-5", 8, **given)
    low, high = (verify.delta(None, 1, 10, x, 8, **given) for x in (found.lo, found.hi))
    assert low.hi > Q("1e-5") > high.lo
    assert high.hi < Q("1.5e-5")


def test_one_batch_an_epoch_is_a_gaussian():
    found = verify.epsilon(None, 3, 1, "1e-5", 10, epochs=7, **WORDS)
    exact = verify.epsilon(1, "1.5", 7, "1e-5", 10)
    assert abs(found.lo - exact.lo) < Q(1, 10**7)


def test_phases_with_other_batches_compose():
    rows = [
        {"sigma": 1, "steps": 100, "epochs": 2, "sampling": "allocation"},
        {"sigma": 2, "steps": 10, "epochs": 3, "sampling": "allocation"},
    ]
    both = verify.history_epsilon(rows, "1e-5", 6, relation="replace-one")
    alone = [verify.history_epsilon([row], "1e-5", 6, relation="replace-one") for row in rows]
    assert max(one.lo for one in alone) < both.lo < both.hi < 3 * max(one.hi for one in alone)
