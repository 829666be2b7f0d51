"""Real programs, asked over the protocol and judged by the exact epsilon."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from verify.accountants.judged import ask, badness, search, smallest
from verify.accountants.panel import ORDINARY, program, promises
from verify.accountants.promises import Promise, Ruling
from verify.accountants.question import NumberType, Quantity, RunQuestion
from verify.accountants.runs import PHASES, float32, fresh, nearby, of_type, ordinary, others
from verify.conformance import libraries
from verify.conformance.harness import Harness

RUN = RunQuestion(Quantity.EPSILON, ((0.01, 1.0, 1000),), 1e-5)
LONG = RunQuestion(Quantity.EPSILON, ((0.001, 1.0, 100_000),), 1e-5)
NOISE = RunQuestion(Quantity.SIGMA, ((0.01, float("nan"), 1000),), 1e-5, 2.0)
PHASED = RunQuestion(Quantity.EPSILON, PHASES[0][1], PHASES[0][2])
DELTA = RunQuestion(Quantity.DELTA, ((0.01, 1.0, 1000),), epsilon=2.0)


def answers(name, *questions, promise=Promise.UPPER):
    accountant = program((sys.executable, "-m", "tests.accountants.programs", name), promise)
    with Harness(list(accountant.command)) as harness:
        return list(ask(accountant, harness, [(str(n), q) for n, q in enumerate(questions)]))


def rulings(name, *questions, promise=Promise.UPPER):
    return [case.judgement.ruling for case in answers(name, *questions, promise=promise)]


def test_an_honest_accountant_keeps_its_promise():
    assert rulings("honest", RUN, PHASED, NOISE, LONG) == [Ruling.KEPT] * 4


def test_two_millionths_too_little_are_unsafe():
    assert rulings("low", RUN, PHASED) == [Ruling.UNSAFE] * 2


def test_rounding_is_not():
    assert rulings("rounded", RUN) == [Ruling.KEPT]


def test_noise_that_is_too_small_is_unsafe():
    (case,) = answers("low", NOISE)
    assert case.judgement.ruling is Ruling.UNSAFE
    assert -0.6 < case.judgement.error < -0.4


def test_a_lower_bound_that_is_too_high_misses():
    assert rulings("high", RUN, promise=Promise.LOWER) == [Ruling.MISSES]


def test_what_is_no_answer_is_no_pass():
    assert rulings("silent", RUN) == [Ruling.NO_ANSWER]
    assert rulings("honest", DELTA) == [Ruling.NO_ANSWER]


def test_a_mistake_that_shows_in_long_runs_only_is_found_by_the_ordinary_ones():
    cases = answers("wrong when long", *(q for _, q in ordinary()))
    assert sum(case.judgement.ruling is Ruling.UNSAFE for case in cases) == 3
    assert smallest(cases).judgement.ruling is Ruling.UNSAFE


def test_a_search_ends_with_the_worst_it_saw():
    accountant = program((sys.executable, "-m", "tests.accountants.programs", "low"), Promise.UPPER)
    seen = []
    with Harness(list(accountant.command)) as harness:
        worst = search(accountant, harness, 1, 1.0, seen.append)
    assert worst is seen[-1]
    assert [badness(case) for case in seen] == sorted(badness(case) for case in seen)


# -- the runs -----------------------------------------------------------------------------------


def test_fresh_runs_depend_on_the_seed_only():
    assert list(fresh(3, 5)) == list(fresh(3, 5))
    assert list(fresh(3, 5)) != list(fresh(4, 5))


def test_all_runs_have_names_of_their_own():
    names = [name for name, _ in (*ordinary(), *others())]
    assert len(names) == len(set(names))


def test_numbers_of_a_type_are_those_the_type_holds():
    ((q, sigma, _),) = of_type(RUN, NumberType.FLOAT32).history
    assert (q, sigma) == (float32(0.01), 1.0)
    assert q != 0.01


def test_neighbours_stay_in_the_domain():
    question, random = RUN, Random(0)
    for _ in range(300):
        question = nearby(question, random)
        ((q, sigma, steps),) = question.history
        assert 0 < q <= 1
        assert 0.3 <= sigma <= 1000
        assert steps >= 1
        assert 1e-30 <= question.delta <= 0.1


@pytest.mark.parametrize("name", ORDINARY)
def test_every_library_of_the_panel_says_what_it_promises(name):
    assert promises(libraries.known()[name])


def test_the_question_says_what_is_asked_for():
    assert NOISE.fields()["history"] == [{"q": 0.01, "sigma": None, "steps": 1000}]
    assert DELTA.fields()["epsilon"] == 2.0
    assert "delta" not in DELTA.fields()


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
    assert {question.numbers for _, question in others()} == set(NumberType)
