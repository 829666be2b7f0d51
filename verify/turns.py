"""Taking turns: a lock around state that a library keeps once for the whole process.

python-flint has one working precision, mpmath one store of constants (written in two steps that
another thread can fall between). Neither can be made local to a thread, so threads take turns.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import get_ident

from verify.budget import Deadline


class Turn:
    """One thread at a time, as deeply nested as it likes; those who wait come before those who return.

    Whoever waits first stands between the two doors, all others before the outer one. A thread that
    gives up its turn and wants the next has to queue outside, so a long computation that takes many
    short turns starves nobody.

    >>> turn = Turn()
    >>> with turn.held(), turn.held():
    ...     turn.mine()
    True
    >>> turn.mine()
    False

    A child process inherits the locks but not the threads that hold them. There the turn is free
    again, unless the forking thread itself had it; ``abandoned`` is called if another thread had.
    """

    def __init__(self, abandoned: Callable[[], None] | None = None) -> None:
        self._outer, self._inner = threading.RLock(), threading.RLock()
        self._owner: int | None = None
        self._depth = 0
        self._abandoned = abandoned
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._in_child)

    def mine(self) -> bool:
        """Whether the calling thread has the turn."""
        return self._owner == get_ident()

    def take(self, deadline: Deadline | None = None) -> None:
        """Wait for the turn; BudgetExceeded if it does not come in time."""
        me = get_ident()
        if self._owner != me:
            try:
                _pass(self._outer, deadline)
                _pass(self._inner, deadline)
                self._owner = me
                self._outer.release()
            except BaseException:  # an interrupt may come at any of these steps
                if self._owner == me:
                    self._owner = None
                for door in (self._inner, self._outer):
                    with suppress(RuntimeError):  # not ours yet, or no longer
                        door.release()
                raise
        self._depth += 1

    def give(self) -> None:
        """Give back what :meth:`take` took."""
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            self._inner.release()

    @contextmanager
    def held(self, deadline: Deadline | None = None) -> Iterator[None]:
        """The turn for what stands inside."""
        self.take(deadline)
        try:
            yield
        finally:
            self.give()

    def _in_child(self) -> None:
        self._outer, self._inner = threading.RLock(), threading.RLock()
        if self.mine():
            self._inner.acquire()
        elif self._owner is not None:
            self._owner, self._depth = None, 0
            if self._abandoned is not None:
                self._abandoned()


def _pass(door: threading.RLock, deadline: Deadline | None) -> None:
    if door.acquire(False):
        return
    seconds = -1.0 if deadline is None else min(deadline.left(), threading.TIMEOUT_MAX)
    if not door.acquire(timeout=seconds) and deadline is not None:
        raise deadline.exceeded()
