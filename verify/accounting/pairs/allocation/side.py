"""One direction of a run with random allocation: delta(epsilon) and epsilon(delta), certified.

Epochs of one batch are Gaussian steps, or Poisson steps if records may sit out; what is left of
them without any epoch of several batches is a Poisson run. The loss of an epoch of several batches
is unbounded above and below (S takes every value in (idle, inf), idle > 0 makes the loss of adding
bounded by -ln idle an epoch): delta = 0 needs an infinite epsilon unless all losses are bounded.
Where a line does not serve in time, fewer digits, then the bracket of ``crude``.
"""

from __future__ import annotations

import functools
import math
from contextlib import suppress
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.planner import Direction
from verify.accounting.contour.vertical import Value
from verify.accounting.history import History, Phase
from verify.accounting.pairs.allocation.crude import Crude
from verify.accounting.pairs.allocation.forecast import Epochs, Forecast
from verify.accounting.pairs.allocation.parts import Allotted
from verify.accounting.pairs.allocation.scheme import scheme
from verify.accounting.pairs.allocation.spectrum import Spectrum
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import log
from verify.accounting.tight import Bracketed, Curve, noting_time
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified, Refine
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

_ZERO = Fraction(0)
_SHARES = (0.5, 0.75, 0.9)  # of the time: for all digits, and for fewer; the rest is the bracket's
_FEWER = (8, 3)
_ATTEMPTS, _TABLES, _MOST_DIGITS = 5, 8, 1000
_TINY = -2000.0  # ln delta below which only the bracket answers
_UNREACHED = (OutOfReach, PrecisionExhausted, BadPlan, ArithmeticError, ValueError, BudgetExceeded)
_HALVINGS = 60


class LineRoute:
    """A route to delta(epsilon): tables on vertical lines, kept for the next question."""

    def __init__(self, forecast: Forecast, poisson: History) -> None:
        self.forecast, self.poisson = forecast, poisson
        self.tables: list[Spectrum] = []

    def at(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None = None,
    ) -> Value:
        def enough(value: Value) -> bool:
            if value.relative_width() <= 10.0**-digits:
                return True
            return target is not None and digits <= 2 and not value.lo <= target <= value.hi

        for table in reversed(self.tables):
            value = table.delta(epsilon)
            if enough(value):
                return value
        if max(build, digits) > _MOST_DIGITS:
            raise OutOfReach(f"a line is planned for {_MOST_DIGITS} digits at most")
        hint, extra = 0.0 if target is None else log(target), 0.0
        for _ in range(_ATTEMPTS):
            deadline.check()
            plan = scheme(self.forecast, float(epsilon), max(build, digits) + extra, hint, deadline)
            if plan.work > 3 * deadline.left() + 1:
                raise deadline.exceeded()  # a line would take too long
            try:
                table = Spectrum(self.forecast, self.poisson, plan, deadline)
            except BadPlan:
                extra += 3
                continue
            value = table.delta(epsilon)
            if enough(value):
                self.tables = [*self.tables[-_TABLES:], table]
                return value
            width = value.relative_width()
            extra += min(math.log10(width) + digits, 12.0) + 1 if width < math.inf else 6.0
            if width == math.inf and 0 < value.hi < 1:
                hint = min(hint or 0.0, log(value.hi)) - 5
        raise PrecisionExhausted(f"{digits:.0f} digits of delta were not reached")


class Allocation:
    """A run of epochs and Poisson phases in one direction. Questions asked of the same object share its tables.

    >>> side = Allocation((Allotted(3, Fraction(1), 1),), (), "add", Deadline())
    >>> print(f"{side.delta(Fraction(1), 10):.10f}")
    0.0238387090
    """

    def __init__(
        self,
        parts: tuple[Allotted, ...],
        poisson: History,
        direction: Direction,
        deadline: Deadline,
    ) -> None:
        self.parts, self.poisson, self.direction, self.deadline = (
            parts,
            poisson,
            direction,
            deadline,
        )
        self.epochs, self.phases = _sort_parts(parts, poisson)
        self._answers: dict[tuple[str, Fraction | None, int], Certified] = {}

    @functools.cached_property
    def curve(self) -> Curve | None:
        """The Poisson run that this is, if it is one."""
        return None if self.epochs else Curve(self.phases, self.direction, self.deadline)

    @functools.cached_property
    def forecast(self) -> Forecast:
        return Forecast([Epochs(part) for part in self.epochs], self.phases, self.direction)

    @functools.cached_property
    def route(self) -> LineRoute:
        return LineRoute(self.forecast, self.phases)

    @functools.cached_property
    def _crude(self) -> Crude:
        return Crude(self.forecast, self.phases, self.deadline)

    @property
    def crude(self) -> Crude:
        """The bracket, with a tenth of the time for its moments."""
        clock = self.deadline.clock
        self._crude.deadline = Deadline(self.deadline.seconds / 10, clock(), clock)
        return self._crude

    def delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        """The least delta at this epsilon (None is infinity)."""
        if self.curve is not None:
            self.curve.deadline = self.deadline
            return self.curve.delta(epsilon, digits)
        key = "delta", epsilon, digits
        if key not in self._answers:
            self._answers[key] = noting_time(lambda: self._delta(epsilon, digits), self.deadline)
        return self._answers[key]

    def epsilon(self, delta: Fraction, digits: int) -> Certified:
        """The least epsilon >= 0 at this delta."""
        if self.curve is not None:
            self.curve.deadline = self.deadline
            return self.curve.epsilon(delta, digits)
        key = "epsilon", delta, digits
        if key not in self._answers:
            self._answers[key] = noting_time(lambda: self._epsilon(delta, digits), self.deadline)
        return self._answers[key]

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound can be shown cheaply; False says nothing."""
        if self.curve is not None:
            self.curve.deadline = self.deadline
            return self.curve.surely_below(epsilon, bound)
        if bound <= 0:
            return False
        with suppress(*_UNREACHED):
            if self._beyond(epsilon) or self.crude.above(epsilon) < bound:
                return True
            return self.route.at(epsilon, 2.0, 2.0, self._share(0), bound).hi < bound
        return False

    # ---- the end of the loss when adding

    @property
    def bounded(self) -> bool:
        """Whether the loss has a finite essential supremum."""
        rates = [1 - p.q for p in self.phases] + [part.idle for part in self.epochs]
        return self.direction == "add" and all(rate > 0 for rate in rates)

    def end(self, digits: int) -> Certified:
        """-sum epochs ln idle - sum steps ln(1-q), the essential supremum of the loss when adding a record."""
        with precision(64 + int(3.4 * digits)):
            total = sum((-p.epochs * ball(p.idle).log() for p in self.epochs), arb(0))
            total += sum((-p.steps * ball(1 - p.q).log() for p in self.phases), arb(0))
            return Certified(fraction(total.lower()), fraction(total.upper()), self._again("end"))

    def _beyond(self, epsilon: Fraction) -> bool:
        """Whether epsilon >= end. Equality is impossible for rational epsilon > 0 (Lindemann)."""
        digits = 30
        while self.bounded:
            end = self.end(digits)
            if epsilon >= end.hi:
                return True
            if epsilon <= end.lo:
                return False
            digits *= 2
        return False

    # ---- answers

    def _share(self, index: int) -> Deadline:
        return self.deadline.share(_SHARES[index])

    def _again(self, what: str, *at: Fraction) -> Refine:
        return functools.partial(_answer, self.parts, self.poisson, self.direction, what, at)

    def _delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        if epsilon is None or self._beyond(epsilon):
            return Certified.exactly(_ZERO)
        with suppress(*_UNREACHED):
            if self.forecast.log_delta(float(epsilon)) < _TINY:
                return Bracketed(_ZERO, self.crude.above(epsilon))
        for index, wanted in enumerate((digits, *(d for d in _FEWER if d < digits))):
            with suppress(*_UNREACHED):
                value = self.route.at(epsilon, float(wanted), float(wanted), self._share(index))
                if wanted == digits:
                    return Certified(value.lo, value.hi, self._again("delta", epsilon))
                return Bracketed(value.lo, min(value.hi, Fraction(1)))
        return Bracketed(self.crude.below(epsilon), self.crude.above(epsilon))

    def _epsilon(self, delta: Fraction, digits: int) -> Certified:
        if delta == 1:
            return Certified.exactly(_ZERO)
        if delta == 0:
            return self.end(digits) if self.bounded else Certified.exactly(math.inf)
        if self.crude.above(_ZERO) < delta:
            return Certified.exactly(_ZERO)
        known = self.end(20).hi if self.bounded else None
        end = known if isinstance(known, Fraction) else None
        for index, wanted in enumerate((digits, *(d for d in _FEWER if d < digits))):
            try:
                guess = self.forecast.guess(log(delta))
                lo, hi = solve(self.route, delta, wanted, guess, end, self._share(index))
            except AtZero:
                return Certified.exactly(_ZERO)
            except _UNREACHED:
                continue
            if wanted == digits:
                return Certified(lo, hi, self._again("epsilon", delta))
            return Bracketed(lo, hi)
        return self._crude_bracket(delta, end)

    def _crude_bracket(self, delta: Fraction, end: Fraction | None) -> Certified:
        """Both ends from the crude bounds, by halving: delta falls with epsilon."""
        crude = self.crude
        low, high = _ZERO, Fraction(1)
        while crude.above(high) >= delta and high < 10**15:
            low, high = high, 4 * high
        upper: Fraction | float = high if crude.above(high) < delta else math.inf
        if upper == high:
            upper = _bisect(lambda x: crude.above(x) >= delta, low, high)[1]
        if end is not None and end < upper:
            upper = end
        lower = _ZERO
        if crude.below(_ZERO) > delta:
            top = upper if isinstance(upper, Fraction) else high
            lower = _bisect(lambda x: crude.below(x) > delta, _ZERO, top)[0]
        return Bracketed(lower, upper)


def _bisect(holds, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:  # type: ignore[no-untyped-def]  # a predicate of one number
    """low, where it holds or where it began, and high, where it does not, close together."""
    for _ in range(_HALVINGS):
        if high - low <= high / 1000:
            break
        middle = (low + high) / 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low, high


def _sort_parts(
    parts: tuple[Allotted, ...], poisson: History
) -> tuple[tuple[Allotted, ...], tuple[Phase, ...]]:
    """Epochs of several batches, equal ones joined; everything else as Poisson phases, equal ones
    joined, idle ones dropped."""
    epochs: dict[tuple[int, Fraction, Fraction], int] = {}
    steps: dict[tuple[Fraction, Fraction], int] = {}
    for part in parts:
        if part.idle < 1 and part.batches > 1:
            key = part.batches, part.sigma, part.idle
            epochs[key] = epochs.get(key, 0) + part.epochs
    for phase in (*poisson, *filter(None, (part.as_phase() for part in parts))):
        if phase.q > 0:
            steps[phase.q, phase.sigma] = steps.get((phase.q, phase.sigma), 0) + phase.steps
    return (
        tuple(Allotted(t, s, n, idle) for (t, s, idle), n in sorted(epochs.items())),
        tuple(Phase(q, s, n) for (q, s), n in sorted(steps.items())),
    )


def _answer(
    parts: tuple[Allotted, ...],
    poisson: History,
    direction: Direction,
    what: str,
    at: tuple[Fraction, ...],
    digits: int,
    deadline: Deadline,
) -> Certified:
    """A question put to a fresh object."""
    found: Certified = getattr(Allocation(parts, poisson, direction, deadline), what)(*at, digits)
    return found
