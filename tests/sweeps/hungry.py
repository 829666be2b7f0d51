"""Work for a worker that has a child of its own, as a library's program is one."""

from __future__ import annotations

import os
import subprocess
import sys

_CODE = "import sys; kept = b'x' * 2**26; print(flush=True); sys.stdin.read()"
_children: list[subprocess.Popen[bytes]] = []


def nothing() -> int:
    return os.getpid()


def child_of_64_mb() -> int:
    """Start it, and wait until it has its memory; it ends with this worker, whose pipe it reads."""
    child = subprocess.Popen([sys.executable, "-c", _CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert child.stdout is not None
    child.stdout.readline()
    _children.append(child)
    return child.pid
