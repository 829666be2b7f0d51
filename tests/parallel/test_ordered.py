"""Results come in the order of the work, whoever is quicker, and a killer is named."""

from __future__ import annotations

import os
import signal
import time

import pytest

from verify.parallel import Processes, WorkerDied, each, in_order


def slow_first(number):
    time.sleep(0.5 if number == 0 else 0)
    return number * number


def kills(number):
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_are_in_the_order_of_the_items(jobs):
    assert list(each(slow_first, range(6), jobs)) == [0, 1, 4, 9, 16, 25]


def test_an_item_that_kills_its_process_has_that_for_a_result():
    with Processes(2) as door:
        found = [result for _, result in in_order(door, kills, range(3))]
    assert [type(result) for result in found] == [int, WorkerDied, int]


def test_an_item_that_kills_its_process_ends_a_map():
    with pytest.raises(WorkerDied):
        list(each(kills, range(3), 2))
