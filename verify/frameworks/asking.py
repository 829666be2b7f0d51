"""What an accountant inside a framework asks: one double that is surely an upper end.

epsilon is rounded up, so is delta. Where a parameter lies outside what the certified routes treat,
it is moved to the safe side; each move can only raise delta(epsilon), by data processing (see
``accounting.calibrate``):

    sigma above 10^6       becomes 10^6 (noise is taken away)
    q below 10^-12         becomes 10^-12
    sigma below 1/20       the phase becomes one without sampling (q = 1), whose steps are Gaussian
                           with mu = 1/sigma each; T of them are one Gaussian with mu^2 = T/sigma^2,
                           as are T' = ceil(T/(20 sigma)^2) steps with sigma = 1/20, or more

Other batches than Poisson-sampled ones: what a step, or an epoch, releases with its batch made
known is at least as much. Then it is one Gaussian, whose sum moves by the norm of one gradient; by
two where another record takes the place of the one that is missing (add/remove with batches of a
fixed size, or truncated). So wherever one of their phases has too little noise, all of them become
phases without sampling (:func:`reveal_batches`).

Where no certified route reaches a run (hundreds of steps with almost no noise, epsilon in the
thousands), the answer is the upper end that RDP has, over dp-accounting's orders, in balls.

A phase without noise is not private: epsilon is infinite. So it is where T' would be above 10^12
(infinity is an upper end).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from verify.accounting.growing import Growing, upper_double
from verify.accounting.history import checked_delta, history
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.frameworks.run import (
    ADD_REMOVE,
    FIXED_SIZE,
    POISSON,
    TRUNCATED,
    TrainingPhase,
    TrainingRun,
)
from verify.numbers.budget import DEFAULT_SECONDS, Deadline
from verify.numbers.certified import double_above
from verify.numbers.errors import OutOfDomain, OutOfReach
from verify.numbers.point import Number, exact

_LEAST_Q, _LEAST_SIGMA, _MOST_SIGMA = Fraction(1, 10**12), Fraction(1, 20), Fraction(10**6)
_MOST_STEPS = 10**12
_RDP_DIGITS = 10
_GROWING = 8  # deltas whose tables are kept


class Asker:
    """The questions of one accountant: runs that grow share their tables."""

    def __init__(self, max_seconds: float = DEFAULT_SECONDS) -> None:
        self.max_seconds = max_seconds
        self._growing: dict[Fraction, Growing] = {}

    def __reduce__(self) -> tuple[type[Asker], tuple[float]]:
        """Copied and pickled without the tables, which are of balls: accountants are copied (jax-privacy) and sent."""
        return Asker, (self.max_seconds,)

    @property
    def from_nothing(self) -> int:
        """How many answers used nothing of an earlier one, of those whose tables are kept."""
        return sum(growing.from_nothing for growing in self._growing.values())

    def epsilon(self, run: TrainingRun, delta: Number) -> float:
        """The least double that is not below the tight epsilon (or its upper end).

        >>> Asker().epsilon(TrainingRun((TrainingPhase("0.01", 1, 1000),)), "1e-5")
        1.828236666516577
        """
        target = checked_delta(delta)
        inside = to_safe_side(run)
        if not inside.private:
            return math.inf
        if not inside.phases:
            return 0.0
        if not inside.only_poisson():
            found = upper_double(inside.epsilon(target, max_seconds=self.max_seconds))
            return found if found < math.inf else self.epsilon(reveal_batches(inside), target)
        if inside.relation != ADD_REMOVE:
            return upper_double(inside.epsilon(target, max_seconds=self.max_seconds))
        growing = self._growing.pop(target, None) or Growing(target, self.max_seconds)
        self._growing[target] = growing  # the last one asked comes last
        if len(self._growing) > _GROWING:
            del self._growing[next(iter(self._growing))]
        triples = [(p.q, p.sigma, p.steps) for p in inside.phases if p.q is not None]
        phases = history(triples)
        try:
            return growing.epsilon(phases)
        except OutOfReach:
            curve = RenyiCurve(phases, _RDP_DIGITS, Deadline(self.max_seconds))
            return double_above(over_list(curve, target, "cks", "dp-accounting").epsilon.hi)

    def delta(self, run: TrainingRun, epsilon: Number) -> float:
        """The least double that is not below the tight delta (or its upper end)."""
        inside = to_safe_side(run)
        if not inside.private:
            return 1.0
        if not inside.phases:
            return 0.0
        answer = inside.delta(epsilon, max_seconds=self.max_seconds)
        return min(1.0, double_above(answer.hi) if answer.lo == 0 else upper_double(answer))


def to_safe_side(run: TrainingRun) -> TrainingRun:
    """The run with its parameters where the certified routes treat them, moved to the safe side where they are not.

    >>> to_safe_side(TrainingRun((TrainingPhase("0.1", "0.01", 3), TrainingPhase(0, 1, 7)))).phases
    (TrainingPhase(q=Fraction(1, 1), sigma=Fraction(1, 20), steps=75, ...),)
    """
    moved = [_move_to_safe_side(phase) for phase in run.phases]
    small = [p for p in moved if p.sampling != POISSON and 0 < Fraction(p.sigma) < _LEAST_SIGMA]
    if small:
        run = reveal_batches(replace(run, phases=tuple(moved)))
        moved = [_move_to_safe_side(phase) for phase in run.phases]
    if not run.private or any(phase.sigma == 0 for phase in moved):
        return replace(run, phases=(), private=False)
    return replace(run, phases=tuple(phase for phase in moved if phase.q != 0))


def _move_to_safe_side(phase: TrainingPhase) -> TrainingPhase:
    q = None if phase.q is None else exact("q", phase.q, "a number in [0, 1]")
    sigma = exact("sigma", phase.sigma, "a number >= 0")
    if sigma is not None and sigma < 0:
        raise OutOfDomain(f"noise multiplier = {phase.sigma!s:.40}: must not be negative")
    if phase.q is None:
        return replace(phase, sigma=_MOST_SIGMA if sigma is None else min(sigma, _MOST_SIGMA))
    if q is None or not 0 <= q <= 1:
        raise OutOfDomain(f"sampling rate = {phase.q!s:.40}: must be in [0, 1]")
    if q == 0 or sigma is None:  # infinite noise
        return replace(phase, q=Fraction(0), sigma=Fraction(1))
    q, sigma = max(q, _LEAST_Q), min(sigma, _MOST_SIGMA)
    if sigma >= _LEAST_SIGMA or phase.sampling != POISSON:
        return replace(phase, q=q, sigma=sigma)
    steps = math.ceil(phase.steps * (_LEAST_SIGMA / sigma) ** 2) if sigma else _MOST_STEPS + 1
    if steps > _MOST_STEPS:
        return replace(phase, q=q, sigma=Fraction(0))
    return TrainingPhase(Fraction(1), _LEAST_SIGMA, steps)


def reveal_batches(run: TrainingRun) -> TrainingRun:
    """An upper end of the run, Poisson-sampled: the batches of its other phases are made known.

    >>> phase = TrainingPhase("0.1", 1, 30, "truncated-poisson", records=1000, limit=120)
    >>> reveal_batches(TrainingRun((phase,))).phases
    (TrainingPhase(q=Fraction(1, 1), sigma=Fraction(1, 2), steps=30, sampling='poisson', ...),)
    """
    twice = (
        run.relation == ADD_REMOVE
    )  # another record may take the place of the one that is missing
    phases = []
    for phase in run.phases:
        if phase.sampling == POISSON:
            phases.append(phase)
            continue
        moves = 2 if twice and phase.sampling in (FIXED_SIZE, TRUNCATED) else 1
        steps = phase.epochs if phase.q is None else phase.steps
        phases.append(TrainingPhase(Fraction(1), Fraction(phase.sigma) / moves, steps))
    return replace(run, phases=tuple(phases))


def refusal(run: TrainingRun) -> str:
    """Why a run is not answered, whatever its noise; empty if it is.

    >>> refusal(TrainingRun((TrainingPhase("0.01", 1, 1000),)))
    ''
    """
    quiet = (_move_to_safe_side(replace(phase, sigma=1)) for phase in run.phases)
    run = replace(run, phases=tuple(phase for phase in quiet if phase.q != 0))
    try:
        run.epsilon(1)  # at delta = 1 every epsilon is 0: only what is not answered at all shows
    except OutOfDomain as error:
        return str(error)
    return ""
