"""A promise is kept, broken or undecided; nothing else passes for kept."""

from __future__ import annotations

import math
from fractions import Fraction as Q

import pytest

from verify.judge.runs.promises import Promise, Ruling, RunJudgement, judge, judge_sigma
from verify.judge.runs.question import Quantity
from verify.numbers.certified import Certified

TWO = Certified.exactly(Q(2))
VAGUE = Certified(Q(1), Q(2))


@pytest.mark.parametrize(
    ("answer", "ruling"),
    [(2.0, "kept"), (3.0, "kept"), (2 - 1e-7, "kept"), (2 - 2.1e-6, "low"), (2 - 1.9e-4, "low"), (2 - 2.1e-4, "UNSAFE"), (0.0, "UNSAFE"),
     (-1.0, "UNSAFE"), (1999.0, "kept"), (2001.0, "absurd"), (1e300, "absurd"), (math.inf, "vacuous"), (-math.inf, "UNSAFE"), (math.nan, "no answer"),
     (None, "no answer")],
)  # fmt: skip
def test_an_upper_bound_below_the_truth_is_low_or_unsafe(answer, ruling):
    assert judge(Promise.UPPER, answer, TWO).ruling == ruling


@pytest.mark.parametrize(
    ("answer", "ruling"),
    [
        (2.0, "kept"),
        (1.0, "kept"),
        (2 + 1e-7, "kept"),
        (2 + 2.1e-6, "misses"),
        (0.0, "absurd"),
        (-math.inf, "vacuous"),
    ],
)
def test_a_lower_bound_above_the_truth_misses(answer, ruling):
    assert judge(Promise.LOWER, answer, TWO).ruling == ruling


@pytest.mark.parametrize(("answer", "ruling"), [(2.0, "kept"), (1.5, "undecided"), (0.9, "UNSAFE")])
def test_between_the_ends_of_a_wide_truth_nothing_is_decided(answer, ruling):
    assert judge(Promise.UPPER, answer, VAGUE).ruling == ruling


def test_only_kept_and_estimated_are_good():
    good = {ruling for ruling in Ruling if RunJudgement(ruling).good(strict=False)}
    assert good == {Ruling.KEPT, Ruling.ESTIMATED}


def test_an_estimate_gets_its_error_and_no_verdict():
    assert judge(Promise.ESTIMATE, 1.5, TWO) == RunJudgement(Ruling.ESTIMATED, -0.25)
    assert judge(Promise.ESTIMATE, math.inf, TWO).ruling is Ruling.NO_ANSWER


@pytest.mark.parametrize("answer", [3000.0, 0.0001])
def test_a_thousand_times_the_truth_or_a_thousandth_is_no_estimate(answer):
    assert judge(Promise.ESTIMATE, answer, TWO).ruling is Ruling.ABSURD


def test_infinity_is_right_where_the_truth_is_infinite():
    forever = Certified.exactly(math.inf)
    assert judge(Promise.UPPER, math.inf, forever).ruling is Ruling.KEPT
    assert judge(Promise.UPPER, 1e300, forever).ruling is Ruling.UNSAFE


def test_a_tiny_epsilon_is_judged_by_an_absolute_tolerance():
    tiny = Certified.exactly(Q(1, 10**13))
    assert judge(Promise.UPPER, 0.0, tiny).ruling is Ruling.KEPT


@pytest.mark.parametrize("size", [Q(535, 10**15), Q(1, 10**29)])
def test_a_tiny_delta_is_judged_relatively(size):
    tiny = Certified.exactly(size)
    assert judge(Promise.UPPER, 0.0, tiny, Quantity.DELTA).ruling is Ruling.UNSAFE
    below = float(size) * (1 - 1e-5)
    assert judge(Promise.UPPER, below, tiny, Quantity.DELTA).ruling is Ruling.LOW


@pytest.mark.parametrize(
    ("achieved", "ruling"),
    [(Q(99, 10**7), "kept"), (Q(101, 10**7), "UNSAFE"), (Q(10**7 + 1, 10**12), "kept"), (Q(10**5 + 1, 10**10), "low")],
)  # fmt: skip
def test_noise_below_the_least_is_judged_by_the_delta_it_achieves(achieved, ruling):
    target = Q(1, 10**5)
    found = judge_sigma(Promise.UPPER, 0.9, Certified.exactly(achieved), target, 1.0)
    assert found.ruling == ruling
    assert found.error == pytest.approx(-0.1)


def test_a_target_of_1e_25_is_judged_relatively_too():
    achieved = Certified.exactly(Q(2, 10**25))
    assert judge_sigma(Promise.UPPER, 0.9, achieved, Q(1, 10**25), 1.0).ruling is Ruling.UNSAFE


@pytest.mark.parametrize(
    ("answer", "ruling"),
    [(1.1, "kept"), (1e9, "absurd"), (math.inf, "vacuous"), (math.nan, "no answer"), (None, "no answer"), (1e-9, "UNSAFE")],
)  # fmt: skip
def test_noise_that_nobody_can_use_is_no_pass(answer, ruling):
    assert judge_sigma(Promise.UPPER, answer, None, Q(1, 10**5), 1.0).ruling == ruling
