"""The file of results: SQLite, one row a point, one writer, a closing record.

    meta      what this file is: format, spec, program, and at the end the closing record
    results   one row a point, keyed by the exact point (a file has one spec, so one computation)
    done      ranges of indices whose rows are in the file, how many rows those are, and their checksum;
              written in the same transaction as the rows

A transaction holds whole batches, so ``done`` says exactly which rows are in the file, also after
the process was killed at any moment. A file without its closing record is incomplete, whatever it
holds, and it
gets one only if every row is still as it was written.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from verify.numbers.errors import OutOfDomain
from verify.sweeps import database, schema
from verify.sweeps.checksum import SweepClosing, as_text, hash_of, total_of
from verify.sweeps.computations import GOOD
from verify.sweeps.database import SweepFailed, meta, plainly, tables
from verify.sweeps.spec import Spec, from_text
from verify.sweeps.work import Chunk, Row


class Store:
    """An open file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, spec: Spec) -> None:
        self.path, self.connection, self.spec = path, connection, spec
        self.columns = list(schema.FIXED) + [
            (name, kind) for name, kind in spec.computation.columns
        ]
        places = ", ".join("?" * len(self.columns))
        self._insert = (
            f"INSERT INTO results VALUES ({places}) "
            "ON CONFLICT (q_exact, sigma_exact, alpha_exact) DO NOTHING"
        )
        if database.columns(connection) != self.columns:
            raise SweepFailed(f"{path}: its columns are not those of its spec; damaged")

    # -- opening -----------------------------------------------------------------------

    @classmethod
    def begin(cls, path: Path, spec: Spec, journal: str, reopen: bool = False) -> Self:
        """Make the file, or open a half-finished one of the same spec; or make gaps of the errors."""
        connection = database.connect(path, "rwc")
        with plainly(path), database.closing_on_error(connection):
            database.check_whole(path, connection)
            connection.execute("PRAGMA cache_size = -8000")
            if not tables(connection):
                schema.set_journal(connection, journal)
                schema.create(connection, spec)
            schema.check_format(path, connection)
            schema.check_spec(path, connection, spec)
            store = cls(path, connection, spec)
            reopen = reopen and store._has_errors()
            if store.closed is None or reopen:
                schema.check_program(path, connection)
                schema.set_journal(connection, journal)
                if reopen:
                    store._reopen()
            elif database.has_pending_rows(path):
                database.fold(connection)
            return store

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a file to look at it; its spec is the one it was made with."""
        if not path.is_file():
            raise OutOfDomain(f"{path}: there is no such file")
        if database.has_pending_rows(path):
            database.recover(path)
        connection = database.connect(path, "ro")
        with plainly(path), database.closing_on_error(connection):
            schema.check_format(path, connection)
            try:
                spec = from_text(meta(connection, "spec") or "")
            except (ValueError, TypeError) as error:
                raise SweepFailed(f"{path}: its spec cannot be read ({error}); damaged") from error
            return cls(path, connection, spec)

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
        text = self._meta("closed")
        if text is None:
            return None
        with contextlib.suppress(ValueError, TypeError):
            record = dict(json.loads(text))
            if set(record) == {"points", "rows", "counts", "sha256"}:
                return record
        raise SweepFailed(f"{self.path}: its closing record cannot be read; damaged")

    def _meta(self, name: str) -> str | None:
        with plainly(self.path):
            return meta(self.connection, name)

    def gaps(self) -> list[tuple[int, int]]:
        """The ranges of indices that are still to be done: few, however many points there are."""
        found, reached = [], 0
        with plainly(self.path):
            for start, stop in self.connection.execute(
                "SELECT start, stop FROM done ORDER BY start"
            ):
                if not (isinstance(start, int) and isinstance(stop, int) and start < stop):
                    raise SweepFailed(
                        f"{self.path}: {start!r:.40} to {stop!r:.40} is no range of points; damaged"
                    )
                if start < reached:
                    raise SweepFailed(f"{self.path}: point {start} was done twice; damaged")
                if start > reached:
                    found.append((reached, start))
                reached = stop
        if reached > self.spec.count:
            raise SweepFailed(f"{self.path}: there is no point {reached - 1}; damaged")
        return found + ([(reached, self.spec.count)] if reached < self.spec.count else [])

    def _has_errors(self) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM results WHERE status = 'error')"
        return bool(self.connection.execute(query).fetchone()[0])

    def index_of(self, q: str, sigma: str, alpha: str) -> int | None:
        """The index under which a point is in the file already."""
        row = self._row_of((q, sigma, alpha))
        return None if row is None else int(row[0])

    def _row_of(self, key: Row) -> Row | None:
        query = "SELECT * FROM results WHERE q_exact = ? AND sigma_exact = ? AND alpha_exact = ?"
        with plainly(self.path):
            row: Row | None = self.connection.execute(query, key).fetchone()
        return row

    def rows(self) -> Iterator[Row]:
        """All rows in the order of the spec."""
        return self.connection.execute("SELECT * FROM results ORDER BY point")

    def closing(self) -> SweepClosing:
        """A closing record in the making."""
        about = {name: self._meta(name) for name in ("format", "spec", "made by")}
        return SweepClosing(about, self.spec.count, self.columns)

    def verify(self) -> None:
        """Read all rows of a finished file, and refuse it if it is not as it was closed."""
        closing = self.closing()
        with plainly(self.path):
            for row in self.rows():
                closing.add(row)
        self.compare(closing)

    def compare(self, closing: SweepClosing) -> None:
        """Refuse a finished file that is not as it was closed."""
        if closing.record() != self.closed:
            raise self.changed_error()

    def changed_error(self) -> SweepFailed:
        return SweepFailed(
            f"{self.path}: was changed after it was closed; move it away and run again"
        )

    # -- writing -----------------------------------------------------------------------

    def write(self, chunk: Chunk, skipped: int) -> None:
        """Add a chunk to the transaction at hand."""
        if len(chunk.rows) + skipped != chunk.stop - chunk.start:
            raise SweepFailed(f"{self.path}: rows are missing from {chunk.start} to {chunk.stop}")
        with plainly(self.path):
            if not self.connection.in_transaction:
                self.connection.execute("BEGIN IMMEDIATE")
            count, total = self._add(chunk.rows)
            self._insert_done(chunk.start, chunk.stop, count, total)

    def _add(self, rows: list[Row]) -> tuple[int, int]:
        """Insert rows; how many are in the file under their index now, and the sum of their hashes."""
        new = self.connection.executemany(self._insert, rows).rowcount if rows else 0
        mine = rows if new == len(rows) else [row for row in map(self._first, rows) if row]
        return len(mine), total_of(mine)

    def _first(self, row: Row) -> Row | None:
        """A point met twice keeps its first index, whichever of the two came first: the row that is in
        the file under the index of this one, if it is the first."""
        kept = self._row_of(row[4:7])
        if kept is None or kept[0] < row[0]:
            return None
        if kept[0] == row[0]:
            return row
        moved = (row[0], *kept[1:])
        self.connection.execute("UPDATE results SET point = ? WHERE point = ?", (row[0], kept[0]))
        self._lose(kept)
        return moved

    def _lose(self, row: Row) -> None:
        """A row was taken away from a range that was done."""
        query = "SELECT start, checksum FROM done WHERE start <= ?1 AND ?1 < stop"
        found = self.connection.execute(query, row[:1]).fetchone()
        if found is None:
            raise SweepFailed(f"{self.path}: point {row[0]} is there, but was never done; damaged")
        start, checksum = found
        try:
            left = as_text(int(checksum, 16) - hash_of(row))
        except (TypeError, ValueError) as error:
            raise SweepFailed(f"{self.path}: {checksum!r:.40} is no checksum; damaged") from error
        query = "UPDATE done SET rows = rows - 1, checksum = ? WHERE start = ?"
        self.connection.execute(query, (left, start))

    def _insert_done(self, start: int, stop: int, count: int, total: int) -> None:
        self.connection.execute(
            "INSERT INTO done VALUES (?, ?, ?, ?)", (start, stop, count, as_text(total))
        )

    def _reopen(self) -> None:
        """Make gaps of the points that ended in an error, in one short transaction."""
        self.gaps()  # refuses ranges that make no sense
        affected = self.connection.execute(
            "SELECT start, stop, rows, checksum FROM done WHERE EXISTS (SELECT 1 FROM results "
            "WHERE point >= start AND point < stop AND status = 'error')"
        ).fetchall()
        self.connection.execute("BEGIN IMMEDIATE")
        for start, stop, count, checksum in affected:
            inside = "point >= ? AND point < ?"
            rows = self.connection.execute(
                f"SELECT * FROM results WHERE {inside} ORDER BY point", (start, stop)
            ).fetchall()
            self._check_range(start, stop, (count, checksum), len(rows), total_of(rows))
            self.connection.execute("DELETE FROM done WHERE start = ?", (start,))
            self.connection.execute(
                f"DELETE FROM results WHERE {inside} AND status = 'error'", (start, stop)
            )
            good, begin = list[Row](), start
            for row in [*rows, None]:
                end = stop if row is None else row[0]
                if row is not None and row[7] != "error":
                    good.append(row)
                    continue
                if begin < end:
                    self._insert_done(begin, end, len(good), total_of(good))
                good, begin = [], end + 1
        self.connection.execute("DELETE FROM meta WHERE name = 'closed'")
        self.connection.execute("COMMIT")

    def commit(self) -> None:
        with plainly(self.path):
            if self.connection.in_transaction:
                self.connection.execute("COMMIT")

    def finish(self) -> dict[str, Any]:
        """Write the closing record, if nothing is missing or changed; one plain file is left."""
        self.commit()
        gaps = self.gaps()
        if gaps:
            raise SweepFailed(f"{self.path}: incomplete, points from {gaps[0][0]} on are missing")
        with plainly(self.path):
            database.check_whole(self.path, self.connection)
            record = self._check_rows().record()
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('closed', ?)",
                (json.dumps(record, sort_keys=True),),
            )
            self.connection.execute("COMMIT")
            database.fold(self.connection)
        return record

    def _check_rows(self) -> SweepClosing:
        """The closing record in the making, from rows that are what was once written."""
        closing, rows = self.closing(), self.rows()
        row = next(rows, None)
        for start, stop, count, checksum in self.connection.execute(
            "SELECT start, stop, rows, checksum FROM done ORDER BY start"
        ):
            found, total = 0, 0
            while row is not None and row[0] < stop:
                found, total = found + 1, total + closing.add(row)
                row = next(rows, None)
            self._check_range(start, stop, (count, checksum), found, total)
        if row is not None:
            raise SweepFailed(
                f"{self.path}: there is no point {row[0]}; move it away and run again"
            )
        return closing

    def _check_range(
        self, start: int, stop: int, written: tuple[int, str], found: int, total: int
    ) -> None:
        if written == (found, as_text(total)):
            return
        what = "these are not the rows that were written (damaged, or changed by another program)"
        if written[0] != found:
            what = f"{written[0]} rows were written, {found} are there"
        raise SweepFailed(
            f"{self.path}: points {start} to {stop - 1}: {what}; move it away and run again"
        )


def good(counts: dict[str, int]) -> bool:
    """Whether every point ended well."""
    return not set(counts) - set(GOOD)
