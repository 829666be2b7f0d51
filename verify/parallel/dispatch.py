"""Give out batches, collect results, and replace workers that died: see :mod:`verify.parallel`."""

from __future__ import annotations

import logging
import math
import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from verify.numbers.errors import SgmError
from verify.parallel.doors import Door

B = TypeVar("B")
R = TypeVar("R")

TRIES = 3  # how often one piece of work may kill its worker, alone
HOPELESS = 30  # deaths in a row, without a single result, after which nothing is tried any more
_LOG = logging.getLogger(__name__)
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

    Workers may also fall silent (stopped, or lost behind a network that does not say so). A batch with
    an attribute ``longest``, the seconds after which an answer can no longer be expected, is not waited
    for beyond that: silence is then the same as death.
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
        self.silence = (
            0.0  # seconds waited without any result; not by the clock: we may be stopped, too
        )

    def fill(self) -> bool:
        """Give out work while there is room; return whether any batch is with a worker."""
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
        except (
            BrokenExecutor
        ):  # the pool broke before this batch was given out: the batch is not the cause
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
            self.silence += _PATIENCE
            return self._workers_died() if self._silent() or not self.door.healthy() else None
        self.silence = 0.0
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

    def _silent(self) -> bool:
        """Whether there has been no result for longer than any batch in flight may take."""
        longest = max((_longest(task.batch) for task in self.flying.values()), default=math.inf)
        if self.silence <= longest:
            return False
        _LOG.warning("no result for %.0f s: the workers are given up, and their work is done again",
                     self.silence)  # fmt: skip
        return True

    def _workers_died(self, culprit: Future[R] | None = None) -> tuple[B, WorkerDied] | None:
        """Make a new pool and give the unfinished batches out again. A batch that ran alone has
        killed its worker."""
        self.deaths_in_a_row += 1
        self.silence = 0.0
        if self.deaths_in_a_row > HOPELESS:
            raise WorkerDied("workers die whatever they are given; memory, or the cluster?")
        alone, self.alone = self.alone, False
        lost = [f for f in self.flying if not _has_succeeded(f)]
        if culprit is not None and not self.door.shared_fate:
            lost = [culprit]
        tasks = [self.flying.pop(future) for future in lost]
        if not self.door.shared_fate:  # a cluster would go on with what nobody waits for
            for future in lost:
                future.cancel()
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


def _longest(batch: object) -> float:
    return float(getattr(batch, "longest", math.inf))


def _has_succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
