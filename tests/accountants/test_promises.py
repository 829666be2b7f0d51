"""A promise is kept, broken or undecided; nothing else passes for kept."""

from __future__ import annotations

import math
from fractions import Fraction as Q

import pytest

from verify.accountants.promises import Promise, Ruling, RunJudgement, judge, judge_sigma
from verify.certified import Certified

TWO = Certified.exactly(Q(2))
VAGUE = Certified(Q(1), Q(2))


@pytest.mark.parametrize(
    ("answer", "ruling"),
    [(2.0, "kept"), (3.0, "kept"), (2 - 1e-7, "kept"), (2 - 2.1e-6, "UNSAFE"), (0.0, "UNSAFE"), (-1.0, "UNSAFE"),
     (math.inf, "vacuous"), (-math.inf, "UNSAFE"), (math.nan, "no answer"), (None, "no answer")],
)  # fmt: skip
def test_an_upper_bound_below_the_truth_is_unsafe(answer, ruling):
    assert judge(Promise.UPPER, answer, TWO).ruling == ruling


@pytest.mark.parametrize(
    ("answer", "ruling"),
    [
        (2.0, "kept"),
        (1.0, "kept"),
        (2 + 1e-7, "kept"),
        (2 + 2.1e-6, "misses"),
        (-math.inf, "vacuous"),
    ],
)
def test_a_lower_bound_above_the_truth_misses(answer, ruling):
    assert judge(Promise.LOWER, answer, TWO).ruling == ruling


@pytest.mark.parametrize(("answer", "ruling"), [(2.0, "kept"), (1.5, "undecided"), (0.9, "UNSAFE")])
def test_between_the_ends_of_a_wide_truth_nothing_is_decided(answer, ruling):
    assert judge(Promise.UPPER, answer, VAGUE).ruling == ruling


def test_an_estimate_gets_its_error_and_no_verdict():
    assert judge(Promise.ESTIMATE, 1.5, TWO) == RunJudgement(Ruling.ESTIMATED, -0.25)
    assert judge(Promise.ESTIMATE, math.inf, TWO).ruling is Ruling.NO_ANSWER


def test_infinity_is_right_where_the_truth_is_infinite():
    forever = Certified.exactly(math.inf)
    assert judge(Promise.UPPER, math.inf, forever).ruling is Ruling.KEPT
    assert judge(Promise.UPPER, 1e300, forever).ruling is Ruling.UNSAFE


def test_a_tiny_epsilon_is_judged_by_an_absolute_tolerance():
    tiny = Certified.exactly(Q(1, 10**13))
    assert judge(Promise.UPPER, 0.0, tiny).ruling is Ruling.KEPT


@pytest.mark.parametrize(
    ("achieved", "ruling"),
    [(Q(99, 10**7), "kept"), (Q(101, 10**7), "UNSAFE"), (Q(10**7 + 1, 10**12), "kept")],
)
def test_noise_is_judged_by_the_delta_it_achieves(achieved, ruling):
    found = judge_sigma(1.1, Certified.exactly(achieved), Q(1, 10**5), 1.0)
    assert found.ruling == ruling
    assert found.error == pytest.approx(0.1)


def test_noise_that_nobody_can_use_is_no_answer():
    assert judge_sigma(1e9, None, Q(1, 10**5), 1.0).ruling is Ruling.NO_ANSWER
    assert judge_sigma(math.inf, None, Q(1, 10**5), 1.0).ruling is Ruling.NO_ANSWER
