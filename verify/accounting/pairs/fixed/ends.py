"""A run between two ends: the largest of several lower bounds, the least of several upper bounds, each certified.

The answer names the data sets of the lower bound that was the largest.
Every bound is asked within its share of the time. One that has no answer there is left out, and the answer says so;
0 <= delta <= 1 and 0 <= epsilon <= inf remain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeVar

from verify.accounting.contour.line import BadPlan
from verify.accounting.pairs.side import Side
from verify.accounting.tight import Bracketed, out_of_time
from verify.numbers.budget import Deadline
from verify.numbers.certified import Bound, Certified
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

ZERO, ONE = Fraction(0), Fraction(1)
_T = TypeVar("_T")
_MISSING = (
    BadPlan,
    OutOfReach,
    PrecisionExhausted,
    ArithmeticError,
    ValueError,
    MemoryError,
)


class End(Protocol):
    """Something that bounds delta and epsilon of a run, always from the same side."""

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction: ...

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound: ...


def delta_of(side: Side, epsilon: Fraction, digits: int, deadline: Deadline) -> Certified:
    """What a pair says of delta(epsilon) within the deadline, which notes it if time ran out on the way."""
    side.deadline = deadline
    return _noted(side.delta(epsilon, digits), deadline)


def epsilon_of(side: Side, delta: Fraction, digits: int, deadline: Deadline) -> Certified:
    """What a pair says of epsilon(delta) within the deadline, which notes it if time ran out on the way."""
    side.deadline = deadline
    return _noted(side.epsilon(delta, digits), deadline)


def _noted(found: Certified, deadline: Deadline) -> Certified:
    if out_of_time(found):  # also if the answer was kept from an earlier question
        deadline.overruns.append(None)
    return found


@dataclass(frozen=True, slots=True)
class OfCurve:
    """The exact value of some pair, used as an upper or as a lower end."""

    curve: Side
    up: bool

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        found = delta_of(self.curve, epsilon, digits, deadline)
        end = found.hi if self.up else found.lo
        assert isinstance(end, Fraction)
        return end

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        found = epsilon_of(self.curve, delta, digits, deadline)
        return found.hi if self.up else found.lo


@dataclass(frozen=True, slots=True)
class Larger:
    """A lower end: the larger one of two directions of a pair; one that is surely smaller is not computed."""

    sides: Sequence[Side]

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        best = ZERO
        for side in self.sides:
            side.deadline = deadline
            if best == 0 or not side.surely_below(epsilon, best):
                best = max(best, Fraction(delta_of(side, epsilon, digits, deadline).lo))
        return best

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        best: Bound = ZERO
        for side in self.sides:
            side.deadline = deadline
            if not (isinstance(best, Fraction) and best > 0 and side.surely_below(best, delta)):
                best = max(best, epsilon_of(side, delta, digits, deadline).lo)
        return best


@dataclass(frozen=True, slots=True)
class Attained:
    """A lower end, and the data sets that attain it."""

    end: End
    by: str


class Between:
    """One run: what is asked is answered by both ends.

    ``out_of_time`` says whether a bound had too little time for the last answer.
    """

    def __init__(self, lower: Sequence[Attained], upper: Sequence[End], deadline: Deadline) -> None:
        self.lower, self.upper, self.deadline = tuple(lower), tuple(upper), deadline
        self.out_of_time = False

    def delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        """delta(epsilon) lies in this interval (None is infinity)."""
        if epsilon is None:
            return Certified.exactly(ZERO)
        high: Bound = ONE
        self.out_of_time = False
        for end, deadline in self._shares(self.upper):
            found = self._ask(end, epsilon, None, digits, deadline)
            high = high if found is None else min(high, found)
        return self._interval(high, epsilon, None, digits)

    def epsilon(self, delta: Fraction, digits: int) -> Certified:
        """epsilon(delta), the least one >= 0, lies in this interval."""
        if delta == 1:
            return Certified.exactly(ZERO)
        if delta == 0:  # the loss of every lower pair is unbounded
            return Certified.exactly(math.inf)
        high: Bound = math.inf
        self.out_of_time = False
        for end, deadline in self._shares(self.upper):
            found = self._ask(end, None, delta, digits, deadline)
            high = high if found is None else min(high, found)
        return self._interval(high, None, delta, digits)

    def _interval(
        self, high: Bound, epsilon: Fraction | None, delta: Fraction | None, digits: int
    ) -> Certified:
        """Both ends; that they are in order is a theorem, so that anything else is an error of this program."""
        low: Bound = ZERO
        by = self.lower[0].by  # 0 is attained by any data sets
        for one, deadline in self._shares(self.lower):
            found = self._ask(one.end, epsilon, delta, digits, deadline)
            if found is not None and found > low:
                low, by = found, one.by
        if low > high:
            raise AssertionError(f"a lower end {float(low)!r} above an upper end {float(high)!r}")
        if low == high:
            return Certified.exactly(low)
        return Bracketed(low, high, attained=by, out_of_time=self.out_of_time)

    def delta_above(self, epsilon: Fraction, digits: int) -> Fraction:
        """The upper end of delta(epsilon) alone."""
        found = (self._ask(end, epsilon, None, digits, d) for end, d in self._shares(self.upper))
        return min((Fraction(x) for x in found if x is not None), default=ONE)

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound can be shown cheaply; False says nothing."""
        for end, deadline in self._shares(self.upper):
            found = self._ask(end, epsilon, None, 1, deadline)
            if found is not None and found < bound:
                return True
        return False

    def _shares(self, ends: Sequence[_T]) -> Iterable[tuple[_T, Deadline]]:
        """Each end with its share: the upper ends have the first half of the time, the lower ends the second."""
        first = 0.0 if ends is self.upper else 0.5
        for i, end in enumerate(ends, 1):
            part = first + 0.45 * i / len(ends)
            yield end, self.deadline.share(part)

    def _ask(
        self,
        end: End,
        epsilon: Fraction | None,
        delta: Fraction | None,
        digits: int,
        deadline: Deadline,
    ) -> Bound | None:
        """What an end answers, or None."""
        before = len(deadline.overruns)
        try:
            deadline.check()
            if delta is not None:
                return end.epsilon(delta, digits, deadline)
            assert epsilon is not None
            return end.delta(epsilon, digits, deadline)
        except BudgetExceeded:
            self.out_of_time = True
            return None
        except _MISSING:
            return None
        finally:  # a pair that had too little time answers nonetheless, with a cruder bound
            self.out_of_time |= len(deadline.overruns) > before
