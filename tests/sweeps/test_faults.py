"""After every fault: nothing lost, nothing twice, the same bytes as an undisturbed run."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections import Counter

import pytest

from tests.sweeps import injecting
from verify.parallel import Processes
from verify.sweeps import work
from verify.sweeps.run import sweep
from verify.sweeps.spec import load

MOUNTING = ("full disk", "full disk, export", "read-only")
SLOW = ("parent", "parent, rollback journal", "dask worker", "dask scheduler")
"""A minute each on a busy machine: run with SGM_VERIFY_FAULTS=1, as every change is."""


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """One for all: the undisturbed run they are compared with is made once."""
    return tmp_path_factory.mktemp("faults")


@pytest.mark.parametrize("name", injecting.FAULTS)
def test_a_fault_costs_nothing(name, directory):
    if name in SLOW and not os.environ.get("SGM_VERIFY_FAULTS"):
        pytest.skip("takes a minute; set SGM_VERIFY_FAULTS=1 to run")
    if name in MOUNTING and not injecting.can_mount():
        pytest.skip("no right to mount a small file system")
    if name == "clock" and shutil.which("cc") is None:
        pytest.skip("no compiler for the clock that jumps")
    assert injecting.FAULTS[name](directory).harmless


def test_a_stopped_worker_costs_nothing(directory, monkeypatch, caplog):
    monkeypatch.setattr(work, "_SILENCE", 3.0)  # a quarter of an hour in earnest
    monkeypatch.setattr(work, "_SEVERAL", 0)
    spec, file = load(str(injecting.write_spec(directory))), directory / "stopped.sqlite"
    with Processes(2) as door:
        stopper = threading.Thread(target=stop_one, args=(door, file))
        stopper.start()
        record = sweep(spec, file, door)
        stopper.join()
        assert "no result for" in caplog.text
        assert record == sweep(spec, directory / "not-stopped.sqlite", door)


def stop_one(door, file):
    """kill -STOP of a worker, once something is in the file."""
    while not injecting.has_rows(file):
        time.sleep(0.01)
    os.kill(door.pids()[0], signal.SIGSTOP)


def test_a_sweep_that_was_stopped_for_longer_than_a_point_may_take_goes_on_without_errors(tmp_path):
    spec, file = injecting.write_spec(tmp_path), tmp_path / "x.sqlite"
    process = injecting.start(spec, "--out", file, "--jobs", 2, "--max-seconds", 3)
    while not injecting.has_rows(file):
        time.sleep(0.01)
    everyone = [process.pid, *injecting.workers_of(process.pid)]
    for pid in everyone:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(4)
    for pid in everyone:
        os.kill(pid, signal.SIGCONT)
    _, log = process.communicate()
    injecting.completed(process.returncode, log.decode())
    with contextlib.closing(sqlite3.connect(file)) as connection:
        query = "SELECT status, count(*) FROM results GROUP BY status"
        assert connection.execute(query).fetchall() == [("failed", 1520)]


def test_the_comparison_sees_one_row_lost_or_doubled():
    calm = Counter([("0.1", "1", "2"), ("0.1", "1", "3")])
    lost, doubled = calm - Counter([("0.1", "1", "3")]), calm + Counter([("0.1", "1", "3")])
    assert not injecting.difference("lost", 1, lost, calm, True).harmless
    assert not injecting.difference("doubled", 1, doubled, calm, True).harmless
    assert injecting.difference("nothing", 0, calm, calm, True).harmless
    assert not injecting.difference("one digit", 1, calm, calm, False).harmless


SPARED = {
    "an empty file": [("starting", 0), *[("filling", 0)] * 3, ("exporting", 9)],
    "a file that does not grow": [
        ("starting", 0), ("filling", 1), ("filling", 2), ("filling", 2), ("exporting", 9),
    ],
    "no export": [("starting", 0), ("filling", 1), ("filling", 2), ("filling", 3)],
}  # fmt: skip


@pytest.mark.parametrize("kind", SPARED)
def test_kills_that_miss_the_sweep_at_work_do_not_count(kind):
    with pytest.raises(AssertionError):
        injecting.check_phases([injecting.Kill(*kill) for kill in SPARED[kind]])


def test_kills_of_a_growing_file_count():
    phases = ["starting", "filling", "filling", "filling", "closing", "exporting"]
    injecting.check_phases([injecting.Kill(phase, n) for n, phase in enumerate(phases)])
