"""The audit of what people call: whole answers, put to the test at their ends.

phases         two to six phases on the line: more digits, and the bracket of the independent route
account        both ends of ``Account.epsilon``: delta there, the larger of both directions with
               more digits, lies on either side of the target
directions     the larger of both directions against each direction alone with more digits
tiny rate      tiny q and many steps: the interval against the bracket of the independent route
bracket        both ends of ``Bracket.epsilon`` against epsilon with all digits
calibrate      the number found meets the target and its neighbour does not, by a fresh account with more digits
best order     no order around the best one gives less than the epsilon by RDP, and the one found gives no more
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.accounting.best_order import over_all
from verify.accounting.calibration import calibrate
from verify.accounting.contour.plan import plan as plan_contour
from verify.accounting.contour.vertical import Table
from verify.accounting.conversions import CONVERSIONS
from verify.accounting.exact.convolution import Bracket
from verify.accounting.history import History, Phase
from verify.accounting.questions import Account
from verify.accounting.renyi import RenyiCurve
from verify.accounting.routes import Contour, log
from verify.accounting.tight import Bracketed
from verify.audit.runs_case import Case, Seen, compare_values
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, OutOfReach

_MORE = 20
_FINE, _POINTS = 30, 1024
_WALL = 3600.0  # seconds that nothing takes: the work allowed for a case is what stops it
_AROUND = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**5))  # of an order, less 1


def with_phases(first: Phase, random: Random, most: int) -> History:
    """Two to so many phases that take about as long as the first."""
    count = random.randint(2, most)
    phases = {
        (first.q * (1 + Fraction(i, 3)), first.sigma * (1 + Fraction(i, 7)))
        for i in random.sample(range(12), count)
    }
    steps = max(1, first.steps // count)
    return tuple(
        Phase(min(q, Fraction(9, 10)), s, steps + i) for i, (q, s) in enumerate(sorted(phases))
    )


def _account(case: Case, deadline: Deadline) -> Account:
    return Account(case.history, _WALL, deadline)


def _exact(found: Certified) -> tuple[Fraction, Fraction]:
    """Both ends of an answer that has its digits."""
    if isinstance(found, Bracketed) or isinstance(found.hi, float) or isinstance(found.lo, float):
        raise OutOfReach("a bracket")
    return found.lo, found.hi


def phases(case: Case, deadline: Deadline) -> Seen:
    contour = Contour(case.history, case.direction)
    plan = plan_contour(contour.planner, float(case.epsilon), case.digits, deadline=deadline)
    value = Table(case.history, case.direction, plan, deadline).delta(case.epsilon)
    digits = float(case.digits + _MORE)
    truth = contour.at(case.epsilon, digits, digits, deadline)
    seen = compare_values(value, truth)
    if sum(p.steps for p in case.history) > 500:
        return seen
    low, high = Bracket(case.history, case.direction, log(truth.lo), deadline, _POINTS).delta(
        case.epsilon
    )
    return seen._replace(ok=seen.ok and low <= truth.lo and truth.hi <= high)


def account(case: Case, deadline: Deadline) -> Seen:
    target = Fraction(1, 10 ** (3 + case.epsilon.numerator % 8))
    lo, hi = _exact(_account(case, deadline).epsilon(target, case.digits))
    if hi == 0:
        raise OutOfReach("epsilon is 0")
    fresh = _account(case, deadline)
    left, right = (_exact(fresh.delta(x, case.digits + _MORE)) for x in (lo, hi))
    ok = left[0] > target and right[1] <= target and (hi - lo) * 10**case.digits <= hi
    return Seen(ok, f"epsilon in [{float(lo)!r}, {float(hi)!r}] at {target}")


def directions(case: Case, deadline: Deadline) -> Seen:
    run = _account(case, deadline)
    lo, hi = _exact(run.delta(case.epsilon, case.digits))
    ends = [
        _exact(_account(case, deadline).delta(case.epsilon, case.digits + _MORE, d))
        for d in ("remove", "add")
    ]
    best = max(e[0] for e in ends), max(e[1] for e in ends)
    return Seen(lo <= best[1] and best[0] <= hi, f"[{float(lo)!r}, {float(hi)!r}], {ends!s:.80}")


def tiny_rate(case: Case, deadline: Deadline) -> Seen:
    digits = float(case.digits)
    value = Contour(case.history, case.direction).at(case.epsilon, digits, digits, deadline)
    found = Bracket(case.history, case.direction, log(value.lo), deadline, _POINTS)
    low, high = found.delta(case.epsilon)
    ok = low <= value.lo and value.hi <= high
    return Seen(ok, f"{float(low)!r} <= {float(value.lo)!r} <= {float(high)!r}")


def bracket(case: Case, deadline: Deadline) -> Seen:
    target = Fraction(1, 10 ** (3 + case.epsilon.numerator % 5))
    lo, hi = _exact(_account(case, deadline).epsilon(target, case.digits, case.direction))
    found = Bracket(case.history, case.direction, log(target), deadline, _POINTS)
    low, high = found.epsilon(target)
    ok = low <= hi and (high is None or lo <= high)
    return Seen(ok, f"[{float(low)!r}, {high and float(high)!r}] and {float(lo)!r}")


def calibrate_and_ask(case: Case, deadline: Deadline) -> Seen:
    (phase,) = case.history
    target = Fraction(1, 10 ** (3 + case.epsilon.numerator % 5))
    name = ("q", "sigma", "steps")[case.epsilon.denominator % 3]
    left_out: dict[str, Fraction | int | None] = {
        "q": phase.q,
        "sigma": phase.sigma,
        "steps": phase.steps,
    }
    left_out[name] = None
    try:
        found = calibrate(
            epsilon=case.epsilon, delta=target, q=left_out["q"], sigma=left_out["sigma"], steps=left_out["steps"],
            max_seconds=_WALL,
        )  # fmt: skip
    except OutOfDomain as error:
        raise OutOfReach(str(error)) from error
    safe = found.value
    if name == "q" and safe == 1:
        raise OutOfReach("all rates meet the target")
    away = {"q": 2.0, "sigma": 0.0}.get(name)
    unsafe = safe + 1 if away is None else math.nextafter(safe, away)
    met = []
    for x in (safe, unsafe):
        changed = int(x) if name == "steps" else Fraction(x)
        run = (dataclasses.replace(phase, **{name: changed}),)  # type: ignore[arg-type]  # the field by its name
        met.append(_exact(Account(run, _WALL, deadline).delta(case.epsilon, _FINE)))
    return Seen(met[0][1] <= target < met[1][0], f"{name} = {safe!r} at {target}")


def best_order(case: Case, deadline: Deadline) -> Seen:
    target = Fraction(1, 10 ** (3 + case.epsilon.numerator % 8))
    conversion = ("cks", "mironov")[case.epsilon.denominator % 2]
    curve = RenyiCurve(case.history, 2 * case.digits + 12, deadline)
    found = over_all(curve, target, conversion, case.digits)
    lo, hi = _exact(found.epsilon)
    order = (Fraction(found.order.lo) + Fraction(found.order.hi)) / 2
    fine = RenyiCurve(case.history, 2 * case.digits + 30, deadline)

    def epsilon(alpha: Fraction) -> tuple[Fraction, Fraction]:
        with precision(fine.bits):
            value = CONVERSIONS[conversion](ball(alpha), fine.at(alpha), -ball(target).log())
            return fraction(value.lower()), fraction(value.upper())

    if hi == 0:
        raise OutOfReach("epsilon is 0")
    others = [1 + (order - 1) * (1 + sign * w) for w in _AROUND for sign in (1, -1)]
    ok = all(lo <= epsilon(alpha)[1] for alpha in others) and epsilon(order)[0] <= 2 * hi - lo
    return Seen(ok, f"[{float(lo)!r}, {float(hi)!r}] at order {float(order)!r}")


CALL_TESTS: dict[str, Callable[[Case, Deadline], Seen]] = {
    "phases": phases,
    "account": account,
    "directions": directions,
    "tiny rate": tiny_rate,
    "bracket": bracket,
    "calibrate": calibrate_and_ask,
    "best order": best_order,
}
CALLS = tuple(CALL_TESTS)
