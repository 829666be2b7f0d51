"""Verdicts: each can be given, each at the right place, and the limits are where they say."""

import itertools
import math
import random
from fractions import Fraction

import pytest

import verify
from verify.judge.check.search import truth
from verify.judge.protocol.question import Answer, Question
from verify.judge.verdict.conditioning import ULPS, bounds_nearby, condition
from verify.judge.verdict.grading import GOOD, Direction, Grade, judge, tolerance
from verify.judge.verdict.properties import violations
from verify.vectors import load

Q = Question("rdp", 0.01, 1.1, 8.5)
TRUTH = next(v for v in load() if (v.q, v.sigma, v.alpha) == (0.01, 1.1, 8.5))["rdp"]


def verdict(value, question=Q, expected=TRUTH):
    found = judge(question, expected, Answer("value", value))
    return found.grade, found.direction


def grade(value, question=Q, expected=TRUTH):
    return verdict(value, question, expected)[0]


def off(relative):
    """The truth with a relative error."""
    return float(Fraction(TRUTH.lo) * (1 + Fraction(relative)))


def test_the_truth_is_exact():
    assert verdict(TRUTH.nearest) == (Grade.EXACT, None)


def test_the_neighbour_of_the_truth_is_exact():
    assert Grade.EXACT in [grade(math.nextafter(TRUTH.nearest, x)) for x in (0, 1)]


@pytest.mark.parametrize(("inside", "outside", "better", "worse"), [
    ("0.999e-12", "1.001e-11", Grade.FULL, Grade.ADEQUATE),
    ("0.999e-6", "1.001e-6", Grade.ADEQUATE, Grade.INEXACT),
    ("0.00999", "0.01001", Grade.INEXACT, Grade.WRONG),
])  # fmt: skip
@pytest.mark.parametrize("sign", ["", "-"])
def test_each_limit_divides_two_grades_on_both_sides(inside, outside, better, worse, sign):
    assert (grade(off(sign + inside)), grade(off(sign + outside))) == (better, worse)


def test_only_what_is_worse_than_adequate_has_a_direction():
    assert verdict(off("-0.999e-6"))[1] is verdict(off("0.999e-6"))[1] is None
    assert verdict(off("-1.001e-6"))[1] is Direction.LOW
    assert verdict(off("1.001e-6"))[1] is Direction.OVERSTATED


def test_a_ten_thousandth_divides_low_from_unsafe():
    assert verdict(off("-0.999e-4")) == (Grade.INEXACT, Direction.LOW)
    assert verdict(off("-1.001e-4")) == (Grade.INEXACT, Direction.UNSAFE)


def test_an_absolute_error_of_1e_12_is_adequate_and_more_is_not():
    question = Question("rdp", 1e-6, 5.0, 2.0)  # epsilon is 4e-14
    expected = truth(question)
    assert grade(expected.nearest + 0.99e-12, question, expected) is Grade.ADEQUATE
    assert verdict(expected.nearest + 1.01e-12, question, expected) == (
        Grade.WRONG,
        Direction.OVERSTATED,
    )
    assert verdict(expected.nearest - 1.01e-12, question, expected)[1] is Direction.UNSAFE


@pytest.mark.parametrize("power", [-12, -20, -40, -52])
@pytest.mark.parametrize("times", [0.0, -1.0, 4.0, 1e5])
def test_orders_next_to_one_excuse_nothing(power, times):
    question = Question("rdp", 0.01, 1.1, 1 + 2.0**power)
    expected = truth(question)
    assert grade(times * expected.nearest, question, expected) is Grade.WRONG
    assert grade(expected.nearest, question, expected) is Grade.EXACT


def test_clamping_at_zero_earns_nothing():
    """Negative or clamped, the verdict is the same, wherever the true value is one that matters."""
    for vector in load():
        if 2e-12 < vector["rdp"].nearest < math.inf:
            question = Question("rdp", vector.q, vector.sigma, vector.alpha)
            assert verdict(0.0, question, vector["rdp"]) == (Grade.WRONG, Direction.UNSAFE)
            assert verdict(-1e-9, question, vector["rdp"]) == (Grade.WRONG, Direction.UNSAFE)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_nan_and_inf_are_no_answers(value):
    assert verdict(value) == (Grade.NO_ANSWER, None)


def test_minus_infinity_and_zero_are_unsafe():
    assert verdict(-math.inf) == verdict(0.0) == verdict(-1.0) == (Grade.WRONG, Direction.UNSAFE)


@pytest.mark.parametrize(
    "kind", ["error", "time-out", "crash", "garbage", "flood", "twice", "not-asked"]
)
def test_silence_is_never_good(kind):
    assert judge(Q, TRUTH, Answer(kind)).grade is Grade.NO_ANSWER


def test_an_infinite_truth_wants_infinity():
    vector = next(v for v in load() if v.alpha == math.inf and v.q == 0.5)
    question = Question("rdp", vector.q, vector.sigma, vector.alpha)
    assert verdict(math.inf, question, vector["rdp"]) == (Grade.EXACT, None)
    assert verdict(1e300, question, vector["rdp"]) == (Grade.WRONG, Direction.UNSAFE)


def test_without_sampling_the_truth_is_zero_and_has_no_relative_error():
    vector = next(v for v in load() if v.q == 0 and v.alpha == 2.0)
    question = Question("rdp", 0.0, vector.sigma, 2.0)
    assert grade(0.0, question, vector["rdp"]) is Grade.EXACT
    assert grade(1e-13, question, vector["rdp"]) is Grade.ADEQUATE
    assert verdict(1e-11, question, vector["rdp"]) == (Grade.WRONG, Direction.OVERSTATED)
    assert judge(question, vector["rdp"], Answer("value", 1e-11)).relative == math.inf


def test_ln_a_is_judged_by_the_epsilon_it_stands_for():
    question = Question("log_a", 1e-6, 5.0, 101.0)
    expected = truth(question)
    assert grade(expected.nearest + 0.99e-10, question, expected) is Grade.ADEQUATE
    assert grade(expected.nearest + 1.01e-10, question, expected) is Grade.WRONG


def test_bits_lost():
    half = judge(Q, TRUTH, Answer("value", TRUTH.nearest * (1 + 2.0**-26)))
    assert half.bits_lost == pytest.approx(27, abs=0.1)


# -- conditioning -------------------------------------------------------------------------------

SMALL = Question("rdp", 0.3, 0.01, 1.0001)


@pytest.mark.parametrize("question", [Q, SMALL, Question("rdp_reverse", 0.3, 0.1, 3.5),
                                      Question("log_a", 1e-3, 40.0, 1 + 2.0**-40)])  # fmt: skip
def test_what_is_explained_contains_every_neighbour(question):
    """Parameters moved by up to 8 ulps, corners and inside: the certified value is between the bounds."""
    low, high = bounds_nearby(question)
    inside = random.Random(5)
    moves = [*itertools.product((-ULPS, ULPS), repeat=3)]
    moves += [tuple(inside.uniform(-ULPS, ULPS) for _ in range(3)) for _ in range(20)]
    for move in moves:
        q, sigma, alpha = (
            Fraction(x) + Fraction(by) * Fraction(math.ulp(x))
            for x, by in zip((question.q, question.sigma, question.alpha), move, strict=True)
        )
        value = getattr(verify, question.quantity)(q, sigma, alpha, digits=25)
        assert low <= value.lo
        assert value.hi <= high


def test_the_condition_number_is_that_of_the_formula_without_sampling():
    """alpha/(2 sigma^2): relative moves of alpha and of sigma count once and twice."""
    assert condition(Question("rdp", 1.0, 1.0, 2.0)) == pytest.approx(3, rel=0.3)


def test_what_rounding_sigma_explains_is_full_and_ten_times_that_is_not():
    low, high = bounds_nearby(SMALL)
    expected = truth(SMALL)
    middle = Fraction(expected.lo)
    assert float(high / middle - 1) > 2e-12  # beyond the plain limit
    assert grade(float(middle + (high - middle) * Fraction("0.98")), SMALL, expected) is Grade.FULL
    assert grade(float(middle + (high - middle) * 10), SMALL, expected) is Grade.ADEQUATE
    assert grade(float(middle - (middle - low) * 10), SMALL, expected) is Grade.ADEQUATE


# -- properties ---------------------------------------------------------------------------------


def names(answers):
    return {v.property for v in violations(answers)}


def true_values(*points):
    return {Question("rdp", *p): verify.rdp(*p).to_double() for p in points}


def test_true_values_break_no_property():
    answers = {Question("rdp", v.q, v.sigma, v.alpha): v["rdp"].nearest for v in load()}
    assert violations(answers) == []


def test_adequate_answers_break_no_property():
    """One tolerance for all rules: a property that breaks shows in a verdict, too."""
    rng, answers = random.Random(3), {}
    for v in load():
        question, size = Question("rdp", v.q, v.sigma, v.alpha), v["rdp"].nearest
        if math.isfinite(size):
            allowed = float(tolerance(question, Fraction(size)))
            answers[question] = size + rng.choice((-0.999, 0.999)) * allowed
            assert grade(answers[question], question, v["rdp"]) in GOOD
    assert violations(answers) == []


def test_negative():
    assert names({Q: -1.01e-12}) == {"nonnegative"}
    assert names({Q: -0.99e-12}) == set()


def test_above_the_value_without_sampling():
    assert names({Question("rdp", 0.5, 2.0, 3.0): 0.375 * (1 + 1.01e-6)}) == {"bounded"}
    assert names({Question("rdp", 0.5, 2.0, 3.0): 0.375 * (1 + 0.99e-6)}) == set()


def test_decreasing():
    low, high = Question("rdp", 0.5, 2.0, 3.0), Question("rdp", 0.5, 2.0, 4.0)
    assert names({low: 0.1, high: 0.1 * (1 - 2.1e-6)}) == {"nondecreasing"}
    assert names({low: 0.1, high: 0.1 * (1 - 1.9e-6)}) == set()


@pytest.mark.parametrize("change", [-1e-4, 1e-4])
def test_a_jump_at_an_integer(change):
    answers = true_values((0.3, 2.0, 3.0), (0.3, 2.0, 3.0 + 2.0**-26))
    fractional = Question("rdp", 0.3, 2.0, 3.0 + 2.0**-26)
    answers[fractional] += change
    assert "continuous" in names(answers)
