"""From a run to the sides that answer for it: exact, or a lower and an upper end.

**Composition.** If a pair of distributions dominates each step whatever happened before, their product dominates the
run; if the pairs are attained by gradients that do not depend on earlier outputs, the product is attained, and the
answer is exact (proof in ``mixtures``). So stages compose where one choice of data sets attains the pairs of all of
them:

    add/remove, zero-out   poisson, allocation, and sequential (zero-out): one record against nothing
    add/remove             fixed-size as well: the other records are opposite, the poisson pair has half the noise
    replace-one            poisson and sequential: a record against its opposite

Shuffled stages compose with each other and with sequential ones: the lower end is the product of attained pairs, the
upper end the product of dominating ones. Batches of a fixed size (replace-one, zero-out) compose with each other.
Other mixtures are refused.

**Ends of shuffling** (n = m T records, batches of m, E epochs). Given the permutations, one step of
each epoch differs, by at most 2 (replace-one) or 1 (zero-out): a Gaussian with mu = 2 sqrt(E)/sigma
or sqrt(E)/sigma dominates. Let the other records have gradient -1 and the record +1 against -1: the
batch of the record moves by 2 and nothing else changes, so the outputs are those of random
allocation with noise sigma/2, which is the lower end. One permutation for all epochs: the E outputs
of a batch are sufficient through their mean, which has noise sigma/sqrt(E): one epoch with that
noise. If one batch is smaller, its output is forgotten (post-processing), and a record is idle with
its probability.

Allocation with one record replaced: ``fixed.allocated``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verify.accounting.contour.planner import Direction
from verify.accounting.history import History, Phase
from verify.accounting.pairs.allocation import LEAST_SIGMA, Allocation, Allotted
from verify.accounting.pairs.fixed.allocated import allocated_replaced
from verify.accounting.pairs.fixed.shuffled import Event, shuffled_replaced, shuffled_zeroed
from verify.accounting.pairs.fixed.sized import Relation, fixed_size_curve
from verify.accounting.pairs.fixed.truncated import truncated_curve
from verify.accounting.pairs.mixtures import Mixture
from verify.accounting.pairs.notions import (
    ADD_REMOVE,
    ALLOCATION,
    FIXED,
    POISSON,
    REPLACE_ONE,
    SEQUENTIAL,
    SHUFFLE,
    SHUFFLE_ONCE,
    TRUNCATED,
    ZERO_OUT,
)
from verify.accounting.pairs.run import Run, Stage
from verify.accounting.pairs.side import Side
from verify.accounting.tight import Curve
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain

DIRECTIONS: tuple[Direction, ...] = ("remove", "add")
_ROOT_BITS = 96  # of a square root, which is rounded to the safe side


@dataclass(frozen=True, slots=True)
class Ends:
    """Sides by direction: the truth is the largest of them."""

    sides: Mapping[str, Side]

    def directions(self, asked: str) -> tuple[str, ...]:
        """The directions that are asked for, by name."""
        if asked == "both":
            return tuple(self.sides)
        if asked not in DIRECTIONS:
            raise OutOfDomain(f"direction = {asked!s:.40}: must be both, remove or add")
        if asked not in self.sides:
            raise OutOfDomain(
                f"direction = {asked}: single directions are answered where the answer is exact "
                "and neighbours are add/remove or zero-out"
            )
        return (asked,)


def ends(run: Run, deadline: Deadline) -> Ends:
    """The sides that answer for a run."""
    samplings = {stage.sampling for stage in run.stages}
    for (relation, composing), build in _BUILDERS.items():
        if run.relation == relation and samplings <= composing:
            return build(run, deadline)
    raise OutOfDomain(
        f"phases of {', '.join(sorted(samplings))} do not compose for {run.relation}: "
        "no data sets are known that attain the worst case of all of them"
    )


def _one_record(run: Run, deadline: Deadline) -> Ends:
    """A record against nothing: poisson, fixed-size (add/remove), sequential (zero-out), allocation."""
    parts = tuple(_allotment(s, 1) for s in run.stages if s.sampling == ALLOCATION)
    history = _history(_phase(s) for s in run.stages if s.sampling != ALLOCATION)

    def side(direction: Direction) -> Side:
        if run.group > 1:
            return Mixture(history, direction, run.group, deadline)
        if parts:
            return Allocation(parts, history, direction, deadline)
        return Curve(history, direction, deadline)

    return Ends({d: side(d) for d in DIRECTIONS})


def _replaced(run: Run, deadline: Deadline) -> Ends:
    """A record against its opposite: poisson and sequential."""
    history = _history(Phase(s.q or Fraction(1), s.sigma, _steps(s)) for s in run.stages)
    return Ends({"replace": Mixture(history, "replace", run.group, deadline)})


def _allocated_replaced(run: Run, deadline: Deadline) -> Ends:
    return Ends({"both": allocated_replaced((_allotment(s, 1) for s in run.stages), deadline)})


def _shuffled_replaced(run: Run, deadline: Deadline) -> Ends:
    parts = tuple(_allotment(s, 2) for s in run.stages if s.sampling != SEQUENTIAL)
    still = _history(_known_phase(s, 2) for s in run.stages if s.sampling == SEQUENTIAL)
    event = _event(run.stages[0]) if len(run.stages) == 1 else None
    if event is not None and run.stages[0].sampling == SHUFFLE_ONCE:
        parts = ()  # allocation with more noise, in one epoch, keeps less
    return Ends({"both": shuffled_replaced(parts, still, event, _gaussian(run, deadline))})


def _event(one: Stage) -> Event | None:
    """The event of a stage whose noise is below what allocation is computed for."""
    noise = one.sigma / 2
    if one.sampling == SHUFFLE_ONCE:
        noise /= _root_below(one.epochs)
    return Event(one.steps, 2 * noise, one.idle, (2, 0)) if noise < LEAST_SIGMA else None


def _shuffled_zeroed(run: Run, deadline: Deadline) -> Ends:
    """One shuffled stage."""
    if len(run.stages) > 1:
        raise OutOfDomain(
            "several shuffled phases are not composed for zero-out; ask for replace-one"
        )
    (one,) = run.stages
    if one.sampling == SEQUENTIAL:
        return Ends({"both": _gaussian(run, deadline)})
    once = one.sampling == SHUFFLE_ONCE
    return Ends(
        {"both": shuffled_zeroed(one.steps, one.sigma, one.epochs, once, deadline, one.idle)}
    )


def _fixed(run: Run, deadline: Deadline) -> Ends:
    history = _history(Phase(s.q or Fraction(1), s.sigma, s.steps) for s in run.stages)
    relation: Relation = "replace-one" if run.relation == REPLACE_ONE else "zero-out"
    return Ends({"both": fixed_size_curve(history, relation, deadline)})


def _truncated(run: Run, deadline: Deadline) -> Ends:
    sizes = {(s.records, s.limit) for s in run.stages}
    if len(sizes) > 1:
        raise OutOfDomain("phases of truncated-poisson must have the same records and limit")
    ((records, limit),) = sizes
    assert records is not None
    assert limit is not None
    history = _history(Phase(s.q or Fraction(1), s.sigma, s.steps) for s in run.stages)
    return Ends({"both": truncated_curve(history, records - 1, limit, deadline)})


def _gaussian(run: Run, deadline: Deadline) -> Curve:
    """Given the batches, each epoch moves one step, by 2 (replace-one) or 1 (zero-out)."""
    move = 2 if run.relation == REPLACE_ONE else 1
    history = _history(_known_phase(s, move) for s in run.stages)
    return Curve(history, "remove", deadline)


def _phase(stage: Stage) -> Phase:
    """The poisson phase with the same pair: half the noise for batches of a fixed size."""
    if stage.sampling == SEQUENTIAL:
        return _known_phase(stage, 1)
    assert stage.q is not None
    noise = stage.sigma / 2 if stage.sampling == FIXED else stage.sigma
    return Phase(stage.q, noise, stage.steps)


def _known_phase(stage: Stage, move: int) -> Phase:
    """Each epoch moves one known step by so much."""
    return Phase(Fraction(1), stage.sigma / move, stage.epochs)


def _allotment(stage: Stage, move: int) -> Allotted:
    """Random allocation whose batches move by so much; one epoch with less noise for one shuffle."""
    sigma, epochs = stage.sigma / move, stage.epochs
    if stage.sampling == SHUFFLE_ONCE:
        # more noise is less loss: rounding the root down keeps a lower end
        sigma, epochs = sigma / _root_below(epochs), 1
    if move > 1:  # a lower end, too
        sigma = max(sigma, LEAST_SIGMA)
    return Allotted(stage.steps, sigma, epochs, stage.idle)


def _root_below(n: int) -> Fraction:
    """sqrt(n), rounded down; exact for squares."""
    return Fraction(math.isqrt(n << 2 * _ROOT_BITS), 1 << _ROOT_BITS)


def _steps(stage: Stage) -> int:
    return stage.epochs if stage.sampling == SEQUENTIAL else stage.steps


def _history(phases: Iterable[Phase]) -> History:
    """Equal phases joined."""
    count: dict[Phase, int] = {}
    for one in phases:
        key = replace(one, steps=1)
        count[key] = count.get(key, 0) + one.steps
    joined = (replace(key, steps=n) for key, n in count.items())
    return tuple(sorted(joined, key=lambda p: (p.q, p.sigma)))


Builder = Callable[[Run, Deadline], Ends]
_BUILDERS: Mapping[tuple[str, frozenset[str]], Builder] = {
    (ADD_REMOVE, frozenset({POISSON, FIXED, ALLOCATION})): _one_record,
    (ZERO_OUT, frozenset({POISSON, ALLOCATION, SEQUENTIAL})): _one_record,
    (REPLACE_ONE, frozenset({POISSON, SEQUENTIAL})): _replaced,
    (REPLACE_ONE, frozenset({ALLOCATION})): _allocated_replaced,
    (REPLACE_ONE, frozenset({SHUFFLE, SHUFFLE_ONCE, SEQUENTIAL})): _shuffled_replaced,
    (ZERO_OUT, frozenset({SHUFFLE, SHUFFLE_ONCE, SEQUENTIAL})): _shuffled_zeroed,
    (REPLACE_ONE, frozenset({FIXED})): _fixed,
    (ZERO_OUT, frozenset({FIXED})): _fixed,
    (ADD_REMOVE, frozenset({TRUNCATED})): _truncated,
}
"""For each relation, samplings that compose; the first row that has all samplings of a run serves."""
