"""Batches out, results in, dead workers survived: see :mod:`verify.parallel`."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from verify.errors import SgmError
from verify.parallel.doors import Door

B = TypeVar("B")
R = TypeVar("R")

TRIES = 3  # how often one piece of work may kill its worker, alone
HOPELESS = 30  # deaths in a row, without a single result, after which nothing is tried any more
_PATIENCE = 1.0  # seconds without a result after which the workers are looked at


class WorkerDied(SgmError):
    """The process that was to do this ended without an answer, again and again."""


def iter_source(batches: Iterable[B]) -> Callable[[], B | None]:
    """The source that :func:`run_batches` wants, from anything iterable."""
    iterator = iter(batches)
    return lambda: next(iterator, None)


def run_batches(
    door: Door,
    function: Callable[[B], R],
    source: Callable[[], B | None],
    split: Callable[[B], Sequence[B]] = lambda batch: (),
) -> Iterator[tuple[B, R | WorkerDied]]:
    """Batches with their results, in whatever order they come.

    ``source`` is asked whenever there is room, and returns None if it has nothing at present; the run
    ends when it has nothing and nothing is in flight. A batch that kills its workers comes back with
    a WorkerDied; an exception raised by the function itself is raised here.
    """
    run = _Run(door, function, source, split)
    while run.fill():
        outcome = run.collect()
        if outcome is not None:
            yield outcome


@dataclass(slots=True)
class _Task(Generic[B]):
    batch: B
    deaths: int = 0


class _Run(Generic[B, R]):
    """The state of one :func:`run_batches`."""

    def __init__(
        self,
        door: Door,
        function: Callable[[B], R],
        source: Callable[[], B | None],
        split: Callable[[B], Sequence[B]],
    ) -> None:
        self.door, self.function, self.source, self.split = door, function, source, split
        self.flying: dict[Future[R], _Task[B]] = {}
        self.landed: queue.SimpleQueue[Future[R]] = queue.SimpleQueue()
        self.suspects: deque[_Task[B]] = deque()  # in flight when a worker died
        self.alone = False  # a suspect is in flight, and nothing beside it
        self.deaths_in_a_row = 0

    def fill(self) -> bool:
        """Give out work while there is room; whether anything is in flight."""
        while len(self.flying) < (1 if self.suspects or self.alone else self.door.width()):
            if self.suspects:
                task, self.alone = self.suspects.popleft(), True
            else:
                batch = self.source()
                if batch is None:
                    break
                task = _Task(batch)
            self._submit(task)
        return bool(self.flying or self.suspects)

    def _submit(self, task: _Task[B]) -> None:
        try:
            future = self.door.executor.submit(self.function, task.batch)
        except BrokenExecutor:  # the pool broke while nobody was looking: this batch is innocent
            self._workers_died()
            self.suspects.append(task)
            return
        self.flying[future] = task
        future.add_done_callback(self.landed.put)

    def collect(self) -> tuple[B, R | WorkerDied] | None:
        """Wait a little for a result."""
        try:
            future = self.landed.get(timeout=_PATIENCE)
        except queue.Empty:
            return None if self.door.healthy() else self._workers_died()
        task = self.flying.get(future)
        if task is None:  # of a pool that is gone; the batch was given out again
            return None
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or (error is not None and self.door.is_death(error)):
            return self._workers_died(future)
        del self.flying[future]
        self.alone = self.alone and bool(self.flying)
        self.deaths_in_a_row = 0
        return task.batch, future.result()

    def _workers_died(self, culprit: Future[R] | None = None) -> tuple[B, WorkerDied] | None:
        """A new pool; what was in flight is done again, and judged if it was in flight alone."""
        self.deaths_in_a_row += 1
        if self.deaths_in_a_row > HOPELESS:
            raise WorkerDied("workers die whatever they are given; memory, or the cluster?")
        alone, self.alone = self.alone, False
        lost = [f for f in self.flying if not _succeeded(f)]
        if culprit is not None and not self.door.shared_fate:
            lost = [culprit]
        tasks = [self.flying.pop(future) for future in lost]
        self.door.renew()
        if not alone or len(tasks) != 1:
            self.suspects.extend(tasks)
            return None
        return self._condemn(tasks[0])

    def _condemn(self, task: _Task[B]) -> tuple[B, WorkerDied] | None:
        pieces = self.split(task.batch)
        if len(pieces) > 1:
            self.suspects.extendleft(_Task(piece) for piece in reversed(pieces))
            return None
        task.deaths += 1
        if task.deaths < TRIES:
            self.suspects.appendleft(task)
            return None
        return task.batch, WorkerDied(f"{task.batch}: the worker died {TRIES} times")


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
