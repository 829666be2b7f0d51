"""Other samplings and relations: who is asked about them, with which numbers, and what is true."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace

import pytest

from verify.judge.protocol import libraries
from verify.judge.protocol.question import Answer
from verify.judge.protocol.targets import Target
from verify.judge.runs.draws import DrawnQuestion
from verify.judge.runs.judged import case_of
from verify.judge.runs.notions import questions
from verify.judge.runs.panel import USUAL, Accountant, Promise, function
from verify.judge.runs.promises import Ruling
from verify.judge.runs.question import Quantity, RunQuestion
from verify.judge.runs.record import _run_answer
from verify.judge.runs.runs import chains
from verify.judge.runs.truth import truth
from verify.results.matrix import command, question

RUN = RunQuestion(Quantity.EPSILON, ((0.01, 1.0, 1000),), 1e-5)
REPLACED = replace(RUN, relation="replace-one")
KNOWN = RunQuestion(
    Quantity.EPSILON,
    ((math.nan, 1.0, 1),),
    1e-5,
    sampling="sequential",
    relation="replace-one",
    beside=(("epochs", 1),),
)
CUT = replace(RUN, sampling="truncated-poisson", beside=(("records", 5000), ("limit", 80)))
ADAPTER = """
def load():
    return {}


def accountants():
    return {
        "one epsilon": lambda history, delta: 1.0,
        "one epsilon poisson replace-one": lambda history, delta: 2.0,
        "one epsilon sequential replace-one": lambda history, delta, epochs: 10.0 * epochs,
        "one epsilon truncated-poisson add/remove": lambda history, delta, records, limit: records / limit,
    }
"""
FUNCTION = """
def epsilon(history, delta, **beside):
    return history[0][2] + beside.get("epochs", 0)
"""


def accountant(*functions, notions=USUAL, name="one"):
    target = Target("a library", "1", ("true",))
    return Accountant(target, name, Promise.UPPER, ("true",), frozenset(functions), notions=notions)


def served(spec, asked):
    done = subprocess.run(
        [sys.executable, libraries.ADAPTERS / "serve.py", spec, "--accountants", "yes"],
        input=json.dumps({"id": "1", **asked.fields()}) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("asked", "value"), [(RUN, 1.0), (REPLACED, 2.0), (KNOWN, 10.0), (CUT, 62.5)]
)
def test_each_notion_has_a_function_of_its_own(tmp_path, asked, value):
    file = tmp_path / "one.py"
    file.write_text(ADAPTER)
    assert served(file, replace(asked, accountant="one"))["value"] == value


def test_a_notion_without_a_function_is_refused(tmp_path):
    file = tmp_path / "one.py"
    file.write_text(ADAPTER)
    asked = replace(RUN, relation="zero-out", accountant="one")
    assert "only one epsilon" in served(file, asked)["error"]


@pytest.mark.parametrize(("asked", "value"), [(REPLACED, 1000.0), (KNOWN, 2.0)])
def test_a_function_is_asked_about_what_its_user_says(tmp_path, asked, value):
    file = tmp_path / "mine.py"
    file.write_text(FUNCTION)
    assert served(f"{file}:epsilon", asked)["value"] == value


def test_a_function_offers_the_notions_it_was_given(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FUNCTION)
    mine = function(f"{file}:epsilon", Promise.UPPER, None, (("poisson", "replace-one"),))
    assert mine.offers(REPLACED)
    assert not mine.offers(RUN)


def test_a_library_is_not_asked_about_a_relation_that_it_does_not_account_for():
    usual = accountant("one epsilon")
    assert usual.offers(RUN)
    assert not usual.offers(REPLACED)


def test_a_library_is_asked_about_what_it_has_a_function_for():
    more = accountant("one epsilon", "one epsilon poisson replace-one")
    assert more.offers(REPLACED)
    assert not more.offers(replace(REPLACED, quantity=Quantity.DELTA, delta=None, epsilon=1.0))


TWO = replace(RUN, history=((0.01, 1.0, 500), (0.02, 1.0, 500)))
SAME = replace(RUN, history=((0.01, 1.0, 500), (0.01, 2.0, 500)))


@pytest.mark.parametrize(
    ("limit", "offered"),
    [("", {RUN, SAME, TWO}), (" of one rate", {RUN, SAME}), (" of one phase", {RUN})],
)
def test_a_function_may_be_limited_to_some_histories(limit, offered):
    usual = accountant(f"one epsilon{limit}")
    assert {asked for asked in (RUN, SAME, TWO) if usual.offers(asked)} == offered
    other = accountant(f"one epsilon poisson replace-one{limit}")
    replaced = {asked: replace(asked, relation="replace-one") for asked in (RUN, SAME, TWO)}
    assert {asked for asked, one in replaced.items() if other.offers(one)} == offered


@pytest.mark.parametrize("limit", [" of one rate", " of one phase"])
def test_a_limited_function_is_found_by_its_short_name(tmp_path, limit):
    file = tmp_path / "one.py"
    file.write_text(ADAPTER.replace('"one epsilon"', f'"one epsilon{limit}"'))
    assert served(file, replace(RUN, accountant="one"))["value"] == 1.0


def test_all_questions_differ_and_have_names_of_their_own():
    found = list(questions())
    assert len(found) == len({str(q) for q in found}) == 15


def test_the_truth_of_another_relation_is_not_that_of_the_usual_one():
    assert truth(REPLACED).to_double() == pytest.approx(2.8434402593, rel=1e-9)
    assert truth(KNOWN).to_double() == pytest.approx(9.997256146, rel=1e-9)


def test_noise_for_another_relation_is_not_asked():
    with pytest.raises(Exception, match="is not asked"):
        truth(RunQuestion(Quantity.SIGMA, ((0.01, math.nan, 10),), 1e-5, 1.0, relation="zero-out"))


def test_a_delta_of_another_relation_is_judged_by_that_relation():
    """At a delta of 0.25 the epsilon of add/remove is 0, so that a 4 would be absurd; that of replace-one is not."""
    asked = replace(REPLACED, quantity=Quantity.DELTA, delta=None, epsilon=4.0)
    point = DrawnQuestion("1", (), asked, truth(asked))
    case = case_of(point, Answer("value", value=0.25), Promise.UPPER)
    assert case.judgement.ruling is Ruling.KEPT


def test_a_run_of_another_relation_is_no_link_of_a_chain():
    points = [
        DrawnQuestion(f"{i}", (), replace(run, history=((0.01, 1.0, i),)), truth(KNOWN))
        for i, run in enumerate([RUN, REPLACED] * 4, 1)
    ]
    assert chains(points) == []


def test_what_was_asked_is_recorded_with_the_command_that_certifies_it():
    point = DrawnQuestion("1", ("Notion",), KNOWN, truth(KNOWN))
    case = _run_answer(case_of(point, Answer("value", value=4.728507), Promise.UPPER))
    assert case.ruling == "UNSAFE"
    assert question(case).startswith("σ = 1, 1 epochs of 1 batches; δ = 1e-05, sequential")
    assert "--epochs 1 --sampling sequential --relation replace-one" in command(case)
