"""Print the counts of effective and vacuous examples at the end of a run."""

from __future__ import annotations

import pytest

from tests.properties.counting import TALLIES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    ran = {name: tally for name, tally in TALLIES.items() if tally.effective + tally.vacuous}
    if not ran:
        return
    terminalreporter.section("properties: effective and vacuous examples")
    for name, tally in ran.items():
        terminalreporter.line(
            f"{name.removeprefix('test_'):<44} {tally.effective:>6} effective "
            f"{tally.vacuous:>6} vacuous"
        )
