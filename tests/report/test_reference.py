"""The committed report says what the sources say; if not, `make report` makes it anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.report import model, stale
from verify.report.markdown import markdown

FOLDER = Path(__file__).parents[2] / "reports"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "results.json").exists(), reason="no reference report in reports/ (make report)"
)


def test_the_reference_report_is_current() -> None:
    assert list(stale.reasons(model.read(FOLDER / "results.json"), FOLDER / "conformance")) == []


def test_the_reference_markdown_is_that_of_its_results() -> None:
    assert (FOLDER / "report.md").read_text(encoding="utf-8") == markdown(
        model.read(FOLDER / "results.json")
    )
