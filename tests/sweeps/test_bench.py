"""What is measured when a sweep's cost is measured."""

from __future__ import annotations

import os

from tests.sweeps import hungry
from verify.parallel import Processes
from verify.sweeps import bench


def test_the_memory_of_workers_and_of_their_children_is_seen():
    with Processes(1) as door, bench.Watch(os.getpid()) as watch:
        before = door.executor.submit(hungry.nothing).result()
        watch.look()
        idle = watch.largest
        grandchild = door.executor.submit(hungry.child_of_64_mb).result()
        assert {before, grandchild} <= set(bench.descendants(os.getpid()))
        watch.look()
    assert watch.largest > max(idle, 64)
    assert watch.together > 64


def test_a_process_that_has_ended_has_no_memory():
    assert bench._peak_mb(2**22 + 1) == 0


def test_a_million_points_are_measured_only_if_that_is_meant():
    assert bench.memory_counts(million=False) == (10**3, 10**4, 10**5)
    assert bench.memory_counts(million=True) == (10**3, 10**4, 10**5, 10**6)
