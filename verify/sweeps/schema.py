"""What a file of results looks like, and whose it is: its format, its spec, its program."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from verify.numbers.errors import OutOfDomain
from verify.parallel.programs import programs
from verify.sweeps.database import TABLES, NotASweep, hint, meta, tables
from verify.sweeps.spec import Spec

FORMAT = "sgm-verify sweep 3"
JOURNALS = ("wal", "rollback")
_FIXED = (
    "point INTEGER PRIMARY KEY", "q REAL", "sigma REAL", "alpha REAL", "q_exact TEXT NOT NULL",
    "sigma_exact TEXT NOT NULL", "alpha_exact TEXT NOT NULL", "status TEXT NOT NULL",
    "note TEXT NOT NULL",
)  # fmt: skip
FIXED = tuple((column.split()[0], column.split()[1]) for column in _FIXED)
_PAGES = 16_384  # of the log, before they are moved into the file: 64 MB


def set_journal(connection: sqlite3.Connection, journal: str) -> None:
    wal = journal == "wal"
    connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if wal else 'FULL'}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")


def create(connection: sqlite3.Connection, spec: Spec) -> None:
    more = [f"{name} {kind}" for name, kind in spec.computation.columns]
    columns = ", ".join([*_FIXED, *more, "UNIQUE (q_exact, sigma_exact, alpha_exact)"])
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute(f"CREATE TABLE results ({columns})")
    connection.execute(
        "CREATE TABLE done (start INTEGER PRIMARY KEY, stop INTEGER NOT NULL, "
        "rows INTEGER NOT NULL, checksum TEXT NOT NULL)"
    )
    said = {"format": FORMAT, "spec": spec.text, "digest": spec.digest, "made by": programs()}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", said.items())
    connection.execute("COMMIT")


def check_format(path: Path, connection: sqlite3.Connection) -> None:
    found = meta(connection, "format") if tables(connection) == TABLES else None
    if found is None or not found.startswith("sgm-verify sweep "):
        raise NotASweep(f"{path}: not a file of {FORMAT!r}{hint(path)}")
    if found != FORMAT:
        raise NotASweep(
            f"{path}: is a file of {found!r:.40}, by {meta(connection, 'made by')}; this program has "
            f"{FORMAT!r}: use that one, or give another --out"
        )


def check_spec(path: Path, connection: sqlite3.Connection, spec: Spec) -> None:
    begun = meta(connection, "spec") or "{}"
    if begun != spec.text:
        raise OutOfDomain(
            f"{path}: was begun with another spec ({_difference(begun, spec.text)}); "
            "finish it with that one, or give another --out"
        )


def check_program(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse to write into a file that another version of the program has begun: its rows would be
    attributed to the wrong version."""
    program = meta(connection, "made by")
    if program != programs():
        raise OutOfDomain(
            f"{path}: was begun by {program}, this is {programs()}; "
            "finish it with that one, or give another --out"
        )


def _difference(old: str, new: str) -> str:
    """The first thing in which two specs differ."""
    try:
        before, now = json.loads(old), json.loads(new)
    except ValueError:
        return "which cannot be read"
    for part in ("compute", "doubles", "points"):
        if before.get(part) != now.get(part):
            was, is_ = json.dumps(before.get(part)), json.dumps(now.get(part))
            return f"{part} was {was:.120}, is {is_:.120}"
    return "unknown difference"
