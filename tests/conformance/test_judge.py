"""Verdicts: each can be given, each at the right place, and the floor is where it says."""

import math
from fractions import Fraction

import pytest

import verify
from verify.conformance.judge import FLOOR_UNITS, Grade, floor, judge
from verify.conformance.properties import violations
from verify.conformance.question import Answer, Question
from verify.vectors import load

Q = Question("rdp", 0.01, 1.1, 8.5)
TRUTH = next(v for v in load() if (v.q, v.sigma, v.alpha) == (0.01, 1.1, 8.5))["rdp"]


def grade(value, question=Q, truth=TRUTH, strict=False):
    return judge(question, truth, Answer("value", value), strict).grade


def test_the_truth_is_correctly_rounded():
    assert grade(TRUTH.nearest) is Grade.CORRECT


def test_the_neighbour_is_within_an_ulp():
    other = [math.nextafter(TRUTH.nearest, x) for x in (0, 1)]
    assert Grade.ULP in map(grade, other)


def floors(units):
    """The truth moved by so many floors of ln A."""
    shift = floor(Q, Fraction(TRUTH.nearest)) / (Fraction(Q.alpha) - 1)
    return float(Fraction(TRUTH.nearest) + Fraction(units) * shift)


def test_the_floor_divides_accurate_from_wrong_on_both_sides():
    assert grade(floors("0.99")) is grade(floors("-0.99")) is Grade.ACCURATE
    assert grade(floors("1.01")) is Grade.OVERSTATED
    assert grade(floors("-1.01")) is Grade.UNSAFE


def test_the_floor_is_the_stated_one():
    log_a = TRUTH.nearest * 7.5
    stated = 16 * 2.0**-53 * (8.5 * math.log(8.5) + log_a + 1)
    assert FLOOR_UNITS == 16
    assert float(floor(Q, Fraction(TRUTH.nearest))) == pytest.approx(stated, rel=1e-12)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_nan_and_inf_are_no_answers(value):
    assert grade(value) is Grade.NO_ANSWER


def test_minus_infinity_and_zero_are_unsafe():
    assert grade(-math.inf) is grade(0.0) is grade(-TRUTH.nearest) is Grade.UNSAFE


@pytest.mark.parametrize(
    "kind", ["error", "time-out", "crash", "garbage", "flood", "twice", "not-asked"]
)
def test_silence_is_never_good(kind):
    assert judge(Q, TRUTH, Answer(kind)).grade is Grade.NO_ANSWER


def test_an_infinite_truth_wants_infinity():
    vector = next(v for v in load() if v.alpha == math.inf and v.q == 0.5)
    question = Question("rdp", vector.q, vector.sigma, vector.alpha)
    assert grade(math.inf, question, vector["rdp"]) is Grade.CORRECT
    assert grade(1e300, question, vector["rdp"]) is Grade.UNSAFE


def test_lost_digits_are_counted_but_fail_only_a_strict_check():
    vector = next(v for v in load() if "Cancellation" in v.flags and v.alpha == 2.0)
    question = Question("rdp", vector.q, vector.sigma, vector.alpha)
    found = judge(question, vector["rdp"], Answer("value", 0.0))
    assert (found.grade, found.cancelled) == (Grade.ACCURATE, True)
    assert judge(question, vector["rdp"], Answer("value", 0.0), strict=True).grade is Grade.UNSAFE


def test_bits_lost():
    half = judge(Q, TRUTH, Answer("value", TRUTH.nearest * (1 + 2.0**-26)))
    assert half.bits_lost == pytest.approx(27, abs=0.1)


def test_order_one_is_judged_on_epsilon_itself():
    vector = next(v for v in load() if v.alpha == 1.0 and v.q == 0.3)
    question = Question("rdp", vector.q, vector.sigma, 1.0)
    assert grade(vector["rdp"].nearest * (1 + 1e-9), question, vector["rdp"]) is Grade.OVERSTATED


# -- properties ---------------------------------------------------------------------------------


def names(answers):
    return {v.property for v in violations(answers)}


def true_values(*points):
    return {Question("rdp", *p): verify.rdp(*p).to_double() for p in points}


def test_true_values_break_no_property():
    answers = {Question("rdp", v.q, v.sigma, v.alpha): v["rdp"].nearest for v in load()}
    assert violations(answers) == []


def test_negative():
    assert names({Q: -1e-300}) == {"nonnegative"}


def test_above_the_value_without_sampling():
    assert names({Question("rdp", 0.5, 2.0, 3.0): 0.3751}) == {"bounded"}


def test_decreasing():
    low, high = Question("rdp", 0.5, 2.0, 3.0), Question("rdp", 0.5, 2.0, 4.0)
    assert names({low: 0.1, high: 0.0999}) == {"nondecreasing"}


@pytest.mark.parametrize("change", [-1e-4, 1e-4])
def test_a_jump_at_an_integer(change):
    answers = true_values((0.3, 2.0, 3.0), (0.3, 2.0, 3.0 + 2.0**-26))
    fractional = Question("rdp", 0.3, 2.0, 3.0 + 2.0**-26)
    answers[fractional] += change
    assert "continuous" in names(answers)
