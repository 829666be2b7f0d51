"""Functions for workers, which must be able to import them."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path


def square(n: int) -> int:
    return n * n


def total(numbers: tuple[int, ...]) -> int:
    return sum(numbers)


def deadly_seven(numbers: tuple[int, ...]) -> int:
    """The sum, except that a 7 is fatal."""
    if 7 in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return sum(numbers)


def first_worker_dies(job: tuple[str, int]) -> int:
    """Dies once: whoever comes first, leaves a mark and ends."""
    mark, n = job
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return n
    os.kill(os.getpid(), signal.SIGKILL)
    return n


@dataclass(frozen=True)
class Timed:
    """A batch that says after how many seconds nobody need wait for it."""

    mark: str
    n: int
    longest: float = 3.0


def first_worker_stops(job: Timed) -> int:
    """Whoever comes first leaves a mark and is stopped, as by kill -STOP: it is there, and silent."""
    try:
        os.close(os.open(job.mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return job.n
    os.kill(os.getpid(), signal.SIGSTOP)
    return -1


def always_stops(job: Timed) -> int:
    os.kill(os.getpid(), signal.SIGSTOP)
    return -1


class Trigger:
    """Pickled last, just before the result is written: a moment later the worker is killed."""

    def __reduce__(self) -> tuple[type, tuple[()]]:
        threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return Trigger, ()


def dies_while_answering(job: tuple[str, int]) -> object:
    """Once, killed in the middle of handing over a result that no pipe holds."""
    mark, n = job
    if not Path(mark).exists():
        Path(mark).touch()
        return bytes(1 << 28), Trigger()
    return n


def fails(n: int) -> int:
    raise ZeroDivisionError(f"no {n}")


def always_dies(n: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return n


def sleepy(n: int) -> int:
    time.sleep(0.02)
    return n


def forever(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    time.sleep(600)
