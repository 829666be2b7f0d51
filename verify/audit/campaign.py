"""Many cases, spread over processes and added up; the same sum whatever the number of processes.

A batch is a seed, a kind and a count: plain values in, a :class:`Counts` out, so that processes of this
machine or a cluster can carry it (``verify.parallel``). Batches are numbered, each has a seed of its own made from
the audit's seed and its number, and tallies add up in any order.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from verify.audit import runs
from verify.audit.containment import AuditFinding, Containment, complexity, judge
from verify.audit.kinds import KINDS, AuditCase
from verify.audit.pairs import allocation, fixed, mixtures
from verify.parallel import Door, WorkerDied, run_batches

KEPT = 20  # failing cases remembered, the simplest
_ROOMS = {"": runs, "mixtures": mixtures, "allocation": allocation, "fixed": fixed}
"""Tests of whole runs: with Poisson sampling for add/remove, and by the room that answers for the others."""
RUN_KINDS = {
    f"{room}/{kind}" if room else kind: (tests, kind)
    for room, tests in _ROOMS.items()
    for kind in tests.KINDS
}
ALL_KINDS = (*KINDS, *RUN_KINDS)
RUN, OTHER_WAY = "whole run", "another way"
_TRIES = 4  # draws of a run for each that must not be vacuous


@dataclass(frozen=True, slots=True)
class CountsRow:
    """What became of the containments of one kind, one family of numbers and one route."""

    contained: int = 0
    outside: int = 0
    undecided: int = 0
    unanswered: int = 0
    tightest: float = math.inf
    """Least distance of the truth from an end among those contained, as a share of the width."""
    vacuous: int = 0
    """Runs for which one of the two ways has no answer."""
    largest: float = 0.0
    """Largest error of a run, as a share of the bound that is put to the test."""

    def with_finding(self, finding: AuditFinding) -> CountsRow:
        return self + CountsRow(
            **{finding.verdict.value: 1},
            tightest=finding.share if finding.verdict is Containment.CONTAINED else math.inf,
        )

    def __add__(self, other: CountsRow) -> CountsRow:
        return CountsRow(
            self.contained + other.contained,
            self.outside + other.outside,
            self.undecided + other.undecided,
            self.unanswered + other.unanswered,
            min(self.tightest, other.tightest),
            self.vacuous + other.vacuous,
            max(self.largest, other.largest),
        )


Key = tuple[str, str, str]
"""Kind, family of numbers, route."""


@dataclass(frozen=True, slots=True, order=True)
class RunCase:
    """A test of a whole run: its kind, and the number that it is drawn from."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts that add up.

    >>> (Counts(points=1) + Counts(points=2)).points
    3
    """

    points: int = 0
    rows: dict[Key, CountsRow] = field(default_factory=dict)
    failures: tuple[AuditCase, ...] = ()
    """The simplest cases whose interval is false, simplest first."""
    silent: tuple[AuditCase, ...] = ()
    """The simplest cases that an engine gave up on."""
    busy: dict[str, float] = field(default_factory=dict, compare=False)
    """Processor seconds by kind."""
    false_runs: tuple[RunCase, ...] = ()
    """Tests of whole runs that fail."""

    def __add__(self, other: Counts) -> Counts:
        rows, busy = dict(self.rows), dict(self.busy)
        for key, row in other.rows.items():
            rows[key] = rows.get(key, CountsRow()) + row
        for kind, seconds in other.busy.items():
            busy[kind] = busy.get(kind, 0.0) + seconds
        failures = _simplest(self.failures + other.failures)
        silent = _simplest(self.silent + other.silent)
        false_runs = tuple(sorted({*self.false_runs, *other.false_runs})[:KEPT])
        return Counts(self.points + other.points, rows, failures, silent, busy, false_runs)

    def total(self, chosen: Callable[[Key], bool] = lambda key: True) -> CountsRow:
        """The sum of some rows."""
        return sum((row for key, row in self.rows.items() if chosen(key)), CountsRow())


def _simplest(cases: Iterable[AuditCase]) -> tuple[AuditCase, ...]:
    return tuple(sorted(set(cases), key=complexity)[:KEPT])


def batch(seed: str, kind: str, count: int) -> Counts:
    """So many cases of one kind, drawn and judged."""
    if kind not in KINDS:
        return _runs(Random(seed), kind, count)
    random, draw = Random(seed), KINDS[kind].draw
    start = time.process_time()
    rows: dict[Key, CountsRow] = {}
    marked: dict[Containment, list[AuditCase]] = {verdict: [] for verdict in Containment}
    for _ in range(count):
        for finding in judge(draw(random)):
            key = kind, finding.case.family, finding.route
            rows[key] = rows.get(key, CountsRow()).with_finding(finding)
            marked[finding.verdict].append(finding.case)
    failures, silent = (_simplest(marked[v]) for v in (Containment.OUTSIDE, Containment.UNANSWERED))
    return Counts(count, rows, failures, silent, {kind: time.process_time() - start})


def _runs(random: Random, kind: str, count: int) -> Counts:
    """So many tests of whole runs; a vacuous one is counted, and drawn again a few times."""
    start = time.process_time()
    tally, wanted = Counts(), count
    for _ in range(_TRIES * count):
        if tally.total().contained + tally.total().outside == wanted:
            break
        tally += run_test(RunCase(kind, random.getrandbits(31)))
    return tally + Counts(count, busy={kind: time.process_time() - start})


def run_found(case: RunCase) -> Any:
    """What one test of a whole run found: its case, ok (None if vacuous) and detail."""
    tests, kind = RUN_KINDS[case.kind]
    return tests.test(tests.draw(case.number, kind))


def run_test(case: RunCase) -> Counts:
    """One test of a whole run."""
    found = run_found(case)
    row = CountsRow(
        contained=int(found.ok is True),
        outside=int(found.ok is False),
        vacuous=int(found.ok is None),
        largest=(getattr(found, "share", None) or 0.0) if found.ok else 0.0,
    )
    false = (case,) if found.ok is False else ()
    return Counts(rows={(case.kind, RUN, OTHER_WAY): row}, false_runs=false)


Job = tuple[str, str, int]


def jobs_of(seed: int, kinds: tuple[str, ...], points: int | None = None) -> Iterator[Job]:
    """Batches of all kinds in turn, for ever or until so many points are drawn.

    >>> list(itertools.islice(jobs_of(0, ("plain", "order one")), 3))
    [('0/plain/0', 'plain', 20), ('0/order one/0', 'order one', 20), ('0/plain/1', 'plain', 20)]
    """
    left = math.inf if points is None else points
    for number in itertools.count():
        for kind in kinds:
            count = int(min(KINDS[kind].batch if kind in KINDS else 1, left))
            if count == 0:
                return
            left -= count
            yield f"{seed}/{kind}/{number}", kind, count


def run(
    door: Door, todo: Iterator[Job], stop: Callable[[], bool] = lambda: False
) -> Iterator[Counts]:
    """The tallies of the batches as they come in; no new batch once ``stop`` says so.

    A batch that kills its workers is an error: it names the kind and the seed to try alone.
    """

    def source() -> Job | None:
        return None if stop() else next(todo, None)

    for job, tally in run_batches(door, _batch_of, source):
        if isinstance(tally, WorkerDied):
            raise WorkerDied(f"audit: {job}: {tally}")
        yield tally


def _batch_of(job: Job) -> Counts:
    return batch(*job)
