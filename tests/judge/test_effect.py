"""What answers do to the final epsilon of training runs."""

import dataclasses
import math
from fractions import Fraction

import pytest

from verify.accounting.history import history
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.judge.protocol.question import Answer
from verify.judge.show.render import text
from verify.judge.verdict import effect
from verify.judge.verdict.judged import case_of, sum_up
from verify.judge.verdict.training import RUNS
from verify.numbers.budget import Deadline


def given(change):
    """Every training run answered with the truth, changed."""
    return [
        case_of(point, Answer("value", change(point.question, point.truth.nearest)))
        for point in effect.training_points()
    ]


def effects(change):
    return effect.effects(given(change))


def test_true_answers_have_no_effect():
    found = effects(lambda question, value: value)
    assert len(found) == len(RUNS) >= 5
    assert max(e.off for e in found) < 1e-14
    assert effect.answer(found).startswith("Does it matter to my users? No:")


@pytest.mark.parametrize("place", [0, 2, 6])
def test_the_true_epsilon_is_that_of_the_accountant(place):
    run = RUNS[place]
    curve = RenyiCurve(history([(run.q, run.sigma, run.steps)]), 20, Deadline())
    known = over_list(curve, Fraction(run.delta), "cks", "dp-accounting").epsilon
    found = effects(lambda question, value: value)[place]
    assert found.true == pytest.approx(float(known), rel=1e-13)


def test_published_epsilons_are_near():
    """jax-privacy stops at epsilon 1 and 8, with a tighter accountant."""
    found = {e.run.name: e.true for e in effects(lambda question, value: value)}
    assert found["CIFAR-10"] == pytest.approx(1, abs=0.02)
    assert found["ImageNet"] == pytest.approx(8, abs=0.1)


def test_an_understatement_is_unsafe_and_matters():
    found = effects(lambda question, value: 0.5 * value)
    assert all(e.factor < 1 for e in found)
    assert "Yes: the final epsilon is off in 8 of 8" in effect.answer(found)
    assert "8 UNSAFE" in effect.answer(found)


def test_an_overstatement_by_a_millionth_and_a_half_is_seen():
    found = effects(lambda question, value: value * (1 + 4e-6))
    assert "Barely" in effect.answer(found)
    assert "overstated" in effect.answer(found)
    assert "No:" in effect.answer(effects(lambda question, value: value * (1 + 1e-8)))


def test_wrong_orders_that_are_not_the_best_do_not_matter():
    found = effects(lambda question, value: 100 * value if question.alpha > 600 else value)
    assert max(e.off for e in found) < 1e-14


def test_orders_without_an_answer_are_left_out():
    found = effects(lambda question, value: math.nan if question.alpha < 3 else value)
    assert all(e.orders < 156 for e in found)
    assert effect.answer(effects(lambda question, value: math.nan)).endswith(
        "8 of 8 published training runs get no epsilon at all."
    )


def test_a_negative_answer_can_make_epsilon_zero_and_never_less():
    found = effects(lambda question, value: -1.0)
    assert {e.given for e in found} == {0.0}


def test_orders_that_are_not_supported_are_left_out_but_not_of_the_truth():
    cases = given(lambda question, value: value)
    whole = effect.effects([case for case in cases if case.question.alpha.is_integer()])
    assert len(whole) == len(RUNS)
    assert [e.true for e in whole] == [e.true for e in effect.effects(cases)]
    assert max(e.factor for e in whole) > 1.001
    assert min(e.factor for e in whole) > 1 - 1e-14


def test_vectors_alone_say_nothing_about_runs():
    cases = [dataclasses.replace(case, flags=()) for case in given(lambda question, value: value)]
    assert effect.effects(cases) == []
    assert effect.answer([]).endswith("the training runs were left out.")


def test_the_table_fits_a_terminal():
    shown = effect.lines(effects(lambda question, value: 1.0001 * value))
    assert len(shown) == 1 + len(RUNS)
    assert max(map(len, shown)) <= 80


def test_the_first_line_says_whether_it_matters():
    found = sum_up(given(lambda question, value: value))
    assert text("mine", found).startswith("Does it matter to my users? No:")


def test_runs_are_asked_at_full_precision():
    points = effect.training_points()
    assert len(points) == 156 * len(RUNS)
    assert len({point.id for point in points}) == len(points)
    assert dataclasses.is_dataclass(points[0])
