"""Results in the order of the work, over the same door."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from verify.parallel.dispatch import WorkerDied, iter_source, run_batches
from verify.parallel.doors import Door, Here, Processes

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    door: Door, function: Callable[[T], R], items: Iterable[T]
) -> Iterator[tuple[T, R | WorkerDied]]:
    """Items with their results, each as soon as all before it are there."""
    early: dict[int, tuple[T, R | WorkerDied]] = {}
    wanted = 0
    work = functools.partial(_call_numbered, function)
    for (number, item), result in run_batches(door, work, iter_source(enumerate(items))):
        early[number] = item, result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def each(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """The results of a plain map, over so many processes (1: none but this one).

    >>> list(each(abs, [3, -1, -2], 1))
    [3, 1, 2]

    An item that kills its process is an error.
    """
    with Here() if jobs <= 1 else Processes(jobs) as door:
        for _, result in in_order(door, function, items):
            if isinstance(result, WorkerDied):
                raise result
            yield result


def _call_numbered(function: Callable[[T], R], numbered: tuple[int, T]) -> R:
    return function(numbered[1])
