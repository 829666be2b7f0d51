"""A run as a framework knows it: phases in their order, how batches were drawn, which data sets are neighbours.

>>> run = TrainingRun((TrainingPhase("0.01", 1, 1000),))
>>> print(run.epsilon("1e-5"))
1.8282366665165768426
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from verify import accounting
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Number

POISSON, FIXED_SIZE, ALLOCATION = "poisson", "fixed-size", "allocation"
TRUNCATED = "truncated-poisson"
NOT_POISSON = "not-poisson"  # how else is not recorded
ADD_REMOVE, ZERO_OUT, REPLACE_ONE = "add/remove", "zero-out", "replace-one"
DIGITS = 20


@dataclass(frozen=True, slots=True)
class TrainingPhase:
    """So many steps with one noise multiplier and one way to draw batches.

    For Poisson sampling and batches of a fixed size q is the rate. Otherwise (allocation,
    shuffling) a record is in one of the ``steps`` batches of each of ``epochs`` epochs, and q is
    None. Truncated batches have ``records``, the size of the larger data set, and ``limit``, the
    largest batch.
    """

    q: Number | None
    sigma: Number
    steps: int
    sampling: str = POISSON
    epochs: int = 1
    records: int | None = None
    limit: int | None = None

    def row(self) -> dict[str, Any]:
        """The phase as ``accounting.history_epsilon`` takes it."""
        named: dict[str, Any] = {"sigma": self.sigma, "steps": self.steps}
        named |= {"sampling": self.sampling, "records": self.records, "limit": self.limit}
        return named | ({"epochs": self.epochs} if self.q is None else {"q": self.q})


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The run of a training. Without a phase nothing was released. ``private`` is False if
    something was released without noise.

    Added in version 0.2.0.
    """

    phases: tuple[TrainingPhase, ...]
    relation: str = ADD_REMOVE
    private: bool = True

    def epsilon(
        self, delta: Number, digits: int = DIGITS, max_seconds: float = DEFAULT_SECONDS
    ) -> Certified:
        """The least epsilon at this delta, certified; a bracket where no more is known."""
        if not self.private:
            return Certified.exactly(float("inf"))
        return self._answer("epsilon", delta, digits, max_seconds)

    def delta(
        self, epsilon: Number, digits: int = DIGITS, max_seconds: float = DEFAULT_SECONDS
    ) -> Certified:
        """The least delta at this epsilon, certified; a bracket where no more is known."""
        if not self.private:
            return Certified.exactly(Fraction(1))
        return self._answer("delta", epsilon, digits, max_seconds)

    def _answer(self, what: str, at: Number, digits: int, max_seconds: float) -> Certified:
        if any(phase.sampling == NOT_POISSON for phase in self.phases):
            raise OutOfDomain(
                "batches were not drawn by Poisson sampling, and how else is not recorded: no exact epsilon is known "
                "(verify.frameworks.opacus.upper_end(run) is a run that costs at least as much)"
            )
        rows = [phase.row() for phase in self.joined()] or [NOBODY.row()]
        ask = getattr(accounting, f"history_{what}")
        found: Certified = ask(rows, at, digits, relation=self.relation, max_seconds=max_seconds)
        return found

    def joined(self) -> tuple[TrainingPhase, ...]:
        """Equal phases as one: composition commutes.

        >>> TrainingRun((TrainingPhase("0.1", 1, 5), TrainingPhase("0.2", 1, 5), TrainingPhase("0.1", 1, 3))).joined()[0].steps
        8
        """
        count: dict[tuple[object, ...], TrainingPhase] = {}
        for phase in self.phases:
            batches = phase.steps if phase.q is None else 0
            key = phase.q, phase.sigma, phase.sampling, batches, phase.records, phase.limit
            if key not in count:
                count[key] = phase
            elif phase.q is None:
                count[key] = replace(phase, epochs=count[key].epochs + phase.epochs)
            else:
                count[key] = replace(phase, steps=count[key].steps + phase.steps)
        return tuple(count.values())

    def only_poisson(self) -> bool:
        """Whether all batches were Poisson-sampled."""
        return all(phase.sampling == POISSON for phase in self.phases)


NOBODY = TrainingPhase(0, 1, 1)
"""A step that nobody takes part in."""
