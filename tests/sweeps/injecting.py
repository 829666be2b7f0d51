"""Faults injected into real sweeps, and what was lost by them.

    python -m tests.sweeps.injecting

prints the table: fault, times injected, rows lost, rows doubled, export identical. The same functions
are the tests in test_faults.py.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.patience import hears_interrupts
from verify.sweeps.spec import load

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).with_name("slow_client.py")
SPEC = f"""
doubles = true

[compute]
what = "library"
command = "{sys.executable} {CLIENT}"
digits = 30

[[points]]
q = {{{{ from = "1e-4", to = "0.3", count = {{rates}}, scale = "log", significant = 3 }}}}
sigma = {{{{ from = "0.6", to = 8, count = 10, scale = "log", significant = 3 }}}}
alpha = {{{{ from = "1.5", to = 20, step = "0.5" }}}}
"""


@dataclass(frozen=True)
class Finding:
    """What one fault did."""

    fault: str
    injected: int
    lost: int
    doubled: int
    identical: bool

    @property
    def harmless(self) -> bool:
        return not self.lost and not self.doubled and self.identical


def write_spec(directory: Path, rates: int = 4) -> Path:
    """380 points a rate, of at least two milliseconds each."""
    path = directory / f"spec-{rates}.toml"
    path.write_text(SPEC.format(rates=rates))
    return path


def command(*words: object, quiet: bool = True) -> list[str]:
    program = Path(sys.executable).with_name("sgm-verify")
    return [str(program), "sweep", *map(str, words), *["--quiet"] * quiet]


def start(*words: object, quiet: bool = True, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command(*words, quiet=quiet), cwd=ROOT, stderr=subprocess.PIPE,
                            stdout=subprocess.DEVNULL, preexec_fn=hears_interrupts, **more)  # fmt: skip


def finish(*words: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=ROOT, capture_output=True, text=True, check=False,
                          **more)  # fmt: skip


def exported(file: Path, spec: Path, *more: object) -> list[bytes]:
    """Run a sweep to its end (or go on with it), and export it both ways."""
    targets = [file.with_suffix(".csv"), file.with_suffix(".parquet")]
    done = finish(
        spec, "--out", file, "--export", targets[0], "--export", targets[1], "--jobs", 3, *more
    )
    completed(done.returncode, done.stderr)
    return [target.read_bytes() for target in targets]


def completed(code: int, log: str) -> None:
    """A sweep that went to its end: 1, without a word of complaint, since the client is always wrong."""
    if code != 1 or log:
        raise AssertionError(f"exit code {code}: {log}")


def keys(file: Path) -> Counter[tuple[str, ...]]:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        query = "SELECT q_exact, sigma_exact, alpha_exact FROM results"
        return Counter(connection.execute(query))


def compared(fault: str, injected: int, file: Path, spec: Path, *more: object) -> Finding:
    """Finish the file, and compare it with an undisturbed run of the same spec."""
    found = exported(file, spec, *more)
    calm = spec.with_name(f"calm-{spec.stem}.sqlite")
    expected = exported(calm, spec)
    return difference(fault, injected, keys(file), keys(calm), found == expected)


def difference(
    fault: str,
    injected: int,
    rows: Counter[tuple[str, ...]],
    calm: Counter[tuple[str, ...]],
    identical: bool,
) -> Finding:
    doubled = sum(count - 1 for count in rows.values())
    return Finding(fault, injected, len(set(calm) - set(rows)), doubled, identical)


# -- the faults ------------------------------------------------------------------------


@dataclass(frozen=True)
class Kill:
    """When it came, and how many points were in the file by then."""

    phase: str
    points: int


def parent_killed(directory: Path, times: int = 20, journal: str = "wal") -> Finding:
    """kill -9 of the parent at random moments of every phase, told by what the file has."""
    spec, file = write_spec(directory, rates=12), directory / f"killed-{journal}.sqlite"
    killing = Killing(spec, file, journal)
    kills = killing.all(times)
    check_phases(kills)
    phases = Counter(kill.phase for kill in kills)
    told = ", ".join(f"{count} {phase}" for phase, count in phases.items())
    found = compared(f"kill -9 of the parent ({journal}: {told})", len(kills), file, spec)
    whole = all(file.with_suffix(kind).read_bytes() == export for kind, export in killing.found)
    return replace(found, identical=found.identical and whole)


def check_phases(kills: list[Kill]) -> None:
    """Kills must hit a sweep at work: the file grew between one and the next."""
    filling = [kill.points for kill in kills if kill.phase == "filling"]
    if len(filling) < 3 or filling[0] == 0:
        raise AssertionError(f"the file was hardly filled between kills: {kills}")
    if any(later <= earlier for earlier, later in itertools.pairwise(filling)):
        raise AssertionError(f"the file did not grow between kills: {kills}")
    if {kill.phase for kill in kills} < {"starting", "filling", "exporting"}:
        raise AssertionError(f"a phase was spared: {kills}")


class Killing:
    """One sweep, killed again and again; each time it goes on with its file."""

    def __init__(self, spec: Path, file: Path, journal: str) -> None:
        self.spec, self.file, self.journal = spec, file, journal
        self.exports = file.with_suffix(".exports")
        self.exports.mkdir()
        self.moments = random.Random(journal)
        self.points = 0
        self.found: list[tuple[str, bytes]] = []  # exports under their names after a kill

    def all(self, times: int) -> list[Kill]:
        starting, exporting = max(1, times // 6), 2
        kills = [self.starting(k) for k in range(starting)]
        while len(kills) < times - exporting - 1:
            kills.append(self.filling(1 if len(kills) % 3 else 150))
        kills.append(self.closing())
        return kills + [self.exporting() for _ in range(exporting)]

    def starting(self, k: int) -> Kill:
        """At a random moment, or as soon as there is a file: it may have no tables yet."""
        process = self._start()
        if k % 2:
            time.sleep(self.moments.uniform(0.1, 0.8))
        while not k % 2 and not self.file.exists():
            time.sleep(0.001)
        return self._killed(process, "starting")

    def filling(self, more: int) -> Kill:
        """In the middle of a transaction, once so many more points were committed."""
        process = self._start()
        before = self.points
        while self._look() < before + more:
            self._check(process)
            time.sleep(0.005)
        time.sleep(self.moments.uniform(0.0, 0.4))
        self._check(process)
        return self._killed(process, "filling")

    def closing(self) -> Kill:
        """As soon as the last point is in the file; mostly before its closing record is."""
        process = self._start()
        total = load(str(self.spec)).count
        while self._look() < total:
            self._check(process)
            time.sleep(0.0005)
        process.send_signal(signal.SIGSTOP)
        return self._killed(process, "closed" if points_in(self.file)[1] else "closing")

    def exporting(self) -> Kill:
        """As soon as an export is begun; what has its name by then must be whole."""
        for _ in range(50):
            targets = [self.exports / f"x.{kind}" for kind in ("csv", "parquet")]
            process = self._start("--export", targets[0], "--export", targets[1])
            while not any(self.exports.iterdir()) and process.poll() is None:
                time.sleep(0.0005)
            ended = process.poll() is not None
            kill = self._killed(process, "exporting")
            whole = [(path.suffix, path.read_bytes()) for path in targets if path.exists()]
            self.found += whole
            for path in self.exports.iterdir():
                path.unlink()
            if not ended and len(whole) < len(targets):
                return kill
        raise AssertionError("no export could be caught at work")

    def _start(self, *more: object) -> subprocess.Popen[bytes]:
        return start(self.spec, "--out", self.file, "--jobs", 2, "--journal", self.journal, *more)

    def _check(self, process: subprocess.Popen[bytes]) -> None:
        if process.poll() is not None:
            raise AssertionError("ended before it could be killed: the sweep is too short")

    def _killed(self, process: subprocess.Popen[bytes], phase: str) -> Kill:
        process.kill()
        process.communicate()
        return Kill(phase, self._look())

    def _look(self) -> int:
        """Points in the file. Killed in the middle of a commit, it cannot be read before it is repaired."""
        self.points = max(self.points, points_in(self.file)[0])
        return self.points


def worker_killed(directory: Path, times: int = 5) -> Finding:
    """kill -9 of workers, one after the other, while the parent goes on."""
    spec, file = write_spec(directory, rates=24), directory / "worker.sqlite"
    process = start(spec, "--out", file, "--jobs", 2)
    killed: set[int] = set()
    moments = random.Random(times)
    while len(killed) < times:
        time.sleep(moments.uniform(0.05, 0.3))
        if process.poll() is not None:
            raise AssertionError("finished before its workers could be killed")
        victims = [pid for pid in workers_of(process.pid) if pid not in killed]
        if victims and has_rows(file):
            killed.add(victims[0])
            os.kill(victims[0], signal.SIGKILL)
    _, log = process.communicate()
    completed(process.returncode, log.decode())
    return compared("kill -9 of a worker", times, file, spec)


def dask_worker_killed(directory: Path, times: int = 3) -> Finding:
    """kill -9 of workers of a dask cluster."""
    spec, file = write_spec(directory, rates=16), directory / "dask.sqlite"
    with cluster() as (address, pids, _):
        process = start(spec, "--out", file, "--dask", address)
        killed: set[int] = set()
        while len(killed) < times:
            time.sleep(0.2)
            if process.poll() is not None:
                raise AssertionError("finished before its workers could be killed")
            victims = [pid for pid in pids() if pid not in killed]
            if victims and has_rows(file):
                killed.add(victims[0])
                os.kill(victims[0], signal.SIGKILL)
        _, log = process.communicate()
    completed(process.returncode, log.decode())
    return compared("kill -9 of a dask worker", times, file, spec)


def dask_scheduler_killed(directory: Path) -> Finding:
    """kill -9 of the scheduler: the sweep ends in one line, and is finished without dask."""
    spec, file = write_spec(directory, rates=8), directory / "scheduler.sqlite"
    with cluster() as (address, _, kill):
        process = start(spec, "--out", file, "--dask", address, text=True)
        while not has_rows(file):
            time.sleep(0.02)
        kill()
        _, log = process.communicate()
    ended = subprocess.CompletedProcess((), process.returncode, "", log)
    said_plainly(ended, 1, "is gone; what was done is safe")
    return compared("kill -9 of the dask scheduler", 1, file, spec)


def disk_full(directory: Path) -> Finding:
    """A file system of half a megabyte, which is then given more room."""
    spec = write_spec(directory)
    small = directory / "small"
    with mounted(small, "size=512k"):
        failed = finish(spec, "--out", small / "full.sqlite", "--jobs", 3)
        said_plainly(failed, 1, "disk is full")
        subprocess.run(["mount", "-o", "remount,size=64m", small], check=True)
        return compared("disk full", 1, small / "full.sqlite", spec)


def export_disk_full(directory: Path) -> Finding:
    """No room for the export: nothing half-written is left under its name."""
    spec, file = write_spec(directory), directory / "exported.sqlite"
    small = directory / "small-export"
    with mounted(small, "size=64k"):
        failed = finish(spec, "--out", file, "--export", small / "x.csv", "--jobs", 3)
        said_plainly(failed, 1, "cannot be written")
        if list(small.iterdir()):
            raise AssertionError("half an export was left behind")
    return compared("disk full while exporting", 1, file, spec)


def read_only(directory: Path) -> Finding:
    """A directory that becomes read-only, for a while."""
    spec = write_spec(directory)
    place = directory / "read-only"
    with mounted(place, "size=64m"):
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        failed = finish(spec, "--out", place / "run.sqlite")
        said_plainly(failed, 2, "cannot be written")
        subprocess.run(["mount", "-o", "remount,rw", place], check=True)
        return compared("read-only directory", 1, place / "run.sqlite", spec)


def two_sweeps(directory: Path) -> Finding:
    """A second sweep on a file that is being written."""
    spec, file = write_spec(directory, rates=8), directory / "two.sqlite"
    first = start(spec, "--out", file)
    while not has_rows(file):
        time.sleep(0.02)
    refused = 0
    while first.poll() is None and refused < 3:
        second = finish(spec, "--out", file)
        if second.stderr:
            said_plainly(second, 1, "another sweep is writing it")
            refused += 1
    first.communicate()
    if not refused:
        raise AssertionError("the first sweep was over before a second could begin")
    return compared("two sweeps on one file", refused, file, spec)


def spec_changed(directory: Path) -> Finding:
    """Another spec for a half-finished file: refused, and the file untouched."""
    spec, file = write_spec(directory), directory / "changed.sqlite"
    half_finished(spec, file)
    other = directory / "other.toml"
    changes = [("digits = 30", "digits = 31"), ("count = 10,", "count = 11,")]
    for old, new in changes:
        other.write_text(spec.read_text().replace(old, new, 1))
        said_plainly(finish(other, "--out", file), 2, "was begun with another spec")
    return compared("spec changed under a half-finished file", 2, file, spec)


def cut_short(directory: Path) -> Finding:
    """The file itself cut short: refused, whole or not; a new run has everything."""
    spec, file = write_spec(directory), directory / "cut.sqlite"
    half_finished(spec, file)
    folded(file)
    size = file.stat().st_size
    for length in (size - 4096, size // 2, size // 3 + 17, 50):
        os.truncate(file, length)
        said_plainly(finish(spec, "--out", file), 1, "move it away")
    for path in directory.glob("cut.sqlite*"):
        path.rename(directory / f"away-{path.name}")
    return compared("file cut short", 4, file, spec)


def log_cut_short(directory: Path) -> Finding:
    """The write-ahead log cut short, as a power failure may leave it: what is whole in it counts."""
    spec, file = write_spec(directory), directory / "log.sqlite"
    log = file.with_name("log.sqlite-wal")
    injected = 0
    for share in (0.9, 0.5, 0.1):
        half_finished(spec, file)
        os.truncate(log, int(log.stat().st_size * share))
        injected += 1
    return compared("write-ahead log cut short", injected, file, spec)


def clock_jumps(directory: Path) -> Finding:
    """A wall clock that runs backwards and forwards by years, in parent and workers."""
    spec, file = write_spec(directory), directory / "clock.sqlite"
    library = directory / "jump.so"
    source = Path(__file__).with_name("jumping_clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    said = subprocess.run([sys.executable, "-c", "import time; print(len({time.time() // 1e6 for _ in range(50)}))"],
                          env=environment, capture_output=True, text=True, check=True)  # fmt: skip
    if int(said.stdout) < 10:
        raise AssertionError("the clock does not jump")
    done = finish(spec, "--out", file, "--jobs", 3, env=environment)
    completed(done.returncode, done.stderr)
    return compared("clock jumps", int(said.stdout), file, spec)


FAULTS: dict[str, Callable[[Path], Finding]] = {
    "parent": parent_killed,
    "parent, rollback journal": lambda directory: parent_killed(directory, 8, "rollback"),
    "worker": worker_killed,
    "dask worker": dask_worker_killed,
    "dask scheduler": dask_scheduler_killed,
    "full disk": disk_full,
    "full disk, export": export_disk_full,
    "read-only": read_only,
    "two sweeps": two_sweeps,
    "changed spec": spec_changed,
    "cut short": cut_short,
    "log cut short": log_cut_short,
    "clock": clock_jumps,
}


# -- tools -----------------------------------------------------------------------------


def said_plainly(done: subprocess.CompletedProcess[str], code: int, words: str) -> None:
    """One line on standard error, with these words and this exit code."""
    line = done.stderr.strip()
    if done.returncode != code or words not in line or "\n" in line:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")


def has_rows(file: Path) -> bool:
    """Whether something was committed."""
    return points_in(file)[0] > 0


def points_in(file: Path) -> tuple[int, bool]:
    """How many points were committed, and whether the closing record was; nothing if nobody can tell."""
    if not file.exists():
        return 0, False
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            (points,) = connection.execute("SELECT sum(stop - start) FROM done").fetchone()
            closed = connection.execute("SELECT 1 FROM meta WHERE name = 'closed'").fetchone()
        except sqlite3.OperationalError:
            return 0, False
    return points or 0, closed is not None


def half_finished(spec: Path, file: Path) -> None:
    """Kill a sweep once it has something in its file."""
    process = start(spec, "--out", file)
    while not has_rows(file):
        if process.poll() is not None:
            raise AssertionError("finished before it could be killed: the sweep is too short")
        time.sleep(0.01)
    process.kill()
    process.communicate()


def folded(file: Path) -> None:
    """Move the log of a half-finished sweep into the file."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def workers_of(pid: int) -> list[int]:
    """The processes that compute for a parent: its grandchildren, of the fork server."""
    return [grandchild for child in children(pid) for grandchild in children(child)]


def children(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        texts = [(task / "children").read_text() for task in tasks]
    except OSError:
        return []
    return [int(word) for text in texts for word in text.split()]


@contextlib.contextmanager
def mounted(place: Path, options: str) -> Iterator[None]:
    """A small file system of its own."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def can_mount() -> bool:
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", directory],
                              capture_output=True, check=False)  # fmt: skip
        if done.returncode == 0:
            subprocess.run(["umount", directory], check=True)
        return done.returncode == 0


CLUSTER = """
import os, sys
from distributed import Client, LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        with Client(made) as client:
            print(made.scheduler_address, flush=True)
            for line in sys.stdin:
                print(*client.run(os.getpid, on_error="ignore").values(), flush=True)
"""


@contextlib.contextmanager
def cluster() -> Iterator[tuple[str, Callable[[], list[int]], Callable[[], None]]]:
    """A local dask cluster of two processes: its address, a way to ask for its workers, its end."""
    with tempfile.TemporaryDirectory() as directory:
        script = Path(directory) / "cluster.py"
        script.write_text(CLUSTER)
        process = subprocess.Popen([sys.executable, script], cwd=ROOT, stdin=subprocess.PIPE, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip

        def pids() -> list[int]:
            process.stdin.write("\n")
            process.stdin.flush()
            return [int(word) for word in process.stdout.readline().split()]

        try:
            yield process.stdout.readline().strip(), pids, process.kill
        finally:
            process.stdin.close()
            process.wait()
            process.stdout.close()


def main() -> None:
    print("| fault | times injected | rows lost | rows doubled | export identical |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        for inject in FAULTS.values():
            found = inject(Path(directory))
            same = "yes" if found.identical else "NO"
            print(
                f"| {found.fault} | {found.injected} | {found.lost} | {found.doubled} | {same} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
