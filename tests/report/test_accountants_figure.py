"""The figure of accountants: a recorded run, its finding first, read with suspicion."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.report import figures
from verify.report.figures import accountant_map, accountants, privacy_curve
from verify.results import document
from verify.results.accountants import Accountants, JudgedAccountant, RunAnswer, RunPhase


def asked(run: str, answer: float | None, ruling: str, error: float | None) -> RunAnswer:
    return RunAnswer(
        run=run, quantity="epsilon", numbers="float", history=(RunPhase(0.01, 1.0, 1000),), delta=1e-5, epsilon=None,
        answer=answer, reason="", truth_lo="1.82823666", truth_hi="1.82823667", error=error, ruling=ruling, seconds=0.1,
    )  # fmt: skip


def record(*cases: RunAnswer) -> Accountants:
    return Accountants(
        date="2026-01-02", sgm_verify="0", seed=7,
        accountants=(JudgedAccountant("some", "1.0", "rdp", "upper", cases),),
    )  # fmt: skip


def read(folder: Path, text: str):
    (folder / accountants.FILE).write_text(text)
    return accountants.read(folder / accountants.FILE)


KEPT, BROKEN = asked("a", 2.1, "kept", 0.15), asked("b", 1.8, "UNSAFE", -0.0154)
SILENT = asked("c", None, "no answer", None)


def test_every_answer_with_an_error_is_a_row(tmp_path):
    found = read(tmp_path, document.as_text(record(KEPT, BROKEN, SILENT)))
    assert [row[1] for row in found.figure.rows] == ["a", "b"]
    assert found.figure.rows[1] == ("some 1.0 RDP", "b", "1.82823667", "1.8", "-0.0154", "UNSAFE")


def test_the_caption_begins_with_what_was_found(tmp_path):
    found = read(tmp_path, document.as_text(record(KEPT, BROKEN, SILENT)))
    assert found.figure.caption.startswith(
        "Found: of 3 answers 1 break their accountant's promise: some 1.0 RDP (1)."
    )
    found = read(tmp_path, document.as_text(record(KEPT)))
    assert found.figure.caption.startswith("Found: none of 1 answers breaks")


def test_it_can_be_drawn(tmp_path):
    svg = figures.draw(read(tmp_path, document.as_text(record(KEPT, BROKEN))).figure)
    assert ">some 1.0 RDP<" in svg


def test_without_a_record_there_is_no_figure(tmp_path):
    assert accountants.read(tmp_path / accountants.FILE) is None


@pytest.mark.parametrize("text", ["", "{}", document.as_text(record(KEPT)).replace("2.1", "2.2")])
def test_a_bad_record_is_one_line(tmp_path, text):
    with pytest.raises(ValueError, match="not a whole 'sgm-verify accountants 1'"):
        read(tmp_path, text)


def test_the_curve_has_the_answers_and_the_exact_line(tmp_path):
    path = tmp_path / accountants.FILE
    path.write_text(document.as_text(record(KEPT, BROKEN, SILENT)))
    figure = privacy_curve.read(path).figure
    assert figure.rows[:2] == (
        ("some 1.0 RDP", "epsilon", "2.1", "1e-05"),
        ("some 1.0 RDP", "epsilon", "1.8", "1e-05"),
    )
    assert {row[0] for row in figure.rows[2:]} == {"exact"}
    last = float(figure.rows[-1][2]), float(figure.rows[-1][3])
    assert last == pytest.approx((2.1, 1.21436e-6), rel=1e-4)
    assert ">exact<" in figures.draw(figure)


def test_a_record_without_a_point_gives_no_curve(tmp_path):
    path = tmp_path / accountants.FILE
    path.write_text(document.as_text(record(SILENT)))
    assert privacy_curve.read(path) is None


def test_the_map_has_steps_and_delta(tmp_path):
    path = tmp_path / accountants.FILE
    path.write_text(document.as_text(record(KEPT, BROKEN, SILENT)))
    figure = accountant_map.read(path).figure
    assert figure.rows[1] == ("some 1.0 RDP", "1000", "1e-05", "-0.0154", "UNSAFE")
    assert ">some 1.0 RDP<" in figures.draw(figure)
