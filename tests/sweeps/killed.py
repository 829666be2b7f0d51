"""Kill a sweep at every step that it takes on the disk, and finish it each time.

    LD_PRELOAD=dying_sync.so python -m tests.sweeps.killed DIRECTORY JOURNAL

Each sweep is a fork of this process, which has everything loaded, so that dozens take seconds. Prints
how many were killed; ends with an error as soon as one cannot be finished, or ends differently.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from verify.cli import main
from verify.parallel import Here
from verify.sweeps import export, run  # noqa: F401  # loaded before the first fork

SPEC = '[compute]\nwhat = "epsilon"\ndigits = 20\n[[points]]\nq = [0.01, 0.1]\nsigma = 1\nalpha = [2, 3]\n'


def forked(die_at: int | None, *words: object) -> int:
    """The command in a process of its own, which dies at a step; its exit status."""
    pid = os.fork()
    if pid == 0:
        if die_at is not None:
            os.environ["DIE_AT"] = str(die_at)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = ["sgm-verify", "sweep", *map(str, words), "--jobs", "0", "--quiet"]
        try:
            main()
        except SystemExit as ended:
            sys.stderr.flush()
            os._exit(int(ended.code or 0))
        os._exit(70)
    return os.waitpid(pid, 0)[1]


def killed_everywhere(directory: Path, journal: str) -> int:
    spec, calm = directory / "spec.toml", directory / "calm.csv"
    spec.write_text(SPEC)
    os.chdir(directory)
    if forked(None, spec, "--out", "calm.sqlite", "--export", calm):
        raise SystemExit("the undisturbed sweep failed")
    for step in range(1, 1000):
        file, found = f"{journal}-{step}.sqlite", directory / f"{journal}-{step}.csv"
        words = (spec, "--out", file, "--journal", journal, "--export", found)
        if forked(step, *words) != signal.SIGKILL:
            return step - 1
        if status := forked(None, *words):
            raise SystemExit(f"{journal}, killed at step {step}: cannot be finished ({status})")
        if found.read_bytes() != calm.read_bytes():
            raise SystemExit(f"{journal}, killed at step {step}: another export")
        plain = {file, f"{file}.lock"}  # nobody holds the lock of a process that is dead
        if left := {path.name for path in directory.glob(f"{file}*")} - plain:
            raise SystemExit(f"{journal}, killed at step {step}: {left} left behind")
    raise SystemExit("it never ends")


if __name__ == "__main__":
    run.COMMIT_SECONDS = -1.0  # a transaction a point
    Here.seconds = 1e-9
    print(killed_everywhere(Path(sys.argv[1]), sys.argv[2]))
