"""Libraries that answer alike are one row; recorded answers can be judged again."""

import copy
import json

import msgspec
import pytest

import verify
from verify.judge.causes.families import alike, families
from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.inprocess import ask
from verify.judge.selftest import healthy
from verify.judge.show.record import CheckRecord, document
from verify.judge.show.tables import judgements_table as table
from verify.judge.verdict.judged import judge_answers
from verify.judge.verdict.rejudge import rejudge_document
from verify.results.conformance import Grade, as_text
from verify.results.document import BadDocument
from verify.vectors import load
from verify.vectors.recompute import sample

SOME = sample(load(), 60, seed=4)


def recorded(name, function, version="1.0"):
    run = CheckRecord(name, version, f"sgm-verify check {name}=={version} --seed 0", "rdp", 0, False, "0" * 64, verify.__version__, "2026-11-16")  # fmt: skip
    return document(run, judge_answers(SOME, "rdp", ask(function, SOME)))


GOOD = recorded("good", healthy.rdp)
WRONG = recorded("wrong", REGISTRY["interpolated"].rdp)


def test_versions_and_copies_are_one_family():
    found = families(
        [GOOD, recorded("copy", healthy.rdp), WRONG, recorded("good", healthy.rdp, "2.0")]
    )
    assert [family.name for family in found] == ["good 1.0 and 2.0, copy 1.0", "wrong 1.0"]


def test_rounding_does_not_divide_a_family_and_a_millionth_does():
    nearly = recorded("nearly", lambda *point: healthy.rdp(*point) * (1 + 1e-13))
    other = recorded("other", lambda *point: healthy.rdp(*point) * (1 + 1e-6))
    assert alike(GOOD, nearly)
    assert not alike(GOOD, other)


def test_points_drawn_for_one_check_alone_do_not_divide_a_family():
    drawn = msgspec.structs.replace(GOOD.cases.rows[0], group="fresh-training", q=0.123, answer=9.0)
    cases = msgspec.structs.replace(GOOD.cases, rows=(drawn, *GOOD.cases.rows))
    assert alike(GOOD, _with(GOOD, cases))


def _with(check, cases):
    """The check with other points; its counts are not those of the points, which nobody asks here."""
    made = copy.copy(check)
    msgspec.structs.force_setattr(made, "cases", cases)
    return made


def late(check, count):
    rows = tuple(
        msgspec.structs.replace(
            r,
            answer=None,
            verdict=Grade.NO_ANSWER,
            direction=None,
            bits_lost=None,
            reason="time-out: 30 s",
        )
        if place < count
        else r
        for place, r in enumerate(check.cases.rows)
    )
    return _with(check, msgspec.structs.replace(check.cases, rows=rows))


def test_a_slow_machine_does_not_divide_a_family_and_silence_makes_none(monkeypatch):
    monkeypatch.setattr("verify.judge.causes.families._LATE", 0.05)
    assert alike(GOOD, late(GOOD, 2))
    assert not alike(GOOD, late(GOOD, len(SOME)))


def test_one_point_divides_a_family():
    row = next(r for r in GOOD.cases.rows if isinstance(r.answer, float) and r.answer > 1e-6)
    rows = tuple(
        msgspec.structs.replace(r, answer=r.answer * 1.001) if r is row else r
        for r in GOOD.cases.rows
    )
    cases = msgspec.structs.replace(GOOD.cases, rows=rows)
    assert not alike(GOOD, msgspec.structs.replace(GOOD, cases=cases))


def test_a_row_tells_family_errors_by_region_effect_and_cause():
    lines = table([GOOD, WRONG]).splitlines()
    assert len(lines) == 4
    assert "interpolated (" in lines[3]
    assert "overstated, worst" in lines[3]
    assert "| none | none |" in lines[2]


def test_a_row_counts_what_is_good_at_default_orders():
    counts = {"DefaultOrder": {"exact": 3, "adequate": 1, "wrong": 2}}
    told = table([msgspec.structs.replace(WRONG, by_flag=counts)]).splitlines()
    assert [cell.strip() for cell in told[0].split("|")][3] == "at default orders"
    assert [cell.strip() for cell in told[2].split("|")][3] == "4 of 6"


def test_what_was_recorded_is_judged_to_the_same():
    again = rejudge_document(as_text(WRONG).encode())
    assert as_text(again) == as_text(WRONG)


def test_an_edited_record_is_not_judged_again():
    with pytest.raises(BadDocument, match="digest"):
        rejudge_document(
            as_text(WRONG).replace('"date": "2026-11-16"', '"date": "2026-11-17"').encode()
        )


def test_the_format_before_is_read():
    content = json.loads(as_text(WRONG))
    keep = [0, 1, 2, 3, 4, 5, 8]
    cases = content["cases"]
    old = content | {
        "format": "sgm-verify conformance 2",
        "cases": {
            "columns": [cases["columns"][k] for k in keep],
            "rows": [[row[k] for k in keep] for row in cases["rows"]],
        },
    }
    again = rejudge_document(json.dumps(old).encode())
    assert again.verdicts == WRONG.verdicts


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": "sgm-verify conformance 1"}'])
def test_what_is_no_record_is_refused(content):
    with pytest.raises(BadDocument):
        rejudge_document(content)
