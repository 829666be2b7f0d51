"""Real programs, asked over the protocol and judged by the exact value."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import count, product

import pytest

from verify.judge.protocol import libraries
from verify.judge.protocol.harness import Harness
from verify.judge.protocol.question import Answer
from verify.judge.runs.draws import DrawnQuestion, float32
from verify.judge.runs.judged import asker, badness, case_of, search
from verify.judge.runs.panel import ORDINARY, documented_promises, program, promises
from verify.judge.runs.promises import Promise, Ruling
from verify.judge.runs.question import NumberType, Quantity, RunQuestion
from verify.judge.runs.runs import (
    PHASES,
    chains,
    growing,
    named_runs,
    ordinary,
    others,
    with_exact_values,
)
from verify.judge.runs.truth import truth

RUN = RunQuestion(Quantity.EPSILON, ((0.01, 1.0, 1000),), 1e-5)
LONG = RunQuestion(Quantity.EPSILON, ((0.001, 1.0, 100_000),), 1e-5)
NOISE = RunQuestion(Quantity.SIGMA, ((0.01, float("nan"), 1000),), 1e-5, 2.0)
PHASED = RunQuestion(Quantity.EPSILON, PHASES[0][1], PHASES[0][2])
DELTA = RunQuestion(Quantity.DELTA, ((0.01, 1.0, 1000),), epsilon=2.0)


def answers(name, *questions, promise=Promise.UPPER):
    accountant = program(f"{sys.executable} -m tests.judge.runs.programs '{name}'", promise)
    with Harness(list(accountant.command)) as harness:
        ask = asker(harness, "")
        return [
            case_of(DrawnQuestion(str(n), (), q, truth(q)), ask(q), promise)
            for n, q in enumerate(questions)
        ]


def rulings(name, *questions, promise=Promise.UPPER):
    return [case.judgement.ruling for case in answers(name, *questions, promise=promise)]


def test_an_honest_accountant_keeps_its_promise():
    assert rulings("honest", RUN, PHASED, NOISE, LONG) == [Ruling.KEPT] * 4


def test_two_millionths_too_little_are_low():
    assert rulings("low", RUN, PHASED) == [Ruling.LOW] * 2


def test_two_ten_thousandths_too_little_are_unsafe():
    assert rulings("unsafe", RUN) == [Ruling.UNSAFE]


def test_rounding_is_neither():
    assert rulings("rounded", RUN) == [Ruling.KEPT]


def test_noise_that_is_too_small_is_unsafe():
    (case,) = answers("low", NOISE)
    assert case.judgement.ruling is Ruling.UNSAFE
    assert -0.6 < case.judgement.error < -0.4


def test_noise_of_an_estimate_is_an_estimate():
    assert rulings("low", NOISE, promise=Promise.ESTIMATE) == [Ruling.ESTIMATED]


def test_a_lower_bound_that_is_too_high_misses():
    assert rulings("high", RUN, promise=Promise.LOWER) == [Ruling.MISSES]


def test_what_is_no_answer_is_no_pass():
    (nan,), (refused,) = answers("silent", RUN), answers("honest", DELTA)
    assert nan.judgement.ruling is refused.judgement.ruling is Ruling.NO_ANSWER
    assert not nan.judgement.good(strict=False)


def test_a_mistake_that_shows_in_long_runs_only_is_found_by_the_ordinary_ones():
    cases = answers("wrong when long", *(q for _, q in ordinary()))
    assert sum(case.judgement.ruling is Ruling.UNSAFE for case in cases) == 3


def ruling_of_delta(question: RunQuestion, given: float) -> str:
    point = DrawnQuestion("one", (), question, truth(question))
    return case_of(point, Answer("value", given), Promise.UPPER).judgement.ruling


@pytest.mark.parametrize(("given", "ruling"), [(1e-4, "kept"), (0.5, "absurd"), (1.0, "absurd")])
def test_a_bound_of_delta_is_judged_by_the_epsilon_it_wastes(given, ruling):
    """The exact delta is 2.7e-6. The exact epsilon at 1e-4 is a large part of the one asked at; at 0.5 it is 0."""
    assert ruling_of_delta(DELTA, given) == ruling


@pytest.mark.parametrize(("factor", "ruling"), [(1 + 1e-6, "kept"), (1 - 1e-6, "absurd")])
def test_one_point_has_one_verdict_whether_epsilon_or_delta_was_asked_for(factor, ruling):
    """The exact epsilon at delta 1e-4 is a thousandth of the one that is asked at, up to a millionth."""
    history = ((0.01, 4.0, 10),)
    exact = truth(RunQuestion(Quantity.EPSILON, history, 1e-4))
    at = 1000 * float(exact.hi) / factor
    asked = RunQuestion(Quantity.DELTA, history, epsilon=at)
    assert at > 1  # up to 1 no epsilon is absurd
    assert (
        case_of(
            DrawnQuestion("epsilon", (), RunQuestion(Quantity.EPSILON, history, 1e-4), exact),
            Answer("value", at),
            Promise.UPPER,
        ).judgement.ruling
        == ruling
    )
    assert ruling_of_delta(asked, 1e-4) == ruling


@pytest.mark.parametrize(
    ("target", "given", "ruling"),
    [(8.0, 4.0, "kept"), (8.0, 100.0, "absurd"), (0.5, 100.0, "kept")],
)
def test_far_too_much_noise_is_judged_by_the_epsilon_it_wastes(target, given, ruling):
    """With noise 100 the exact epsilon is 0.0079: a thousandth of 8."""
    question = replace(NOISE, epsilon=target)
    point = DrawnQuestion("one", (), question, truth(question))
    assert case_of(point, Answer("value", given), Promise.UPPER).judgement.ruling == ruling


def test_the_same_training_is_asked_about_as_it_goes_on():
    (chain,) = chains(list(with_exact_values(growing(), ("Chain",))))
    steps = [sum(n for _, _, n in point.question.history) for point in chain]
    assert steps == sorted(steps)
    assert {len(point.question.history) for point in chain} == {1, 2, 3, 4}
    for before, after in zip(chain[1::2], chain[2::2], strict=False):  # after each whole phase
        assert after.question.history[:-1] == before.question.history


def test_a_search_ends_with_the_worst_it_saw():
    ticks = count()
    worst = search(
        lambda question: Answer("value", float(truth(question).hi) * 0.5),
        Promise.UPPER,
        1,
        5.0,
        lambda: float(next(ticks)),
    )
    assert badness(worst) == pytest.approx(0.5)


# -- the runs -----------------------------------------------------------------------------------


def test_all_runs_have_names_of_their_own():
    names = [name for name, _ in named_runs()]
    assert len(names) == len(set(names))


def test_ordinary_runs_have_exact_values():
    assert all(point.truth.hi > 0 for point in with_exact_values(ordinary()))


@pytest.mark.parametrize("name", ORDINARY)
def test_every_library_of_the_panel_says_what_it_promises(name):
    assert promises(libraries.known_libraries()[name])


@pytest.mark.parametrize("name", ORDINARY)
def test_every_bound_is_quoted_from_the_documentation(name):
    library = libraries.known_libraries()[name]
    bounds = {n for n, promise in promises(library).items() if promise is not Promise.ESTIMATE}
    assert bounds <= set(documented_promises(library))


def test_the_question_says_what_is_asked_for():
    assert NOISE.fields()["history"] == [{"q": 0.01, "sigma": None, "steps": 1000}]
    assert DELTA.fields()["epsilon"] == 2.0
    assert "delta" not in DELTA.fields()
    assert (RUN.fields()["sampling"], RUN.fields()["relation"]) == ("poisson", "add/remove")


# -- the types of numbers, as an adapter's function gets them ------------------------------------

ADAPTER = """
def load():
    return {}


def accountants():
    def epsilon(history, delta):
        raise TypeError([type(x).__module__ + "." + type(x).__name__ for x in history[0]])

    return {"one epsilon": epsilon}
"""


@pytest.mark.parametrize(
    ("numbers", "types"),
    [
        ("float", ["builtins.float", "builtins.float", "builtins.int"]),
        ("int", ["builtins.float", "builtins.int", "builtins.int"]),
        ("float32", ["numpy.float32", "numpy.float32", "builtins.int"]),
        ("float64", ["numpy.float64", "numpy.float64", "builtins.int"]),
        ("int64", ["numpy.float64", "numpy.int64", "numpy.int64"]),
    ],
)
def test_a_library_is_called_with_the_types_that_were_asked_for(tmp_path, numbers, types):
    file = tmp_path / "one.py"
    file.write_text(ADAPTER)
    asked = replace(RUN, accountant="one", numbers=NumberType(numbers)).fields()
    done = subprocess.run(
        [sys.executable, libraries.ADAPTERS / "serve.py", file, "--accountants", "yes"],
        input=json.dumps({"id": "1", **asked}) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["error"] == f"TypeError: {types}"


def test_every_type_is_asked_about():
    asked = {(question.quantity, question.numbers) for _, question in named_runs()}
    assert asked == set(product(Quantity, NumberType))


def test_numbers_of_a_type_are_those_the_type_holds():
    named = dict(others())
    ((q, sigma, _),) = named["numbers as float32"].history
    assert (q, sigma) == (float32(0.01), 1.0)
    assert q != 0.01
