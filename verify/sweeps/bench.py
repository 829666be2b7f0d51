"""What a sweep costs beside a plain loop over the same points, measured in one run.

The plain loop computes and formats each point, and writes nothing. Two measures, because machines are
rarely quiet:

    by the clock  points a second of the sweep over those of as many plain loops; starting the processes
                  and closing the file are included
    by the CPU    what a point costs the plain loop over what one more point costs writer and workers
                  together (from two sweeps, the second four times as long)
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
from pathlib import Path
from typing import Any, Self

from verify.parallel import Processes, cores, open_door
from verify.sweeps.run import sweep
from verify.sweeps.spec import Spec, parse
from verify.sweeps.work import Batch, compute

ROUNDS = 3
COUNT = 24_000
MEMORY_COUNTS = (1_000, 10_000, 100_000)
MILLION = 1_000_000  # takes minutes
SAMPLE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds: of the clock, of the writer's CPU, and of the workers' CPU (None on a cluster)."""

    clock: float
    writer: float
    workers: float | None


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


def plain(spec: Spec) -> Cost:
    """A plain loop over all points."""
    batch = Batch(spec.text, 0, spec.count, frozenset(), 1e9, 60.0)
    clock, own = time.perf_counter(), time.process_time()
    compute(batch)
    return Cost(time.perf_counter() - clock, time.process_time() - own, 0.0)


def swept(spec: Spec, door: Any) -> Cost:
    """A sweep over all points."""
    with tempfile.TemporaryDirectory() as directory, door:
        clock, own = time.perf_counter(), time.process_time()
        sweep(spec, Path(directory) / "run.sqlite", door)
        clock, own = time.perf_counter() - clock, time.process_time() - own
        pids = door.pids() if isinstance(door, Processes) else None
        return Cost(clock, own, None if pids is None else sum(map(_cpu_seconds, pids)))


def _cpu_seconds(pid: int) -> float:
    """User and system time of a process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(
    jobs: int | None, dask: str | None, count: int = COUNT, million: bool = False
) -> dict[str, Any]:
    """All of it; each time is the least of a few rounds, in which everything takes its turn."""
    doors: dict[str, tuple[int, Callable[[], Any]]] = {
        f"{n} process{'es' * (n > 1)}": (n, lambda n=n: Processes(n))  # type: ignore[misc]  # default binds
        for n in sorted({1, jobs or cores()})
    }
    if dask is not None:
        with open_door(None, dask) as door:
            workers = (door.width() - 1) // 2
        doors["dask"] = (workers, lambda: open_door(None, dask))
    kinds = {"30 digits, fractional orders": (30, False), "20 digits, whole orders": (20, True)}
    found = {name: _compared(count, *kind, doors) for name, kind in kinds.items()}
    return {"points": found, "memory": memory(memory_counts(million))}


def memory_counts(million: bool) -> tuple[int, ...]:
    """Sweeps of how many points have their memory measured.

    >>> memory_counts(False)
    (1000, 10000, 100000)
    """
    return (*MEMORY_COUNTS, MILLION) if million else MEMORY_COUNTS


def _compared(
    count: int, digits: int, whole: bool, doors: dict[str, tuple[int, Callable[[], Any]]]
) -> dict[str, Any]:
    long, short = points(count, digits, whole), points(count // 4, digits, whole)
    loops: list[Cost] = []
    sweeps: dict[str, list[tuple[Cost, Cost]]] = {name: [] for name in doors}
    for _ in range(ROUNDS):
        loops.append(plain(long))
        for name, (_, door) in doors.items():
            sweeps[name].append((swept(short, door()), swept(long, door())))
    loop_clock = min(cost.clock for cost in loops) / long.count
    loop_cpu = min(cost.writer for cost in loops) / long.count
    rows = {}
    for name, costs in sweeps.items():
        clock = min(cost.clock for _, cost in costs) / long.count
        more = long.count - short.count
        writer = min(after.writer - before.writer for before, after in costs) / more
        row = {
            "rate": 1 / clock,
            "by_the_clock": loop_clock / (doors[name][0] * clock),
            "writer_us": 1e6 * writer,
        }
        if all(cost.workers is not None for pair in costs for cost in pair):
            spent = [_cpu(after) - _cpu(before) for before, after in costs]
            row["by_the_cpu"] = loop_cpu / (min(spent) / more)
            row["overhead_us"] = 1e6 * (min(spent) / more - loop_cpu)
        rows[name] = row
    return {
        "count": long.count,
        "loop_rate": 1 / loop_clock,
        "loop_us": 1e6 * loop_cpu,
        "doors": rows,
    }


def _cpu(cost: Cost) -> float:
    return cost.writer + (cost.workers or 0.0)


def memory(counts: tuple[int, ...] = MEMORY_COUNTS) -> list[dict[str, float]]:
    """Peak memory in MB against the number of points (Linux): see :func:`one`."""
    code = "import sys; from verify.sweeps import bench; bench.one(int(sys.argv[1]))"
    names = ("points", "writer_mb", "worker_mb", "all_mb")
    found = []
    for count in counts:
        words = [sys.executable, "-c", code, str(count)]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        found.append(dict(zip(names, map(float, said), strict=True)))
    return found


def one(count: int) -> None:
    """A sweep of so many cheap points in a process of its own. Prints the most memory that the writer
    ever had, that any one of its workers ever had, and that all of them had together."""
    spec = points(count, 20, whole=True)
    with (
        tempfile.TemporaryDirectory() as directory,
        Processes(cores()) as door,
        Watch(os.getpid()) as watch,
    ):
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
        lines.append(f"{name}: {found['count']:,} points, least of {ROUNDS} rounds")
        lines.append(
            f"  plain loop   {found['loop_rate']:7,.0f}/s, {found['loop_us']:.0f} us of CPU"
        )
        for door, row in found["doors"].items():
            line = f"  {door:12} {row['rate']:7,.0f}/s, {row['by_the_clock']:.1%} by the clock"
            if "by_the_cpu" in row:
                line += f", {row['by_the_cpu']:.1%} by the CPU ({row['overhead_us']:.0f} us a point over the loop)"
            lines.append(f"{line}; writer {row['writer_us']:.0f} us")
    for row in result["memory"]:
        lines.append(
            f"memory {row['points']:>10,.0f} points: writer {row['writer_mb']:.1f} MB, "
            f"worker {row['worker_mb']:.1f} MB, all together {row['all_mb']:.1f} MB"
        )
    return "\n".join(lines)
