"""epsilon, delta, calibrate and curve as a person calls them."""

from __future__ import annotations

import errno
import json
import os

import click
import pytest
from click.testing import CliRunner

from verify.cli import cli
from verify.numbers.errors import OutOfDomain

RUN = ["--q", "0.01", "--sigma", "1", "--steps", "1000"]


def call(*arguments):
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False, standalone_mode=False)
    return result.output


def test_epsilon_for_people_fits_the_page():
    text = call("epsilon", *RUN, "--delta", "1e-5")
    assert "1.8282366665165768426" in text
    assert max(map(len, text.splitlines())) <= 80


def test_epsilon_as_json():
    record = json.loads(call("epsilon", *RUN, "--delta", "1e-5", "--json"))
    assert record["relation"] == "add/remove"
    assert record["sampling"] == "poisson"
    assert float.fromhex(record["tight"]["double"]) == 1.8282366665165768
    assert record["remove"] == record["tight"] != record["add"]
    assert {(r["orders"], r["conversion"]) for r in record["rdp"]} == {
        (o, c)
        for o in ("dp-accounting", "opacus", "all real orders")
        for c in ("cks", "balle", "mironov")
    }


def test_numbers_are_echoed_as_typed(tmp_path):
    run = ["--q", "256/60000", "--sigma", "1.10", "--steps", "100"]
    text = call("epsilon", *run, "--sampling", "poisson", "--delta", "1e-5", "--digits", "5")
    assert text.startswith("q = 256/60000, sigma = 1.10, 100 steps\n")
    assert "delta = 1e-5\n" in text
    record = json.loads(call("delta", *run, "--epsilon", "2.50", "--digits", "5", "--json"))
    row = {"q": "256/60000", "sigma": "1.10", "steps": 100, "sampling": "poisson"}
    assert record["history"] == [row]
    assert record["epsilon"] == "2.50"


def test_delta():
    assert "0.00000266557192476179025242" in call("delta", *RUN, "--epsilon", "2")
    assert json.loads(call("delta", *RUN, "--epsilon", "inf", "--json"))["tight"]["hi"] == "0"


def test_a_history_from_csv_and_from_json(tmp_path):
    table, listing = tmp_path / "run.csv", tmp_path / "run.json"
    table.write_text("q,sigma,steps\n0.01,1,600\n0.01,1,400\n")
    listing.write_text('[{"q": "0.01", "sigma": 1, "steps": 1000}]')
    for path in (table, listing):
        assert "1.8282366665165768426" in call("epsilon", "--history", str(path), "--delta", "1e-5")


def test_calibrate():
    record = json.loads(call("calibrate", "--epsilon", "2", "--delta", "1e-5", *RUN[:4], "--json"))
    assert record["parameter"] == "steps"
    assert record["value"] == 1202


def test_curve_with_a_drawing(tmp_path):
    drawing = tmp_path / "curve.svg"
    text = call("curve", *RUN, "--to", "2", "--points", "3", "--svg", str(drawing))
    assert "0.00261242057863" in text
    assert max(map(len, text.splitlines())) <= 80  # 12 digits, not all that are certain
    assert drawing.read_text().startswith("<?xml")


def test_a_full_disk_leaves_no_cut_off_drawing(tmp_path, monkeypatch):
    drawing = tmp_path / "curve.svg"
    drawing.write_text("the old one")

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        call("curve", *RUN, "--to", "2", "--points", "2", "--digits", "3", "--svg", str(drawing))
    assert drawing.read_text() == "the old one"


@pytest.mark.parametrize(
    "arguments",
    [
        ["epsilon", "--q", "0.01", "--delta", "1e-5"],
        ["epsilon", *RUN, "--delta", "x"],
        ["epsilon", *RUN, "--delta", "1e-5", "--sampling", "shuffle"],
        ["delta", *RUN, "--epsilon", "-1"],
        ["curve", *RUN, "--from", "2", "--to", "1"],
        ["calibrate", "--epsilon", "2", "--delta", "1e-5", "--q", "0.01"],
    ],
)
def test_bad_input_is_one_error(arguments):
    with pytest.raises(OutOfDomain):
        call(*arguments)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1,2\n", "in every row"),
        ("q,sigma,steps,q\n0.1,1,2,0.2\n", "a column stands twice"),
        ('{"q": 0.1, "sigma": 1, "steps": 2, "q": 0.2}', "the key 'q' stands twice"),
        ("q,sigma,steps\n0.1,1,2\n0,01,1,100\n", "row 2 has not as many columns as the header"),
        ("q,sigma,steps\n0.1,1\n", "row 1 has not as many columns as the header"),
        ("q,sigma,steps\n", "at least one phase"),
        ("", "at least one phase"),
        ("[]", "at least one phase"),
        ("[null]", "in every row"),
        ('[{"q": 0.1, "sigma": 1', "in every row"),
        ('[{"q": NaN, "sigma": 1, "steps": 2}]', "q = nan"),
        ("[" * 100_000, "in every row"),
    ],
)
def test_a_history_of_other_columns_is_refused(tmp_path, text, says):
    path = tmp_path / "run.csv"
    path.write_text(text)
    with pytest.raises(OutOfDomain, match=says):
        call("epsilon", "--history", str(path), "--delta", "1e-5")


def test_two_batch_sizes_are_an_error():
    loader = ["--records", "50000", "--epochs", "2", "--sigma", "1", "--delta", "1e-5"]
    with pytest.raises(click.BadParameter, match="given 2 times: 512, 256"):
        call("epsilon", *loader, "--batch", "512", "--batch-size", "256")


@pytest.mark.parametrize(
    "question",
    [
        ["epsilon", "--epochs", "2", "--delta", "1e-5"],
        ["calibrate", "--epsilon", "2", "--delta", "1e-5"],
    ],
)
def test_the_names_that_trainers_use_are_understood(question):
    asked = [*question, "--records", "50000", "--sampling", "poisson", "--json"]
    short = json.loads(call(*asked, "--batch", "512", "--sigma", "2"))
    other = json.loads(call(*asked, "--batch-size", "512", "--noise-multiplier", "2"))
    assert other == short
