"""Do the intervals of random allocation contain the truth? Random runs, each asked in two ways that
share as little as possible.

``draw(seed)`` makes a case, ``test(case)`` runs it; both are plain and picklable. A case
is *vacuous* if one of the two ways has no answer there: counted, never folded into the passes.
Asked of delta:

    digits     d digits against d + 15
    elsewhere  a table planned for another epsilon, whose line, step and length are wrong here but
               whose bounds are still true
    coarse     the same plan with the step doubled: aliasing is large, and must be inside its bound
    short      the same plan cut to a third: what is cut off is large, and must be inside its bound
    lines      two lines in different strips between the poles (a < 0, 0 < a < 1, 1 < a), with
               Mellin integrals of different n
    duality    delta(x) against the other direction at -x
    gaussian   one batch, computed as if there were many, against the closed form
    poisson    one batch and idle records, computed as if there were many, against the Poisson pair's own contour
    split      the epochs of one part written as two parts; a Gaussian part as a phase
    outcomes   two or three batches, one epoch, against sums over outcomes without any transform
    root       delta at both ends of the interval of epsilon(delta) lies on either side of the target
    crude      the interval against the bracket by Chernoff, the Gaussian and events

and of the moments at complex orders, each with one number of the plan of a ray spoilt, against the
moments of a finer plan with another n:

    ray step, ray ends, inner cut      the bounds are then large, and must hold
    whole      moments of order 0 and 1, which are 1
    fall       with idle records: moments against the bound of how fast they fall, at any level
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable
from fractions import Fraction

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.planner import Direction
from verify.accounting.contour.vertical import Value
from verify.accounting.exact.closed import gaussian, single
from verify.accounting.history import History, Phase
from verify.accounting.pairs.allocation.crude import Crude
from verify.accounting.pairs.allocation.forecast import Epochs, Forecast
from verify.accounting.pairs.allocation.outcomes import by_outcomes
from verify.accounting.pairs.allocation.parts import Allotted
from verify.accounting.pairs.allocation.scheme import line_scheme, scheme, sharpest_orders
from verify.accounting.pairs.allocation.side import LineRoute
from verify.accounting.pairs.allocation.spectrum import Spectrum
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import Contour
from verify.audit.pairs.allocation_moments import (
    RAYS,
    AllocationCase,
    AllocationResult,
    fall,
    rays,
    whole,
)
from verify.audit.runs_case import agree
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

_MORE = 15.0
_FEW = 30


def draw(seed: int, kind: str | None = None) -> AllocationCase:
    """The case that belongs to a seed: kinds in turn, ordinary and extreme runs."""
    rng = random.Random(seed)
    kind = kind or KINDS[seed % len(KINDS)]
    wide = rng.random() < 0.3
    batches = max(2, int(10 ** rng.uniform(0.3, 4 if wide else 2.5)))
    sigma = Fraction(round(1000 * 10 ** rng.uniform(-0.6 if wide else -0.2, 1.0)), 1000)
    epochs = int(10 ** rng.uniform(0, 2.5))
    idle = Fraction(rng.randint(1, 300), 1000) if rng.random() < 0.3 else Fraction(0)
    if idle and batches < _FEW:  # moments that fall slowly
        batches += _FEW
    poisson: History = ()
    if (
        kind not in ("gaussian", "poisson", "outcomes", *RAYS, "whole", "fall")
        and rng.random() < 0.25
    ):
        poisson = (Phase(Fraction(1, rng.randint(2, 300)), sigma + 1, rng.randint(1, 300)),)
    if kind == "gaussian":
        batches, idle = 1, Fraction(0)
    elif kind == "poisson":
        batches, idle, epochs = 1, idle or Fraction(1, 7), rng.choice((1, 30, 100, 400))
        sigma += 2
    elif kind == "outcomes":
        batches, epochs, idle = rng.choice((2, 2, 3)), 1, min(idle, Fraction(1, 50))
    elif kind == "split":
        epochs += 1
    elif kind == "fall":
        batches, idle = rng.randint(2, 9), idle or Fraction(1, 9)
    part = Allotted(batches, sigma, epochs, idle)
    direction: Direction = "remove" if rng.random() < 0.5 else "add"
    forecast = Forecast([Epochs(part)], poisson, direction)
    guess = forecast.guess(math.log(10) * rng.uniform(-10, -1.5))
    if kind == "duality":
        guess /= 8
    epsilon = Fraction(max(guess, 1e-6)).limit_denominator(10**7)
    return AllocationCase(kind, (part,), poisson, direction, epsilon, rng.choice((6, 10, 15)))


def test(case: AllocationCase) -> AllocationResult:
    """Run a case; errors that mean "no answer here" make it vacuous."""
    try:
        ok, detail = _TESTS[case.kind](case, Deadline.of_work(case.seconds))
    except (OutOfReach, PrecisionExhausted, BudgetExceeded, BadPlan, AtZero) as error:
        return AllocationResult(case, None, f"{type(error).__name__}: {error}")
    return AllocationResult(case, ok, detail)


test.__test__ = False  # type: ignore[attr-defined]  # not a test of this project, whatever pytest thinks


def _truth(case: AllocationCase, deadline: Deadline) -> Value:
    digits = 10.0 if case.kind == "outcomes" else case.digits + _MORE
    return LineRoute(case.forecast(), case.poisson).at(case.epsilon, digits, digits, deadline)


def _spoilt(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    """digits, elsewhere, coarse, short."""
    forecast = case.forecast()
    where = float(case.epsilon) * (1.2 if case.kind == "elsewhere" else 1.0)
    plan = scheme(forecast, where, float(case.digits), 0.0, deadline)
    if case.kind == "coarse":
        x = where if forecast.remove else -where
        q, u = sharpest_orders(forecast, plan.a, x, math.pi / plan.h)
        plan = dataclasses.replace(plan, h=2 * plan.h, q=q, u=u)
    elif case.kind == "short":
        plan = dataclasses.replace(plan, terms=max(1, plan.terms // 3))
    table = Spectrum(forecast, case.poisson, plan, deadline)
    return agree(table.delta(case.epsilon), _truth(case, deadline))


def _lines(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    forecast, found = case.forecast(), []
    x = float(case.epsilon if forecast.remove else -case.epsilon)
    most = forecast.log_delta(float(case.epsilon)) - 2.3 * case.digits + min(0.0, x)
    usual = scheme(forecast, float(case.epsilon), float(case.digits), 0.0, deadline).a
    lines = [(0, usual if usual < 0 else -1.0), (1, 0.5), (2, 0.75), (2, 1.5)]
    for n, a in lines if forecast.remove else lines[:3]:
        plan = line_scheme(forecast, n, a, x, most)
        if plan is not None:
            table = Spectrum(forecast, case.poisson, plan, deadline)
            found.append(table.delta(case.epsilon))
    if len(found) < 2:
        raise OutOfReach("one line only")
    both = [agree(one, other) for one in found[:1] for other in found[1:]]
    return all(ok for ok, _ in both), "; ".join(detail for _, detail in both)


def _duality(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    other: Direction = "add" if case.direction == "remove" else "remove"
    forecast = case.forecast(other)
    plan = scheme(forecast, -float(case.epsilon), case.digits + 4.0, math.log(0.5), deadline)
    there = Spectrum(forecast, case.poisson, plan, deadline).delta(-case.epsilon)
    with precision(400):
        e = ball(case.epsilon).exp()
        low, high = (1 - e + e * ball(end) for end in (there.lo, there.hi))
        mapped = Value(fraction(low.lower()), fraction(high.upper()), 0.0)
    return agree(mapped, _truth(case, deadline))


def _one_batch(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    (part,) = case.parts
    phase = part.as_phase()
    assert phase is not None
    if case.kind == "gaussian":
        exact = gaussian((phase,)).at(case.epsilon, 30.0, 30.0, deadline)
    elif phase.steps == 1:
        exact = single(phase, case.direction).at(case.epsilon, 30.0, 30.0, deadline)
    else:
        contour = Contour((phase,), case.direction)
        exact = contour.at(case.epsilon, 25.0, 25.0, deadline)
    found = LineRoute(case.forecast(), ()).at(case.epsilon, case.digits, case.digits, deadline)
    return agree(found, exact)


def _split(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    (part,) = case.parts
    first = part.epochs // 2
    halves = tuple(
        Epochs(dataclasses.replace(part, epochs=n)) for n in (first, part.epochs - first)
    )
    extra = Phase(Fraction(1), part.sigma * 3, 2)
    as_part = Epochs(Allotted(1, part.sigma * 3, 2))
    one = Forecast([*halves, as_part], case.poisson, case.direction)
    phases = (*case.poisson, extra)
    other = Forecast([Epochs(part)], phases, case.direction)
    values = [
        LineRoute(forecast, poisson).at(case.epsilon, digits, digits, deadline)
        for forecast, poisson, digits in (
            (one, case.poisson, float(case.digits)),
            (other, phases, case.digits + _MORE),
        )
    ]
    return agree(*values)


def _bracket(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    """outcomes, crude."""
    truth = _truth(case, deadline)
    if case.kind == "outcomes":
        low, high = by_outcomes(case.parts[0], case.direction, case.epsilon)
    else:
        crude = Crude(case.forecast(), case.poisson, deadline)
        low, high = crude.below(case.epsilon), crude.above(case.epsilon)
    ok = low <= truth.lo and truth.hi <= high
    return ok, f"{float(low)!r} <= {float(truth.lo)!r} <= {float(high)!r}"


def _root(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    truth = _truth(case, deadline)
    target = (truth.lo + truth.hi) / 2
    route = LineRoute(case.forecast(), case.poisson)
    lo, hi = solve(route, target, case.digits, float(case.epsilon), None, deadline)
    digits = case.digits + _MORE
    fresh = LineRoute(case.forecast(), case.poisson)
    ends = [fresh.at(x, digits, digits, deadline) for x in (lo, hi)]
    inside = lo <= case.epsilon <= hi
    return ends[0].hi > target > ends[1].lo and inside, f"{float(lo)!r} .. {float(hi)!r}"


_TESTS: dict[str, Callable[[AllocationCase, Deadline], tuple[bool, str]]] = {
    **dict.fromkeys(("digits", "elsewhere", "coarse", "short"), _spoilt),
    "lines": _lines,
    "duality": _duality,
    **dict.fromkeys(("gaussian", "poisson"), _one_batch),
    "split": _split,
    **dict.fromkeys(("outcomes", "crude"), _bracket),
    "root": _root,
    **dict.fromkeys(RAYS, rays),
    "whole": whole,
    "fall": fall,
}
KINDS = tuple(_TESTS)
