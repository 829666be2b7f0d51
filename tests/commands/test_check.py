"""sgm-verify check, from the outside."""

import json
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from verify.results.conformance import Conformance
from verify.results.document import read

HEALTHY = f"{sys.executable} -m verify.judge.selftest.healthy"
WRONG = f"{sys.executable} -m verify.judge.causes.known_wrong"
HOSTILE = f"{sys.executable} {Path(__file__).parents[1] / 'judge' / 'hostile.py'}"
FEW = (
    "--group",
    "two-modes",
    "--group",
    "infinite-order",
    "--shrink",
    "0",
    "--quick",
    "--seed",
    "0",
)


def sgm(*arguments):
    command = [sys.executable, "-c", "from verify.cli import main; main()", "check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_conforming_is_0():
    done = sgm("--command", HEALTHY, "--strict", *FEW)
    assert (done.returncode, done.stderr) == (0, "")
    assert ": conforms:" in done.stdout


def test_not_conforming_is_1_and_shows_the_worst_and_the_smallest(tmp_path):
    out, junit = tmp_path / "a" / "o.json", tmp_path / "o.xml"
    done = sgm("--command", f"{WRONG} sigma-squared", "--group", "two-modes", "--shrink", "2", "--quick",
               "--out", str(out), "--junit", str(junit), "--date", "2026-11-16")  # fmt: skip
    assert done.returncode == 1
    assert "worst UNSAFE" in done.stdout
    assert "smallest failing point found" in done.stdout
    data = read(out, Conformance)
    assert (data.conforms, data.date) == (False, "2026-11-16")
    assert data.smallest_failing.direction == "UNSAFE"
    assert int(ET.parse(junit).getroot().get("failures")) > 0


@pytest.mark.parametrize("way", ["garbage", "dies-at-start"])
def test_a_program_that_never_gives_a_number_is_1(way):
    assert sgm("--command", f"{HOSTILE} {way}", *FEW).returncode == 1


@pytest.mark.parametrize(
    "arguments",
    [(), ("opacus", "--command", "x"), ("no-such-library",), ("--command", ""), ("--command", "'"),
     ("--command", "/no/such/program"), ("--command", "x", "--python", "y"), ("--command", "x", "--flag", "Nope")],
)  # fmt: skip
def test_bad_input_is_2_and_one_line(arguments):
    done = sgm(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_search_finds_nothing_in_a_healthy_program():
    done = sgm("--command", HEALTHY, "--search", "2", *FEW)
    assert done.returncode == 0
    assert "search: " in done.stdout


def test_search_finds_the_fault_and_writes_the_same_files(tmp_path):
    """At whole orders the fault is invisible to the vectors asked here."""
    out, junit, badge = (tmp_path / name for name in ("o.json", "o.xml", "badge.json"))
    done = sgm("--command", f"{WRONG} interpolated", "--search", "3", "--group", "infinite-order", "--quick",
               "--seed", "1", "--shrink", "0", "--out", str(out), "--junit", str(junit), "--badge", str(badge))  # fmt: skip
    assert done.returncode == 1
    data = read(out, Conformance)
    assert [row for row in data.cases.rows if row.group == "search" and row.direction]
    assert "Search" in data.by_flag
    assert int(ET.parse(junit).getroot().get("failures")) > 0
    assert json.loads(badge.read_text())["color"] in ("red", "orange")


def test_the_printed_command_reproduces():
    given = (*FEW, "--allow", "no-answer", "--memory", "2048", "--strict")
    done = sgm("--command", f"{WRONG} b-side", *given)
    line = next(x for x in done.stdout.splitlines() if x.startswith("reproduce: sgm-verify check "))
    again = sgm(*shlex.split(line)[3:], "--shrink", "0")
    assert "--seed 0" in line
    assert again.returncode == done.returncode
    assert [x for x in again.stdout.splitlines() if not x.startswith(("time: ", "asked: "))] == [
        x for x in done.stdout.splitlines() if not x.startswith(("time: ", "asked: "))
    ]


def test_self_test_rejects_every_known_wrong_implementation():
    groups = (
        "two-modes",
        "infinite-order",
        "cancellation",
        "alternating",
        "large-orders",
        "near-integers",
        "near-one",
    )
    done = sgm("--self-test", *(word for name in groups for word in ("--group", name)))
    assert done.returncode == 0
    assert "32 of 32 known-wrong implementations rejected" in done.stdout


def test_self_test_fails_if_the_judge_sees_nothing():
    """With infinite orders only, most mistakes are invisible: that must not look like success."""
    done = sgm("--self-test", "--group", "infinite-order")
    assert done.returncode == 1
    assert "<- WRONG" in done.stdout


def test_a_time_limit_holds_from_the_first_question():
    """A silent program costs three of them, not forty times a minute."""
    done = sgm("--command", f"{HOSTILE} never", *FEW, "--time-limit", "0.5")
    assert done.returncode == 1
    assert "no answer: 133 not-asked, 3 time-out" in done.stdout
    assert "microseconds" not in done.stdout
    assert "--quick --time-limit 0.5 --seed 0" in done.stdout


def test_libraries_known_by_name_are_listed():
    done = sgm("--list")
    assert done.returncode == 0
    assert "\nopacus==1.6.0\n" in done.stdout


def test_a_file_that_cannot_be_written_is_2_and_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    done = sgm("--command", HEALTHY, *FEW, "--out", str(tmp_path / "file" / "x.json"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_a_seed_is_drawn_and_printed():
    given = ("--command", HEALTHY, "--group", "infinite-order", "--quick", "--shrink", "0")
    seeds = {sgm(*given).stdout.rpartition("--seed ")[2].strip() for _ in range(2)}
    assert len(seeds) == 2


def test_known_failures_are_excused_on_the_command_line(tmp_path):
    path = tmp_path / "known.toml"
    path.write_text(
        '[[exception]]\nflag = "FractionalOrder"\nowner = "ada"\nreason = "fractions are truncated"\n'
    )
    given = ("--command", f"{WRONG} truncated-order", *FEW)
    assert sgm(*given).returncode == 1
    done = sgm(*given, "--exceptions", str(path))
    assert done.returncode == 0
    assert "known failures, not counted: " in done.stdout


def test_an_exception_that_hides_nothing_is_1(tmp_path):
    path = tmp_path / "known.toml"
    path.write_text('[[exception]]\nflag = "TwoModes"\nowner = "ada"\nreason = "was wrong"\n')
    done = sgm("--command", HEALTHY, *FEW, "--exceptions", str(path))
    assert done.returncode == 1
    assert "stale exception, nothing fails there any more: TwoModes (ada: was wrong)" in done.stdout


def test_a_function_is_judged_by_its_name():
    done = sgm("verify.judge.selftest.healthy:rdp", *FEW)
    assert done.returncode == 0
    assert "verify.judge.selftest.healthy:rdp" in done.stdout.partition(": conforms:")[0]
    assert "reproduce: sgm-verify check verify.judge.selftest.healthy:rdp --group" in done.stdout


def test_a_function_in_a_file_is_judged(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def rdp(q, sigma, alpha):\n    return alpha / (2 * sigma**2)\n")
    done = sgm(f"{path}:rdp", *FEW)
    assert done.returncode == 1
    assert "overstated" in done.stdout


@pytest.mark.parametrize("what", ["no_such_module:rdp", "math:no_such_function", "math:pi"])
def test_a_function_that_is_none_is_2_and_one_line(what):
    done = sgm(what, *FEW)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be loaded" in done.stderr


def test_the_domain_says_what_is_supported():
    given = ("--command", f"{WRONG} truncated-order", "--domain", "whole", *FEW)
    assert sgm(*given).returncode == 0


def test_one_is_compared_with_another():
    done = sgm(
        "verify.judge.selftest.healthy:rdp",
        "--against",
        "verify.judge.causes.known_wrong:truncated_order",
        *FEW,
    )
    assert done.returncode == 0
    assert "points in common" in done.stdout
    assert ", 0 not good any more" in done.stdout


def test_what_is_worse_than_it_was_is_1(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def rdp(q, sigma, alpha):\n    return alpha / (2 * sigma**2)\n")
    done = sgm(f"{path}:rdp", "--against", "verify.judge.selftest.healthy:rdp", *FEW)
    assert done.returncode == 1
    assert "\nworse: " in done.stdout


@pytest.mark.parametrize("way", [(), ("--strict",)])
def test_tables_fit_eighty_columns(way):
    done = sgm("--command", f"{WRONG} sigma-squared", *way, *FEW)
    tables = [part for part in done.stdout.split("\n\n") if "adequate  inexact" in part]
    assert len(tables) == 2
    assert all(len(line) <= 80 for part in tables for line in part.splitlines())


def test_json_is_a_flag_and_the_document_is_the_whole_output():
    done = sgm("--command", HEALTHY, *FEW, "--json")
    assert json.loads(done.stdout)["conforms"] is True


@pytest.mark.parametrize(
    ("arguments", "code"), [(("--list",), 0), (("--command", "/no/program"), 2)]
)
def test_json_is_one_object_whatever_is_asked(arguments, code):
    done = sgm(*arguments, "--json")
    assert isinstance(json.loads(done.stdout), dict)
    assert done.returncode == code
