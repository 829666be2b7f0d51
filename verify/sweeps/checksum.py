"""Checksums of rows: against damage and slips, not against forgers (there is no key).

A row is written out value by value, by the kind of its column, and hashed with SHA-256:

    -         nothing (NULL)
    i7        a whole number
    d0x1.8p+0 a double, in hexadecimal
    t5:value  text: how many bytes of UTF-8, and those bytes
    b0aff     bytes, which no sweep writes: somebody else did

A range of rows has the sum of their hashes modulo 2^256, to which rows are added, and from which they
are taken away, in any order. A finished file has one SHA-256 of the hashes of its rows in their order,
and then of what is said about them (:class:`Closing`).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from verify.sweeps.work import Row

MODULUS = 2**256


def row_bytes(row: Row, kinds: Sequence[str]) -> bytes:
    """The same bytes for a row before it is written and after it was read.

    >>> row_bytes((7, 1.5, None, "value"), ["INTEGER", "REAL", "REAL", "TEXT"])
    b'i7,d0x1.8000000000000p+0,-,t5:value'
    """
    return b",".join([_value_bytes(value, kind) for value, kind in zip(row, kinds, strict=True)])


def _value_bytes(value: Any, kind: str) -> bytes:
    """One value, as SQLite will give it back.

    SQLite keeps NaN as NULL, -0.0 as 0.0, and a whole number in a column of doubles as a double.

    >>> [_value_bytes(x, "REAL") for x in (float("nan"), -0.0, 1, "1.0")]
    [b'-', b'd0x0.0p+0', b'd0x1.0000000000000p+0', b't3:1.0']
    """
    if value is None:
        return b"-"
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogatepass")
        return b"t%d:%b" % (len(text), text)
    if isinstance(value, bytes):
        return b"b" + value.hex().encode()
    if kind == "REAL":
        double = float(value) + 0.0
        return b"-" if math.isnan(double) else b"d" + double.hex().encode()
    return b"i%d" % value if isinstance(value, int) else b"d" + value.hex().encode()


def row_hash(row: Row, kinds: Sequence[str]) -> bytes:
    return hashlib.sha256(row_bytes(row, kinds)).digest()


def number(found: bytes) -> int:
    """A hash, to be summed."""
    return int.from_bytes(found, "big")


def as_text(total: int) -> str:
    """A sum of hashes as 64 hexadecimal digits."""
    return f"{total % MODULUS:064x}"


class Closing:
    """The closing record of a file, from its rows in their order."""

    def __init__(
        self, about: dict[str, Any], points: int, columns: Sequence[Sequence[str]]
    ) -> None:
        self.about, self.points = about, points
        self.columns = [list(column) for column in columns]
        self.kinds = [kind for _, kind in columns]
        self.counts: Counter[str] = Counter()
        self.rows = 0
        self._status = [name for name, _ in columns].index("status")
        self._total = hashlib.sha256()

    def add(self, row: Row) -> int:
        """Take in the next row; its hash."""
        found = row_hash(row, self.kinds)
        self._total.update(found)
        self.counts[row[self._status]] += 1
        self.rows += 1
        return number(found)

    def record(self) -> dict[str, Any]:
        """Counts, and a digest of rows, counts, columns, spec, program and format."""
        said = {
            "points": self.points, "rows": self.rows, "counts": dict(sorted(self.counts.items())),
        }  # fmt: skip
        everything = {**said, "columns": self.columns, **self.about}
        total = self._total.copy()
        total.update(json.dumps(everything, sort_keys=True, separators=(",", ":")).encode())
        return {**said, "sha256": total.hexdigest()}
