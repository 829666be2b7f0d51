"""SQLite as sweeps use it: opening, recovery after a kill, and its errors in plain words."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from verify.numbers.errors import OutOfDomain, SgmError
from verify.sweeps.place import lock, resolve_path

LOGS = ("-wal", "-journal")
TABLES = {"meta", "results", "done"}
_WAL = b"\x02\x02"  # bytes 18 and 19 of a file that is read together with its log


class NotASweep(OutOfDomain):
    """The file is something else, or has not even been begun."""


class SweepFailed(SgmError):
    """The file cannot be written or read on; what it holds is kept."""


@contextlib.contextmanager
def plainly(path: Path) -> Iterator[None]:
    """SQLite's errors, each as one sentence that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise plain(path, error) from error
    except UnicodeDecodeError as error:  # of a message in which SQLite quotes what is broken
        raise _damage(path, error) from error


def plain(path: Path, error: sqlite3.Error) -> SgmError:
    """What an error of SQLite means for the user. The error's code decides, never its text."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the rest says where it happened
    name = getattr(error, "sqlite_errorname", None) or type(error).__name__
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _no_room(path)):
        return SweepFailed(
            f"{path}: the disk is full; what was committed is safe: make room and run it again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return OutOfDomain(f"{path}: cannot be opened or written ({error})")
    # Of Python's own errors only a text that is not UTF-8 is called operational.
    undecoded = code == 0 and isinstance(error, sqlite3.OperationalError)
    if undecoded or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damage(path, error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return SweepFailed(f"{path}: another program has locked it")
    if code == sqlite3.SQLITE_CONSTRAINT:
        return SweepFailed(
            f"{path}: what was to be written contradicts what is there ({error}); "
            "do not trust it: move it away and run again"
        )
    if code == sqlite3.SQLITE_IOERR:
        return SweepFailed(f"{path}: {error} ({name}); what was committed is safe: run it again")
    return SweepFailed(f"{path}: cannot be read or written ({name}: {error})")


def _damage(path: Path, error: Exception) -> SweepFailed:
    return SweepFailed(
        f"{path}: damaged or no sweep ({error}); move it away and run again{hint(path)}"
    )


def _no_room(path: Path) -> bool:
    """SQLite has no code of its own for a log or its index that finds no room."""
    with contextlib.suppress(OSError):
        room = os.statvfs(path.absolute().parent)
        return room.f_bavail == 0 or room.f_favail == 0 < room.f_files
    return False


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open the file itself, not a link to it: its log stands beside it, under its own name."""
    with plainly(path):
        uri = f"{resolve_path(path).as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10.0)


@contextlib.contextmanager
def closing_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def log_of(path: Path) -> Path | None:
    """The log or journal that stands beside the file and belongs to it."""
    file = resolve_path(path)
    beside = (Path(f"{file}{end}") for end in LOGS)
    return next((log for log in beside if log.exists()), None)


def has_pending_rows(path: Path) -> bool:
    """Whether a log or journal beside the file may hold rows that are not yet in the file."""
    return log_of(path) is not None or _wants_log(path)


def recover(path: Path) -> None:
    """Let SQLite undo, or complete, what a process that was killed left behind.

    It can do so only through a connection that may write; one that may only read is refused for ever.
    """
    with (
        lock(path),
        plainly(path),
        contextlib.closing(connect(path, "rw")) as connection,
    ):
        if tables(connection) == TABLES and meta(connection, "closed") is not None:
            fold(connection)


def fold(connection: sqlite3.Connection) -> None:
    """Move the log into the file, and leave one plain file: it can be copied, and read from a medium
    where nothing can be written. A reader that has it open just now prevents that; the log then stays
    until the next run."""
    connection.execute("PRAGMA busy_timeout = 500")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise


def hint(path: Path) -> str:
    """What is wrong if somebody copied a file without its log."""
    log = log_of(path)
    if _wants_log(path) and (log is None or log.stat().st_size == 0):
        return f"; if it is a copy: {path.name}-wal, which belongs to it, was not copied with it"
    return ""


def _wants_log(path: Path) -> bool:
    with contextlib.suppress(OSError), resolve_path(path).open("rb") as file:
        return file.read(20)[18:] == _WAL
    return False


def tables(connection: sqlite3.Connection) -> set[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return {name for (name,) in connection.execute(query)}


def columns(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Names and kinds of the columns of the rows, as they are in the file."""
    query = "SELECT name, type FROM pragma_table_info('results') ORDER BY cid"
    return [(str(name), str(kind)) for name, kind in connection.execute(query)]


def meta(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def check_whole(path: Path, connection: sqlite3.Connection) -> None:
    """A file cut short, or overwritten, is refused before anything is added to it, and before it is closed.

    The index as well (a microsecond a row): a damaged one does not find a point that is there, and lets it
    in once more.
    """
    verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if verdict != "ok":
        raise SweepFailed(f"{path}: damaged ({verdict}); move it away and run again{hint(path)}")
