"""Hypothesis profiles: dev (default), ci (derandomised), thorough (tens of thousands of examples).

Choose with HYPOTHESIS_PROFILE=thorough. Timing is never judged, so there is no deadline. At the end the
counts of effective and vacuous examples are printed; they travel with the reports, since workers count them.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from flint import ctx
from hypothesis import HealthCheck, settings

from tests.properties.counting import TALLIES

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=40, **_COMMON)
settings.register_profile("ci", max_examples=60, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=20_000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True)
def _global_precision_untouched():
    """python-flint's precision is global: no test and no function may leave it changed."""
    before = ctx.prec
    yield
    assert ctx.prec == before


@pytest.fixture(scope="module")
def coq():
    """The compiled library of the proofs; a test that asks for it is skipped where Coq or ``make formal`` is missing."""
    from proofs_checks.kernel import FormalError
    from proofs_checks.verdicts import library

    try:
        library.ready(lambda _: None)
    except (FormalError, OSError) as error:
        pytest.skip(str(error))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    tally = TALLIES.get(item.name)
    if tally is not None and call.when == "call":
        report.user_properties.append(("examples", (tally.effective, tally.vacuous)))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    counted = {
        report.nodeid: value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == "examples"
    }
    if counted:
        terminalreporter.section("properties: effective and vacuous examples")
    for node, (effective, vacuous) in sorted(counted.items()):
        name = node.rpartition("::")[2].removeprefix("test_")
        terminalreporter.line(f"{name:<44} {effective:>6} effective {vacuous:>6} vacuous")
