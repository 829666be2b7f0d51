"""How far a sweep is: a bar on a terminal, a line now and then elsewhere; never on standard output."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

LINE_SECONDS = 10.0

Advance = Callable[[int], None]


def quiet(_: int) -> None:
    """Say nothing."""


@contextlib.contextmanager
def show_progress(total: int, done: int, wanted: bool) -> Iterator[Advance]:
    """A function to call with the number of points just finished."""
    if not wanted:
        yield quiet
    elif sys.stderr.isatty():
        with _bar(total, done) as advance:
            yield advance
    else:
        yield _Lines(total, done).advance


@contextlib.contextmanager
def _bar(total: int, done: int) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    begin, count = time.monotonic(), 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("points", total=total, completed=done, rate="")

        def advance(points: int) -> None:
            nonlocal count
            count += points
            rate = count / max(time.monotonic() - begin, 1e-9)
            progress.update(task, advance=points, rate=f"{rate:,.0f}/s")

        yield advance


class _Lines:
    def __init__(self, total: int, done: int) -> None:
        self.total, self.before, self.done = total, done, done
        self.begin = self.said = time.monotonic()  # the wall clock may jump

    def advance(self, points: int) -> None:
        self.done += points
        now = time.monotonic()
        if now - self.said >= LINE_SECONDS:
            self.said = now
            print(self.line(now - self.begin), file=sys.stderr, flush=True)

    def line(self, seconds: float) -> str:
        rate = max((self.done - self.before) / seconds, 1e-9)
        left = (self.total - self.done) / rate
        return (
            f"{self.done:,} of {self.total:,} points, {rate:,.0f}/s, {duration(left)} left"
        )  # fmt: skip


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(42), duration(4000), duration(400_000)
    ('42 s', '1 h 7 min', '4 d 15 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"
