"""The tight epsilon and delta of a run in one direction: exact where exact, certified elsewhere.

Removing a record compares P^T with Q^T, adding one compares Q^T with P^T (P the mixture, Q the Gaussian). delta(eps)
is the least delta for which the run is (eps, delta)-DP in that direction; epsilon(delta) the least epsilon >= 0.

Exact cases. Nothing is released when q = 0: both are 0. delta = 0: the loss when removing is
unbounded (epsilon is infinite); when adding it is bounded by end = -sum T ln(1-q), its essential
supremum, so epsilon(0) = end and delta(eps) = 0 from there on. delta >= delta(0), the total
variation: epsilon = 0; that of one step is q (2 Phi(1/(2 s)) - 1), that of a run at most the sum of
those of its steps.

Where no contour serves (few steps with little noise and an epsilon of almost 0), the answer is the
bracket of the independent route (``convolution``), a :class:`Bracketed`: certified, with the digits
it has.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.planner import Direction, Planner
from verify.accounting.contour.vertical import log_delta_below
from verify.accounting.exact.convolution import POINTS, Bracket
from verify.accounting.history import History
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import Route, log, route
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified, Refine
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

ZERO = Fraction(0)
_SHARE, _SECOND = 0.5, 0.75  # of the time: for all digits, and for fewer; the rest is the bracket's
_FEW = 1024  # points of a first look


_FEWER_DIGITS = (20, 8)  # tried where more could not be had
_TINY = -100_000  # ln delta below which nobody wants its digits, which would fill the memory
_UNSERVED = "neither the contour nor a bracket serves this run"
_UNREACHED = (OutOfReach, PrecisionExhausted, BadPlan, ArithmeticError, ValueError)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Bracketed(Certified):
    """Certified, but with fewer digits than asked, or none: print shows both ends. ``why`` says why.

    Where the exact value is not known, ``attained`` names data sets that attain the lower end. ``out_of_time`` says that
    the time allowed ran out on the way: the ends may come closer with more of it.

    Added in version 0.2.0.

    >>> print(Bracketed(Fraction(1, 3), Fraction(1, 2)))
    [0.33333333, 0.50000000]
    """

    why: str = "more digits could not be had"
    attained: str = ""
    out_of_time: bool = False

    def text(self, digits: int = 8) -> str:
        """Both ends, with one digit more than is certain, so that all certain digits are shown.

        >>> print(Bracketed(Fraction(2, 3), Fraction(2, 3) + Fraction(1, 10**12)))
        [0.666666666666, 0.666666666668]
        """
        shown = max(digits, self.certain_digits() + 1)
        return f"[{self.lo_str(shown)}, {self.hi_str(shown)}]"


def out_of_time(found: Certified | None) -> bool:
    """Whether this answer is wider than it had to be, for want of time."""
    return isinstance(found, Bracketed) and found.out_of_time


def noting_time(ask: Callable[[], Certified], deadline: Deadline) -> Certified:
    """What is asked; a bracket says if time ran out on the way to it."""
    before = len(deadline.overruns)
    found = ask()
    late = len(deadline.overruns) > before or not deadline.left()
    if late and isinstance(found, Bracketed):
        return replace(found, out_of_time=True)
    return found


class Curve:
    """One direction of a run. Questions asked of the same curve share its tables."""

    def __init__(self, history: History, direction: Direction, deadline: Deadline) -> None:
        self.history, self.direction, self.deadline = history, direction, deadline
        self._planner: Planner | None = None
        self._route: Route | None = None
        self._answers: dict[tuple[str, Fraction | None, int], Certified] = {}

    def delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        """The least delta at this epsilon (None is infinity)."""
        key = "delta", epsilon, digits
        if key not in self._answers:
            self._answers[key] = noting_time(lambda: self._delta(epsilon, digits), self.deadline)
        return self._answers[key]

    def epsilon(self, delta: Fraction, digits: int) -> Certified:
        """The least epsilon >= 0 at this delta."""
        key = "epsilon", delta, digits
        if key not in self._answers:
            self._answers[key] = noting_time(lambda: self._epsilon(delta, digits), self.deadline)
        return self._answers[key]

    @property
    def planner(self) -> Planner:
        if self._planner is None:
            self._planner = Planner(self.history, self.direction)
        return self._planner

    @property
    def route(self) -> Route:
        if self._route is None:
            self._route = route(self.history, self.direction)
        return self._route

    @property
    def bounded(self) -> bool:
        """Whether the loss has a finite essential supremum."""
        return self.direction == "add" and all(p.q < 1 for p in self.history)

    def end(self, digits: int) -> Certified:
        """-sum T ln(1-q), the essential supremum of the loss when adding a record."""
        with precision(64 + int(3.4 * digits)):
            total = sum(-p.steps * ball(1 - p.q).log() for p in self.history)
            return Certified(fraction(total.lower()), fraction(total.upper()), self._again("end"))

    def _delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        if not self.history or epsilon is None:
            return Certified.exactly(ZERO)
        if self.bounded and self._beyond(epsilon):
            return Certified.exactly(ZERO)
        if self._tiny(epsilon):
            return Bracketed(ZERO, Fraction(1, 2**144_000))  # e^-100000 < 2^-144000
        try:
            value = self.route.at(epsilon, float(digits), float(digits), self._share())
            return Certified(value.lo, value.hi, self._again("delta", epsilon))
        except (*_UNREACHED, BudgetExceeded):
            for fewer in (d for d in _FEWER_DIGITS if d < digits):
                with suppress(*_UNREACHED, BudgetExceeded):
                    value = self.route.at(epsilon, float(fewer), float(fewer), self._share(_SECOND))
                    return Bracketed(value.lo, value.hi)
            low, high = self._bracket(epsilon).delta(epsilon)
            return Bracketed(low, min(high, Fraction(1)))

    def _tiny(self, epsilon: Fraction) -> bool:
        """Whether delta is proved to be below e^-100000."""
        try:
            size = log_delta_below(self.history, self.direction, self.planner, epsilon)
        except _UNREACHED:
            return False
        return bool(size < _TINY)

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound can be shown cheaply; False says nothing."""
        if bound <= 0 or not self.history:
            return False
        if self.bounded_below(epsilon, bound):
            return True
        try:
            value = self.route.at(epsilon, 2.0, 2.0, self._share(), bound)
        except (OutOfReach, PrecisionExhausted, BudgetExceeded, BadPlan, ArithmeticError):
            return False
        return value.hi < bound

    def bounded_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound is shown by the end of the loss, the total variation or one
        moment; False says nothing.
        """
        if (self.bounded and self._beyond(epsilon)) or self.above_variation(bound):
            return True
        try:
            size = log_delta_below(self.history, self.direction, self.planner, epsilon)
        except _UNREACHED:
            return False
        with precision(96):
            return bool(size < ball(bound).log())

    def _again(self, what: str, *at: Fraction) -> Refine:
        """How to compute an answer again, in a form that can be pickled."""
        return functools.partial(_answer, self.history, self.direction, what, at)

    def _share(self, part: float = _SHARE) -> Deadline:
        """Part of the time is kept for fewer digits, and for the bracket: a part of work, whatever
        the wall clock says."""
        return self.deadline.share(part)

    def _bracket(self, epsilon: Fraction) -> Bracket:
        """A bracket for delta at this epsilon: its size decides how far to the right the grid must go."""
        log_delta = -20.0
        for _ in range(3):
            found = self._between(log_delta, _FEW)
            size = found.delta(epsilon)[1]
            if size > 0 and log(size) > log_delta - 10:
                break
            log_delta = max(2 * log_delta, log(size) if size > 0 else -math.inf) - 10
        return self._between(log_delta)

    def _between(self, log_delta: float, points: int = POINTS) -> Bracket:
        try:
            return Bracket(self.history, self.direction, log_delta, self.deadline, points)
        except ArithmeticError as error:  # losses beyond the doubles that lay out the grid
            raise OutOfReach(_UNSERVED) from error

    def _beyond(self, epsilon: Fraction) -> bool:
        """Whether epsilon >= end. Equality is impossible for rational epsilon > 0 (Lindemann)."""
        digits = 30
        while True:
            end = self.end(digits)
            if epsilon >= end.hi:
                return True
            if epsilon <= end.lo:
                return False
            digits *= 2

    def _epsilon(self, delta: Fraction, digits: int) -> Certified:
        if not self.history or delta == 1:
            return Certified.exactly(ZERO)
        if delta == 0:
            return self.end(digits) if self.bounded else Certified.exactly(math.inf)
        if self.above_variation(delta):
            return Certified.exactly(ZERO)
        known = self.end(digits + 20).hi if self.bounded else None
        end = known if isinstance(known, Fraction) else None
        try:
            guess = self.planner.guess(log(delta))
            lo, hi = solve(self.route, delta, digits, guess, end, self._share())
            return Certified(lo, hi, self._again("epsilon", delta))
        except AtZero:
            return Certified.exactly(ZERO)
        except (*_UNREACHED, BudgetExceeded):
            for fewer in (d for d in _FEWER_DIGITS if d < digits):
                with suppress(*_UNREACHED, BudgetExceeded, AtZero):
                    guess = self.planner.guess(log(delta))
                    lo, hi = solve(self.route, delta, fewer, guess, end, self._share(_SECOND))
                    return Bracketed(lo, hi)
            return self._bracket_epsilon(delta, end)

    def above_variation(self, delta: Fraction) -> bool:
        """Whether delta is surely above the total variation, which is at most the sum of that of all steps."""
        with precision(64):
            steps = (
                p.steps * ball(p.q) * (1 / (ball(p.sigma) * arb(8).sqrt())).erf()
                for p in self.history
            )
            return bool(sum(steps, arb(0)) < ball(delta))

    def _bracket_epsilon(self, delta: Fraction, end: Fraction | None) -> Certified:
        """The bracket of epsilon, with the end of the loss as the upper end if nothing better is
        known."""
        low, high = self._between(log(delta)).epsilon(delta)
        if high is None or (end is not None and high > end):
            high = end
        if low == 0 and high is None:  # true of every run, so it is no answer
            raise OutOfReach(_UNSERVED)
        return Bracketed(low, math.inf if high is None else high)


def _answer(
    history: History,
    direction: Direction,
    what: str,
    at: tuple[Fraction, ...],
    digits: int,
    deadline: Deadline,
) -> Certified:
    """Answer a question by a new curve."""
    found: Certified = getattr(Curve(history, direction, deadline), what)(*at, digits)
    return found
