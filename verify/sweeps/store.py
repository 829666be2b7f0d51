"""The file of results: SQLite, one row a point, one writer, a closing record.

    meta      what this file is: format, spec, program, and at the end the closing record
    results   one row a point, keyed by the exact point (a file has one spec, so one computation)
    done      ranges of indices whose rows are in the file, and how many rows that were; written in the
              same transaction as the rows

A file is never half wrong: a transaction holds whole batches, so after a kill at any moment ``done``
says exactly what is there. A file without its closing record is incomplete, whatever it holds.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import marshal
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import verify
from verify.errors import OutOfDomain, SgmError
from verify.sweeps.computations import GOOD
from verify.sweeps.spec import Spec, from_text
from verify.sweeps.work import Chunk, Row

FORMAT = "sgm-verify sweep 1"
JOURNALS = ("wal", "rollback")
_FIXED = (
    "point INTEGER PRIMARY KEY", "q REAL", "sigma REAL", "alpha REAL", "q_exact TEXT NOT NULL",
    "sigma_exact TEXT NOT NULL", "alpha_exact TEXT NOT NULL", "status TEXT NOT NULL",
    "note TEXT NOT NULL",
)  # fmt: skip
FIXED = tuple(tuple(column.split()[:2]) for column in _FIXED)
_PAGES = 16_384  # of the log, before they are moved into the file: 64 MB


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
        name = getattr(error, "sqlite_errorname", "") or ""
        if name == "SQLITE_FULL" or "full" in str(error):
            raise SweepFailed(
                f"{path}: the disk is full; what was written is safe: make room and run it again"
            ) from error
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            raise OutOfDomain(f"{path}: cannot be opened or written ({error})") from error
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            raise SweepFailed(
                f"{path}: damaged or no sweep ({error}); move it away and run again"
            ) from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise SweepFailed(f"{path}: another program has locked it") from error
        raise SweepFailed(
            f"{path}: {error} ({name}); what was written is safe: run it again"
        ) from error


def made_by() -> str:
    """Which programs the digits come from; a file is finished by the one it was begun with."""
    return f"sgm-verify {verify.__version__}, python-flint {importlib.metadata.version('python-flint')}"


class Store:
    """An open file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, spec: Spec) -> None:
        self.path, self.connection, self.spec = path, connection, spec
        places = ", ".join("?" * (len(FIXED) + len(spec.computation.columns)))
        self._insert = (
            f"INSERT INTO results VALUES ({places}) "
            "ON CONFLICT (q_exact, sigma_exact, alpha_exact) DO NOTHING"
        )

    # -- opening -----------------------------------------------------------------------

    @classmethod
    def begin(cls, path: Path, spec: Spec, journal: str) -> Self:
        """Make the file, or open a half-finished one of the same spec."""
        connection = _connect(path, "rwc")
        with plainly(path), _closing_on_error(connection):
            _check_whole(path, connection)
            wal = journal == "wal"
            connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
            connection.execute(f"PRAGMA synchronous = {'NORMAL' if wal else 'FULL'}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")
            connection.execute("PRAGMA cache_size = -8000")
            if not _tables(connection):
                _create(connection, spec)
            _check_format(path, connection)
            store = cls(path, connection, spec)
            store._check_spec()
            return store

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a file to look at it; its spec is the one it was made with."""
        if not path.is_file():
            raise OutOfDomain(f"{path}: there is no such file")
        connection = _connect(path, "ro")
        with plainly(path), _closing_on_error(connection):
            _check_format(path, connection)
            return cls(path, connection, from_text(_meta(connection, "spec") or ""))

    def _check_spec(self) -> None:
        begun = _meta(self.connection, "spec") or "{}"
        if begun != self.spec.text:
            raise OutOfDomain(
                f"{self.path}: was begun with another spec ({_difference(begun, self.spec.text)}); "
                "finish it with that one, or give another --out"
            )
        program = _meta(self.connection, "made by")
        if program != made_by() and self.closed is None:
            raise OutOfDomain(
                f"{self.path}: was begun by {program}, this is {made_by()}; "
                "finish it with that one, or give another --out"
            )

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- what is there -----------------------------------------------------------------

    @property
    def closed(self) -> dict[str, Any] | None:
        """The closing record; None while the file is incomplete."""
        text = _meta(self.connection, "closed")
        return None if text is None else dict(json.loads(text))

    def gaps(self) -> list[tuple[int, int]]:
        """The ranges of indices that are still to be done: few, however many points there are."""
        found, reached = [], 0
        with plainly(self.path):
            for start, stop in self.connection.execute(
                "SELECT start, stop FROM done ORDER BY start"
            ):
                if start < reached:
                    raise SweepFailed(f"{self.path}: point {start} was done twice; damaged")
                if start > reached:
                    found.append((reached, start))
                reached = stop
        return found + ([(reached, self.spec.count)] if reached < self.spec.count else [])

    def index_of(self, q: str, sigma: str, alpha: str) -> int | None:
        """The index under which a point is in the file already."""
        row = self.connection.execute(
            "SELECT point FROM results WHERE q_exact = ? AND sigma_exact = ? AND alpha_exact = ?",
            (q, sigma, alpha),
        ).fetchone()
        return None if row is None else int(row[0])

    def errors(self) -> list[int]:
        """The indices of points that ended in an error."""
        query = "SELECT point FROM results WHERE status = 'error' ORDER BY point"
        return [int(point) for (point,) in self.connection.execute(query)]

    def rows(self) -> Iterator[Row]:
        """All rows in the order of the spec."""
        return self.connection.execute("SELECT * FROM results ORDER BY point")

    # -- writing -----------------------------------------------------------------------

    def write(self, chunk: Chunk, skipped: int) -> None:
        """Add a chunk to the transaction at hand."""
        if len(chunk.rows) + skipped != chunk.stop - chunk.start:
            raise SweepFailed(f"{self.path}: rows are missing from {chunk.start} to {chunk.stop}")
        with plainly(self.path):
            if not self.connection.in_transaction:
                self.connection.execute("BEGIN IMMEDIATE")
            new = self._add(chunk.rows)
            done = (chunk.start, chunk.stop, new)
            self.connection.execute("INSERT INTO done VALUES (?, ?, ?)", done)

    def _add(self, rows: list[Row]) -> int:
        """Insert rows; how many points were new."""
        new = self.connection.executemany(self._insert, rows).rowcount if rows else 0
        if new < len(
            rows
        ):  # a point met twice keeps its first index, whichever of the two came first
            self.connection.executemany(
                "UPDATE results SET point = ?1 WHERE q_exact = ?2 AND sigma_exact = ?3 "
                "AND alpha_exact = ?4 AND point > ?1",
                [(row[0], *row[4:7]) for row in rows],
            )
        return int(new)

    def replace(self, rows: list[Row]) -> None:
        """Put new rows where errors were."""
        with plainly(self.path):
            if not self.connection.in_transaction:
                self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute("DELETE FROM meta WHERE name = 'closed'")
            for row in rows:
                self.connection.execute("DELETE FROM results WHERE point = ?", row[:1])
                self.connection.execute(
                    "UPDATE done SET rows = rows + ? WHERE start <= ? AND ? < stop",
                    (self._add([row]) - 1, row[0], row[0]),
                )

    def commit(self) -> None:
        with plainly(self.path):
            if self.connection.in_transaction:
                self.connection.execute("COMMIT")

    def finish(self) -> dict[str, Any]:
        """Write the closing record, if nothing is missing; one plain file is left."""
        self.commit()
        gaps = self.gaps()
        if gaps:
            raise SweepFailed(f"{self.path}: incomplete, points from {gaps[0][0]} on are missing")
        with plainly(self.path):
            counts = dict(
                self.connection.execute("SELECT status, count(*) FROM results GROUP BY status")
            )
            (expected,) = self.connection.execute("SELECT sum(rows) FROM done").fetchone()
            if sum(counts.values()) != expected:
                raise SweepFailed(
                    f"{self.path}: {expected} rows were written, {sum(counts.values())} are there; "
                    "move it away and run again"
                )
            record = {
                "points": self.spec.count,
                "rows": expected,
                "counts": counts,
                "sha256": self.digest(),
            }
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("BEGIN IMMEDIATE")
            self._set_meta("closed", json.dumps(record, sort_keys=True))
            self.connection.execute("COMMIT")
            # No log beside a finished file: it can be copied, and read where nothing can be written.
            # A reader may hold the file open just now; the log then stays until somebody else ends it.
            with contextlib.suppress(sqlite3.OperationalError):
                self.connection.execute("PRAGMA journal_mode = DELETE")
        return record

    def digest(self) -> str:
        """A digest of all rows in their order."""
        total = hashlib.sha256()
        for row in self.rows():
            total.update(row_bytes(row))
        return total.hexdigest()

    def _set_meta(self, name: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def row_bytes(row: Row) -> bytes:
    """The same bytes for the same row: this version of the format has no room for a choice."""
    return marshal.dumps(row, 2)


def good(counts: dict[str, int]) -> bool:
    """Whether every point ended well."""
    return not set(counts) - set(GOOD)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    with plainly(path):
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10.0)


@contextlib.contextmanager
def _closing_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _check_whole(path: Path, connection: sqlite3.Connection) -> None:
    """A file cut short, or overwritten, is refused before anything is added to it."""
    verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise SweepFailed(f"{path}: damaged ({verdict}); move it away and run again")


def _tables(connection: sqlite3.Connection) -> set[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return {name for (name,) in connection.execute(query)}


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    ours = _tables(connection) == {"meta", "results", "done"}
    if not ours or _meta(connection, "format") != FORMAT:
        raise NotASweep(f"{path}: not a file of {FORMAT!r}")


def _create(connection: sqlite3.Connection, spec: Spec) -> None:
    more = [f"{name} {kind}" for name, kind in spec.computation.columns]
    columns = ", ".join([*_FIXED, *more, "UNIQUE (q_exact, sigma_exact, alpha_exact)"])
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute(f"CREATE TABLE results ({columns})")
    connection.execute(
        "CREATE TABLE done (start INTEGER PRIMARY KEY, stop INTEGER NOT NULL, rows INTEGER NOT NULL)"
    )
    meta = {"format": FORMAT, "spec": spec.text, "digest": spec.digest, "made by": made_by()}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    connection.execute("COMMIT")


def _meta(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def _difference(old: str, new: str) -> str:
    """The first thing in which two specs differ."""
    before, now = json.loads(old), json.loads(new)
    for part in ("compute", "doubles", "points"):
        if before.get(part) != now.get(part):
            was, is_ = json.dumps(before.get(part)), json.dumps(now.get(part))
            return f"{part} was {was:.120}, is {is_:.120}"
    return "unknown difference"
