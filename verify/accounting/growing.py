"""epsilon of a run that goes on: asked after every step, answered by the least double that is not
below it.

An accountant inside a training loop is asked the same question of T, T + 1, T + 2, ... steps. Three
things make the next answer cheap, none of which is a reason to believe it:

    moments     a table of moments serves other numbers of steps (``contour.Table.with_steps``)
    place       epsilon is smooth in T: a polynomial through the last answers, and a Newton step or two, lead to it
    one side    where removing a record is the worse direction, adding one need not be solved, only
                be shown to be better

**Proof of an answer.** delta(eps) does not increase. Let hi be a double and lo the double below it.
If delta(hi) <= target < delta(lo) when removing, both decided in balls at exactly these numbers,
the least epsilon of that direction lies in (lo, hi]; if delta(hi) <= target when adding, that of
the other direction is at most hi. Hence hi is the least double that is not below the larger of the
two: what ``Account(history).epsilon(target).to_double_up()`` is. Where any of the three is not
decided, that is what is computed.

>>> from verify.accounting.history import history
>>> run = Growing(Fraction(1, 10**5))
>>> [run.epsilon(history([("0.01", 1, steps)])) for steps in (1000, 1001, 1002)]
[1.828236666516577, 1.8291193574579927, 1.8300016858246817]
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.planner import Direction
from verify.accounting.history import History
from verify.accounting.questions import Account
from verify.accounting.routes import Contour, Curved
from verify.accounting.tight import Curve
from verify.numbers.budget import DEFAULT_SECONDS, Deadline, checked_seconds
from verify.numbers.certified import Certified, double_above
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

_FINE, _ROUGH = 20.0, 4.0  # digits of delta that tell doubles apart, and directions
_WIDE = 1e-18  # intervals of delta that are wider tell doubles apart no longer
_LONGER = 1.25  # a table for T steps is used up to so many times T; then one of fewer terms will do
_LEAST = 3  # steps; one and two have routes of their own
_MANY = 1000  # steps from which on a table for adding a record is made before a bound is tried
_PATIENCE = 5.0  # seconds for it
_POINTS = 5  # answers that a polynomial goes through
_NEWTON = 8
_SURE = 1e-9  # a Newton step this small, relatively, leaves an error of about its square


class Growing:
    """One delta; asked about one run after another, most often a step longer than the last.

    ``from_nothing`` counts the answers that used nothing of an earlier one.
    """

    def __init__(self, delta: Fraction, max_seconds: float = DEFAULT_SECONDS) -> None:
        self.delta, self.max_seconds = delta, checked_seconds(max_seconds)
        self.from_nothing = 0
        self._remove, self._add = _Side("remove", _FINE), _Side("add", _ROUGH)
        self._known: list[tuple[History, float]] = []

    def epsilon(self, history: History) -> float:
        """The least double that is not below the tight epsilon; an upper bound where fewer digits can be had."""
        if self._known and self._known[-1][0] == history:
            return self._known[-1][1]
        found = None
        guess = _extrapolate(self._known, history)
        if guess is not None and 0 < self.delta < 1:
            with suppress(BadPlan, OutOfReach, PrecisionExhausted, ArithmeticError):
                found = self._near(history, guess, Deadline(self.max_seconds))
        if found is None:
            self.from_nothing += 1
            found = upper_double(Account(history, self.max_seconds).epsilon(self.delta))
        self._known = [*self._known[1 - _POINTS :], (history, found)]
        return found

    def _near(self, history: History, guess: float, deadline: Deadline) -> float | None:
        """The answer, if it is close to the guess and all three signs are decided."""
        target = self.delta
        table = self._remove.table(history, guess, deadline)
        x = Fraction(guess)
        if table.delta(x).relative_width() > _WIDE:  # what aliases grows with the steps
            table = self._remove.table(history, guess, deadline, anew=True)
        for _ in range(_NEWTON):
            value = table.delta(x)
            if not (value.relative_width() < 0.5 and value.slope < 0):
                return None
            gap = float((value.lo + value.hi) / 2 / target - 1)
            step = -math.log1p(gap) / value.slope
            x += Fraction(step)
            if x <= 0:
                return None
            if abs(step) < _SURE * x:
                break
        high = double_above(x)
        low = math.nextafter(high, 0.0)
        if table.delta(Fraction(high)).hi > target or table.delta(Fraction(low)).lo <= target:
            return None
        return high if self._adding_is_better(history, high, deadline) else None

    def _adding_is_better(self, history: History, epsilon: float, deadline: Deadline) -> bool:
        """Whether delta(epsilon) is surely at most the target when adding a record."""
        exact, curve = Fraction(epsilon), Curve(history, "add", deadline)
        if _steps(history) < _MANY and curve.bounded_below(exact, self.delta):
            return True  # a table for few steps is dear
        with suppress(BadPlan, OutOfReach, PrecisionExhausted, BudgetExceeded):
            deadline = Deadline(min(_PATIENCE, deadline.left()))
            for anew in (False, True):
                table = self._add.table(history, epsilon, deadline, anew=anew)
                if table.delta(exact).hi <= self.delta:
                    return True
        return curve.bounded_below(exact, self.delta)


class _Side:
    """One direction, with the table that served last."""

    def __init__(self, direction: Direction, digits: float) -> None:
        self.direction, self.digits = direction, digits
        self._made_for: History = ()
        self._table: Curved | None = None

    def _serves(self, history: History) -> bool:
        """Whether what was made last, or the failure to make it, serves this run."""
        if not _same(self._made_for, history):
            return False
        pairs = list(zip(self._made_for, history, strict=True))
        grown = all(a.steps <= b.steps for a, b in pairs)
        return grown and _steps(history) <= _LONGER * _steps(self._made_for)

    def table(
        self, history: History, epsilon: float, deadline: Deadline, *, anew: bool = False
    ) -> Curved:
        """A table for this run: the last one raised, or a new one."""
        if not anew and self._serves(history):
            if self._table is None:
                raise OutOfReach("there was no contour for a run of about this length")
            if self._table.history != history:
                self._table = self._table.with_steps(history, deadline)
            return self._table
        self._made_for, self._table = history, None
        route = Contour(history, self.direction)
        route.at(Fraction(epsilon), self.digits, self.digits, deadline)
        self._table = route.tables[-1]
        return self._table


def _steps(history: History) -> int:
    return sum(p.steps for p in history)


def _same(a: History, b: History) -> bool:
    """Whether two runs differ in their numbers of steps only."""
    return [(p.q, p.sigma) for p in a] == [(p.q, p.sigma) for p in b]


def _extrapolate(known: list[tuple[History, float]], history: History) -> float | None:
    """The polynomial through the last answers, where they are about the same phases and one of these grows."""
    steps = _steps(history)
    points = {_steps(h): e for h, e in known if _same(h, history)}
    if len(history) > 1 and len(points) > 1:
        points = {max(points): points[max(points)]}  # which phase has grown is not looked at
    if not points or steps in points or steps < _LEAST or min(points.values()) <= 0:
        return None
    total = 0.0
    for i, e in points.items():
        total += e * math.prod((steps - j) / (i - j) for j in points if j != i)
    return total if 0 < total < math.inf else None


def upper_double(answer: Certified) -> float:
    """The least double that is not below the number; not below its upper end, where that is all there is."""
    try:
        return answer.to_double_up()
    except PrecisionExhausted:
        return double_above(answer.hi)
