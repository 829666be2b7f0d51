"""How likely a check of an accountant misses a fault: counted for parts of the questions."""

from __future__ import annotations

from verify.judge.runs.coverage import GuessedRun, _coverage, _parts, coverage
from verify.judge.runs.draws import draw_questions
from verify.judge.runs.question import NumberType, Quantity, RunQuestion
from verify.judge.runs.truth import ExactRun


def test_a_question_is_in_every_part_whose_conditions_hold():
    history = ((0.02, 1.0, 1), (1.0, 30.0, 100))
    asked = RunQuestion(Quantity.DELTA, history, epsilon=2.0, numbers=NumberType.INT)
    found = set(_parts([asked]))
    alone = {part[1] for part in found if len(part) == 2}
    assert alone == {
        "epsilon 0.5 to 3", "numbers int", "phases 2 to 3", "q 0.01 to 0.1", "q from 1", "sigma 1 to 2", "sigma from 25",
        "steps 50 to 1000", "steps below 2",
    }  # fmt: skip
    assert ("delta", "numbers int", "q from 1") in found
    assert ("delta", "q 0.01 to 0.1", "q from 1") not in found


def test_a_part_that_some_draws_leave_out_is_missed_by_as_many():
    drawn = {("delta", "always"): 3, ("delta", "seldom"): 1, ("delta", "both"): 2}
    found = _coverage(1, {("delta", "always")}, drawn, 4)
    assert (found.parts, found.always) == (3, 1)
    assert found.missed == (("delta, seldom", 0.75), ("delta, both", 0.5))
    assert "2 are missed by at least half" in str(found)


def test_guesses_draw_the_runs_that_exact_values_draw():
    exact, guessed = (draw_questions(2, 4, exact=how) for how in (ExactRun, GuessedRun))
    assert [p.question.history for p in exact.points] == [
        p.question.history for p in guessed.points
    ]


def test_no_part_of_one_condition_is_missed_by_a_fifth_of_the_draws():
    alone, _ = coverage(10, 120)
    assert alone.always >= 92
    assert all(missed < 0.2 for _, missed in alone.missed)
