"""Libraries that answer alike are one row; recorded answers can be judged again."""

import json

import msgspec
import pytest

import verify
from verify.conformance import healthy
from verify.conformance.families import alike, families
from verify.conformance.inprocess import ask
from verify.conformance.judged import judged
from verify.conformance.known_wrong import REGISTRY
from verify.conformance.record import Run, document
from verify.conformance.rejudge import rejudged
from verify.conformance.tables import judged as table
from verify.results.conformance import as_text
from verify.results.document import BadDocument
from verify.vectors import load
from verify.vectors.recompute import sample

SOME = sample(load(), 60, seed=4)


def recorded(name, function, version="1.0"):
    run = Run(name, version, f"sgm-verify check {name}=={version} --seed 0", "rdp", 0, False, "0" * 64, verify.__version__, "2026-11-16")  # fmt: skip
    return document(run, judged(SOME, "rdp", ask(function, SOME)))


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


def test_what_was_recorded_is_judged_to_the_same():
    again = rejudged(as_text(WRONG).encode())
    assert as_text(again) == as_text(WRONG)


def test_an_edited_record_is_not_judged_again():
    with pytest.raises(BadDocument, match="digest"):
        rejudged(as_text(WRONG).replace('"date": "2026-11-16"', '"date": "2026-11-17"').encode())


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
    again = rejudged(json.dumps(old).encode())
    assert again.verdicts == WRONG.verdicts


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": "sgm-verify conformance 1"}'])
def test_what_is_no_record_is_refused(content):
    with pytest.raises(BadDocument):
        rejudged(content)
