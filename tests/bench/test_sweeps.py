"""What is measured when a sweep's cost is measured."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.sweeps import hungry
from tests.sweeps.injecting import children, finish, start
from verify.bench import sweeps
from verify.parallel import Here, Processes


def test_the_memory_of_workers_and_of_their_children_is_seen():
    with Processes(1) as door, sweeps.Watch(os.getpid()) as watch:
        before = door.executor.submit(hungry.nothing).result()
        watch.look()
        idle = watch.largest
        grandchild = door.executor.submit(hungry.child_of_64_mb).result()
        assert {before, grandchild} <= set(sweeps.descendants(os.getpid()))
        watch.look()
    assert watch.largest > max(idle, 64)
    assert watch.together > 64


def test_a_process_that_has_ended_has_no_memory():
    assert sweeps._peak_mb(2**22 + 1) == 0


def test_a_million_points_are_measured_only_if_that_is_meant():
    assert sweeps.memory_counts(million=False) == (10**3, 10**4, 10**5)
    assert sweeps.memory_counts(million=True) == (10**3, 10**4, 10**5, 10**6)


def test_loops_at_once_share_the_points_of_a_sweep(monkeypatch):
    asked = []
    original = sweeps.evaluate
    monkeypatch.setattr(
        sweeps,
        "evaluate",
        lambda what, point, *more: asked.append(point) or original(what, point, *more),
    )
    spec = sweeps.points(200, 20, whole=True)
    with Here() as door:
        sweeps.time_loops(spec, door, loops=3, step=3)
    assert len(asked) == len(set(asked)) == spec.count


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--jobs", "0"], "--bench --jobs 0: must be a whole number from 1"),
        (["--jobs", "-3"], "--bench --jobs -3: must be a whole number from 1"),
        (["frontier"], "no SPEC, no --out"),
        (["--out", "x.sqlite"], "no SPEC, no --out"),
        (["--dask", "127.0.0.1:1"], "no scheduler answers"),
    ],
)
def test_what_cannot_be_measured_gets_one_line(words, said):
    done = finish("--bench", *words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert said in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_measurement_says_where_it_is_and_leaves_nothing_when_interrupted(tmp_path, number):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = start("--bench", quiet=False, env=environment)
    line = process.stderr.readline()
    assert line == b"30 digits, fractional orders, 1 process: round 1 of 5\n"
    while not list(tmp_path.glob("*/run.sqlite")):
        time.sleep(0.01)
    process.send_signal(number)
    _, log = process.communicate()
    assert (process.returncode, log.strip()) == (130, b"sgm-verify: interrupted")
    assert not children(process.pid)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("workers", [1, 2])
def test_a_sweep_is_compared_with_loops_at_once_and_if_they_are_several_with_one(
    monkeypatch, workers
):
    monkeypatch.setattr(sweeps, "ROUNDS", 3)
    asked = []
    cost = {1: sweeps.Cost(8e-4, 0.0, 4e-4), 2: sweeps.Cost(4e-4, 0.0, 4e-4)}
    monkeypatch.setattr(sweeps, "time_loops", lambda spec, door, loops, step: asked.append((loops, step)) or cost[loops])  # fmt: skip
    monkeypatch.setattr(sweeps, "time_sweep", lambda spec, door: sweeps.Cost(5e-4, 2e-5, 4.4e-4))
    row = sweeps._row(None, None, workers, "here", lambda line: None)
    assert set(asked) == {(loops, workers) for loops in {1, workers}}
    assert row["by_the_clock"] == pytest.approx({1: 1.6, 2: 0.8}[workers])
    assert row.get("of_one_loop") == ({1: None, 2: pytest.approx(0.8)}[workers])
    assert row["overhead_us"] == pytest.approx(60)
