"""Run a program so that nothing it starts outlives it: ``python warden.py JUDGE STATUS MEMORY PROGRAM ...``.

A child that leaves its process group and its session escapes whoever kills the group. On Linux it does
not escape this process: as the subreaper of everything below it becomes the parent of each orphan,
and it ends only when it has no child left. When it is told to end (SIGTERM, or the death of the judge that
started it), or when the program has ended by itself, it kills its children, and those who then become
its children, until there are none. Elsewhere there is no such parent: there the process group is killed, and a
child that has left it is not found.

Signals are read from a pipe (``set_wakeup_fd``), and nothing waits for ever for anything else: a signal that
comes just before a blocking call would be lost on it.

Standard library only, and little of it: this is run before every program that is judged. The program gets
standard input and output as they are; JUDGE is the process that started this one; STATUS is a file descriptor
that says why the program could not be started, and closes when it has been.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
from types import FrameType

_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36  # <linux/prctl.h>


_LOOK_AGAIN = 0.05  # seconds


def main(judge: int, status: int, memory: int, command: list[str]) -> None:
    """Start the program, wait for it, leave nothing behind, and end as it has ended."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signals = _hear_signals()
    adopting = _adopt_orphans()
    program = os.fork()
    if program == 0:
        _exec_in_child(status, memory, command)
    for stream in (0, 1, status):  # whose ends belong to the program alone
        os.close(stream)
    code, told_to_end = None, os.getppid() != judge  # it may have died before anybody would say so
    while code is None and not told_to_end:
        select.select([signals], [], [])
        told_to_end = signal.SIGTERM in os.read(signals, 4096)
        code = _reap(program)[0]
    _end_all(program, adopting, signals)
    _end_like(code)


def _hear_signals() -> int:
    """The end of a pipe from which the numbers of signals are read, none of which is ever missed."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)  # full: there is something to read
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, _ignore_signal)
    return read


def _ignore_signal(number: int, frame: FrameType | None) -> None:
    """The pipe has it."""


def _reap(program: int) -> tuple[int | None, bool]:
    """Bury the dead: how the program ended, if it was among them, and whether any child is left."""
    code = None
    while True:
        try:
            ended, said = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code, False
        if ended == 0:
            return code, True
        code = said if ended == program else code


def _adopt_orphans() -> bool:
    """Become the parent of every orphan below, and end with the judge; whether the system can do that."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is None or sys.platform != "linux":
        return False
    prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
    return bool(prctl(_SET_SUBREAPER, 1, 0, 0, 0) == 0)


def _exec_in_child(status: int, memory: int, command: list[str]) -> None:
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        # RLIMIT_DATA counts what is written to, not the address space that V8 and others reserve.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.set_inheritable(status, False)  # closed by a successful exec
        os.execvp(command[0], command)
    except BaseException as error:  # noqa: BLE001  # a copy of this process must not go on
        os.write(status, str(error).encode("utf-8", "replace")[:500])
        os._exit(127)


def _end_all(program: int, adopting: bool, signals: int) -> None:
    """Kill until nobody is left; a child of a child is ours as soon as its parent is dead."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while _reap(program)[1]:
        for child in _children() if adopting else ():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        if select.select([signals], [], [], _LOOK_AGAIN)[0]:
            os.read(signals, 4096)


def _children() -> list[int]:
    """Processes whose parent this one is."""
    me, found = str(os.getpid()), []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208  # pathlib takes long to import
        try:
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123  # same
                # pid (name) state parent ...; the name may hold anything, also spaces and brackets
                parent = file.read().rpartition(b") ")[2].split()[1].decode()
        except (OSError, IndexError):  # it has ended meanwhile
            continue
        if parent == me:
            found.append(int(name))
    return found


def _end_like(code: int | None) -> None:
    if code is not None and os.WIFSIGNALED(code) and os.WTERMSIG(code) != signal.SIGTERM:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(os.WTERMSIG(code), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(code))
    os._exit(0 if code is None else os.waitstatus_to_exitcode(code) & 0xFF)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
