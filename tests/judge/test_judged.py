"""From answers to exit code, document, JUnit and text."""

import json
import math
import xml.etree.ElementTree as ET

import pytest

from verify.judge.protocol.question import Answer
from verify.judge.show.record import CheckRecord, document, junit_text
from verify.judge.show.render import flag_table, summary_line, text
from verify.judge.verdict.grading import Direction, Grade, Region
from verify.judge.verdict.judged import judge_answers
from verify.results.conformance import Conformance, as_text
from verify.results.document import from_text
from verify.vectors import load
from verify.vectors.recompute import sample

SOME = sample(load(), 60, seed=2)
RUN = CheckRecord(
    "a<b>&", "1.0", "sgm-verify check x", "rdp", 0, False, "0" * 64, "0.1.0", "2026-11-16"
)
NAME = "a<b>& 1.0"


def true_answers():
    return {v.id: Answer("value", v["rdp"].nearest, seconds=0.001) for v in SOME}


def test_the_truth_conforms():
    found = judge_answers(SOME, "rdp", true_answers())
    assert (found.exit_code, found.conforms) == (0, True)


def test_one_wrong_answer_does_not():
    answers = true_answers()
    wrong = next(v for v in SOME if 0 < v["rdp"].nearest < math.inf and v["rdp"].nearest > 1e-3)
    answers[wrong.id] = Answer("value", wrong["rdp"].nearest / 2)
    found = judge_answers(SOME, "rdp", answers)
    assert (found.exit_code, found.directions[Direction.UNSAFE]) == (1, 1)
    assert found.worst(Direction.UNSAFE).id == wrong.id


def test_one_missing_answer_does_not():
    answers = true_answers()
    del answers[SOME[0].id]
    found = judge_answers(SOME, "rdp", answers)
    assert found.exit_code == 1
    assert found.why_no_answer() == {"not-asked": 1}


def test_silence_can_be_allowed_but_not_falsehood():
    answers = true_answers()
    answers[SOME[0].id] = Answer("error", detail="I cannot")
    assert judge_answers(SOME, "rdp", answers, allowed=[Grade.NO_ANSWER]).conforms


def test_a_protocol_violation_does_not_conform():
    assert judge_answers(SOME, "rdp", true_answers(), protocol=["hello"]).exit_code == 1


@pytest.mark.parametrize(
    "answer", [Answer("crash"), Answer("error", detail="not this"), Answer("not-asked")]
)
def test_who_gives_no_number_does_not_conform_whatever_is_allowed(answer):
    silent = {v.id: answer for v in SOME}
    assert judge_answers(SOME, "rdp", silent).exit_code == 1
    assert judge_answers(SOME, "rdp", silent, allowed=[Grade.NO_ANSWER]).exit_code == 1


def test_nan_everywhere_is_judged_and_rejected():
    assert (
        judge_answers(SOME, "rdp", {v.id: Answer("value", math.nan) for v in SOME}).exit_code == 1
    )


def test_counts_add_up():
    found = judge_answers(SOME, "rdp", true_answers())
    assert sum(found.counts.values()) == len(SOME)
    for flag, counts in found.by_flag().items():
        assert sum(counts.values()) == sum(flag in v.flags for v in SOME)


def test_every_point_is_in_one_region():
    found = noisy()
    parts = [found.within(region) for region in Region]
    assert sum(len(part.cases) for part in parts) == len(SOME)
    assert all(part.cases for part in parts)
    assert (
        sum(part.directions[Direction.UNSAFE] for part in parts)
        == found.directions[Direction.UNSAFE]
    )


def test_overstatement_can_be_allowed_but_not_the_other_way():
    answers = true_answers() | {SOME[0].id: Answer("value", 1e300)}
    assert judge_answers(SOME, "rdp", answers, allowed=[Direction.OVERSTATED]).failures == []
    answers[SOME[0].id] = Answer("value", -1.0)
    assert len(judge_answers(SOME, "rdp", answers, allowed=[Direction.OVERSTATED]).failures) == 1


def test_a_strict_check_fails_answers_that_are_merely_adequate():
    answers = true_answers()
    one = next(v for v in SOME if 1e-3 < v["rdp"].nearest < 1)
    answers[one.id] = Answer("value", one["rdp"].nearest * (1 + 1e-9))
    assert judge_answers(SOME, "rdp", answers).conforms
    assert [c.id for c in judge_answers(SOME, "rdp", answers, strict=True).failures] == [one.id]


def noisy():
    answers = true_answers()
    for k, vector in enumerate(SOME):
        if k % 4 == 0:
            answers[vector.id] = Answer("value", -1.0)
        if k % 4 == 1:
            answers[vector.id] = Answer("error", detail="\x1b[31m <bad> \x00")
        if k % 4 == 2:
            answers[vector.id] = Answer("value", 1e300)
    return judge_answers(SOME, "rdp", answers, protocol=["\\x1b"])


def test_the_document_counts_what_it_lists():
    found = document(RUN, noisy())
    assert found.conforms is False
    assert sum(found.verdicts.values()) == found.points == len(SOME)
    assert found.properties["nonnegative"] > 0


def test_the_file_has_every_point_on_a_line_of_its_own():
    written = as_text(document(RUN, noisy()))
    rows = json.loads(written)["cases"]["rows"]
    assert len(rows) == len(SOME)
    lines = {line.strip().rstrip(",") for line in written.splitlines()}
    assert all(json.dumps(row) in lines for row in rows)


def test_a_point_without_an_answer_has_lost_no_bits():
    rows = document(RUN, noisy()).cases.rows
    silent = [row for row in rows if row.verdict is Grade.NO_ANSWER]
    assert silent
    assert {row.bits_lost for row in silent} == {None}


def test_no_points_are_still_a_file():
    found = document(RUN, judge_answers([], "rdp", {}))
    assert json.loads(as_text(found))["cases"]["rows"] == []
    assert from_text(as_text(found), Conformance).seconds.median is None


def test_junit_is_xml_with_a_case_a_point():
    found = noisy()
    suite = ET.fromstring(junit_text(RUN, found))
    assert int(suite.get("tests")) == len(list(suite.iter("testcase"))) == len(SOME) + 7
    assert int(suite.get("failures")) == len(list(suite.iter("failure")))
    assert suite.get("name") == "a<b>& 1.0"


def test_text_names_the_worst_points():
    shown = text(NAME, noisy())
    assert "worst UNSAFE" in shown
    assert "worst overstated" in shown
    assert "not nonnegative" in shown
    assert "\x1b" not in shown


def test_the_table_of_flags_is_narrow_and_can_be_copied():
    lines = flag_table(noisy())
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    counts = noisy().by_flag()["FractionalOrder"]
    row = next(line.split() for line in lines if line.startswith("FractionalOrder"))
    assert row[1:] == [str(n or ".") for n in counts.values()]


def test_a_program_without_a_number_has_no_time_for_one():
    silent = judge_answers(SOME, "rdp", {v.id: Answer("error", seconds=0.5) for v in SOME})
    assert "time: 30.0 s; no answer to take the time of; 0 restarts" in text(NAME, silent)


def test_summary_line_is_one_line():
    assert "\n" not in summary_line(NAME, noisy())


def test_every_quantity_can_be_judged():
    for quantity in ("log_a", "log_b", "rdp_reverse"):
        answers = {v.id: Answer("value", v[quantity].nearest) for v in SOME}
        assert judge_answers(SOME, quantity, answers).conforms
        halves = {v.id: Answer("value", v[quantity].nearest / 2) for v in SOME}
        assert judge_answers(SOME, quantity, halves).directions[Direction.UNSAFE] > len(SOME) / 2
