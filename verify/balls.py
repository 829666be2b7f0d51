"""Balls: exact rationals in and out, and the one lock around the arithmetic's global state.

python-flint keeps its working precision in one place for the whole process. Whoever computes with
balls does so inside :func:`precision`, which sets it, puts it back whatever happens, and makes
threads take turns; nothing else in this project touches ``flint.ctx``.

>>> with precision(100):
...     print(ball(Fraction(1, 3)).str(10, radius=False))
0.3333333333
"""

from __future__ import annotations

import threading
from fractions import Fraction
from types import TracebackType

from flint import arb, ctx, fmpq

from verify.certified import Enclosure

_TURN = threading.RLock()


class precision:  # noqa: N801  # used like a function: with precision(bits)
    """So many bits for what stands inside; other threads wait for their turn.

    >>> before = ctx.prec
    >>> with precision(200), precision(90):
    ...     ctx.prec
    90
    >>> ctx.prec == before
    True
    """

    __slots__ = ("before", "bits")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        _TURN.acquire()
        self.before = ctx.prec
        try:
            ctx.prec = self.bits
        except BaseException:
            _TURN.release()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        ctx.prec = self.before
        _TURN.release()


def ball(x: Fraction) -> arb:
    """A rational as a ball at the precision in force."""
    return arb(fmpq(x.numerator, x.denominator))


def fraction(exact: arb) -> Fraction:
    """The value of a ball without radius."""
    man, exp = exact.man_exp()
    m, e = int(man), int(exp)
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


def enclosure(value: arb) -> Enclosure:
    """The ends of a ball, rounded outwards to the precision in force."""
    return Enclosure(fraction(value.lower()), fraction(value.upper()), proved=True)
