"""Releases of a library, asked the same published runs; the library is a file of ours, so that nothing is installed."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from verify.judge.protocol import libraries
from verify.judge.protocol.harness import HarnessFailed
from verify.judge.runs import history, panel
from verify.judge.runs.promises import Promise

FEW = history.request(["NoSampling"])


def released(name):
    return panel.program(
        f"{sys.executable} -m verify.judge.selftest.accountants {name}", Promise.UPPER
    )


@pytest.fixture
def releases(monkeypatch):
    """1.0 is right, 1.1 understates large rates, 1.2 cannot be installed, 1.3 is right again."""
    made = {"1.0": "certified", "1.1": "a-third-for-large-rates", "1.3": "certified"}

    def accountants(spec):
        version = spec.partition("==")[2]
        if version not in made:
            raise HarnessFailed("pip: no such release")
        return [released(made[version])]

    monkeypatch.setattr(panel, "accountants", accountants)


def test_a_fault_comes_and_goes(releases):
    first, worse, missing, last = history.history("lib", ["1.0", "1.1", "1.2", "1.3"], FEW)
    assert (first.found.conforms, worse.found.conforms, last.found.conforms) == (True, False, True)
    assert first.digest == last.digest != worse.digest
    assert str(missing).endswith("cannot be asked: no such release")


def test_a_release_that_cannot_be_installed_says_why(monkeypatch):
    """And not the end of the advice that the message closes with."""

    def refused(command, **more):
        return subprocess.CompletedProcess(command, 1, b"", b"ERROR: No matching distribution\n")

    monkeypatch.setattr(libraries.subprocess, "run", refused)
    with pytest.raises(HarnessFailed) as caught:
        libraries._run(["pip"], "installing lib==9")
    assert "--python" in str(caught.value)
    assert libraries.reason(caught.value) == "No matching distribution"


def test_an_unknown_library_is_one_line():
    done = CliRunner().invoke(history.main, ["nosuchlib", "1.0"])
    assert done.exit_code == 2
    assert "Error" in done.output
