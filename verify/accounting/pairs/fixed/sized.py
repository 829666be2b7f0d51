"""Batches of a fixed size, replace-one and zero-out: exact for one step and for full batches, else between two ends.

Which pairs, and why: ``merged``. Full batches (q = 1) do not depend on the draw: a Gaussian with
shift 2 (replace-one) or 1 (zero-out) in every step, attained. Upper ends of other runs: the product
of the merged pair(s), and the Gaussian that knows the batches (a step differs, or it does not:
joint convexity), with shift 2 or 1 in every step. Lower ends: products of attained pairs
(exact, by the contour), and adversaries (``policies``).
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Literal

from flint import arb

from verify.accounting.contour.planner import Planner
from verify.accounting.exact.closed import Closed
from verify.accounting.history import History, Phase
from verify.accounting.pairs.fixed.composing import Composed, Played
from verify.accounting.pairs.fixed.ends import Attained, Between, OfCurve
from verify.accounting.pairs.fixed.kinds import SizedBatch, replacing, zeroing
from verify.accounting.pairs.fixed.merged import ZeroedOut, loss_of_replacing, losses_of_zeroing
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import log
from verify.accounting.tight import Curve
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified

Relation = Literal["replace-one", "zero-out"]

_MINE = "the record's gradient has the clipping norm"
_REMOVE = f"{_MINE}, all others are the opposite gradient, and so is its replacement"
_ADD = f"{_MINE}, and all others are equal to it, its replacement is the opposite gradient"
_CHOOSING = (
    f"{_MINE}, its replacement is the opposite gradient, all others are chosen before each step "
    "from earlier outputs"
)
_ZERO = f"{_MINE}, its replacement and all others are zero"
_ZERO_OPPOSITE = f"{_MINE}, all others are the opposite gradient, its replacement is zero"
_ZERO_CHOOSING = (
    f"{_MINE}, its replacement is zero, all others are chosen before each step from earlier outputs"
)
_FEW = 8  # steps: with more than these the others stay at the ends of their range


def fixed_size_curve(
    history: History, relation: Relation, deadline: Deadline
) -> Curve | Alone | Between:
    """The run with batches of fixed size: q = m/n in each phase."""
    shift = 2 if relation == "replace-one" else 1
    narrowed = tuple(Phase(p.q, p.sigma / shift, p.steps) for p in history)
    single = sum(p.steps for p in history) == 1
    if all(p.q == 1 for p in history) or (single and relation == "replace-one"):
        return Curve(narrowed, "remove", deadline)
    if single:
        return Alone(history[0], deadline)
    full = tuple(Phase(Fraction(1), p.sigma, p.steps) for p in narrowed)
    known = OfCurve(Curve(full, "remove", deadline), up=True)
    between = _replacing if relation == "replace-one" else _zeroing
    lower, composed = between(history)
    return Between(lower, (known, composed), deadline)


def _replacing(history: History) -> tuple[list[Attained], Composed]:
    halves = tuple(Phase(p.q, p.sigma / 2, p.steps) for p in history)
    steps = [(loss_of_replacing(p.q, p.sigma), p.steps) for p in history]
    lower = [
        Attained(OfCurve(Curve(halves, "remove", Deadline()), up=False), _REMOVE),
        Attained(OfCurve(Curve(halves, "add", Deadline()), up=False), _ADD),
    ]
    if len(history) == 1:
        (phase,) = history
        kinds = _at_hand(replacing(phase.q, phase.sigma), phase.steps)
        lower.append(Attained(Played([[(kinds, phase.steps)]], [steps]), _CHOOSING))
    return lower, Composed([steps])


def _zeroing(history: History) -> tuple[list[Attained], Composed]:
    directions = [
        [(losses_of_zeroing(p.q, p.sigma)[back], p.steps) for p in history]
        for back in (False, True)
    ]
    lower = [
        Attained(OfCurve(Curve(history, "remove", Deadline()), up=False), _ZERO),
        Attained(OfCurve(Curve(history, "add", Deadline()), up=False), _ZERO),
    ]
    if len(history) == 1:
        (phase,) = history
        kinds = _at_hand(zeroing(phase.q, phase.sigma), phase.steps)
        lower.append(Attained(Played([[(kinds, phase.steps)]], directions[:1]), _ZERO_CHOOSING))
    else:
        fixed = [([zeroing(p.q, p.sigma)["-1"]], p.steps) for p in history]
        lower.append(Attained(Played([fixed], directions[:1]), _ZERO_OPPOSITE))
    return lower, Composed(directions)


def _at_hand(kinds: dict[str, SizedBatch], steps: int) -> list[SizedBatch]:
    """Few steps may have the others anywhere, many at the ends of their range."""
    return [kind for y, kind in kinds.items() if steps <= _FEW or y in ("-1", "1")]


class Alone:
    """One step, zero-out, eps >= 0: the closed form of ``merged.ZeroedOut``, which is the larger direction.

    The other one is q H_{a'}(N(1)||N(0)), this one q H_{a'}(N(1) || (1-b) N(-1) + b N(0)): not less by Lemma M.
    """

    def __init__(self, phase: Phase, deadline: Deadline) -> None:
        self.phase, self.deadline = phase, deadline
        self.route = Closed(functools.partial(_formula, ZeroedOut(phase.q, phase.sigma)))

    def delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        """The least delta at this epsilon (None is infinity)."""
        if epsilon is None:
            return Certified.exactly(Fraction(0))
        value = self.route.at(epsilon, float(digits), float(digits), self.deadline)
        again = functools.partial(_answer_again, self.phase, "delta", epsilon)
        return Certified(value.lo, value.hi, again)

    def epsilon(self, delta: Fraction, digits: int) -> Certified:
        """The least epsilon >= 0 at this delta."""
        if delta in (0, 1):
            return Certified.exactly(math.inf if delta == 0 else Fraction(0))
        guess = Planner((self.phase,), "remove").guess(log(delta))
        try:
            lo, hi = solve(self.route, delta, digits, max(guess, 0.01), None, self.deadline)
        except AtZero:
            return Certified.exactly(Fraction(0))
        return Certified(lo, hi, functools.partial(_answer_again, self.phase, "epsilon", delta))

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound."""
        end = self.delta(epsilon, 4).hi
        return end < bound


def _formula(step: ZeroedOut, eps: arb, bits: int) -> tuple[arb, arb]:
    first, second = step.above(eps)
    fall = eps.exp() * second
    return first - fall, fall


def _answer_again(
    phase: Phase, what: str, at: Fraction, digits: int, deadline: Deadline
) -> Certified:
    found: Certified = getattr(Alone(phase, deadline), what)(at, digits)
    return found
