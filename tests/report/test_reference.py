"""The committed report says what the sources say; if not, `make report` makes it anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from verify.report import model
from verify.report.markdown import markdown

FOLDER = Path(__file__).parents[2] / "reports"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "results.json").exists(), reason="no reference report in reports/ (make report)"
)


def test_the_reference_report_is_current() -> None:
    """In a process of its own: other tests of the report thin out the claims for a session."""
    code = (
        "import pathlib, sys\n"
        "from verify.report import model, stale\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "print(*stale.reasons(model.read(folder / 'results.json'), folder), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "")


def test_the_reference_markdown_is_that_of_its_results() -> None:
    assert (FOLDER / "report.md").read_text(encoding="utf-8") == markdown(
        model.read(FOLDER / "results.json")
    )
