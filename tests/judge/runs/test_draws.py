"""Draws: the same for a seed, and spread over everything accountants are used for."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import ClassVar

import pytest

from verify.judge.protocol.domain import RunDomain
from verify.judge.runs.draws import _history, draw_questions, nearby
from verify.judge.runs.question import Quantity, RunQuestion
from verify.judge.runs.truth import ExactRun, truth
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain

RUN = RunQuestion(Quantity.EPSILON, ((0.01, 1.0, 1000),), 1e-5)


def test_draws_depend_on_the_seed_only():
    """Of these seeds no question comes near the limit of work, where the machine's speed decides."""
    assert draw_questions(2, 4) == draw_questions(2, 4)
    assert draw_questions(2, 4).points != draw_questions(4, 4).points


def test_all_quantities_are_drawn_alike():
    found = [point.question.quantity for point in draw_questions(5, 8).points]
    assert min(found.count(q) for q in Quantity) >= 2


def test_the_noise_that_is_asked_for_is_the_least():
    (point,) = draw_questions(8, 1, quantities=(Quantity.SIGMA,)).points
    ((q, _, steps),) = point.question.history
    sigma, target = float(point.truth.hi), point.question.delta
    assert ExactRun(((q, sigma, steps),)).delta(point.question.epsilon).hi <= target
    assert ExactRun(((q, sigma * (1 - 2e-9), steps),)).delta(point.question.epsilon).lo > target


def test_histories_have_everything_that_is_promised():
    rng = Random(1)
    found = [_history(rng) for _ in range(2000)]
    counts = [len(history) for history in found]
    assert (min(counts), max(counts)) == (1, 20)
    assert any(steps == 1 for history in found for _, _, steps in history)
    assert min(sigma for history in found for _, sigma, _ in history) < 0.32
    assert max(q for history in found for q, _, _ in history) == 1
    assert min(q for history in found for q, _, _ in history) >= 1e-6
    assert sum(max(q for q, _, _ in history) > 0.5 for history in found) > 200


def test_phases_differ_by_far_in_some_histories():
    """A warm-up of a few steps, a rate far below the others, a full batch among samples."""
    rng = Random(2)
    found = [h for h in (_history(rng) for _ in range(2000)) if len(h) > 1]
    assert sum(100 * min(n for _, _, n in h) < sum(n for _, _, n in h) for h in found) > 100
    assert sum(10 * min(q for q, _, _ in h) < max(q for q, _, _ in h) for h in found) > 100
    assert sum({q == 1 for q, _, _ in h} == {True, False} for h in found) > 100


class Unasked:
    """In the place of exact values, which take long: what is drawn does not depend on them."""

    deltas: ClassVar[list[float]] = []

    def __init__(self, phases):
        self.phases = phases

    def epsilon(self, delta):
        self.deltas.append(delta)
        return Certified.exactly(Fraction(1))

    def delta(self, epsilon):
        return Certified.exactly(Fraction(1, 1000))


def test_some_questions_have_numbers_as_people_write_them_and_large_deltas():
    Unasked.deltas.clear()
    found = draw_questions(11, 200, quantities=(Quantity.DELTA,), exact=Unasked).points
    short = [p for p in found if all(len(f"{q!r}{s!r}") < 14 for q, s, _ in p.question.history)]
    assert 20 <= len(short) <= 80
    assert sum(delta > 1e-2 for delta in Unasked.deltas) >= 10


def test_noise_is_asked_for_tiny_rates_one_step_and_long_runs():
    drawn = draw_questions(12, 60, quantities=(Quantity.SIGMA,), exact=Unasked)
    found = [p.question.history[0] for p in drawn.points]
    assert sum(q < 1e-4 for q, _, _ in found) >= 3
    assert sum(n > 60_000 for _, _, n in found) >= 3
    assert sum(n == 1 for _, _, n in found) >= 2


def test_a_domain_is_kept_to():
    inside = RunDomain("q<=0.5, delta>=1e-12, phases<=2")
    points = draw_questions(2, 5, inside).points
    assert all(inside.holds_for(point.question.names()) for point in points)


@pytest.mark.parametrize("text", ["alpha>=2", "whole", "q", "q<=x"])
def test_a_condition_on_something_else_is_refused(text):
    with pytest.raises(OutOfDomain):
        RunDomain(text)


def test_neighbours_stay_in_the_domain():
    question, random = RUN, Random(0)
    for _ in range(300):
        question = nearby(question, random)
        ((q, sigma, steps),) = question.history
        assert 0 < q <= 1
        assert 0.3 <= sigma <= 1000
        assert steps >= 1
        assert 1e-30 <= question.delta <= 0.1


def test_the_exact_value_is_that_of_both_directions():
    assert float(truth(RUN).hi) == pytest.approx(1.8282366665165768)
