"""A queue of threads for state that a library keeps once for the whole process: threads take turns.

python-flint has one working precision, mpmath one store of constants (written in two steps that
another thread can fall between). Neither can be made local to a thread, so threads take turns.

An interrupt (Ctrl-C in a notebook) may come between any two steps of Python code, also before the
first step of an ``__exit__``: no order of statements gives a turn back for certain. So a turn
records the frame that took it, and any thread that finds this frame no longer running ends the
turn.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from threading import get_ident
from types import FrameType, TracebackType

from verify.numbers.budget import Deadline

_SLICE = 0.05  # seconds between two looks at a queue that does not move
_SUSPENDS = 0x20 | 0x80 | 0x200  # code flags of generators and coroutines, whose frames may pause


class Ticket:
    """A place in the queue: who took it, where, and what there is to restore if it is dropped."""

    __slots__ = ("called", "frame", "state", "thread")

    def __init__(self, frame: FrameType) -> None:
        self.thread, self.frame = get_ident(), frame
        self.called: threading.Event | None = None
        self.state: int | None = None

    def running(self) -> bool:
        """Whether the code that took this place has not ended yet.

        Another thread's stack must not be walked: its frames are objects only once somebody asks for
        them, and making one may collect garbage, let that thread go on and write into a frame that
        is gone (CPython 3.11 crashes so). A frame refuses to be cleared while it runs; one that has
        ended and left its place behind loses its variables, as it would without its traceback.
        """
        if self.frame.f_code.co_flags & _SUSPENDS:
            return True
        try:
            self.frame.clear()
        except RuntimeError:
            return True
        return False


class Turn:
    """One thread at a time, as deeply nested as it likes, in the order of asking.

    >>> turn = Turn()
    >>> with turn.held(), turn.held():
    ...     turn.mine()
    True
    >>> turn.mine()
    False

    ``abandoned`` is given the state of a ticket that was dropped: by an interrupt, or in a child
    process, which inherits the queue but not the threads that stand in it.
    """

    def __init__(self, abandoned: Callable[[int], None] | None = None) -> None:
        self._queue: deque[Ticket] = deque()
        self._mending = threading.Lock()
        self._abandoned = abandoned
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._in_child)

    def mine(self) -> bool:
        """Whether the calling thread has the turn."""
        head = self._head()
        return head is not None and head.thread == get_ident() and head.running()

    def take(self, frame: FrameType, deadline: Deadline | None = None) -> Ticket | None:
        """Wait for the turn on behalf of a frame; None if the thread has it already.

        BudgetExceeded if the turn does not come in time.
        """
        queue = self._queue
        if queue:  # in use, or left behind
            head = self._head()
            if head is not None and head.thread == get_ident():
                if head.running():
                    return None
                self._drop(head)
        ticket = Ticket(frame)
        queue.append(ticket)
        if queue[0] is not ticket:
            self._wait(ticket, deadline)
        return ticket

    def give(self, ticket: Ticket | None) -> None:
        """Give back what :meth:`take` returned."""
        if ticket is None:
            return
        try:
            self._queue.remove(ticket)
        except ValueError:  # dropped by somebody who could not see it running
            return
        if self._queue:
            head = self._head()
            if head is not None and head.called is not None:
                head.called.set()

    def held(self, deadline: Deadline | None = None) -> Held:
        """The turn for what stands inside a with statement."""
        return Held(self, deadline)

    def _head(self) -> Ticket | None:
        try:
            return self._queue[0]
        except IndexError:
            return None

    def _wait(self, ticket: Ticket, deadline: Deadline | None) -> None:
        ticket.called = threading.Event()
        while (head := self._queue[0]) is not ticket:
            if not head.running():
                self._drop(head)
                continue
            left = _SLICE if deadline is None else deadline.left()
            if left <= 0 and deadline is not None:
                self.give(ticket)
                raise deadline.exceeded()
            ticket.called.wait(min(left, _SLICE))
            ticket.called.clear()

    def _drop(self, ticket: Ticket) -> None:
        """Remove a ticket whose code has ended without giving it back."""
        with self._mending:
            if ticket is not self._head():
                return
            if ticket.state is not None and self._abandoned is not None:
                self._abandoned(ticket.state)
            self.give(ticket)

    def _in_child(self) -> None:
        head, self._queue, self._mending = self._head(), deque(), threading.Lock()
        if head is not None and head.thread == get_ident():
            self._queue.append(head)
        elif head is not None and head.state is not None and self._abandoned is not None:
            self._abandoned(head.state)


class Held:
    """What :meth:`Turn.held` returns."""

    __slots__ = ("deadline", "ticket", "turn")

    def __init__(self, turn: Turn, deadline: Deadline | None) -> None:
        self.turn, self.deadline = turn, deadline
        self.ticket: Ticket | None = None

    def __enter__(self) -> None:
        self.ticket = self.turn.take(sys._getframe(1), self.deadline)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.turn.give(self.ticket)
