"""What a sweep costs beside plain loops over the same points, measured in one run.

A plain loop has its points ready, computes and formats each of them, and keeps nothing: neither index nor
row, no look at the clock. It runs in the same workers: one loop in each of them, all at once, each with its
share of the points. Machines are rarely quiet and their speed drifts, so loops and sweeps take turns, each
sweep is compared with the loops just before and just after it, and the median of these is told:

    by the clock  points a second of the sweep over those of the loops at once (for several workers also over
                  so many times those of one loop alone); checking and closing the file are included,
                  starting the workers is not
    by the CPU    what a point costs a loop over what it costs writer and workers together
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Self

from verify.moments.divergence import evaluate
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.errors import OutOfDomain
from verify.parallel import Processes, cores, open_door
from verify.sweeps.computations import Where
from verify.sweeps.computations.model import certified_values
from verify.sweeps.database import SweepFailed
from verify.sweeps.run import sweep
from verify.sweeps.spec import Spec, from_text, parse

Say = Callable[[str], None]

ROUNDS = 5
COUNT = 24_000
MOST_JOBS = 64
WARM = 500  # points, after which every worker has begun
MEMORY_COUNTS = (1_000, 10_000, 100_000)
MILLION = 1_000_000  # takes minutes
SAMPLE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds a point: of the clock, of the writer's CPU, and of the workers' CPU (None on a cluster)."""

    clock: float
    writer: float
    workers: float | None

    @property
    def cpu(self) -> float | None:
        return None if self.workers is None else self.writer + self.workers


def points(count: int, digits: int, whole: bool) -> Spec:
    """About so many points: whole orders from 2 to 64, or orders in between."""
    alpha: dict[str, Any] = {"from": 2, "to": 64, "step": 1}
    if not whole:
        alpha = {"from": "2.5", "to": "64.5", "step": 1}
    rates = max(2, round((count / 63) ** 0.5))
    noises = max(2, -(-count // (63 * rates)))
    block = {
        "q": {"from": "1e-5", "to": "0.5", "count": rates, "scale": "log", "significant": 4},
        "sigma": {"from": "0.5", "to": 50, "count": noises, "scale": "log", "significant": 4},
        "alpha": alpha,
    }
    return parse({"compute": {"what": "epsilon", "digits": digits}, "points": [block]})


def loop(text: str, first: int, step: int) -> tuple[float, float]:
    """A plain loop over every so many-th point of a spec, in a worker; seconds of clock and CPU a point."""
    spec = from_text(text)
    points = [Where(*spec.at(k)).point() for k in range(first, spec.count, step)]  # type: ignore[arg-type]  # no curves
    clock, own = time.perf_counter(), time.process_time()
    for point in points:
        value = evaluate("rdp", point, spec.digits, False, DEFAULT_SECONDS)
        certified_values(value, spec.digits)
    clock, own = time.perf_counter() - clock, time.process_time() - own
    return clock / len(points), own / len(points)


def time_loops(spec: Spec, door: Any, loops: int, step: int) -> Cost:
    """So many plain loops at once, each in a worker of its own and with its share of the points."""
    futures = [door.executor.submit(loop, spec.text, first, step) for first in range(loops)]
    found = [future.result() for future in futures]
    rate = sum(1 / clock for clock, _ in found)
    return Cost(1 / rate, 0.0, sum(cpu for _, cpu in found) / loops)


def time_sweep(spec: Spec, door: Any) -> Cost:
    """A sweep over all points, by workers that have begun."""
    with tempfile.TemporaryDirectory() as directory:
        clock, own, theirs = time.perf_counter(), time.process_time(), _workers_cpu(door)
        sweep(spec, Path(directory) / "run.sqlite", door)
        clock, own = time.perf_counter() - clock, time.process_time() - own
    more = None if theirs is None else (_workers_cpu(door) or 0.0) - theirs
    return Cost(clock / spec.count, own / spec.count, None if more is None else more / spec.count)


def _workers_cpu(door: Any) -> float | None:
    return sum(map(_cpu_seconds, door.pids())) if isinstance(door, Processes) else None


def _cpu_seconds(pid: int) -> float:
    """User and system time of a process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(
    jobs: int | None, dask: str | None, million: bool = False, say: Say = lambda line: None
) -> dict[str, Any]:
    """Measure everything, and print what is being measured."""
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise OutOfDomain(f"--bench --jobs {jobs}: must be a whole number from 1 to {MOST_JOBS}")
    doors: dict[str, tuple[int, Callable[[], Any]]] = {
        f"{n} process{'es' * (n > 1)}": (n, lambda n=n: Processes(n))  # type: ignore[misc]  # default binds
        for n in sorted({1, jobs or cores()})
    }
    if dask is not None:
        with open_door(None, dask) as door:
            workers = (door.width() - 1) // 2
        doors["dask"] = (workers, lambda: open_door(None, dask))
    kinds = {"30 digits, fractional orders": (30, False), "20 digits, whole orders": (20, True)}
    found = {name: _compare(name, *kind, doors, say) for name, kind in kinds.items()}
    return {"points": found, "memory": memory(memory_counts(million), say)}


def memory_counts(million: bool) -> tuple[int, ...]:
    """Sweeps of how many points have their memory measured.

    >>> memory_counts(False)
    (1000, 10000, 100000)
    """
    return (*MEMORY_COUNTS, MILLION) if million else MEMORY_COUNTS


def _compare(
    kind: str, digits: int, whole: bool, doors: dict[str, tuple[int, Callable[[], Any]]], say: Say
) -> dict[str, Any]:
    spec, warm = points(COUNT, digits, whole), points(WARM, digits, whole)
    rows = {}
    for name, (workers, opened) in doors.items():
        with opened() as door:
            time_sweep(warm, door)
            rows[name] = _row(spec, door, workers, f"{kind}, {name}", say)
    return {"count": spec.count, "doors": rows}


def _row(spec: Spec, door: Any, workers: int, name: str, say: Say) -> dict[str, float]:
    """Loops and sweeps by turns at one door."""
    loops, sweeps, alone = [time_loops(spec, door, workers, workers)], list[Cost](), list[Cost]()
    for number in range(1, ROUNDS + 1):
        say(f"{name}: round {number} of {ROUNDS}")
        sweeps.append(time_sweep(spec, door))
        loops.append(time_loops(spec, door, workers, workers))
        if workers > 1:
            alone.append(time_loops(spec, door, 1, workers))
    around = [_mean(before, after) for before, after in pairwise(loops)]
    beside = list(zip(sweeps, around, strict=True))
    row = {
        "rate": 1 / median(sweep.clock for sweep in sweeps),
        "loop_rate": 1 / median(loop.clock for loop in around),
        "loop_us": 1e6 * median(loop.cpu or 0.0 for loop in around),
        "by_the_clock": median(loop.clock / sweep.clock for sweep, loop in beside),
        "writer_us": 1e6 * median(sweep.writer for sweep in sweeps),
    }
    if alone:
        pairs = zip(sweeps, alone, strict=True)
        row["of_one_loop"] = median(one.clock / (workers * sweep.clock) for sweep, one in pairs)
    spent = [(sweep.cpu, loop.cpu) for sweep, loop in beside]
    known = [(cost, plain) for cost, plain in spent if cost is not None and plain is not None]
    if known:
        row["by_the_cpu"] = median(plain / cost for cost, plain in known)
        row["overhead_us"] = 1e6 * median(cost - plain for cost, plain in known)
    return row


def _mean(before: Cost, after: Cost) -> Cost:
    return Cost(
        (before.clock + after.clock) / 2,
        0.0,
        ((before.workers or 0.0) + (after.workers or 0.0)) / 2,
    )


def memory(counts: tuple[int, ...], say: Say) -> list[dict[str, float]]:
    """Peak memory in MB against the number of points (Linux): see :func:`one`."""
    code = "import sys; from verify.sweeps import bench; bench.one(int(sys.argv[1]), sys.argv[2])"
    names = ("points", "writer_mb", "worker_mb", "all_mb")
    found = []
    for count in counts:
        say(f"memory: {count:,} points")
        # The folder is ours: whoever is killed cannot remove its own.
        with tempfile.TemporaryDirectory() as directory:
            words = [sys.executable, "-c", code, str(count), directory]
            done = subprocess.run(words, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SweepFailed(f"the sweep of {count:,} points failed: {done.stderr[-200:]}")
        found.append(dict(zip(names, map(float, done.stdout.split()), strict=True)))
    return found


def one(count: int, directory: str) -> None:
    """A sweep of so many cheap points in a process of its own. Prints the most memory that the writer
    ever had, that any one of its workers ever had, and that all of them had together."""
    spec = points(count, 20, whole=True)
    with Processes(cores()) as door, Watch(os.getpid()) as watch:
        sweep(spec, Path(directory) / "run.sqlite", door)
    print(spec.count, _peak_mb(os.getpid()), watch.largest, watch.together)


class Watch:
    """Looks at all descendants of a process, now and then and at the end: workers are children of a
    fork server, and may have children of their own."""

    def __init__(self, pid: int) -> None:
        self.pid, self.largest, self.together = pid, 0.0, 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self.look()

    def _watch(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self.look()

    def look(self) -> None:
        below = descendants(self.pid)
        self.largest = max([self.largest, *map(_peak_mb, below)])
        self.together = max(self.together, sum(map(_share_mb, [self.pid, *below])))


def descendants(pid: int) -> list[int]:
    """All processes below this one (Linux)."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may end at any moment
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(stat.parent.name))
    found = list(parents.get(pid, []))
    for child in found:  # grows while it is walked
        found += parents.get(child, [])
    return found


def _peak_mb(pid: int) -> float:
    """The most memory a process ever had. Not from rusage, which remembers what it was forked from."""
    return _memory_mb(pid, "status", "VmHWM")


def _share_mb(pid: int) -> float:
    """What a process has now, with its share of the pages that it has in common with others."""
    return _memory_mb(pid, "smaps_rollup", "Pss")


def _memory_mb(pid: int, file: str, name: str) -> float:
    """One number of a process; 0 once it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1024
    return 0.0


def text(result: dict[str, Any]) -> str:
    lines = []
    for name, found in result["points"].items():
        lines.append(f"{name}: {found['count']:,} points, medians of {ROUNDS} rounds")
        for door, row in found["doors"].items():
            lines.append(
                f"  {door:12} {row['rate']:7,.0f}/s; plain loops at once {row['loop_rate']:,.0f}/s, "
                f"{row['loop_us']:.0f} us of CPU a point"
            )
            line = f"{'':15}{row['by_the_clock']:.1%} of the loops by the clock"
            if "of_one_loop" in row:
                line += f" ({row['of_one_loop']:.1%} of so many times one loop)"
            if "by_the_cpu" in row:
                line += f", {row['by_the_cpu']:.1%} by the CPU: {row['overhead_us']:.0f} us more a point"
            lines.append(f"{line}; writer {row['writer_us']:.0f} us")
    for row in result["memory"]:
        lines.append(
            f"memory {row['points']:>10,.0f} points: writer {row['writer_mb']:.1f} MB, "
            f"worker {row['worker_mb']:.1f} MB, all together {row['all_mb']:.1f} MB"
        )
    return "\n".join(lines)
