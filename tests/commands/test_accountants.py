"""sgm-verify accountants, from the outside."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.patience import PATIENCE
from verify.results.accountants import Accountants
from verify.results.document import from_text

PROGRAM = f"{sys.executable} -m tests.accountants.programs"


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
    assert "upper: 12 kept" in done.stdout


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
    assert {case.ruling for case in found.accountants[0].cases} == {"UNSAFE"}
    done = sgm("--command", f"{PROGRAM} low", "--ordinary")
    assert "simplest bad answer: epsilon of" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [("no-such-library",), ("pyvacy",), ("opacus", "--command", "true"), ("--python", "python"), ("--command", ""),
     ("--command", "'"), ("--seed", "-1"), ("--promise", "hope")],
    ids=" ".join,
)  # fmt: skip
def test_what_makes_no_sense_is_one_line(arguments):
    done = sgm(*arguments)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_program_that_cannot_be_started_is_one_line():
    done = sgm("--command", "/no/such/program", "--ordinary")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
