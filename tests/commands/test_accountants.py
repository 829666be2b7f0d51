"""sgm-verify accountants, from the outside."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.patience import PATIENCE
from verify.results.accountants import Accountants
from verify.results.document import from_text

PROGRAM = f"{sys.executable} -m tests.judge.runs.programs"


def sgm(*arguments):
    command = [
        sys.executable,
        "-c",
        "from verify.cli import main; main()",
        "accountants",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_an_honest_program_keeps_its_promise():
    done = sgm("--command", f"{PROGRAM} honest", "--ordinary")
    assert done.returncode == 0
    assert "upper: conforms: 12 kept" in done.stdout


def test_the_printed_command_keeps_limits_that_were_changed():
    done = sgm("--command", f"{PROGRAM} honest", "--ordinary", "--time-limit", "7.5")
    assert "--ordinary --time-limit 7.5 --seed" in done.stdout
    done = sgm("--command", f"{PROGRAM} honest", "--ordinary", "--memory", "2048")
    assert "--ordinary --memory 2048 --seed" in done.stdout


def test_beside_the_exact_epsilon_stands_what_rdp_makes_of_it():
    done = sgm("--command", f"{PROGRAM} honest", "--ordinary")
    assert (
        "exact epsilon 2.38159692\n    RDP, all orders, certified   2.59654197      +9.03 %\n"
        in done.stdout
    )


def test_a_broken_promise_is_1_and_told_with_its_simplest_run():
    done = sgm("--command", f"{PROGRAM} low", "--ordinary", "--json")
    assert done.returncode == 1
    found = from_text(done.stdout, Accountants)
    assert {case.ruling for case in found.accountants[0].cases} == {"low"}
    assert found.accountants[0].conforms is False
    done = sgm("--command", f"{PROGRAM} low", "--ordinary")
    assert "low: 12 (11 in training runs), the simplest: epsilon of" in done.stdout


CHEAT = f"{sys.executable} -m verify.judge.selftest.accountants"


@pytest.mark.parametrize(
    ("name", "word"),
    [("always-nan", "no answer"), ("always-inf", "vacuous"), ("always-huge", "absurd"), ("always-refuses", "no answer")],
)  # fmt: skip
def test_silence_is_1_and_named(name, word):
    done = sgm("--command", f"{CHEAT} {name}", "--ordinary")
    assert done.returncode == 1
    assert f"12 {word}" in done.stdout


def test_a_program_that_never_answers_is_1_as_in_check():
    done = sgm("--command", "ls", "--ordinary")
    assert done.returncode == 1
    assert "no answer at all" in done.stdout


def test_what_is_allowed_does_not_fail():
    assert sgm("--command", f"{PROGRAM} low", "--ordinary", "--allow", "low").returncode == 0


def test_a_function_is_judged_and_written_as_junit_and_json(tmp_path):
    junit, out = tmp_path / "junit.xml", tmp_path / "out.json"
    spec = "verify.judge.selftest.accountants.renyi:epsilon"
    done = sgm(spec, "--ordinary", "--junit", str(junit), "--out", str(out))
    assert done.returncode == 0
    assert "quick test" in junit.read_text()
    assert from_text(out.read_text(), Accountants).accountants[0].conforms


@pytest.mark.parametrize(
    "arguments",
    [("no-such-library",), ("pyvacy",), ("--domain", "alpha>=2"), ("opacus", "--command", "true"), ("--python", "python"), ("--command", ""),
     ("--command", "'"), ("--seed", "-1"), ("--promise", "hope")],
    ids=" ".join,
)  # fmt: skip
def test_what_makes_no_sense_is_one_line(arguments):
    done = sgm(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_program_that_cannot_be_started_is_one_line():
    done = sgm("--command", "/no/such/program", "--ordinary")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
