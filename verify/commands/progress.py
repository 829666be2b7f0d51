"""Progress of long work, on standard error: a bar for each part, or plain lines if that is not a
terminal.

Both name what runs and say how long the rest will take at the speed so far.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import click

LINE_SECONDS = 10.0
_WIDEST = 30  # letters of what runs, beside a bar in 80 columns


class Begin(Protocol):
    """Called when a part begins: its name, its number of steps (None if unknown), and what runs
    first."""

    def __call__(self, name: str, total: int | None, running: str = "") -> None: ...


class Advance(Protocol):
    """Called when a step is done, with the name of what runs next, if it has one."""

    def __call__(self, running: str = "") -> None: ...


@contextlib.contextmanager
def parts() -> Iterator[tuple[Begin, Advance]]:
    """Two functions: one begins a part with its name and size, one says that a step of it is done."""
    if not sys.stderr.isatty():
        lines = Lines()
        yield lines.begin, lines.advance
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=10),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[said]}"),  # its own estimate needs many steps a minute
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: list[Any] = []

        def begin(name: str, total: int | None, running: str = "") -> None:
            finish()
            tasks.append(bars.add_task(name, total=total, said=_now(running)))

        def finish() -> None:
            for task in tasks[-1:]:
                bars.update(task, completed=bars.tasks[task].total, said="")

        def advance(running: str = "") -> None:
            task = bars.tasks[tasks[-1]]
            done, total = int(task.completed) + 1, int(task.total or 0)
            left = _time_left(task.elapsed or 0.0, done, total) if total else ""
            bars.update(tasks[-1], advance=1, said=f"{left} {_now(running)}".strip())

        yield begin, advance
        finish()


class Lines:
    """For logs: a line when a part begins, and one now and then while it lasts.

    >>> now = [0.0]
    >>> lines = Lines(clock=lambda: now[0], say=print)
    >>> lines.begin("claims", 4)
    claims (4)
    >>> now[0] = 30; lines.advance("the hard one")
    claims: 1 of 4, about 90 s left; now the hard one
    >>> now[0] = 31; lines.advance()
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] = lambda line: click.echo(line, err=True),
    ) -> None:
        self.clock, self.say = clock, say
        self.name, self.total, self.done = "", 0, 0
        self.start = self.said = clock()

    def begin(self, name: str, total: int | None, running: str = "") -> None:
        self.name, self.total, self.done = name, total or 0, 0
        self.start = self.said = self.clock()
        self.say(f"{name} ({total})" if total is not None else name)

    def advance(self, running: str = "") -> None:
        self.done += 1
        now = self.clock()
        if now - self.said < LINE_SECONDS or self.done == self.total:
            return
        self.said = now
        left = _time_left(now - self.start, self.done, self.total)
        self.say(
            f"{self.name}: {self.done} of {self.total}, {left}"
            + (f"; {_now(running)}" if running else "")
        )


def _time_left(elapsed: float, done: int, total: int) -> str:
    """How long the rest will take, if its steps are like those that are done.

    >>> _time_left(30, 1, 4), _time_left(600, 1, 4)
    ('about 90 s left', 'about 30 min left')
    """
    seconds = elapsed / done * max(total - done, 0)
    return f"about {f'{seconds:.0f} s' if seconds < 100 else f'{seconds / 60:.0f} min'} left"


def _now(running: str) -> str:
    return f"now {running[:_WIDEST]}" if running else ""
