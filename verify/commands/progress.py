"""Progress on standard error: a bar for each part, plain lines where that is no terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

Begin = Callable[[str, int], None]
Advance = Callable[[], None]


@contextlib.contextmanager
def bars() -> Iterator[tuple[Begin, Advance]]:
    """Two functions: a part begins, with its number of steps; a step of it is done."""
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
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: list[Any] = []

        def begin(name: str, total: int) -> None:
            finish()
            tasks.append(shown.add_task(name, total=total))

        def finish() -> None:
            for task in tasks[-1:]:
                shown.update(task, completed=shown.tasks[task].total)

        def advance() -> None:
            shown.advance(tasks[-1])

        yield begin, advance
        finish()
