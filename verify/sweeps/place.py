"""Where a file lies: one writer at a time, and which file system it is on."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

from verify.numbers.errors import OutOfDomain, SgmError

MOUNTS = Path("/proc/self/mountinfo")
_NETWORK = re.compile(
    r"nfs\d*|cifs|smb\w*|9p|k?afs|autofs|ceph|lustre|gpfs|beegfs\w*|fhgfs|glusterfs|orangefs|pvfs2|"
    r"panfs|wekafs|ocfs2|gfs2|vboxsf|ncpfs|davfs|"
    # Nobody can list what lies behind FUSE; those that are known to be local are listed instead.
    r"fuse(\.(?!(fuse-overlayfs|ntfs-3g|ntfs|exfat|ext4)$).*)?"
)


class FileInUse(SgmError):
    """Another sweep is writing this file."""


def resolve_path(path: Path) -> Path:
    """The file that a name leads to: two names of one file must not be two locks or two logs."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # links in a circle
        raise OutOfDomain(f"{path}: leads nowhere ({error})") from error


def file_system(path: Path, mounts: Path = MOUNTS) -> str:
    """The type of the file system a path lies on, or "" where that cannot be told (not Linux)."""
    target, best, kind = resolve_path(path), -1, ""  # first: to go there may be what mounts it
    with contextlib.suppress(OSError):
        target.stat()
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    for line in lines:
        fields, _, rest = line.partition(" - ")
        words = fields.split()
        if len(words) < 5 or not rest:
            continue
        point = Path(re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), words[4]))
        if target.is_relative_to(point) and len(point.parts) >= best:  # the last mount hides others
            best, kind = len(point.parts), rest.split()[0]
    return kind


def is_network(kind: str) -> bool:
    """Whether SQLite's write-ahead log, which needs shared memory and sound locks, is unsafe there.

    >>> is_network("nfs4"), is_network("fuse.unheard-of"), is_network("ext4"), is_network("tmpfs")
    (True, True, False, False)
    """
    return _NETWORK.fullmatch(kind) is not None


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Be the only writer. The operating system releases the lock when this process ends, in
    whatever way."""
    file = resolve_path(path)
    beside = Path(f"{file}.lock")
    try:
        handle = _open_and_lock(beside)
    except OSError as error:
        raise OutOfDomain(f"{path}: {beside} cannot be written ({error.strerror})") from error
    if handle is None:
        raise FileInUse(f"{path}: another sweep is writing it ({_holder(beside)})")
    try:
        with contextlib.suppress(OSError):  # a full disk must not stop anyone from reading on
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(handle)


def _open_and_lock(beside: Path) -> int | None:
    """The lock file, open and locked; None if somebody has it."""
    while True:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError:
            os.close(handle)
            raise
        # The former holder may have removed the name between our open and our lock.
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), beside.stat()):
                return handle
        os.close(handle)


def _holder(beside: Path) -> str:
    with contextlib.suppress(OSError):
        return beside.read_text("utf-8", "replace")[:120] or "unknown process"
    return "unknown process"
