"""Coq as a program that must end: by itself, at the deadline, or with whoever waits for it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from proofs_checks.kernel import FormalError
from verify.numbers.budget import Deadline

_SAID = 600  # characters of what Coq complains of
_SET_DEATH_SIGNAL = 1  # <linux/prctl.h>


def _ending_with_the_caller() -> Callable[[], None] | None:
    """What a child does before it becomes Coq; loaded here, for a child of many threads must load nothing."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is None or sys.platform != "linux":
        return None
    return lambda: prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def coqc(file: str, folder: Path, paths: Sequence[str], deadline: Deadline) -> str:
    """Compile one file of a folder; what Coq printed, or FormalError with what it complains of.

    It is the head of a process group of its own, which ends with this call whatever happens, and on Linux
    with the caller, even if that is killed: nothing of it is left running. No variable of the caller reaches it.
    """
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    command = ["coqc", "-q", "-w", "-ambiguous-paths", *paths, file]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_ending_with_the_caller(),
    ) as process:
        try:
            out, err = _waited_for(process, deadline)
        except BaseException as error:
            if process.poll() is None:  # not waited for, so that its number is still its own
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise deadline.exceeded() from None
            raise
    if process.returncode:
        lines = (err or out).strip().splitlines() or [f"ended with {process.returncode}"]
        raise FormalError(f"{file}: " + " ".join(" ".join(lines[-6:]).split())[:_SAID])
    return out


def _waited_for(process: subprocess.Popen[str], deadline: Deadline) -> tuple[str, str]:
    """What it printed. The deadline is looked at once a second: another thread may have ended it early."""
    while True:
        try:
            return process.communicate(timeout=min(1.0, deadline.left()))
        except subprocess.TimeoutExpired:
            if deadline.left() <= 0:
                raise
