"""Do the ends of this room hold? Random runs, each asked in two ways that share as little as possible.

``draw(seed)`` makes a case, ``test(case)`` runs it. A case is *vacuous* (ok is None) if one of the
two ways has no answer: counted, never folded into the passes.

    above contour   a product whose exact value the contour gives, composed from above: not below it
    below contour   the same, an adversary that never changes its mind: not above it
    above single    the merged pair, one step, at a point of the grid: the closed form, and at most 1e-9 above it
    below single    one step, at an end of a bucket: the closed form, and at most 1e-6 below it
    two             two steps of the merged pair against sums over the outcomes of the first, without a grid
    gaussian        full batches from above and from below, around the closed form
    walked          two or three steps of an adversary with choices against a walk through all its states in rationals
    ordered         the lower end of a run is not above its upper end, nor below the exact product
    largest         two shuffled epochs: the adversary against sums over the first epoch's outcome
    revealed        one step of truncated samples at a point of the grid: not below the sum over all
                    sizes, at most twice that
    binomial        binomial tails against sums of rationals
    opposite        allocation of two batches, replace-one: both ends around an integral for opposite gradients
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.planner import Planner
from verify.accounting.exact.closed import gaussian
from verify.accounting.exact.loss import Grid, Loss, Tails
from verify.accounting.history import Phase
from verify.accounting.pairs.fixed import layout
from verify.accounting.pairs.fixed.kinds import replacing, zeroing
from verify.accounting.pairs.fixed.merged import loss_of_replacing, losses_of_zeroing
from verify.accounting.pairs.fixed.sized import fixed_size_curve
from verify.accounting.tight import Curve
from verify.audit.pairs.fixed_case import (
    FixedCase,
    FixedResult,
    above,
    below,
    grid_of,
    order_text,
)
from verify.audit.pairs.fixed_opposite import opposite
from verify.audit.pairs.fixed_states import binomial, largest, reveal_sizes, walk_states
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted

KINDS = (
    "above contour",
    "below contour",
    "above single",
    "below single",
    "two",
    "gaussian",
    "walked",
    "ordered",
    "largest",
    "revealed",
    "binomial",
    "opposite",
)
_SHARP = Fraction(1, 10**9)
_ASKED = 3  # digits of a bracket
_CELLS = 300


def draw(seed: int, kind: str | None = None) -> FixedCase:
    """The case that belongs to a seed: kinds in turn."""
    rng = random.Random(seed)
    kind = kind or KINDS[seed % len(KINDS)]
    q = Fraction(round(10 ** rng.uniform(-2.3, -0.05), 4))
    sigma = Fraction(round(10 ** rng.uniform(-0.1, 0.8), 2))
    steps = {
        "above single": 1,
        "below single": 1,
        "revealed": 1,
        "two": 2,
        "largest": 2,
        "walked": rng.choice((2, 3)),
        "ordered": rng.choice((2, 3, 10, 40)),
    }.get(kind, int(10 ** rng.uniform(0.5, 2)))
    run = (Phase(q if kind != "gaussian" else Fraction(1), sigma / 2, max(steps, 3)),)
    guess = Planner(run, "remove").guess(math.log(10) * rng.uniform(-8, -1.5))
    epsilon = Fraction(max(guess, 0.01)).limit_denominator(10**6)
    return FixedCase(kind, q, sigma, steps, epsilon, rng.randrange(100))


def test(case: FixedCase) -> FixedResult:
    """Run a case; errors that mean "no answer here" make it vacuous."""
    try:
        ok, detail = _TESTS[case.kind](case)
    except (OutOfReach, PrecisionExhausted, BudgetExceeded, BadPlan) as error:
        return FixedResult(case, None, f"{type(error).__name__}: {error}")
    return FixedResult(case, ok, detail)


test.__test__ = False  # type: ignore[attr-defined]  # not a test of this project, whatever pytest thinks


def _profile(loss: Tails, x: arb) -> arb:
    first, second = loss.above(x)
    return first - x.exp() * second


def _above_contour(case: FixedCase) -> tuple[bool, str]:
    loss = Loss(Phase(case.q, case.sigma, 1), case.direction)
    run = (Phase(case.q, case.sigma, case.steps),)
    truth = Curve(run, case.direction, case.deadline()).delta(case.epsilon, 20)
    high = above(loss, case, grid_of(loss, case)).delta(case.epsilon)
    return truth.hi <= high, order_text(Fraction(truth.hi), high)


def _below_contour(case: FixedCase) -> tuple[bool, str]:
    halves = (Phase(case.q, case.sigma / 2, case.steps),)
    truth = Curve(halves, case.direction, case.deadline()).delta(case.epsilon, 20)
    kind = replacing(case.q, case.sigma)["1" if case.direction == "add" else "-1"]
    low = below(kind, case, grid_of(loss_of_replacing(case.q, case.sigma), case)).delta(
        case.epsilon
    )
    return low <= truth.lo, order_text(low, Fraction(truth.lo))


def _above_single(case: FixedCase) -> tuple[bool, str]:
    """The merged pair of each relation at a point of the grid, on either side of 0."""
    losses = (loss_of_replacing(case.q, case.sigma), *losses_of_zeroing(case.q, case.sigma))
    loss = losses[case.choice % 3]
    grid = grid_of(loss, case)
    wanted = round(float(case.epsilon) / grid.mesh) - grid.low
    place = min(layout.places(loss, grid), key=lambda place: abs(place - wanted)) + grid.low
    at = Fraction(grid.mesh) * max(place, 0)
    high = above(loss, case, grid).delta(at)
    with precision(300):
        truth = _profile(loss, ball(at))
        outside = Fraction(1 << 41, 1 << grid.bits)
        low = fraction(truth.lower())
        ok = fraction(truth.upper()) <= high <= low * (1 + _SHARP) + outside + _infinite(loss, grid)
    return ok, order_text(low, high)


def _infinite(loss: Tails, grid: Grid) -> Fraction:
    """What lies above the grid counts in full."""
    return fraction(loss.above(arb(grid.mesh) * grid.high)[0].upper())


def _below_single(case: FixedCase) -> tuple[bool, str]:
    kinds = (replacing(case.q, case.sigma)["-1"], zeroing(case.q, case.sigma)["-1"])
    losses = (loss_of_replacing(case.q, case.sigma), losses_of_zeroing(case.q, case.sigma)[0])
    kind, loss = kinds[case.choice % 2], losses[case.choice % 2]
    grid = grid_of(loss, case)
    at = Fraction(grid.mesh) * (max(0, math.floor(case.epsilon / Fraction(grid.mesh))) * 2 + 1) / 2
    low = below(kind, case, grid).delta(at)
    with precision(300):
        truth = _profile(loss, ball(at))
        # ends of buckets lie next to the best place: what that costs is of second order
        least = truth * (1 - arb(10) ** -6) - arb(2) ** (40 - grid.bits)
        ok = low <= fraction(truth.lower()) and low >= fraction(least.lower())
    return ok, order_text(low, fraction(truth.lower()))


def _sums(
    loss: Tails, outcome_loss: Tails, epsilon: Fraction, nats: float = 25.0
) -> tuple[Fraction, Fraction]:
    """Bounds of E_P[H(eps - L)] for a step with these tails and a next one with that profile, which falls."""
    sketch = [x for x, w in layout.sketch_losses(loss) if w > math.exp(-nats)]
    low, high = min(sketch) - 1e-3, max(sketch) + 1e-3
    with precision(200):
        edges = [arb(low + (high - low) * i / _CELLS) for i in range(_CELLS + 1)]
        tails = [loss.above(x)[0] for x in edges]
        values = [_profile(outcome_loss, ball(epsilon) - x) for x in edges]
        below, above = arb(0), (1 - tails[0]) * values[0] + tails[-1]
        for i in range(_CELLS):
            mass = tails[i] - tails[i + 1]
            below, above = below + mass * values[i], above + mass * values[i + 1]
        below += tails[-1] * values[-1]
        return fraction(below.lower()), fraction(above.upper())


def _two(case: FixedCase) -> tuple[bool, str]:
    loss = (loss_of_replacing(case.q, case.sigma), *losses_of_zeroing(case.q, case.sigma))[
        case.choice % 3
    ]
    low, most = _sums(loss, loss, case.epsilon)
    high = above(loss, case, grid_of(loss, case)).delta(case.epsilon)
    return low <= high <= most * Fraction(101, 100), order_text(low, high)


def _gaussian(case: FixedCase) -> tuple[bool, str]:
    one = Fraction(1)
    loss, kind = loss_of_replacing(one, case.sigma), replacing(one, case.sigma)["0"]
    truth = gaussian((Phase(one, case.sigma / 2, case.steps),)).at(
        case.epsilon, 20.0, 20.0, case.deadline()
    )
    grid = grid_of(loss, case)
    high = above(loss, case, grid).delta(case.epsilon)
    low = below(kind, case, grid).delta(case.epsilon)
    return low <= truth.lo and truth.hi <= high, f"{order_text(low, truth.lo)} <= {float(high)!r}"


def _above_product(case: FixedCase) -> tuple[bool, str]:
    run = (Phase(case.q, case.sigma, case.steps),)
    zero = bool(case.choice % 2)
    side = fixed_size_curve(run, "zero-out" if zero else "replace-one", case.deadline())
    try:
        found = side.delta(case.epsilon, _ASKED)
    except AssertionError as error:
        return False, str(error)
    product = (Phase(case.q, case.sigma / (1 if zero else 2), case.steps),)
    truth = Curve(product, "remove", case.deadline()).delta(case.epsilon, 10)
    # The product is one of the lower ends, and is known there to the digits that were asked.
    ok = truth.lo <= found.hi and found.lo >= truth.lo * (1 - Fraction(1, 10**_ASKED))
    return ok, order_text(Fraction(found.lo), Fraction(found.hi))


_TESTS = {
    "above contour": _above_contour,
    "below contour": _below_contour,
    "above single": _above_single,
    "below single": _below_single,
    "two": _two,
    "gaussian": _gaussian,
    "walked": walk_states,
    "ordered": _above_product,
    "largest": largest,
    "revealed": reveal_sizes,
    "binomial": binomial,
    "opposite": opposite,
}
