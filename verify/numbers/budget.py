"""How long and how far a computation may go.

Loops call :meth:`Deadline.check`; an exhausted budget is an error, never a number.

There are two clocks. The wall clock stops a computation, and then there is no answer. Where a
computation that takes too long is replaced by a
cheaper one, the clock of this thread's own work decides (:meth:`Deadline.share`), so that what is
answered does not depend on how busy the machine is.
"""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from verify.numbers.errors import BudgetExceeded, OutOfDomain

DEFAULT_SECONDS = 60.0
MAX_DIGITS = 100_000


@dataclass(frozen=True, slots=True)
class Deadline:
    """A number of seconds, counted from creation: on the wall, or by another clock of ``time``.

    >>> Deadline(10.0).check()
    >>> Deadline(0.0).check()
    Traceback (most recent call last):
    ...
    verify.numbers.errors.BudgetExceeded: no answer within 0 s; allow more time (max_seconds, --max-seconds)
    """

    seconds: float = DEFAULT_SECONDS
    start: float = field(default_factory=time.monotonic, compare=False)
    clock: Callable[[], float] = field(default=time.monotonic, compare=False)
    stop: Deadline | None = None
    """Another deadline, which stops as well."""
    work: float = field(default_factory=time.thread_time, compare=False)
    """What this thread's clock of work showed at creation."""
    overruns: list[None] = field(default_factory=list, compare=False, repr=False)
    """One entry for each time that this deadline, or a share of it, stopped something. Where an answer comes
    nonetheless, it may be a cruder one."""

    @classmethod
    def of_work(cls, seconds: float) -> Deadline:
        """A deadline in processor time of this thread. The amount of work does not depend on how
        busy the machine is."""
        return cls(seconds, time.thread_time(), time.thread_time)

    def share(self, part: float) -> Deadline:
        """A part of the seconds, as processor time of this thread, counted from the creation of
        this deadline. This deadline still applies.

        >>> Deadline(10.0).share(0.5).check()
        >>> Deadline(10.0).share(0.0).check()
        Traceback (most recent call last):
        ...
        verify.numbers.errors.BudgetExceeded: no answer within 10 s; allow more time (max_seconds, --max-seconds)
        """
        return Deadline(
            self.seconds * part, self.work, time.thread_time, self, overruns=self.overruns
        )

    def left(self) -> float:
        """Seconds that remain, never below 0."""
        own = max(0.0, self.start + self.seconds - self.clock())
        return own if self.stop is None else min(own, self.stop.left())

    def check(self) -> None:
        stopped = self.stop is not None and not self.stop.left()
        if stopped or self.clock() - self.start >= self.seconds:
            raise self.exceeded()

    def exceeded(self) -> BudgetExceeded:
        """The error to raise when the time is up, which is noted."""
        self.overruns.append(None)
        if self.stop is not None:
            return self.stop.exceeded()
        return BudgetExceeded(
            f"no answer within {self.seconds:g} s; allow more time (max_seconds, --max-seconds)"
        )


def checked_seconds(value: object) -> float:
    """The allowed time as a float, or one clear error.

    >>> checked_seconds(10)
    10.0
    """
    try:
        seconds = math.nan if isinstance(value, (bool, str)) else float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError, OverflowError):
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise OutOfDomain(f"max_seconds = {_short(value)}: must be a positive, finite number")
    return seconds


def checked_digits(value: object) -> int:
    """The number of significant digits asked for, or one clear error.

    >>> checked_digits(50)
    50
    """
    try:
        digits = 0 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]  # what is no integer raises
    except TypeError:
        digits = 0
    if not 1 <= digits <= MAX_DIGITS:
        raise OutOfDomain(
            f"digits = {_short(value)}: must be a whole number from 1 to {MAX_DIGITS}"
        )
    return digits


def _short(value: object) -> str:
    try:
        return f"{value!s:.60}"
    except ValueError:  # an integer too long to print
        return f"<{type(value).__name__}>"
