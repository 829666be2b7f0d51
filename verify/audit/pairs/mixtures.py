"""Do the intervals of mixture pairs contain the truth? Random runs, each asked in two ways that
share as little as possible.

``draw(seed)`` makes a case, ``test(case)`` runs it; both are plain and picklable. A case
is *vacuous* if one of the two ways has no answer there: counted, never folded into the passes.

    digits       delta with d digits against d + 20
    elsewhere    a table planned for another epsilon, where its contour, step and length are wrong
                 but its bounds still true
    coarse       the same plan with the outer step doubled: aliasing is large, and must be inside its bound
    short        the same plan cut to a third: the tail is large, and must be inside its bound
    inner        the transform on a line of few nodes and a long step, against a fine one: its error
                 is large, and must be inside its bound
    height       the bound of |psi| at a height, on a coarse line, against |psi| there
    moment       the real-order rule with a coarse step and a short window, against a fine one
    duality      delta(x) against 1 - e^x + e^x delta*(-x) of the swapped pair
    single       the contour for one step against the closed form
    pair         the contour for two steps against the certified integral
    full         the contour for a run with q = 1 throughout against the closed form
    known        one record added or removed: against the curve of the Poisson pair
    root         delta at both ends of the interval of epsilon(delta), with 20 more digits, lies on
                 either side of the target
    convolution  the interval against the bracket of the independent route
    brute        two or three steps: the contour against sums over the outcomes of each step, without any transform
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.plan import Plan
from verify.accounting.contour.vertical import Value
from verify.accounting.history import History, Phase
from verify.accounting.pairs.mixtures.bracket import MixtureBracket
from verify.accounting.pairs.mixtures.brute import brute
from verify.accounting.pairs.mixtures.exact import Pair, gaussian, single
from verify.accounting.pairs.mixtures.plan import (
    MixturePlanner,
    best_height,
    height_line,
    moment_line,
    plan,
    table_line,
)
from verify.accounting.pairs.mixtures.table import MixtureLine, MixtureTable
from verify.accounting.pairs.mixtures.transform import Degrees, height, real_moment, transform
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import Contour, log
from verify.audit.runs_case import agree
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

_MORE = 20
_BITS = 400
_EXACT = ("single", "pair", "brute")
_SMALL = ("pair", "brute", "convolution")


@dataclass(frozen=True, slots=True)
class MixtureCase:
    """One question: what to compare, for which run and pair, where."""

    kind: str
    history: History
    degrees: Degrees
    epsilon: Fraction
    digits: int
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class MixtureResult:
    """ok is None for a vacuous case; ``detail`` says what was seen."""

    case: MixtureCase
    ok: bool | None
    detail: str


def draw(seed: int, kind: str | None = None) -> MixtureCase:
    """The case that belongs to a seed: kinds in turn, ordinary and extreme runs."""
    rng = random.Random(seed)
    kind = kind or KINDS[seed % len(KINDS)]
    wide = rng.random() < 0.3
    q = Fraction(round(10 ** rng.uniform(-4 if wide else -2.5, -0.05), 6))
    sigma = Fraction(round(10 ** rng.uniform(-0.3 if wide else 0.0, 1.0), 3))
    steps = int(10 ** rng.uniform(0.5, 5.5 if wide else 4))
    group = rng.choice((1, 1, 2, 3, 5) if kind in _SMALL else (1, 1, 2, 3, 8, 20, 64))
    direction = rng.choice(((group, group), (group, group), (group, 0), (0, group)))
    if kind == "pair":  # the integral for several replaced records takes long
        direction = rng.choice(((1, 1), (1, 0), (0, 1), (2, 0), (0, 2)))
    if kind == "known":
        direction = rng.choice(((1, 0), (0, 1)))
    elif kind == "full":
        q = Fraction(1)
    elif kind == "convolution":
        steps = int(10 ** rng.uniform(0.5, 2))
    elif kind in ("inner", "height", "moment"):
        steps = 1
    elif kind in _EXACT:
        steps, q = (
            {"single": 1, "pair": 2, "brute": rng.choice((2, 3))}[kind],
            min(10 * q, Fraction(9, 10)),
        )
        sigma += 1
    if kind not in (*_EXACT, "inner", "height", "moment"):
        steps = max(steps, math.ceil(12 / sigma**2))
    history: History = (Phase(q, sigma, steps),)
    if kind in ("digits", "elsewhere", "coarse", "short", "root") and rng.random() < 0.3:
        other = Phase(min(Fraction(1), 2 * q), sigma + Fraction(1, 5), 1 + steps // 3)
        history = (*history, other)
    guess = MixturePlanner(history, direction).guess(math.log(10) * rng.uniform(-12, -1.5))
    if kind == "duality":  # at -epsilon delta must not be 1 to all digits
        guess /= 8
    epsilon = Fraction(max(guess, 1e-9)).limit_denominator(10**9)
    return MixtureCase(kind, history, direction, epsilon, rng.choice((6, 10, 15, 20)))


def test(case: MixtureCase) -> MixtureResult:
    """Run a case; errors that mean "no answer here" make it vacuous."""
    try:
        ok, detail = _TESTS[case.kind](case, Deadline.of_work(case.seconds))
    except (OutOfReach, PrecisionExhausted, BudgetExceeded, BadPlan, AtZero) as error:
        return MixtureResult(case, None, f"{type(error).__name__}: {error}")
    return MixtureResult(case, ok, detail)


test.__test__ = False  # type: ignore[attr-defined]  # not a test of this project, whatever pytest thinks


def _line(case: MixtureCase) -> MixtureLine:
    return MixtureLine(case.history, case.degrees)


def _truth(case: MixtureCase, deadline: Deadline) -> Value:
    digits = float(case.digits + _MORE)
    return _line(case).at(case.epsilon, digits, digits, deadline)


def _with_changed_plan(
    change: Callable[[Plan], Plan], factor: float = 1.0
) -> Callable[[MixtureCase, Deadline], tuple[bool, str]]:
    """The table of a changed plan, or of one for another epsilon, against the truth."""

    def run(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
        planner = MixturePlanner(case.history, case.degrees)
        found = plan(planner, factor * float(case.epsilon), case.digits, 0.0, deadline)
        table = MixtureTable(case.history, case.degrees, change(found), deadline)
        return agree(table.delta(case.epsilon), _truth(case, deadline))

    return run


def _inside(value: arb, truth: arb) -> tuple[bool, str]:
    if not truth.rad() <= value.rad():
        raise OutOfReach("the other way is not sharper")
    return bool(value.contains(truth)), f"{value.str(12)} and {truth.str(12)}"


def _order(case: MixtureCase) -> tuple[MixturePlanner, float]:
    planner = MixturePlanner(case.history, case.degrees)
    return planner, planner.c_of_epsilon(float(case.epsilon))


def _inner(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    planner, c = _order(case)
    sketch, (phase,) = planner.sketches[0], case.history
    low, high = table_line(sketch, c, 6.0), table_line(sketch, c, 60.0)
    with precision(_BITS):
        h = arb(1) / 3
        found = [
            transform(phase, case.degrees, arb(c), h, 9, line, deadline)[0] for line in (low, high)
        ]
        parts = [(a.real, b.real) for a, b in zip(*found, strict=True)]
        parts += [(a.imag, b.imag) for a, b in zip(*found, strict=True)]
        bad = [_inside(a, b)[1] for a, b in parts if not _inside(a, b)[0]]
        return not bad, "; ".join(bad[:1]) or f"{len(parts)} parts"


def _height(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    planner, c = _order(case)
    sketch, (phase,) = planner.sketches[0], case.history
    y = 3 / math.sqrt(sketch.cumulants(c)[2])
    _, eta = best_height(sketch, c, y, 60.0)
    with precision(_BITS):
        fine = table_line(sketch, c, 60.0)
        values, top = transform(phase, case.degrees, arb(c), arb(y), 2, fine, deadline)
        bound = height(
            phase, case.degrees, arb(c), arb(y), height_line(sketch, c, eta, 1.0), top.upper()
        )
        ok = all(bound >= abs(value).lower() for value in values[1:])
        return ok, f"{bound.str(8)} >= {abs(values[1]).str(8)}"


def _moment(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    planner, c = _order(case)
    sketch, (phase,) = planner.sketches[0], case.history
    low, high = moment_line(sketch, c, 2.0), moment_line(sketch, c, 60.0)
    low = dataclasses.replace(low, low=low.low // 2, high=max(1, low.high * 3 // 4))
    with precision(_BITS):
        rough, fine = (real_moment(phase, case.degrees, arb(c), line) for line in (low, high))
        return _inside(rough, fine)


def _duality(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    swapped = case.degrees[1], case.degrees[0]
    planner = MixturePlanner(case.history, swapped)
    found = plan(planner, -float(case.epsilon), case.digits, 0.0, deadline)
    there = MixtureTable(case.history, swapped, found, deadline).delta(-case.epsilon)
    with precision(_BITS):
        e = ball(case.epsilon).exp()
        low, high = 1 - e + e * ball(there.lo), 1 - e + e * ball(there.hi)
        mapped = Value(fraction(low.lower()), fraction(high.upper()), 0.0)
    return agree(mapped, _truth(case, deadline))


def _against_closed_form(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    first = case.history[0]
    exact = {"full": gaussian(case.history, case.degrees), "single": single(first, case.degrees)}
    found = exact.get(case.kind) or Pair(first, case.degrees)
    truth = found.at(case.epsilon, 30.0, 30.0, deadline)
    digits = float(case.digits)
    return agree(_line(case).at(case.epsilon, digits, digits, deadline), truth)


def _against_contour(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    curve = Contour(case.history, "remove" if case.degrees[0] else "add")
    digits = float(case.digits)
    known = curve.at(case.epsilon, digits + _MORE, digits + _MORE, deadline)
    return agree(_line(case).at(case.epsilon, digits, digits, deadline), known)


def _root(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    truth = _truth(case, deadline)
    target = (truth.lo + truth.hi) / 2
    lo, hi = solve(_line(case), target, case.digits, float(case.epsilon), None, deadline)
    digits = float(case.digits + _MORE)
    ends = [_line(case).at(x, digits, digits, deadline) for x in (lo, hi)]
    slack = 1 + Fraction(1, 10**case.digits)
    inside = lo <= case.epsilon * slack and case.epsilon <= hi * slack
    return ends[0].hi > target > ends[1].lo and inside, f"{float(lo)!r} .. {float(hi)!r}"


def _outside(low: Fraction, high: Fraction, truth: Value) -> tuple[bool, str]:
    ok = low <= truth.lo and truth.hi <= high
    return ok, f"{float(low)!r} <= {float(truth.lo)!r} <= {float(high)!r}"


def _convolution(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    truth = _truth(case, deadline)
    bracket = MixtureBracket(case.history, case.degrees, log(truth.lo), deadline, 512)
    return _outside(*bracket.delta(case.epsilon), truth)


def _brute(case: MixtureCase, deadline: Deadline) -> tuple[bool, str]:
    truth = _truth(case, deadline)
    return _outside(*brute(case.history[0], case.degrees, case.epsilon, 40), truth)


_TESTS: dict[str, Callable[[MixtureCase, Deadline], tuple[bool, str]]] = {
    "digits": _with_changed_plan(lambda found: found),
    "elsewhere": _with_changed_plan(lambda found: found, 1.2),
    "coarse": _with_changed_plan(lambda found: dataclasses.replace(found, h=2 * found.h)),
    "short": _with_changed_plan(
        lambda found: dataclasses.replace(found, terms=max(1, found.terms // 3))
    ),
    "inner": _inner,
    "height": _height,
    "moment": _moment,
    "duality": _duality,
    "single": _against_closed_form,
    "pair": _against_closed_form,
    "full": _against_closed_form,
    "known": _against_contour,
    "root": _root,
    "convolution": _convolution,
    "brute": _brute,
}
KINDS = tuple(_TESTS)
