"""Where work is done: in this process, in processes of this machine, or on a cluster."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Protocol, Self

from verify.numbers.errors import OutOfDomain, SgmError

BATCH_SECONDS = 0.1
_STILLBORN = 3  # pools without a worker that began, when none ever has: it cannot work at all


class CannotStart(SgmError):
    """Workers end before they have begun."""


class Door(Protocol):
    """Where work is done. One of :class:`Processes`, :class:`Here`, ``verify.parallel.cluster.DaskCluster``."""

    executor: Executor
    shared_fate: bool  # whether the death of one worker loses everything in flight

    @property
    def seconds(self) -> float:
        """How long a batch should take here."""

    def width(self) -> int:
        """How many batches to keep in flight."""

    def is_death(self, error: BaseException) -> bool:
        """Whether this error says that a worker ended, not that the work is wrong."""

    def healthy(self) -> bool:
        """Asked after a while without results; False if the executor must be made anew."""

    def renew(self) -> None:
        """A fresh executor, after workers died."""


class Opened:
    """What all doors share: the end of a ``with`` statement stops the workers at once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        raise NotImplementedError


class _Inline(Executor):
    """Does the work when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # the future carries whatever the function raised
            future.set_exception(error)
        return future


class Here(Opened):
    """In this very process: for small work, and for debugging."""

    seconds = BATCH_SECONDS
    shared_fate = False

    def __init__(self) -> None:
        self.executor: Executor = _Inline()

    def width(self) -> int:
        return 1

    def is_death(self, error: BaseException) -> bool:
        return False

    def healthy(self) -> bool:
        return True

    def renew(self) -> None:
        """There is no worker to replace."""

    def close(self) -> None:
        """There is nothing to close."""


class Processes(Opened):
    """So many processes of this machine."""

    seconds = BATCH_SECONDS
    shared_fate = True

    def __init__(self, jobs: int) -> None:
        self.jobs, self._stillborn, self._worked = jobs, 0, False
        self._open()

    def _open(self) -> None:
        # Never plain fork: flint and the writer's database must not be copied into the workers.
        methods = multiprocessing.get_all_start_methods()
        kind = "forkserver" if "forkserver" in methods else "spawn"
        self._context = _Remembering(multiprocessing.get_context(kind))
        context: Any = self._context  # does all that a context does
        # Shared memory without a lock: a worker may be killed while it writes.
        self._begun = context.RawValue("b", 0)
        self.executor: Executor = ProcessPoolExecutor(
            self.jobs, mp_context=context, initializer=_settle_in, initargs=(self._begun,)
        )

    def width(self) -> int:
        return 2 * self.jobs + 1  # one running and one waiting for each, and one on its way

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def healthy(self) -> bool:
        # A worker killed in the middle of handing over a result leaves the pool waiting for the rest
        # of it, for ever; the pool does not look at its processes while it waits.
        return all(child.is_alive() for child in self._context.made)

    def pids(self) -> list[int]:
        """The workers at present."""
        return [child.pid for child in self._context.made if child.pid is not None]

    def renew(self) -> None:
        self._worked = self._worked or bool(self._begun.value)
        self._stillborn += 1
        if not self._worked and self._stillborn >= _STILLBORN:
            raise CannotStart(
                "workers end before their first batch; in a script, what opens the door must stand under "
                'if __name__ == "__main__":'
            )
        self.close()
        self._open()

    def close(self) -> None:
        """End the workers now; their unfinished batches will be done again by others."""
        children = [child for child in self._context.made if child.pid is not None]
        for child in children:
            child.kill()
        for child in children:
            child.join()
        # With every other writer gone this wakes a pool that waits for the rest of a result.
        results = getattr(self.executor, "_result_queue", None)
        if results is not None and children:
            with contextlib.suppress(OSError, AttributeError):
                results._writer.close()
        self.executor.shutdown(wait=True, cancel_futures=True)


class _Remembering:
    """A context of multiprocessing that remembers the processes it made."""

    def __init__(self, context: BaseContext) -> None:
        self._context = context
        self.made: list[BaseProcess] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def Process(self, *args: Any, **kwargs: Any) -> BaseProcess:  # noqa: N802  # as contexts call it
        process: BaseProcess = self._context.Process(*args, **kwargs)  # type: ignore[attr-defined]  # every context has it
        self.made.append(process)
        return process


def _settle_in(begun: Any) -> None:
    """Prepare a worker: it ignores Ctrl-C, which the parent handles, and ends when the parent ends."""
    begun.value = 1
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def open_door(jobs: int | None, dask: str | None) -> Any:
    """The door that ``--jobs N`` or ``--dask ADDRESS`` asks for, to be used in a ``with`` statement."""
    if dask is not None:
        if jobs is not None:
            raise OutOfDomain("--jobs goes with processes of this machine, not with --dask")
        from verify.parallel.cluster import DaskCluster

        return DaskCluster(dask)
    if jobs is not None and not 0 <= jobs <= 4096:
        raise OutOfDomain(f"--jobs {jobs}: must be a whole number from 0 (no workers) to 4096")
    return Here() if jobs == 0 else Processes(jobs or cores())
