"""Checksums of rows: against damage and slips, not against forgers (there is no key).

A row is written out as MessagePack (an array: whole numbers, doubles, texts, nil for NULL) and hashed with
SHA-256. A range of rows has the sum of their hashes modulo 2^256, to which rows are added, and from which
they are taken away, in any order. A finished file has one SHA-256 of the hashes of its rows in their order,
and then of what is said about them (:class:`SweepClosing`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from verify.sweeps.work import Row

MODULUS = 2**256
_packed = msgspec.msgpack.Encoder().encode


def row_hash(row: Row) -> bytes:
    """The same for a row before it is written and after it was read (:func:`verify.sweeps.work.as_kept`).

    >>> _packed((7, 1.5, None, "text")).hex(" ", -2)
    '9407 cb3f f800 0000 0000 00c0 a474 6578 74'
    """
    return hashlib.sha256(_packed(row)).digest()


def hash_of(row: Row) -> int:
    """A row's hash as a number, to be summed."""
    return int.from_bytes(row_hash(row), "big")


def total_of(rows: Iterable[Row]) -> int:
    """The sum of the hashes of rows; written modulo 2^256."""
    return sum(map(hash_of, rows))


def as_text(total: int) -> str:
    """A sum of hashes as 64 hexadecimal digits."""
    return f"{total % MODULUS:064x}"


class SweepClosing:
    """The closing record of a file, from its rows in their order."""

    def __init__(
        self, about: dict[str, Any], points: int, columns: Sequence[Sequence[str]]
    ) -> None:
        self.about, self.points = about, points
        self.columns = [list(column) for column in columns]
        self.counts: Counter[str] = Counter()
        self.rows = 0
        self._status = [name for name, _ in columns].index("status")
        self._total = hashlib.sha256()

    def add(self, row: Row) -> int:
        """Take in the next row; its hash."""
        found = row_hash(row)
        self._total.update(found)
        self.counts[str(row[self._status])] += 1  # anything, where the file is damaged
        self.rows += 1
        return int.from_bytes(found, "big")

    def record(self) -> dict[str, Any]:
        """Counts, and a digest of rows, counts, columns, spec, program and format."""
        said = {
            "points": self.points, "rows": self.rows, "counts": dict(sorted(self.counts.items())),
        }  # fmt: skip
        everything = {**said, "columns": self.columns, **self.about}
        total = self._total.copy()
        total.update(json.dumps(everything, sort_keys=True, separators=(",", ":")).encode())
        return {**said, "sha256": total.hexdigest()}
