"""What the audit of this room asks, what it heard, and how a step is put above and below for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from verify.accounting.contour.planner import Direction
from verify.accounting.exact.convolution import Total, from_above
from verify.accounting.exact.loss import Grid, Tails
from verify.accounting.pairs.fixed import layout, policies
from verify.accounting.pairs.fixed.policies import Observed, Tests
from verify.numbers.budget import Deadline

POINTS = 2048


@dataclass(frozen=True, slots=True)
class FixedCase:
    """One question: what to compare, for which run, where."""

    kind: str
    q: Fraction
    sigma: Fraction
    steps: int
    epsilon: Fraction
    choice: int
    seconds: float = 30.0

    @property
    def direction(self) -> Direction:
        return "add" if self.choice % 2 else "remove"

    def deadline(self) -> Deadline:
        return Deadline.of_work(self.seconds)


@dataclass(frozen=True, slots=True)
class FixedResult:
    """ok is None for a vacuous case; ``detail`` says what was seen."""

    case: FixedCase
    ok: bool | None
    detail: str


def order_text(low: Fraction, high: Fraction) -> str:
    return f"{float(low)!r} <= {float(high)!r}"


def grid_of(loss: Tails, case: FixedCase) -> Grid:
    size = layout.log_delta([(loss, case.steps)], float(case.epsilon))
    return layout.window([(loss, case.steps)], size, POINTS)


def above(loss: Tails, case: FixedCase, grid: Grid) -> Total:
    deadline = case.deadline()
    weights = from_above(loss, grid, 0.0, deadline, layout.places(loss, grid))
    return Total.of([(weights, case.steps, 0.0)], grid, True, deadline)


def below(outcome: Observed, case: FixedCase, grid: Grid) -> Tests:
    nats = 10.0 + grid.bits * math.log(2)  # what lies beyond is below the last bit of the grid
    move = policies.move(outcome, grid, nats, case.deadline())
    return policies.play_steps([move], case.steps, policies.at_the_end(grid), case.deadline())
