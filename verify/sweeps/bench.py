"""What a sweep costs beside a plain loop over the same points, measured in one run.

The plain loop computes and formats each point, and writes nothing. ``efficiency`` is the sweep's rate
over that of as many plain loops; ``overhead`` is the time of all workers that a point costs beyond the
plain loop. Start-up of the processes and the closing record are included.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from verify.errors import SgmError
from verify.parallel import Processes, cores, open_door
from verify.sweeps.run import sweep
from verify.sweeps.spec import Spec, parse
from verify.sweeps.work import Batch, compute

ROUNDS = 3
MEMORY_COUNTS = (1_000, 10_000, 100_000)


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


def plain(spec: Spec) -> float:
    """Points a second of a plain loop."""
    batch = Batch(spec.text, 0, spec.count, frozenset(), 1e9, 60.0)
    begin = time.perf_counter()
    compute(batch)
    return spec.count / (time.perf_counter() - begin)


def swept(spec: Spec, door: Any) -> tuple[float, float]:
    """Points a second of a sweep, and the writer's own time for a point."""
    with tempfile.TemporaryDirectory() as directory, door:
        begin, own = time.perf_counter(), time.process_time()
        sweep(spec, Path(directory) / "run.sqlite", door)
        seconds = time.perf_counter() - begin
        return spec.count / seconds, (time.process_time() - own) / spec.count


def measure(jobs: int | None, dask: str | None, count: int = 12_000) -> dict[str, Any]:
    """All of it; each figure is the best of a few rounds, in which everything takes its turn."""
    doors: dict[str, tuple[int, Callable[[], Any]]] = {
        f"{n} process{'es' * (n > 1)}": (n, lambda n=n: Processes(n))  # type: ignore[misc]  # default binds
        for n in sorted({1, jobs or cores()})
    }
    if dask is not None:
        with open_door(None, dask) as door:
            workers = (door.width() - 1) // 2
        doors["dask"] = (workers, lambda: open_door(None, dask))
    result: dict[str, Any] = {"points": {}, "memory": memory()}
    for name, spec in {
        "30 digits, fractional orders": points(count, 30, whole=False),
        "20 digits, whole orders": points(count, 20, whole=True),
    }.items():
        result["points"][name] = _compared(spec, doors)
    return result


def _compared(spec: Spec, doors: dict[str, tuple[int, Callable[[], Any]]]) -> dict[str, Any]:
    loop, best = 0.0, dict.fromkeys(doors, (0.0, 0.0))
    for _ in range(ROUNDS):
        loop = max(loop, plain(spec))
        for name, (_, door) in doors.items():
            best[name] = max(best[name], swept(spec, door()))
    rows = {
        name: {
            "rate": rate,
            "efficiency": rate / (doors[name][0] * loop),
            "overhead_us": 1e6 * (doors[name][0] / rate - 1 / loop),
            "writer_us": 1e6 * own,
        }
        for name, (rate, own) in best.items()
    }
    return {"count": spec.count, "plain_loop_rate": loop, "doors": rows}


def memory(counts: tuple[int, ...] = MEMORY_COUNTS) -> list[dict[str, float]]:
    """Peak memory of a sweep's largest process, in MB, against the number of points."""
    return [_peak(count) for count in counts]


def _peak(count: int) -> dict[str, float]:
    code = "import sys; from verify.sweeps import bench; bench.one(int(sys.argv[1]))"
    process = subprocess.Popen([sys.executable, "-c", code, str(count)])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SgmError(f"a sweep of {count} points ended with exit code {process.returncode}")
    return {"points": points(count, 20, True).count, "peak_mb": usage.ru_maxrss / 1024}


def one(count: int) -> None:
    """A sweep of so many cheap points, to be watched from outside."""
    swept(points(count, 20, whole=True), Processes(cores()))


def text(result: dict[str, Any]) -> str:
    lines = []
    for name, found in result["points"].items():
        lines.append(f"{name}: {found['count']:,} points, best of {ROUNDS} rounds")
        lines.append(f"  {'plain loop':12} {found['plain_loop_rate']:8,.0f}/s")
        lines += [
            f"  {door:12} {row['rate']:8,.0f}/s  {row['efficiency']:6.1%} of as many plain loops, "
            f"{row['overhead_us']:4.0f} us a point over them, writer {row['writer_us']:.0f} us"
            for door, row in found["doors"].items()
        ]
    for row in result["memory"]:
        lines.append(f"memory: {row['points']:>9,.0f} points  {row['peak_mb']:6.1f} MB")
    return "\n".join(lines)
