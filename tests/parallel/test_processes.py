"""Batches over real processes, some of which die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.parallel import work
from verify.numbers.errors import OutOfDomain
from verify.parallel import (
    Here,
    Processes,
    WorkerDied,
    iter_source,
    open_door,
    run_batches,
)
from verify.parallel.dispatch import _Run, _Task


def halves(batch):
    middle = len(batch) // 2
    return (batch[:middle], batch[middle:]) if middle else (batch,)


def test_every_batch_comes_back_once_with_its_result():
    with Processes(2) as door:
        found = list(run_batches(door, work.square, iter_source(range(100))))
    assert sorted(found) == [(n, n * n) for n in range(100)]


def test_no_more_is_taken_from_the_source_than_may_be_in_flight():
    taken = 0

    def source():
        nonlocal taken
        taken += 1
        return taken if taken <= 60 else None

    with Processes(2) as door:
        for finished, _ in enumerate(run_batches(door, work.sleepy, source), 1):
            assert taken - finished <= door.width() + 1


def test_work_given_back_while_results_come_is_done():
    todo = [1]
    found = []
    with Here() as door:
        for n, _ in run_batches(door, work.square, lambda: todo.pop() if todo else None):
            found.append(n)
            if n < 5:
                todo.append(n + 1)
    assert found == [1, 2, 3, 4, 5]


def test_a_killed_worker_costs_nothing(tmp_path):
    jobs = [(str(tmp_path / "mark"), n) for n in range(30)]
    with Processes(2) as door:
        found = [n for _, n in run_batches(door, work.first_worker_dies, iter_source(jobs))]
    assert (tmp_path / "mark").exists()
    assert sorted(found) == list(range(30))


def test_a_worker_killed_while_it_hands_over_a_result_does_not_stop_the_others(tmp_path):
    jobs = [(str(tmp_path / "mark"), n) for n in range(6)]
    with Processes(2) as door:
        found = [r for _, r in run_batches(door, work.dies_while_answering, iter_source(jobs))]
    assert sorted(found) == list(range(6))


def test_a_worker_that_falls_silent_is_replaced_and_it_is_said(tmp_path, caplog):
    jobs = [work.Timed(str(tmp_path / "mark"), n) for n in range(20)]
    with Processes(2) as door:
        found = [n for _, n in run_batches(door, work.first_worker_stops, iter_source(jobs))]
    assert sorted(found) == list(range(20))
    assert "no result for" in caplog.text


def test_work_that_silences_every_worker_is_given_up_and_named(monkeypatch):
    monkeypatch.setattr("verify.parallel.dispatch._PATIENCE", 0.5)
    job = work.Timed("", 7, longest=1.0)
    with Processes(1) as door:
        ((batch, result),) = run_batches(door, work.always_stops, iter_source([job]))
    assert batch == job
    assert isinstance(result, WorkerDied)


def test_silence_lasts_as_long_as_was_waited_whatever_the_clock_says():
    run = _Run(Here(), work.square, iter_source([]), lambda batch: ())
    future: Future[int] = Future()
    run.flying[future] = _Task(work.Timed("", 1, longest=60.0))
    run.silence = 59.0
    assert not run._silent()
    run.silence = 60.5
    assert run._silent()


def test_workers_that_end_before_they_begin_are_one_clear_error(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from verify.parallel import iter_source, open_door, run_batches\n"
        "with open_door(jobs=2, dask=None) as door:\n"
        "    for _ in run_batches(door, abs, iter_source(range(5))): pass\n"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 1
    assert "CannotStart: workers end before their first batch" in done.stderr


def test_the_piece_that_kills_its_worker_is_found_and_named():
    batches = [tuple(range(n, n + 5)) for n in range(0, 20, 5)]
    with Processes(2) as door:
        found = list(run_batches(door, work.deadly_seven, iter_source(batches), halves))
    dead = [(batch, result) for batch, result in found if isinstance(result, WorkerDied)]
    assert [batch for batch, _ in dead] == [(7,)]
    assert "(7,)" in str(dead[0][1])
    alive = [batch for batch, result in found if not isinstance(result, WorkerDied)]
    assert sorted(n for batch in alive for n in batch) == [n for n in range(20) if n != 7]


def test_workers_that_always_die_end_in_an_error(monkeypatch):
    monkeypatch.setattr("verify.parallel.dispatch.HOPELESS", 3)
    with Processes(1) as door, pytest.raises(WorkerDied, match="whatever they are given"):
        list(run_batches(door, work.always_dies, iter_source(range(9))))


def test_an_error_of_the_function_itself_is_raised():
    with Processes(1) as door, pytest.raises(ZeroDivisionError, match="no 1"):
        list(run_batches(door, work.fails, iter_source([1])))


def test_leaving_early_ends_the_workers(tmp_path):
    marks = [tmp_path / str(n) for n in range(2)]
    with Processes(2) as door:
        source = iter_source([str(mark) for mark in marks])
        run = run_batches(door, work.forever, source)
        futures = [door.executor.submit(work.forever, str(mark)) for mark in marks]
        while not all(mark.exists() and mark.read_text() for mark in marks):
            time.sleep(0.01)
        run.close()
    assert all(future.done() for future in futures)
    for mark in marks:
        assert not running(int(mark.read_text()))


def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    mark = tmp_path / "pid"
    code = (
        "from tests.parallel import work; from verify.parallel import *\n"
        f"with Processes(1) as door: list(run_batches(door, work.forever, iter_source([{str(mark)!r}])))"
    )
    root = Path(__file__).parents[2]
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=root)
    while not (mark.exists() and mark.read_text()):
        time.sleep(0.01)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    worker = int(mark.read_text())
    while running(worker):  # ends, or the test never does
        time.sleep(0.01)


def running(pid: int) -> bool:
    """Whether a process is there and no mere zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize("jobs", [-1, 5000])
def test_a_nonsensical_number_of_jobs_is_refused(jobs):
    with pytest.raises(OutOfDomain, match="--jobs"):
        open_door(jobs, None)


def test_jobs_and_dask_exclude_each_other():
    with pytest.raises(OutOfDomain, match="not with --dask"):
        open_door(2, "tcp://127.0.0.1:1")
