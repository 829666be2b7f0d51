"""How long and how far a computation may go.

Loops call :meth:`Deadline.check`; an exhausted budget is an error, never a number.
"""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from verify.errors import BudgetExceeded, OutOfDomain

DEFAULT_SECONDS = 60.0
MAX_DIGITS = 100_000


@dataclass(frozen=True, slots=True)
class Deadline:
    """A number of seconds, counted from creation: on the wall, or by another clock of ``time``.

    >>> Deadline(10.0).check()
    >>> Deadline(0.0).check()
    Traceback (most recent call last):
    ...
    verify.errors.BudgetExceeded: no answer within 0 s; allow more time (max_seconds, --max-seconds)
    """

    seconds: float = DEFAULT_SECONDS
    start: float = field(default_factory=time.monotonic, compare=False)
    clock: Callable[[], float] = field(default=time.monotonic, compare=False)

    @classmethod
    def of_work(cls, seconds: float) -> Deadline:
        """Seconds of this thread's own work: however busy the machine is, as much gets done."""
        return cls(seconds, time.thread_time(), time.thread_time)

    def left(self) -> float:
        """Seconds that remain, never below 0."""
        return max(0.0, self.start + self.seconds - self.clock())

    def check(self) -> None:
        if self.clock() - self.start >= self.seconds:
            raise self.exceeded()

    def exceeded(self) -> BudgetExceeded:
        """The error to raise when the time is up."""
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
