"""How much longer the slowest of random runs takes: what is asked, and what is said of it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from verify.bench import spread
from verify.cli import cli
from verify.numbers.errors import OutOfDomain


def test_the_same_seed_asks_the_same():
    assert [one.question for one in spread.runs(3, 5).asked] == [
        one.question for one in spread.runs(3, 5).asked
    ]


def test_a_run_without_all_digits_is_named():
    asked = (
        spread.TimedQuestion("easy", 1.0, "digits"),
        spread.TimedQuestion("hard", 3.0, "bracket"),
        spread.TimedQuestion("lost", 2.0, "OutOfReach"),
    )
    said = spread.text(spread.Spread("runs", asked))
    assert "3 asked, 1 with all digits" in said
    assert "bracket: hard" in said
    assert "OutOfReach: lost" in said


def test_the_slowest_comes_first_as_a_multiple_of_the_median():
    asked = tuple(spread.TimedQuestion(f"run {k}", float(k), "digits") for k in (2, 1, 8))
    assert spread.text(spread.Spread("runs", asked)).splitlines()[1] == "    4.0  run 8"


def test_a_calibration_without_a_solution_is_drawn_again():
    found = spread.calibrations(4, 1)  # the second of this seed has none
    assert [one.outcome for one in found.asked] == ["digits"] * 4


def test_the_command_gives_both_spreads_as_json():
    arguments = ["bench", "--random", "3", "--seed", "5", "--json"]
    found = CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)
    told = json.loads(found.stdout)
    assert [len(one["asked"]) for one in told["spreads"]] == [3, 2]


def test_two_courses_at_once_are_refused():
    arguments = ["bench", "--random", "3", "--samplings"]
    with pytest.raises(OutOfDomain):
        CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)
