"""Run a program so that nothing it starts outlives it: ``python warden.py STATUS MEMORY PROGRAM ...``.

A child that leaves its process group and its session escapes whoever kills the group. On Linux it does
not escape this process: as the subreaper of everything below it becomes the parent of each orphan,
and it ends only when it has no child left. When it is told to end (SIGTERM, or the death of the judge that
started it), or when the program has ended by itself, it kills its children, and those who then become
its children, until there are none. Elsewhere there is no such parent: there the process group is killed, and a
child that has left it is not found.

Standard library only, and little of it: this is run before every program that is judged. The program gets
standard input and output as they are; STATUS is a file descriptor that says why it could not be
started, and closes when it has been.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from types import FrameType

_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36  # <linux/prctl.h>


def main(status: int, memory: int, command: list[str]) -> None:
    """Start the program, wait for it, leave nothing behind, and end as it has ended."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    program, code = 0, None
    try:
        signal.signal(signal.SIGTERM, _told_to_end)
        adopting = _adopt_orphans()
        program = os.fork()
        if program == 0:
            _become(status, memory, command)
        for stream in (0, 1, status):  # whose ends belong to the program alone
            os.close(stream)
        while code is None:
            ended, said = os.waitpid(-1, 0)
            code = said if ended == program else None
    except _ToldToEnd:
        pass
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if program:
        _end_all(program, adopting)
    _end_like(code)


class _ToldToEnd(BaseException):
    """The judge does not need the program any more."""


def _told_to_end(number: int, frame: FrameType | None) -> None:
    raise _ToldToEnd


def _adopt_orphans() -> bool:
    """Become the parent of every orphan below, and end with the judge; whether the system can do that."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is None or sys.platform != "linux":
        return False
    prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
    return bool(prctl(_SET_SUBREAPER, 1, 0, 0, 0) == 0)


def _become(status: int, memory: int, command: list[str]) -> None:
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # RLIMIT_DATA counts what is written to, not the address space that V8 and others reserve.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.set_inheritable(status, False)  # closed by a successful exec
        os.execvp(command[0], command)
    except BaseException as error:  # noqa: BLE001  # a copy of this process must not go on
        os.write(status, str(error).encode("utf-8", "replace")[:500])
        os._exit(127)


def _end_all(program: int, adopting: bool) -> None:
    """Kill until nobody is left; a child of a child is ours as soon as its parent is dead."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while True:
        for child in _children() if adopting else ():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    """Processes whose parent this one is."""
    me, found = str(os.getpid()), []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208  # pathlib takes long to import
        try:
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123  # same
                # pid (name) state parent ...; the name may hold anything, also spaces and brackets
                parent = file.read().rpartition(b") ")[2].split()[1].decode()
        except OSError:
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
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
