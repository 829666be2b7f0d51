"""Fresh points by the ten thousand, asked of copies of the program: one beside each worker of :mod:`verify.parallel`.

Batches are numbered and draw their own points from the seed of the check, so that the points do not depend on
how many workers there are, or where.
"""

from __future__ import annotations

import atexit
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from verify.judge.check import fresh
from verify.judge.protocol import targets
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Harness, HarnessFailed, Limits
from verify.judge.verdict.judged import Case, case_of
from verify.parallel import Door, WorkerDied, iter_source, run_batches

BATCH = 50
_SAY_EVERY = 10.0


@dataclass(frozen=True, slots=True)
class Copies:
    """How a copy of the program is started, and what it may use up.

    ``release`` and what is ``beside`` it are installed by each machine for itself; without one the command is
    taken as it stands.
    """

    command: tuple[str, ...]
    release: str
    beside: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Questions:
    """So many points of a seed, for one copy."""

    copies: Copies
    quantity: str
    domain: Domain
    seed: int
    count: int

    @property
    def longest(self) -> float:
        """Seconds after which no answer can be expected: the truth takes its time as well."""
        return self.count * (self.copies.limits.seconds + 60) + 600


class FurtherAnswers(NamedTuple):
    """What copies said; ``unreachable`` points were left out, for nobody knows the truth there in time."""

    cases: tuple[Case, ...] = ()
    unreachable: int = 0
    violations: tuple[str, ...] = ()


def ask(batch: Questions) -> FurtherAnswers:
    """What a worker does."""
    harness = _harness(batch.copies)
    before = len(harness.violations)
    drawn = fresh.draw_points(batch.seed, batch.count, batch.quantity, batch.domain)
    cases = tuple(case_of(point, harness.ask(point.question)) for point in drawn.points)
    return FurtherAnswers(cases, drawn.unreachable, tuple(harness.violations[before:]))


_running: dict[Copies, Harness] = {}


def _harness(copies: Copies) -> Harness:
    """The copy of this process, which goes on from batch to batch."""
    if copies not in _running:
        command = copies.command
        if copies.release:
            command = targets.release_alone(copies.release, copies.beside).command
        _running[copies] = Harness(list(command), copies.limits)
        atexit.register(_running[copies].stop)
    return _running[copies]


def batches(
    copies: Copies, quantity: str, domain: Domain, seed: int, count: int
) -> Iterator[Questions]:
    """All points of a seed; not those that the check itself draws."""
    for number in range(math.ceil(count / BATCH)):
        size = min(BATCH, count - number * BATCH)
        yield Questions(copies, quantity, domain, (seed << 32) + number + 1, size)


def gather_answers(
    door: Door, todo: Iterator[Questions], count: int, say: Callable[[str], None]
) -> FurtherAnswers:
    """Everything that was said, in the order of the points; a line now and then on how far it went."""
    found: dict[int, FurtherAnswers] = {}
    asked, said = 0, time.monotonic()
    for batch, part in run_batches(door, ask, iter_source(todo)):
        if isinstance(part, WorkerDied):
            raise HarnessFailed(f"seed {batch.seed}: {part}")
        found[batch.seed] = part
        asked += batch.count
        if time.monotonic() - said >= _SAY_EVERY:
            said = time.monotonic()
            say(f"{asked:,} of {count:,} fresh points asked")
    parts = [found[seed] for seed in sorted(found)]
    return FurtherAnswers(
        tuple(case for part in parts for case in part.cases),
        sum(part.unreachable for part in parts),
        tuple(line for part in parts for line in part.violations),
    )
