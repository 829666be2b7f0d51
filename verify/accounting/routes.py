"""Ways to delta(epsilon): which one serves a run, and tables kept for the next question.

A route answers ``at(epsilon, digits, build, deadline)``: delta to that many relative digits, from what it has if
that suffices; what it builds anew it builds for ``build`` digits. With ``target``, an interval that lies on one
side of it is answer enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Protocol

from verify.accounting.bend import bend as plan_bend
from verify.accounting.closed import gaussian, single
from verify.accounting.contour import Table, Value
from verify.accounting.history import History
from verify.accounting.hyperbola import Hyperbola
from verify.accounting.line import BadPlan
from verify.accounting.pair import pair
from verify.accounting.plan import Plan
from verify.accounting.plan import plan as plan_contour
from verify.accounting.planner import Direction, Planner
from verify.budget import Deadline
from verify.errors import OutOfReach, PrecisionExhausted

_ATTEMPTS = 6
# In exponentials of a hyperbola: a product of a line's table, a term of it, and what a hyperbola costs besides its nodes.
_PRODUCT, _TERM, _BENDING = 0.05, 3.0, 120_000
_DEAR = 150_000  # a line that costs more is compared
_ROUGH = 3.0  # digits of a hyperbola made while epsilon is looked for
_TABLES = 8  # kept
_MOST_DIGITS = 5000  # more would take hours


class Route(Protocol):
    """A certified way to delta(epsilon)."""

    def at(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None = None,
    ) -> Value: ...


class Curved(Protocol):
    """A table that gives delta near the epsilon it was made for."""

    def delta(self, epsilon: Fraction) -> Value: ...


class Contour:
    """The contour integral, with the tables it has made: a vertical line, or a hyperbola where the line is dear."""

    def __init__(self, history: History, direction: Direction) -> None:
        self.history, self.direction = history, direction
        self.planner = Planner(history, direction)
        self.tables: list[Curved] = []
        self.bends = False  # a hyperbola was the cheaper contour before

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
        return self._anew(epsilon, digits, max(build, digits), deadline, target, enough)

    def _anew(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None,
        enough: Callable[[Value], bool],
    ) -> Value:
        """Plan, compute, look at the digits reached; plan again for what is missing."""
        if build > _MOST_DIGITS:
            raise OutOfReach(f"a contour is planned for {_MOST_DIGITS} digits at most")
        extra, hint = 0.0, 0.0 if target is None else log(target)
        for _ in range(_ATTEMPTS):
            deadline.check()
            try:
                # a hyperbola need not be fine while the place is looked for
                rough = _ROUGH + 2 if digits <= _ROUGH < build else build
                table = self._table(float(epsilon), build + extra, rough + extra, hint, deadline)
            except BadPlan:
                extra += 4
                continue
            value = table.delta(epsilon)
            if enough(value):
                self.tables = [*self.tables[-_TABLES:], table]
                return value
            width = value.relative_width()
            extra += min(math.log10(width) + digits, 12.0) + 2 if width < math.inf else 12.0
        raise PrecisionExhausted(
            f"{digits:.0f} digits of delta at epsilon = {float(epsilon):.6g} were not reached"
        )

    def _table(
        self, epsilon: float, digits: float, rough: float, hint: float, deadline: Deadline
    ) -> Curved:
        """The cheaper of the two contours; a line that is cheap is not compared."""
        if self.bends and (bent := self._bent(epsilon, rough, hint, math.inf, deadline)):
            return bent
        plan: Plan | None = None
        missing: OutOfReach | None = None
        try:
            plan = plan_contour(self.planner, epsilon, digits, hint, deadline)
        except OutOfReach as error:
            missing = error
        most = math.inf if plan is None else plan.work * _PRODUCT + plan.terms * _TERM
        if most > _DEAR:
            finer = ((digits + 6) / (rough + 6)) ** 2  # nodes of the one that will be needed
            bent = self._bent(epsilon, rough, hint, (most - _BENDING) / finer, deadline)
            if bent is not None:
                self.bends = True
                return bent
        if plan is None:
            assert missing is not None
            raise missing
        return Table(self.history, self.direction, plan, deadline)

    def _bent(
        self, epsilon: float, digits: float, hint: float, most: float, deadline: Deadline
    ) -> Hyperbola | None:
        """A hyperbola, if there is one that costs less."""
        with suppress(OutOfReach, BadPlan):
            guess = hint or self.planner.log_delta(epsilon)
            plan = plan_bend(self.planner, epsilon, digits, guess, deadline)
            if plan.work < most:
                return Hyperbola(self.history, self.direction, plan, deadline)
        return None


def log(x: Fraction) -> float:
    """ln of a positive rational of any size."""
    return math.log(x.numerator) - math.log(x.denominator)


def route(history: History, direction: Direction) -> Route:
    """The route that serves this run; epsilon is asked for only below the end of the loss."""
    if all(p.q == 1 for p in history):
        return gaussian(history)
    if sum(p.steps for p in history) == 1:
        return single(history[0], direction)
    if len(history) == 1 and history[0].steps == 2:
        return pair(history[0], direction)
    return Contour(history, direction)
