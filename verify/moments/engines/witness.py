"""What the mpmath engines share: a context of their own, and how they raise precision.

No arithmetic on moments lives here. mpmath's global context is never touched. A context has one
precision, and all contexts share the constants that mpmath remembers between calls, value and
precision stored one after the other: two threads must not compute with mpmath at once, not even in
two contexts. So witnesses take turns, each for one evaluation; all of it is Python, which runs in one
thread at a time anyway.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath

from verify.moments.engines import Moment
from verify.moments.engines.mass import guess_log_size
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach, PrecisionExhausted
from verify.numbers.turns import Turn

Context = Any  # mpmath ships no types
Estimate = tuple[Any, Any]
"""A value and a bound (or careful estimate) of its absolute error, as mpf numbers."""

_GUARD = 10
_TRIES = 12
_TURN = Turn()


def enclose(
    name: str,
    moment: Moment,
    digits: int,
    deadline: Deadline,
    estimate: Callable[[Context, int], Estimate],
) -> Enclosure:
    """Call ``estimate(mp, digits)`` with rising precision until the result has its digits.

    The estimate is of E[g^s]; its logarithm is what is asked for, and a moment 1 + 1e-24 loses 24
    digits there. So the precision follows the size of the result, not the size of the moment.
    (Logarithmic moments E[g^s ln g] are taken as they are.)
    """
    with _TURN.held(deadline):
        return _enclose(_context(), name, moment, digits, estimate)


def _enclose(
    mp: Context,
    name: str,
    moment: Moment,
    digits: int,
    estimate: Callable[[Context, int], Estimate],
) -> Enclosure:
    goal = Fraction(1, 10**digits)
    working = digits + _GUARD + _lost_digits(moment)
    for _ in range(_TRIES):
        mp.dps = working + _GUARD
        value, error = estimate(mp, working)
        rounding = mp.mpf(10) ** -(working + _GUARD // 2)
        error += abs(value) * rounding
        low, high = value - error, value + error
        if not moment.log:
            low, high = (mp.log(low), mp.log(high)) if low > 0 else (-mp.inf, mp.inf)
            # A logarithm of 1e15 has fewer digits behind the point than its argument had in all.
            low, high = low - abs(low) * rounding, high + abs(high) * rounding
        if mp.isfinite(low) and mp.isfinite(high):
            found = Enclosure(_fraction(low), _fraction(high), proved=False)
            if found.relative_width() <= goal:
                return found
            size = max(abs(low), abs(high))
            missing = int(mp.log10((high - low) / size)) + digits + 3 if high > low else 3
            crossed = low <= 0 <= high
            working += working if crossed else max(missing, 3)
        else:
            working *= 2
    raise PrecisionExhausted(f"{name} for {moment}: {digits} digits not reached with {working}")


@functools.cache
def _context() -> Context:
    """mpmath's settings are global to a context: this one belongs to whoever has the turn."""
    return mpmath.MPContext()


def _lost_digits(moment: Moment) -> int:
    """A first guess of the digits lost to cancellation; a wrong one only costs another round."""
    try:
        size = guess_log_size(moment)
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        raise OutOfReach(f"{moment}: parameters beyond the engine's range") from error
    return max(0, math.ceil(-size / math.log(10)))


def mpf(mp: Context, x: Fraction) -> Any:
    """A rational as mpf at the precision in force."""
    return mp.mpf(x.numerator) / x.denominator


def _fraction(x: Any) -> Fraction:
    sign, man, exp, _ = x._mpf_
    value = Fraction(int(man)) * Fraction(2) ** int(exp)
    return -value if sign else value
