"""A sweep from beginning to end: gaps of the file -> batches -> workers -> rows -> closing record."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.errors import OutOfDomain
from verify.parallel import Door, WorkerDied, run_batches
from verify.sweeps import progress
from verify.sweeps.axes import Coordinate
from verify.sweeps.place import file_system, is_network, lock
from verify.sweeps.spec import Spec
from verify.sweeps.store import Store
from verify.sweeps.work import Batch, Chunk, compute, halves

COMMIT_SECONDS = 0.5
FIRST = 16  # points of the first batches, before anything is known about their cost
MOST = 20_000
KILLERS = 10  # points that kill their workers, after which a sweep gives up


@dataclass(frozen=True, slots=True)
class How:
    """Options that do not change the results."""

    max_seconds: float = DEFAULT_SECONDS
    journal: str | None = None
    show: bool = False
    retry_errors: bool = False


def sweep(spec: Spec, path: Path, door: Door, how: How | None = None) -> dict[str, Any]:
    """Compute what the file lacks, and close it; the closing record."""
    how = how or How()
    journal = _journal(path, how.journal)
    with lock(path), Store.begin(path, spec, journal, how.retry_errors) as store:
        record = store.closed
        if record is not None:
            return record
        _fill(store, door, how)
        return store.finish()


def _journal(path: Path, wanted: str | None) -> str:
    kind = file_system(path)
    if is_network(kind) and wanted is None:
        raise OutOfDomain(
            f"{path}: lies on a network file system ({kind}), where SQLite's write-ahead log is unsafe: "
            "write to a local disk and copy the finished file, or give --journal rollback "
            "(slower; needs file locks that work)"
        )
    if is_network(kind) and wanted == "wal":
        raise OutOfDomain(f"{path}: --journal wal is unsafe on {kind}; give --journal rollback")
    return wanted or "wal"


def _fill(store: Store, door: Door, how: How) -> None:
    """Compute all missing points, in the order in which the workers finish."""
    plan = WorkQueue(store, door, how.max_seconds)
    killers: list[str] = []
    committed = time.monotonic()
    done = store.spec.count - sum(stop - start for start, stop in plan.gaps)
    with progress.show_progress(store.spec.count, done, how.show) as advance:
        for batch, result in run_batches(door, compute, plan.next, halves):
            if isinstance(result, WorkerDied):
                killers.append(str(result))
                if len(killers) >= KILLERS:
                    break
                continue
            store.write(result, plan.note_result(batch, result))
            advance(result.stop - result.start)
            if time.monotonic() - committed > COMMIT_SECONDS:
                store.commit()
                plan.forget_written()
                committed = time.monotonic()
    store.commit()
    if killers:
        raise WorkerDied(
            f"{store.path}: incomplete; {'; '.join(killers)}. Everything else is safe: run it again "
            "with more memory, or leave these points out"
        )


@dataclass
class WorkQueue:
    """What to give out next: gaps in the order of the indices, in pieces of about equal duration."""

    store: Store
    door: Door
    max_seconds: float
    gaps: deque[tuple[int, int]] = field(init=False)
    cost: float | None = None  # seconds for one point, lately
    _flying: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _written: list[tuple[str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gaps = deque(self.store.gaps())

    def next(self) -> Batch | None:
        if not self.gaps:
            return None
        start, end = self.gaps.popleft()
        stop = min(end, start + self._size())
        if stop < end:
            self.gaps.appendleft((stop, end))
        skip = self._repeated_indices(start, stop) if self.store.spec.may_repeat else frozenset()
        return Batch(
            self.store.spec.text, start, stop, skip, self.door.seconds, self.max_seconds
        )  # fmt: skip

    def _size(self) -> int:
        if self.cost is None:
            return FIRST
        return max(1, min(MOST, int(self.door.seconds / self.cost)))

    def note_result(self, batch: Batch, chunk: Chunk) -> int:
        """Learn from a result: what is left of its batch, and the cost. How many points were skipped."""
        if chunk.stop < batch.stop:
            self.gaps.append((chunk.stop, batch.stop))
        if chunk.rows:
            cost = max(chunk.seconds / len(chunk.rows), 1e-7)
            self.cost = cost if self.cost is None else 0.7 * self.cost + 0.3 * cost
        if self.store.spec.may_repeat:
            self._written += [row[4:7] for row in chunk.rows]
        return sum(chunk.start <= index < chunk.stop for index in batch.skip)

    def forget_written(self) -> None:
        """Forget the points that are in the file by now."""
        for key in self._written:
            self._flying.pop(key, None)
        self._written.clear()

    def _repeated_indices(self, start: int, stop: int) -> frozenset[int]:
        """Indices of points that stand in the file, or are being computed, under a smaller index."""
        found = []
        for index in range(start, stop):
            place = self.store.spec.at(index)
            if place.alpha is not None and not isinstance(place.alpha, Coordinate):
                continue  # known only once its boundary is found
            key = (place.q.text, place.sigma.text, place.alpha.text if place.alpha else "")
            earlier = self._flying.get(key)
            if earlier is None:
                earlier = self.store.index_of(*key)
            if earlier is not None and earlier < index:
                found.append(index)
            else:
                self._flying[key] = index
        return frozenset(found)
