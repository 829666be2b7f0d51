"""How far long work is, on standard error: a bar for each part, or plain lines where that is no terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

Begin = Callable[[str, int], None]
Advance = Callable[[], None]


@contextlib.contextmanager
def parts() -> Iterator[tuple[Begin, Advance]]:
    """Two functions: one begins a part with its name and size, one says that a step of it is done."""
    if not sys.stderr.isatty():
        yield lambda name, total: click.echo(f"{name} ({total})", err=True), lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: list[Any] = []

        def begin(name: str, total: int) -> None:
            finish()
            tasks.append(bars.add_task(name, total=total))

        def finish() -> None:
            for task in tasks[-1:]:
                bars.update(task, completed=bars.tasks[task].total)

        def advance() -> None:
            bars.advance(tasks[-1])

        yield begin, advance
        finish()
