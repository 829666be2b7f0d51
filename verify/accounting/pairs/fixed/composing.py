"""Ends of a run that are computed on a grid: merged pairs composed from above, adversaries played from below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verify.accounting.exact.convolution import Total, from_above
from verify.accounting.exact.loss import Grid
from verify.accounting.pairs.fixed import layout, policies
from verify.accounting.pairs.fixed.policies import Observed, Tests
from verify.accounting.routes import log
from verify.numbers.budget import Deadline
from verify.numbers.certified import Bound

_POINTS = {1: 1 << 13, 2: 1 << 13, 3: 1 << 14, 4: 1 << 15}
_MOST_POINTS = 1 << 16  # of the upper end, if more digits are asked
_STATES, _MORE_STATES, _FEW_DIGITS = 1 << 12, 1 << 13, 20
_TRIES = 4
_NEARBY = 10.0  # nats: a grid made for a delta serves larger ones up to here
_OUTSIDE = 1e-4  # part of delta that may lie above the grid


@dataclass
class _Kept:
    """Grids that were filled: for which ln delta, with how many points."""

    found: list[tuple[float, int, object]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Composed:
    """The product of pairs that dominate every step, from above: the larger one of several directions."""

    directions: Sequence[layout.Steps]
    kept: _Kept = field(default_factory=_Kept, compare=False)

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        """A number that delta(epsilon) is not above."""
        size = max(layout.log_delta(steps, float(epsilon)) for steps in self.directions)
        for _ in range(_TRIES):
            totals = self._totals(size, digits, deadline)
            found = max(total.delta(epsilon) for total in totals)
            outside = max(Fraction(t.weights.infinite, 1 << t.grid.bits) for t in totals)
            if outside < found * Fraction(_OUTSIDE):
                break
            size = 2 * size - 10
        return min(found, Fraction(1))

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        """A number that epsilon(delta) is not above."""
        ends = [t.epsilon(delta) for t in self._totals(log(delta), digits, deadline)]
        known = [end for end in ends if end is not None]
        return max(known) if len(known) == len(ends) else math.inf

    def _totals(self, size: float, digits: int, deadline: Deadline) -> list[Total]:
        points = _POINTS.get(digits, _MOST_POINTS)
        for made, had, totals in self.kept.found:
            if had >= points and size - _NEARBY <= made <= size:
                return totals  # type: ignore[return-value]  # what this method put there
        totals = [self._total(steps, size, points, deadline) for steps in self.directions]
        self.kept.found.append((size, points, totals))
        return totals

    def _total(self, steps: layout.Steps, size: float, points: int, deadline: Deadline) -> Total:
        grid = layout.window(steps, size, points)
        weights = [
            (from_above(loss, grid, 0.0, deadline, layout.places(loss, grid)), times, 0.0)
            for loss, times in steps
        ]
        return Total.of(weights, grid, True, deadline)


Phases = Sequence[tuple[Sequence[Observed], int]]
"""For each phase the kinds of its steps, and how many steps it has."""


@dataclass(frozen=True, slots=True)
class Played:
    """An adversary with these kinds of steps at hand, in each of several directions.

    Several phases may stand in any order, unknown here. Then each phase must have one kind only:
    the accepted set is a set of sums of labels, whatever the order. ``drifting`` says that labels
    are losses, whose rounding is made good on the average.
    """

    directions: Sequence[Phases]
    grids: Sequence[layout.Steps]
    drifting: bool = True
    kept: _Kept = field(default_factory=_Kept, compare=False)

    def __post_init__(self) -> None:
        for phases in self.directions:
            if len(phases) > 1 and any(len(kinds) > 1 for kinds, _ in phases):
                raise ValueError("choices need to know the order of the phases")

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        """A number that delta(epsilon) is not below."""
        size = max(layout.log_delta(steps, float(epsilon)) for steps in self.grids)
        tests = self._tests(size, digits, deadline)
        return max(one.delta(epsilon) for one in tests)

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Bound:
        """A number that epsilon(delta) is not below."""
        return max(one.epsilon(delta) for one in self._tests(log(delta), digits, deadline))

    def _tests(self, size: float, digits: int, deadline: Deadline) -> list[Tests]:
        points = _STATES if digits <= _FEW_DIGITS else _MORE_STATES
        for made, had, tests in self.kept.found:
            if had >= points and size - _NEARBY <= made <= size:
                return tests  # type: ignore[return-value]  # what this method put there
        found = []
        for phases, steps in zip(self.directions, self.grids, strict=True):
            grid = layout.window(steps, size - 2, points)
            found.append(self._table(phases, grid, 20 - size, deadline))
        self.kept.found.append((size, points, found))
        return found

    def _table(self, phases: Phases, grid: Grid, nats: float, deadline: Deadline) -> Tests:
        tests = policies.at_the_end(grid)
        for kinds, steps in phases:
            moves = [policies.move(kind, grid, nats, deadline) for kind in kinds]
            if not self.drifting:
                moves = [replace(one, drift=0.0) for one in moves]
            tests = policies.play_steps(moves, steps, tests, deadline)
        return tests
