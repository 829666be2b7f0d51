"""After every fault: nothing lost, nothing twice, the same bytes as an undisturbed run."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from tests.sweeps import injecting

MOUNTING = ("full disk", "full disk, export", "read-only")


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """One for all: the undisturbed run they are compared with is made once."""
    return tmp_path_factory.mktemp("faults")


@pytest.mark.parametrize("name", injecting.FAULTS)
def test_a_fault_costs_nothing(name, directory):
    if name in MOUNTING and not injecting.can_mount():
        pytest.skip("no right to mount a small file system")
    if name == "clock" and shutil.which("cc") is None:
        pytest.skip("no compiler for the clock that jumps")
    assert injecting.FAULTS[name](directory).harmless


def test_the_comparison_sees_one_row_lost_or_doubled():
    calm = Counter([("0.1", "1", "2"), ("0.1", "1", "3")])
    lost, doubled = calm - Counter([("0.1", "1", "3")]), calm + Counter([("0.1", "1", "3")])
    assert not injecting.difference("lost", 1, lost, calm, True).harmless
    assert not injecting.difference("doubled", 1, doubled, calm, True).harmless
    assert injecting.difference("nothing", 0, calm, calm, True).harmless
    assert not injecting.difference("one digit", 1, calm, calm, False).harmless
