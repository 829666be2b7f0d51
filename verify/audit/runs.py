"""Do the intervals contain the truth? Random runs, each asked in two ways that share as little as possible.

``draw(seed)`` makes a case, ``test(case)`` runs it; both are plain and picklable, so that any
executor can run many. A case is *vacuous* if one of the two ways has no answer there: counted,
never folded into the passes.

    digits       delta with d digits against d + 20
    elsewhere    a table planned for another epsilon, where its contour, step and length are wrong
                 but its bounds still true
    coarse       the same plan with the step doubled: aliasing is large, and must be inside its bound
    short        the same plan cut to a third: the tail is large, and must be inside its bound
    jumps        tiny q and few steps: the bound for rare jumps, on a contour whose period is halved
    duality      delta(x) against 1 - e^x + e^x delta*(-x) of the other direction
    single       the contour for one step against the closed form
    pair         the contour for two steps against the certified integral
    full         the contour at q = 1 against the closed form
    root         delta at both ends of the interval of epsilon(delta), with 20 more digits, lies on
                 either side of the target
    convolution  the interval against the bracket of the independent route
    brute        two or three steps: the contour against sums over the outcomes of each step, without any transform
    inner short  the lines of the moments cut by 18 %: what is cut off is large, and must be inside the balls
    inner coarse the lines of the moments with a step a quarter longer

and those of ``runs_bend`` and ``runs_calls``.
"""

from __future__ import annotations

import dataclasses
import math
import random
from fractions import Fraction

from verify.accounting.contour.line import BadPlan, Line
from verify.accounting.contour.plan import plan as plan_contour
from verify.accounting.contour.planner import Direction, Planner
from verify.accounting.contour.vertical import Table, Value
from verify.accounting.exact.brute import brute
from verify.accounting.exact.closed import gaussian, single
from verify.accounting.exact.convolution import Bracket
from verify.accounting.exact.two_steps import pair
from verify.accounting.history import History, Phase
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import Contour, Route, log
from verify.audit.runs_bend import BENT, along_hyperbola, faulty, jump, moments, more_digits
from verify.audit.runs_calls import CALL_TESTS, CALLS, with_phases
from verify.audit.runs_case import Case, Result, Seen, compare_values, compare_with_bound
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

KINDS = (
    "digits",
    "elsewhere",
    "coarse",
    "short",
    "duality",
    "single",
    "pair",
    "full",
    "root",
    "convolution",
    "jumps",
    "jump",
    "brute",
    *BENT,
    "inner short",
    "inner coarse",
    *CALLS,
)
_MORE = 20
_DRAWING, _DEAR = 10.0, 1_000_000  # seconds of work, work of a plan
_SHORTER, _COARSER = 0.82, 1.25  # of a line of moments
_FEW, _REMOVING = ("single", "pair", "jump", "brute", *BENT), ("jumps", "jump")


def draw(seed: int, kind: str | None = None) -> Case:
    """The case that belongs to a seed: kinds in turn, ordinary and extreme runs."""
    rng = random.Random(seed)
    kind = kind or KINDS[seed % len(KINDS)]
    wide = rng.random() < 0.3
    q = Fraction(round(10 ** rng.uniform(-4 if wide else -2.5, -0.05), 6))
    sigma = Fraction(round(10 ** rng.uniform(-0.3 if wide else 0.0, 1.0), 3))
    steps = int(10 ** rng.uniform(0.5, 5.5 if wide else 4))
    if kind == "single":
        steps, sigma = 1, sigma + 3
    elif kind == "pair":
        steps, sigma = 2, sigma + 2
    elif kind == "brute":
        steps, sigma = 2 + seed // len(KINDS) % 2, sigma + 2
    elif kind == "full":
        q = Fraction(1)
    elif kind == "convolution":
        steps = int(10 ** rng.uniform(0.5, 2))
    elif kind == "jumps":
        q, sigma = Fraction(round(10 ** rng.uniform(-6, -4), 9)), sigma + 2
        steps = rng.randint(3, 60)
    elif kind == "jump":
        q, sigma, steps = Fraction(round(10 ** rng.uniform(-6, -5), 9)), sigma / 2 + 4, 1
    elif kind in BENT:
        q, sigma = Fraction(round(10 ** rng.uniform(-6, -3), 9)), sigma / 3 + Fraction(1, 5)
        few = kind not in ("hyperbola", "hyperbola digits")
        steps = rng.choice((1, 2) if few else (1, 2, rng.randint(3, 60), rng.randint(3, 60)))
    elif kind == "tiny rate":
        q, steps = Fraction(round(10 ** rng.uniform(-6, -4), 9)), int(10 ** rng.uniform(3.5, 6))
    steps = max(steps, math.ceil(12 / sigma**2) if kind not in _FEW else steps)
    history: History = (Phase(q, sigma, steps),)
    if kind in ("phases", "account"):
        history = with_phases(history[0], rng, 6 if kind == "phases" else 3)
    if kind.startswith("hyperbola") and steps > 2 and rng.random() < 0.5:
        history = tuple(sorted((*history, Phase(10 * q, sigma + Fraction(1, 5), 2)), key=str))
    direction: Direction = "remove" if rng.random() < 0.5 or kind in _REMOVING else "add"
    if kind == "hyperbola right":
        direction = "add"
    planner = Planner(history, direction)
    guess = planner.guess(math.log(10) * rng.uniform(-12, -1.5))
    if direction == "add":  # the kinds that make a contour bad need one that is not next to the end
        guess = min(guess, 0.999 * planner.end)
    if kind == "duality":  # at -epsilon delta must not be 1 to all digits
        guess /= 8
    small = rng.randint(7, 9) if kind == "jump" else 0
    digits = rng.choice((6, 10, 15, 20))
    if kind == "jumps":
        guess = _where_jumps(planner, guess, digits)
    epsilon = Fraction(max(guess, 1e-9)).limit_denominator(10**9)
    if kind == "jump":
        epsilon = Fraction(1, 10**small)
    return Case(kind, history, direction, epsilon, digits)


def _where_jumps(planner: Planner, guess: float, digits: int) -> float:
    """An epsilon next to the guess at which the usual plan is dear, if there is one: then jumps are planned for."""
    guess = guess if guess > 0 else planner.guess(-40.0)
    for factor in (1.0, 0.3, 3.0, 0.1, 10.0):
        epsilon = max(guess, 1e-9) * factor
        try:
            within = Deadline.of_work(_DRAWING)
            plan = plan_contour(
                planner, epsilon, digits, planner.log_delta(epsilon), within, jumps=False
            )
        except (OutOfReach, BudgetExceeded):
            continue
        if plan.work > _DEAR:
            return epsilon
    return guess


def test(case: Case) -> Result:
    """Run a case; errors that mean "no answer here" make it vacuous."""
    try:
        seen = _TESTS[case.kind](case, Deadline.of_work(case.seconds))
    except (OutOfReach, PrecisionExhausted, BudgetExceeded, BadPlan, AtZero) as error:
        return Result(case, None, f"{type(error).__name__}: {error}")
    return Result(case, *seen)


test.__test__ = False  # type: ignore[attr-defined]  # not a test of this project, whatever pytest thinks


def _contour(case: Case) -> Contour:
    return Contour(case.history, case.direction)


def _truth(case: Case, deadline: Deadline) -> Value:
    digits = float(case.digits + _MORE)
    return _contour(case).at(case.epsilon, digits, digits, deadline)


def _digits(case: Case, deadline: Deadline) -> Seen:
    plan = plan_contour(_contour(case).planner, float(case.epsilon), case.digits, deadline=deadline)
    table = Table(case.history, case.direction, plan, deadline)
    return compare_values(table.delta(case.epsilon), _truth(case, deadline))


def _elsewhere(case: Case, deadline: Deadline) -> Seen:
    plan = plan_contour(
        _contour(case).planner, 1.2 * float(case.epsilon), case.digits, deadline=deadline
    )
    table = Table(case.history, case.direction, plan, deadline)
    return compare_values(table.delta(case.epsilon), _truth(case, deadline))


def _coarse(case: Case, deadline: Deadline) -> Seen:
    plan = plan_contour(_contour(case).planner, float(case.epsilon), case.digits, deadline=deadline)
    plan = dataclasses.replace(plan, h=2 * plan.h, terms=max(1, plan.terms))
    table = Table(case.history, case.direction, plan, deadline)
    return compare_with_bound(table, case, _truth(case, deadline), "aliasing")


def _short(case: Case, deadline: Deadline) -> Seen:
    plan = plan_contour(_contour(case).planner, float(case.epsilon), case.digits, deadline=deadline)
    plan = dataclasses.replace(plan, terms=max(1, plan.terms // 3))
    table = Table(case.history, case.direction, plan, deadline)
    return compare_with_bound(table, case, _truth(case, deadline), "tail")


def _inner(case: Case, deadline: Deadline) -> Seen:
    """The lines of the moments cut, or coarse: what is left out must be inside the balls of the terms."""
    plan = plan_contour(_contour(case).planner, float(case.epsilon), case.digits, deadline=deadline)
    change = _shorten if case.kind == "inner short" else _coarsen
    inner = [dataclasses.replace(i, table=change(i.table)) for i in plan.inner]
    table = Table(
        case.history, case.direction, dataclasses.replace(plan, inner=tuple(inner)), deadline
    )
    return compare_with_bound(table, case, _truth(case, deadline))


def _shorten(line: Line) -> Line:
    return dataclasses.replace(
        line, low=int(_SHORTER * line.low), high=max(1, int(_SHORTER * line.high))
    )


def _coarsen(line: Line) -> Line:
    low, high = math.floor(line.low / _COARSER), math.ceil(line.high / _COARSER)
    return dataclasses.replace(line, step=line.step * _COARSER, low=low, high=high)


def _jumps(case: Case, deadline: Deadline) -> Seen:
    truth = _truth(case, deadline)
    plan = plan_contour(
        _contour(case).planner, float(case.epsilon), case.digits, log(truth.lo), deadline
    )
    if plan.jumps is None:
        raise OutOfReach("the usual bound serves")
    plan = dataclasses.replace(plan, h=2 * plan.h)
    table = Table(case.history, case.direction, plan, deadline)
    return compare_with_bound(table, case, truth, "aliasing")


def _duality(case: Case, deadline: Deadline) -> Seen:
    other: Direction = "add" if case.direction == "remove" else "remove"
    plan = plan_contour(
        Contour(case.history, other).planner, -float(case.epsilon), case.digits, deadline=deadline
    )
    there = Table(case.history, other, plan, deadline).delta(-case.epsilon)
    with precision(400):
        e = ball(case.epsilon).exp()
        low, high = 1 - e + e * ball(there.lo), 1 - e + e * ball(there.hi)
        mapped = Value(fraction(low.lower()), fraction(high.upper()), 0.0)
    return compare_values(mapped, _truth(case, deadline))


def _against_closed_form(case: Case, deadline: Deadline) -> Seen:
    first = case.history[0]
    exact: Route
    if case.kind == "full":
        exact = gaussian(case.history)
    else:
        exact = (single if case.kind == "single" else pair)(first, case.direction)
    truth = exact.at(case.epsilon, 30.0, 30.0, deadline)
    digits = float(case.digits)
    return compare_values(_contour(case).at(case.epsilon, digits, digits, deadline), truth)


def _root(case: Case, deadline: Deadline) -> Seen:
    truth = _truth(case, deadline)
    target = (truth.lo + truth.hi) / 2
    lo, hi = solve(_contour(case), target, case.digits, float(case.epsilon), None, deadline)
    digits = float(case.digits + _MORE)
    ends = [_contour(case).at(x, digits, digits, deadline) for x in (lo, hi)]
    inside = lo <= case.epsilon * (1 + Fraction(1, 10**case.digits)) and case.epsilon <= hi * (
        1 + Fraction(1, 10**case.digits)
    )
    ok = ends[0].hi > target > ends[1].lo and inside
    return Seen(ok, f"{float(lo)!r} .. {float(hi)!r}")


def _convolution(case: Case, deadline: Deadline) -> Seen:
    truth = _truth(case, deadline)
    bracket = Bracket(case.history, case.direction, log(truth.lo), deadline, 2048)
    low, high = bracket.delta(case.epsilon)
    ok = low <= truth.lo and truth.hi <= high
    return Seen(ok, f"{float(low)!r} <= {float(truth.lo)!r} <= {float(high)!r}")


def _brute(case: Case, deadline: Deadline) -> Seen:
    truth = _truth(case, deadline)
    low, high = brute(case.history[0], case.direction, case.epsilon)
    ok = low <= truth.lo and truth.hi <= high
    return Seen(ok, f"{float(low)!r} <= {float(truth.lo)!r} <= {float(high)!r}")


_TESTS = {
    "digits": _digits,
    "elsewhere": _elsewhere,
    "coarse": _coarse,
    "short": _short,
    "duality": _duality,
    "single": _against_closed_form,
    "pair": _against_closed_form,
    "full": _against_closed_form,
    "root": _root,
    "convolution": _convolution,
    "jumps": _jumps,
    "brute": _brute,
    "jump": jump,
    "inner short": _inner,
    "inner coarse": _inner,
    **CALL_TESTS,
    **dict.fromkeys(BENT, faulty),
    "hyperbola": along_hyperbola,
    "hyperbola digits": more_digits,
    "hyperbola moments": moments,
}
