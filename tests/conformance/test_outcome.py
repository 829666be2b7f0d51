"""From answers to exit code, JSON and JUnit."""

import json
import math
import xml.etree.ElementTree as ET

from verify.conformance.judge import Verdict
from verify.conformance.outcome import outcome
from verify.conformance.question import Answer
from verify.conformance.render import Run, as_json, json_text, junit, summary_line, text
from verify.vectors import load
from verify.vectors.recompute import sample

SOME = sample(load(), 60, seed=2)
RUN = Run("a<b>&", "1.0", "sgm-verify check x", "rdp", 0, False, "0" * 64, "0.1.0", "2026-11-16")


def true_answers():
    return {v.id: Answer("value", v["rdp"].nearest, seconds=0.001) for v in SOME}


def test_the_truth_conforms():
    found = outcome(SOME, "rdp", true_answers())
    assert (found.exit_code, found.conforms) == (0, True)


def test_one_wrong_answer_does_not():
    answers = true_answers()
    wrong = next(v for v in SOME if 0 < v["rdp"].nearest < math.inf and v["rdp"].nearest > 1e-3)
    answers[wrong.id] = Answer("value", wrong["rdp"].nearest / 2)
    found = outcome(SOME, "rdp", answers)
    assert (found.exit_code, found.counts[Verdict.UNSAFE]) == (1, 1)
    assert found.worst(Verdict.UNSAFE).id == wrong.id


def test_one_missing_answer_does_not():
    answers = true_answers()
    del answers[SOME[0].id]
    found = outcome(SOME, "rdp", answers)
    assert found.exit_code == 1
    assert found.why_no_answer() == {"not-asked": 1}


def test_silence_can_be_allowed_but_not_falsehood():
    answers = true_answers()
    answers[SOME[0].id] = Answer("error", detail="I cannot")
    assert outcome(SOME, "rdp", answers, allowed=[Verdict.NO_ANSWER]).conforms


def test_a_protocol_violation_does_not_conform():
    assert outcome(SOME, "rdp", true_answers(), protocol=["hello"]).exit_code == 1


def test_nothing_to_judge_is_a_failed_harness():
    assert outcome(SOME, "rdp", {}).exit_code == 2
    crashed = {v.id: Answer("crash") for v in SOME}
    assert outcome(SOME, "rdp", crashed, allowed=[Verdict.NO_ANSWER]).exit_code == 2


def test_nan_everywhere_is_judged_and_rejected():
    assert outcome(SOME, "rdp", {v.id: Answer("value", math.nan) for v in SOME}).exit_code == 1


def test_counts_add_up():
    found = outcome(SOME, "rdp", true_answers())
    assert sum(found.counts.values()) == len(SOME)
    for flag, counts in found.by_flag().items():
        assert sum(counts.values()) == sum(flag in v.flags for v in SOME)


def noisy():
    answers = true_answers()
    for k, vector in enumerate(SOME):
        if k % 4 == 0:
            answers[vector.id] = Answer("value", -1.0)
        if k % 4 == 1:
            answers[vector.id] = Answer("error", detail="\x1b[31m <bad> \x00")
        if k % 4 == 2:
            answers[vector.id] = Answer("value", 1e300)
    return outcome(SOME, "rdp", answers, protocol=["\\x1b"])


def test_json_is_strict_json_and_complete():
    data = json.loads(json.dumps(as_json(RUN, noisy()), allow_nan=False))
    assert data["complete"] is True
    assert data["conforms"] is False
    assert sum(data["verdicts"].values()) == data["points"] == len(SOME)
    assert data["properties"]["nonnegative"] > 0


def test_the_file_has_every_point_on_a_line_of_its_own():
    found = noisy()
    written = json_text(RUN, found)
    data = json.loads(written)
    assert data == json.loads(json.dumps(as_json(RUN, found)))
    rows = data["cases"]["rows"]
    assert len(rows) == len(SOME)
    lines = {line.strip().rstrip(",") for line in written.splitlines()}
    assert all(json.dumps(row) in lines for row in rows)


def test_a_point_without_an_answer_has_lost_no_bits():
    columns, rows = json.loads(json_text(RUN, noisy()))["cases"].values()
    silent = [dict(zip(columns, row, strict=True)) for row in rows if "no answer" in row]
    assert silent
    assert {row["bits_lost"] for row in silent} == {None}


def test_no_points_are_still_json():
    assert json.loads(json_text(RUN, outcome([], "rdp", {})))["cases"]["rows"] == []


def test_junit_is_xml_with_a_case_a_point():
    found = noisy()
    suite = ET.fromstring(junit(RUN, found))
    assert int(suite.get("tests")) == len(list(suite.iter("testcase"))) == len(SOME) + 5
    assert int(suite.get("failures")) == len(list(suite.iter("failure")))
    assert suite.get("name") == "a<b>& 1.0"


def test_text_names_the_worst_points():
    shown = text(RUN, noisy())
    assert "worst UNSAFE" in shown
    assert "worst overstated" in shown
    assert "not nonnegative" in shown
    assert "\x1b" not in shown


def test_summary_line_is_one_line():
    assert "\n" not in summary_line(RUN, noisy())


def test_every_quantity_can_be_judged():
    for quantity in ("log_a", "log_b", "rdp_reverse"):
        answers = {v.id: Answer("value", v[quantity].nearest) for v in SOME}
        assert outcome(SOME, quantity, answers).conforms
        halves = {v.id: Answer("value", v[quantity].nearest / 2) for v in SOME}
        assert outcome(SOME, quantity, halves).counts[Verdict.UNSAFE] > len(SOME) / 2
