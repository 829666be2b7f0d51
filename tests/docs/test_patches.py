"""The page of patches: every truth in it is that of the published vector it names, and every fault
has all three parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verify.vectors import load
from verify.vectors.whole import load_runs

PAGE = (Path(__file__).parents[2] / "docs" / "patches.md").read_text(encoding="utf-8")
TRUTHS = {v.id: v.rdp.nearest for v in load()} | {v.id: v.value.nearest for v in load_runs()}
_QUOTED = re.compile(r"truth = (\S+)  # vector (\S+)")
FAULTS = {
    text.partition("\n")[0]: text for text in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]
}


def wrong(page: str) -> list[str]:
    """Vectors that are quoted with a number that is not theirs, or that do not exist."""
    return [name for told, name in _QUOTED.findall(page) if TRUTHS.get(name) != float(told)]


def test_every_truth_is_that_of_its_vector():
    assert wrong(PAGE) == []
    assert len(_QUOTED.findall(PAGE)) == PAGE.count("# vector ") >= 8


def test_another_last_digit_is_noticed():
    assert wrong(PAGE.replace("0.058062897504801425", "0.058062897504801432")) == [
        "early-stop/q=0.3,sigma=10.0,alpha=100.5"
    ]


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_has_a_change_a_test_and_words(name):
    assert "```diff" in FAULTS[name]
    assert "def test_" in FAULTS[name]
    assert "Words: " in FAULTS[name]
