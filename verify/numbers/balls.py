"""Balls: exact rationals in and out, and the one lock around the arithmetic's global state.

python-flint keeps its working precision in one place for the whole process. Whoever computes with
balls does so inside :func:`precision`, which sets it, puts it back whatever happens, and makes
threads take turns; nothing else in this project touches ``flint.ctx``. A program that computes with
balls of its own while other threads call this package does the same.

>>> with precision(100):
...     print(ball(Fraction(1, 3)).str(10, radius=False))
0.3333333333
"""

from __future__ import annotations

import math
import sys
import threading
from fractions import Fraction
from types import TracebackType

from flint import arb, ctx, fmpq

from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach
from verify.numbers.turns import Turn


def _drop_abandoned(before: int) -> None:
    """The code that was computing has ended without putting the precision back."""
    ctx.prec = before


_TURN = Turn(_drop_abandoned)


class _Caches:
    """FLINT remembers constants for each thread and frees them only when told: at the thread's end."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def __del__(self) -> None:
        if self.thread == threading.get_ident():  # else it is the interpreter that ends
            forget()


def forget() -> None:
    """Free what FLINT remembers for this thread."""
    ctx.cleanup()


_LOCAL = threading.local()


class precision:  # noqa: N801  # used like a function: with precision(bits)
    """So many bits for what stands inside; other threads wait for their turn, or for the deadline.

    >>> before = ctx.prec
    >>> with precision(200), precision(90):
    ...     ctx.prec
    90
    >>> ctx.prec == before
    True
    """

    __slots__ = ("before", "bits", "deadline", "ticket")

    def __init__(self, bits: int, deadline: Deadline | None = None) -> None:
        self.bits, self.deadline = bits, deadline

    def __enter__(self) -> None:
        self.ticket = _TURN.take(sys._getframe(1), self.deadline)
        self.before = ctx.prec
        if self.ticket is not None:
            self.ticket.state = self.before
            if not hasattr(_LOCAL, "caches"):
                main = threading.current_thread() is threading.main_thread()
                _LOCAL.caches = None if main else _Caches()
        try:
            ctx.prec = self.bits
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        ctx.prec = self.before
        _TURN.give(self.ticket)


def ball(x: Fraction) -> arb:
    """A rational as a ball at the precision in force."""
    return arb(fmpq(x.numerator, x.denominator))


_MOST_BITS = 1 << 28  # of a rational number


def fraction(exact: arb) -> Fraction:
    """The value of a ball without radius."""
    man, exp = exact.man_exp()
    m, e = int(man), int(exp)
    if abs(e) > _MOST_BITS:  # it would fill the memory
        raise OutOfReach("a number whose exponent has no room in memory")
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


def enclosure(value: arb) -> Enclosure:
    """The ends of a ball, rounded outwards to the precision in force."""
    return Enclosure(fraction(value.lower()), fraction(value.upper()), proved=True)


def log_enclosure(x: Fraction, digits: int, deadline: Deadline) -> Enclosure:
    """ln x for a rational 0 < x < 1, to that many digits of the logarithm.

    >>> float(log_enclosure(Fraction(1, 2), 20, Deadline()).hi)
    -0.6931471805599453
    """
    wanted = math.ceil(digits * math.log2(10)) + 3
    bits = wanted + 4
    while True:
        with precision(bits, deadline):
            # The subtraction is exact: next to 1 the logarithm is as small as 1 - x.
            value = ball(x).log() if 2 * x < 1 else ball(x - 1).log1p()
            deadline.check()
            accuracy = value.rel_accuracy_bits()
            if accuracy >= wanted:
                return enclosure(value)
        bits += max(wanted - accuracy, 0) + 2
