"""The audit of the bent contour and of rare jumps: plans that are made bad on purpose, so that each
single error is large somewhere.

hyperbola        the bent contour against the vertical one, the closed form of one step or the
                 integral of two; one phase or two
hyperbola digits the bent contour against itself with 20 digits more
hyperbola left   the step too long and the contour too close to the vertical line: the left error is large
hyperbola right  the step too long and the contour too close to the right hyperbola (adding, where
                 that error is larger than the left one)
hyperbola cut    the sum too short
hyperbola step   the lines of the moments too coarse: the error of their neighbours is large
hyperbola moments  the moments alone, on lines too coarse or too short, against a finer line
jump             one or two steps on a vertical line whose period is too short, every step cut below
                 the losses that alias: only jumps carry them
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from flint import acb

from verify.accounting.contour.jumps import Jumps
from verify.accounting.contour.line import Line
from verify.accounting.contour.plan import plan as plan_contour
from verify.accounting.contour.planner import Planner
from verify.accounting.contour.sketch import dyadic
from verify.accounting.contour.vertical import Table
from verify.accounting.exact.convolution import Bracket
from verify.accounting.hyperbola.bend import BendFault
from verify.accounting.hyperbola.bend import bend as plan_bend
from verify.accounting.hyperbola.bend_lines import BendPhase
from verify.accounting.hyperbola.bent import Bend, Hyperbola
from verify.accounting.hyperbola.sector import Moments
from verify.accounting.routes import log
from verify.audit.runs_case import Case, Seen, compare_values, compare_with_bound, exact
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

BENT = (
    "hyperbola",
    "hyperbola digits",
    "hyperbola left",
    "hyperbola right",
    "hyperbola cut",
    "hyperbola step",
    "hyperbola moments",
)
_MORE = 20
_FAULTS = {
    "hyperbola left": BendFault(step=2.0, alpha=0.6),
    "hyperbola right": BendFault(step=2.0, alpha=1.4),
    "hyperbola cut": BendFault(length=0.6),
}
_COARSE, _ROUGHER = 1.5, 10.0  # factor of a step; nats


def along_hyperbola(case: Case, deadline: Deadline) -> Seen:
    planner = Planner(case.history, case.direction)
    guess = planner.log_delta(float(case.epsilon))
    plan = plan_bend(planner, float(case.epsilon), case.digits, guess, deadline)
    value = Hyperbola(case.history, case.direction, plan, deadline).delta(case.epsilon)
    if len(case.history) == 1 and case.history[0].steps <= 2:
        return compare_values(value, exact(case, deadline))
    try:
        line = plan_contour(planner, float(case.epsilon), case.digits, guess, deadline)
    except OutOfReach:
        if value.lo <= 0:
            raise
        bracket = Bracket(case.history, case.direction, log(value.lo), deadline, 2048)
        low, high = bracket.delta(case.epsilon)
        seen = f"{float(low)!r} <= {float(value.lo)!r} <= {float(high)!r}"
        return Seen(low <= value.lo and value.hi <= high, seen)
    table = Table(case.history, case.direction, line, deadline)
    return compare_values(value, table.delta(case.epsilon))


def more_digits(case: Case, deadline: Deadline) -> Seen:
    planner = Planner(case.history, case.direction)
    guess, values = planner.log_delta(float(case.epsilon)), []
    for digits in (case.digits, case.digits + _MORE):
        plan = plan_bend(planner, float(case.epsilon), digits, guess, deadline)
        values.append(Hyperbola(case.history, case.direction, plan, deadline).delta(case.epsilon))
    return compare_values(values[0], values[1])


def faulty(case: Case, deadline: Deadline) -> Seen:
    """A bad shape, or bad lines, against the exact value."""
    truth = exact(case, deadline)
    planner = Planner(case.history, case.direction)
    fault, size = _FAULTS.get(case.kind), log(truth.lo)
    plan = plan_bend(planner, float(case.epsilon), case.digits, size, deadline, fault)
    if case.kind == "hyperbola step":
        plan = _with_lines(plan, lambda line: _with_step(line, _COARSE))
    return compare_with_bound(Hyperbola(case.history, case.direction, plan, deadline), case, truth)


def _with_lines(plan: Bend, change: Callable[[Line], Line]) -> Bend:
    groups = [
        dataclasses.replace(group, lines=tuple(change(line) for line in group.lines))
        for group in plan.groups
    ]
    return dataclasses.replace(plan, groups=tuple(groups))


def moments(case: Case, deadline: Deadline) -> Seen:
    (phase,) = case.history
    planner = Planner(case.history, case.direction)
    size = planner.log_delta(float(case.epsilon))
    fault = BendFault(inner=_ROUGHER)
    plan = plan_bend(planner, float(case.epsilon), case.digits, size, deadline, fault)
    (sketch, steps) = planner.parts[0]
    where, fine = case.epsilon.numerator % len(plan.groups), case.epsilon.denominator % 2
    group = plan.groups[where]
    u = plan.h * group.last
    a = plan.c + plan.kappa * math.cosh(u) * math.sin(plan.alpha)
    y = plan.kappa * math.sinh(u) * math.cos(plan.alpha)
    goal = (case.digits + _MORE) * math.log(10) - size
    line, cells, bits = BendPhase(sketch, steps, 10.0).line([(a, y)], goal)
    found = []
    for one, count in (
        (_with_step(group.lines[0], 1 / _COARSE if fine else _COARSE), group.cells[0]),
        (line, cells),
    ):
        with precision(bits):
            made, w = Moments(phase, one, count), acb(a, y)
            found += made.at([w], made.error(w, w))
    with precision(bits):
        share = abs(found[1].mid() - found[0].mid()) / found[0].rad()
    seen = f"{found[0].str(12)} and {found[1].str(12)}"
    return Seen(
        found[0].overlaps(found[1]), seen, float(share.mid()) if share.is_finite() else None
    )


def _with_step(line: Line, factor: float) -> Line:
    """The same line with another step."""
    low, high = math.floor(line.low / factor), math.ceil(line.high / factor)
    return dataclasses.replace(line, step=line.step * factor, low=low, high=high)


def jump(case: Case, deadline: Deadline) -> Seen:
    truth = exact(case, deadline)
    planner = Planner(case.history, case.direction)
    plan = plan_contour(planner, float(case.epsilon), case.digits, log(truth.lo), deadline)
    if plan.jumps is None:
        raise OutOfReach("the usual bound serves")
    cells = plan.jumps.cells[0]
    # the least period at which nothing aliases from the left
    period, (sketch, _) = 1.02 * (planner.end + float(case.epsilon)), planner.parts[0]
    plan = dataclasses.replace(plan, h=dyadic(2 * math.pi / period, 20))
    # up to the cut no loss aliases: theta may be as large as we like
    cut = round(sketch.level((float(case.epsilon) + period) / 1.1), 3)
    cells = dataclasses.replace(cells, cut=cut, width=(cut + 9) / cells.below)
    jumps = Jumps(2000 / period, (cells,))
    table = Table(case.history, case.direction, dataclasses.replace(plan, jumps=jumps), deadline)
    return compare_with_bound(table, case, truth, "aliasing")
