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

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.plan import Plan
from verify.accounting.contour.plan import plan as plan_contour
from verify.accounting.contour.planner import Direction, Planner
from verify.accounting.contour.vertical import Table, Value
from verify.accounting.exact.closed import gaussian, single
from verify.accounting.exact.two_steps import pair
from verify.accounting.history import History
from verify.accounting.hyperbola.bend import bend as plan_bend
from verify.accounting.hyperbola.bent import Hyperbola
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach, PrecisionExhausted

_ATTEMPTS = 6
# In exponentials of a hyperbola, as measured: a product of a line's table (at so many bits; above,
# its bits^1.5), a term of it, a node of it, and what a hyperbola costs besides its nodes, for each
# phase: it is planned twice, for few and for all digits.
_PRODUCT, _BITS, _TERM, _NODE, _BENDING = 0.0125, 128, 0.75, 1.0, 40_000
_DEAR, _COMPARING = (
    65_000,
    20_000,
)  # a line that costs more is compared; that much more for each phase
_ROUGH = 3.0  # digits of a hyperbola made while epsilon is looked for
_SPARE = 0.9  # digits by which the plan of a hyperbola falls short, at most
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
    """A table that gives delta near the epsilon it was made for, and can be raised to other numbers of steps."""

    history: History

    def delta(self, epsilon: Fraction) -> Value: ...

    def with_steps(self, history: History, deadline: Deadline) -> Curved: ...


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
        extra, hint = 0.0, self._hint(float(epsilon)) if target is None else log(target)
        for _ in range(_ATTEMPTS):
            deadline.check()
            try:
                # a hyperbola need not be fine while the place is looked for
                rough = _ROUGH + 2 if digits <= _ROUGH < build else build
                table = self._table(float(epsilon), build + extra, rough + extra, hint, deadline)
            except BadPlan:
                extra += 4
                continue
            except OutOfReach:
                if target is not None or hint == 0.0:
                    raise
                hint = 0.0  # an estimate that leads nowhere: the plan makes its own
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

    def _hint(self, epsilon: float) -> float:
        """About ln delta, where the saddle point alone may be far off: with rare jumps."""
        try:
            return self.planner.log_delta(epsilon) if self.planner.remove else 0.0
        except (ArithmeticError, ValueError):
            return 0.0

    def _table(
        self, epsilon: float, digits: float, rough: float, hint: float, deadline: Deadline
    ) -> Curved:
        """The cheaper of the two contours; a line that is cheap is not compared.

        Planning a line for rare jumps takes longer than planning a hyperbola: a cheap hyperbola is taken before.
        """
        if self.bends and (
            bent := self._cheaper_hyperbola(epsilon, rough, hint, math.inf, deadline)
        ):
            return bent
        finer = ((digits + 6) / (rough + 6)) ** 2  # nodes of the one that will be needed
        missing: OutOfReach | None = None
        for jumps in (False, True):
            plan: Plan | None = None
            try:
                plan = plan_contour(self.planner, epsilon, digits, hint, deadline, jumps)
            except OutOfReach as error:
                missing = error
            most = math.inf if plan is None else _cost(plan)
            if most <= _DEAR + _COMPARING * len(self.history):
                break
            limit = most - _BENDING * len(self.history)
            limit = limit if jumps else min(limit, 4 * _DEAR)
            if limit > 0 and (
                bent := self._cheaper_hyperbola(epsilon, rough, hint, limit / finer, deadline)
            ):
                self.bends = True
                return bent
        if plan is None:
            assert missing is not None
            raise missing
        return Table(self.history, self.direction, plan, deadline)

    def _cheaper_hyperbola(
        self, epsilon: float, digits: float, hint: float, most: float, deadline: Deadline
    ) -> Hyperbola | None:
        """A hyperbola, if there is one that costs less."""
        with suppress(OutOfReach, BadPlan):
            guess = hint or self.planner.log_delta(epsilon)
            plan = plan_bend(self.planner, epsilon, digits + _SPARE, guess, deadline)
            if plan.work < most:
                return Hyperbola(self.history, self.direction, plan, deadline)
        return None


def _cost(plan: Plan) -> float:
    bits: float = max(1.0, plan.bits / _BITS)
    products = plan.work * _PRODUCT * bits * math.sqrt(bits)
    nodes = sum(len(line) for i in plan.inner for line in (i.table, i.tail, i.right, i.left))
    return products + plan.terms * _TERM + nodes * _NODE


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
