"""sgm-verify prove, from the outside: what needs no proof assistant, and one theorem where there is one."""

import json
import os
import subprocess
import sys

import pytest

from tests.patience import PATIENCE

POINT = ("--q", "0.01", "--sigma", "1.1", "--alpha", "8")


def sgm(*arguments, **environment):
    command = [sys.executable, "-c", "from verify.cli import main; main()", "prove", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (POINT, "give one of"),
        ((*POINT, "--valid", "1", "--digits", "3"), "give one of"),
        ((*POINT, "--valid", "nan"), "must be a finite number"),
        ((*POINT, "--valid", "inf"), "must be a finite number"),
        ((*POINT, "--valid", "1e400", "--doubles"), "must be a finite number"),
        (("--q", "abc", *POINT[2:], "--valid", "1", "--doubles"), "q = 'abc'"),
        ((*POINT, "--valid", "1", "--out", "/dev/null/verdict"), "cannot be made"),
        ((*POINT, "--digits", "0"), "must be a whole number"),
        (("--q", "2", *POINT[2:], "--digits", "3"), "must be a number in [0, 1]"),
        ((*POINT[:4], "--alpha", "1", "--digits", "3"), "must be a finite number > 1"),
        ((*POINT, "--digits", "3", "--proof", "no such file"), "does not exist"),
        ((*POINT, "--digits", "3", "--max-seconds", "0"), "must be a positive"),
    ],
)
def test_bad_input_is_one_line(arguments, says):
    done = sgm(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_the_wrong_side_is_said_and_not_proved():
    done = sgm(*POINT, "--not-valid", "1")
    assert done.returncode == 1
    assert done.stderr.startswith("sgm-verify: WrongSide: X = 1 is valid here")


def test_undecided_is_neither():
    exactly = "0.00058407033552025122491552047195450833801674"
    done = sgm(*POINT, "--valid", exactly, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"] == "Undecided"


def test_without_coq_one_line(tmp_path):
    done = sgm(*POINT, "--valid", "1", PATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "apt-get install coq libcoq-coquelicot libcoq-interval" in done.stderr


def test_a_double_is_judged_as_the_double_it_is(coq):
    arguments = ("--q", "0.01", "--sigma", "1", "--alpha", "2", "--not-valid", "0.0001")
    done = sgm(*arguments, "--doubles", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "(7378697629483821 / 73786976294838206464)" in found["theorem"]  # 0.0001 as a double
    assert len(found["axioms"]) == 4


RUN = ("--run", "--q", "0.01", "--sigma", "1.1", "--steps", "1000", "--delta", "1e-5")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (RUN, "give one of --epsilon E, --not-valid E and --digits N"),
        ((*RUN, "--epsilon", "2", "--digits", "3"), "give one of --epsilon E"),
        ((*RUN[:-2], "--epsilon", "2"), "give --delta"),
        ((*RUN[1:], "--epsilon", "2"), "is about a run: add --run"),
        ((*RUN, "--epsilon", "2", "--alpha", "3"), "are not about runs"),
        ((*RUN[:-1], "0", "--epsilon", "2"), "delta = 0: must be a number between 0 and 1"),
        ((*RUN, "--epsilon", "-1"), "epsilon = -1: must be at least 0"),
        ((*RUN, "--epsilon", "nan"), "epsilon = 'nan': must be a finite number"),
        ((*RUN, "--not-valid", "inf"), "epsilon = inf: must be a finite number"),
        ((*RUN[:-1], "1e", "--epsilon", "2"), "delta = '1e': must be a finite number"),
        ((*RUN, "--epsilon", "2", "--batch", "3"), "--records is missing"),
        (
            (*RUN, "--epsilon", "2", "--batch", "3", "--records", "9", "--epochs", "1"),
            "--batch and --q exclude each other",
        ),
        (
            ("--run", *RUN[3:5], "--delta", "1e-5", "--batch", "3", "--digits", "3"),
            "--batch needs --records",
        ),
        ((*RUN, "--digits", "20"), "must be a whole number from 1 to 12"),
        ((*RUN[:6], "1.5", *RUN[7:], "--digits", "3"), "steps = '1.5'"),
    ],
)
def test_bad_input_about_runs_is_one_line(arguments, says):
    done = sgm(*arguments)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("q,sigma,steps,sampling", "0.01,1.1,1000,fixed-size"),
        ("q,sigma,steps,sampling", "0,1.1,1000,fixed-size"),
        ("q,sigma,steps,sampling,records,limit", "0.01,1.1,9,truncated-poisson,1000,12"),
        ("sigma,steps,sampling", "1.1,100,allocation"),
    ],
)
def test_a_history_of_another_sampling_gets_no_theorem_about_poisson_sampling(
    tmp_path, header, row
):
    (tmp_path / "phases.csv").write_text(f"{header}\n{row}\n")
    done = sgm("--run", "--history", str(tmp_path / "phases.csv"), *RUN[-2:], "--epsilon", "9")
    assert done.returncode == 2, done.stderr
    sampling = next(word for word in row.split(",") if word[:1].isalpha())
    assert done.stderr == (
        f"sgm-verify: the theorems are about poisson sampling, not about {sampling}\n"
    )


def test_a_history_may_say_that_its_sampling_is_poisson(tmp_path):
    (tmp_path / "phases.csv").write_text(
        "q,sigma,steps,sampling\n0.01,1.1,500,Poisson\n0.01,1.1,500,\n"
    )
    done = sgm("--run", "--history", str(tmp_path / "phases.csv"), *RUN[-2:], "--epsilon", "1")
    assert done.returncode == 1
    assert "epsilon = 1 is not valid for this run" in done.stderr


def test_an_epsilon_that_rdp_cannot_show_names_both_numbers():
    done = sgm(*RUN, "--epsilon", "1.6", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["error"] == "NotByRdp"
    assert "1.7117143" in found["why"]
    assert "1.5153619" in found["why"]


def test_epochs_are_a_rate_and_steps():
    """60000 records in batches of 256 for one epoch are 235 steps at q = 4/937.5."""
    whole = ("--run", "--sigma", "1.1", "--delta", "1e-5", "--epsilon", "0.01")
    epochs = sgm(*whole, "--records", "60000", "--batch", "256", "--epochs", "1")
    steps = sgm(*whole, "--q", "256/60000", "--steps", "235")
    assert epochs.returncode == steps.returncode == 1
    assert epochs.stderr == steps.stderr


def test_a_refutation_on_the_wrong_side_is_not_begun():
    done = sgm(*RUN, "--not-valid", "1.52")
    assert done.returncode == 1
    assert done.stderr.startswith("sgm-verify: WrongSide: epsilon = 1.52 is valid for this run")
