"""What a statement, a calibration and a curve say about the rate, the time and the file."""

from __future__ import annotations

import errno
import json
import math
import os
from fractions import Fraction

import pytest
from click.testing import CliRunner

from verify.accounting.questions import Account
from verify.accounting.tight import Bracketed
from verify.cli import cli
from verify.commands import statement
from verify.numbers.errors import BudgetExceeded, OutOfDomain

RUN = ["--q", "0.01", "--sigma", "1", "--steps", "100"]
UNEVEN = ["--records", "25", "--batch", "10", "--epochs", "2"]
TWO_RUNS = (
    "name,q,sigma,steps,delta,sampling\nfirst,0.01,1,100,1e-5,poisson\nlast,0.02,1,9,1e-5,poisson\n"
)


def call(*arguments):
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False, standalone_mode=False)
    return " ".join(result.output.split())


@pytest.fixture
def runs(tmp_path):
    """A file of two runs, or of what is written into it."""
    file = tmp_path / "runs.csv"
    file.write_text(TWO_RUNS)
    return file


@pytest.mark.parametrize(
    ("extra", "batches", "steps"), [((), 3, 6), (("--drop-last",), 2, 4)], ids=["kept", "dropped"]
)
def test_a_statement_says_that_opacus_draws_with_another_rate(extra, batches, steps):
    told = call(
        "statement", *UNEVEN, *extra, "--sigma", "4", "--sampling", "poisson", "--delta", "1e-5"
    )
    assert f"Opacus draws with 1/{batches}, one over" in told
    assert f"(--q 1/{batches} --steps {steps})" in told


def test_a_statement_about_whole_batches_says_nothing_of_the_rate():
    whole = ["--records", "30", *UNEVEN[2:], "--sigma", "4", "--delta", "1e-5"]
    assert "Opacus" not in call("statement", *whole, "--sampling", "poisson")


def test_a_statement_about_a_shuffled_loop_says_nothing_of_the_rate():
    asked = [*UNEVEN, "--sigma", "4", "--delta", "1e-5", "--sampling", "shuffle"]
    assert "Opacus" not in call("statement", *asked)


def test_calibrate_says_that_opacus_draws_with_another_rate():
    asked = ["--epsilon", "3", "--delta", "1e-5", "--sampling", "poisson"]
    told = call("calibrate", *UNEVEN, "--drop-last", *asked)
    assert "10/25, batch over records. Opacus draws with 1/2, one over" in told
    assert "--q 1/2 --steps 4" in told
    loader = json.loads(call("calibrate", *UNEVEN, "--drop-last", *asked, "--json"))["loader"]
    assert (loader["rate"], loader["opacus_rate"], loader["epochs"]) == ("0.4", "0.5", "2")


def test_calibrate_says_nothing_of_the_rate_where_both_are_one():
    asked = ["--epsilon", "3", "--delta", "1e-5", "--sampling", "poisson"]
    assert "Opacus" not in call("calibrate", "--records", "30", *UNEVEN[2:], *asked)


def test_calibrate_names_the_options_for_equal_batches():
    asked = ["--epsilon", "8", "--delta", "1e-5", "--sampling", "shuffle"]
    with pytest.raises(OutOfDomain, match="give --steps 3 instead of --records and --batch"):
        call("calibrate", *UNEVEN, *asked)


def test_each_run_of_a_file_has_the_time_that_is_allowed(runs, monkeypatch):
    made = []

    class Counted(statement.Deadline):
        def __init__(self, seconds):
            super().__init__(seconds)
            made.append(seconds)

    monkeypatch.setattr(statement, "Deadline", Counted)
    call("statement", "--runs", str(runs), "--max-seconds", "50")
    assert made == [50, 50]


def test_a_statement_for_which_the_time_ran_out_says_so(runs, monkeypatch):
    late = Bracketed(Fraction(0), math.inf, out_of_time=True)
    monkeypatch.setattr(Account, "epsilon", lambda *_: late)
    with pytest.raises(BudgetExceeded, match=r"^first: no answer within 60 s"):
        call("statement", "--runs", str(runs))
    with pytest.raises(BudgetExceeded, match=r"^no answer within 60 s"):
        call("statement", *RUN, "--delta", "1e-5")


def test_a_statement_of_a_wide_bracket_that_had_its_time_is_refused(monkeypatch):
    monkeypatch.setattr(Account, "epsilon", lambda *_: Bracketed(Fraction(0), math.inf))
    with pytest.raises(OutOfDomain, match="needs a finite epsilon: none is proved"):
        call("statement", *RUN, "--delta", "1e-5")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no run in it"),
        ("name,q,sigma,steps,delta\n", "there is no run in it"),
        ("run,q,sigma,steps,delta\na,0.1,1,9,1e-5\n", "no option run; a run has name, delta, q, "),
    ],
)
def test_a_file_without_a_run_and_a_strange_column_are_refused(runs, text, says):
    runs.write_text(text)
    with pytest.raises(OutOfDomain, match=says):
        call("statement", "--runs", str(runs))


def test_a_curve_begins_with_what_it_assumes():
    short = ["--to", "1", "--points", "2"]
    assert call("curve", *RUN, *short).startswith("Assumed: Poisson sampling.")
    assert "Assumed" not in call("curve", *RUN, *short, "--sampling", "poisson")


def test_a_drawing_replaces_no_device(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OutOfDomain, match="not a regular file"):
        call("curve", *RUN, "--to", "1", "--points", "2", "--svg", str(pipe))
    assert pipe.is_fifo()


def test_a_full_disk_leaves_no_part_of_a_drawing(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        call("curve", *RUN, "--to", "1", "--points", "2", "--svg", str(tmp_path / "curve.svg"))
    assert not list(tmp_path.iterdir())
