"""The committed report says what the sources say; if not, `make report` makes it anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.report.collect import stale
from verify.report.collect.collect import Plan
from verify.report.pages.markdown import markdown
from verify.results import document
from verify.results.report import Results

FOLDER = Path(__file__).parents[2] / "reports"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "results.json").exists(), reason="no reference report in reports/ (make report)"
)


def test_the_reference_report_is_current() -> None:
    results = document.read(FOLDER / "results.json", Results)
    assert list(stale.reasons(results, Plan(folder=FOLDER))) == []


def test_the_reference_markdown_is_that_of_its_results() -> None:
    results = document.read(FOLDER / "results.json", Results)
    assert (FOLDER / "report.md").read_text(encoding="utf-8") == markdown(results)
