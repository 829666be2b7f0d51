"""Checksums of rows: against damage and slips, not against forgers (there is no key).

A row is written out as bytes, big-endian, and hashed with SHA-256: its whole numbers (8 bytes each), its
doubles (8 bytes; NULL as NaN, which SQLite does not keep), the lengths of its texts in UTF-8 (4 bytes; -1
for NULL), and these texts, each in the order of the columns. A row with anything else in it was not
written by a sweep: it is a question mark and JSON.

A range of rows has the sum of their hashes modulo 2^256, to which rows are added, and from which they
are taken away, in any order. A finished file has one SHA-256 of the hashes of its rows in their order,
and then of what is said about them (:class:`SweepClosing`).
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from verify.sweeps.work import Row

MODULUS = 2**256


def row_bytes(row: Row, kinds: tuple[str, ...]) -> bytes:
    """The same bytes for a row before it is written and after it was read.

    SQLite gives back -0.0 as 0.0, and a whole number in a column of doubles as a double.

    >>> row_bytes((7, 1.5, None, "text"), ("INTEGER", "REAL", "REAL", "TEXT")).hex(" ", 8)
    '0000000000000007 3ff8000000000000 7ff8000000000000 0000000474657874'
    """
    whole, doubles, texts, pack = _layout(kinds)
    try:
        numbers = [math.nan if x is None or x != x else x + 0.0 for x in [row[i] for i in doubles]]
        words = [b"" if x is None else x.encode() for x in [row[i] for i in texts]]
        lengths = list(map(len, words))
        if None in row:
            lengths = [-1 if row[i] is None else n for i, n in zip(texts, lengths, strict=True)]
        return pack(*[row[i] for i in whole], *numbers, *lengths) + b"".join(words)
    except (TypeError, AttributeError, struct.error):
        return b"?" + json.dumps(row, default=repr).encode()


@lru_cache(maxsize=8)
def _layout(kinds: tuple[str, ...]) -> tuple[list[int], list[int], list[int], Callable[..., bytes]]:
    """Where the three kinds of values stand in a row, and how their fixed part is packed."""
    whole, doubles, texts = (
        [index for index, kind in enumerate(kinds) if kind == wanted]
        for wanted in ("INTEGER", "REAL", "TEXT")
    )
    form = struct.Struct(f">{len(whole)}q{len(doubles)}d{len(texts)}i")
    return whole, doubles, texts, form.pack


def row_hash(row: Row, kinds: tuple[str, ...]) -> bytes:
    return hashlib.sha256(row_bytes(row, kinds)).digest()


def number(found: bytes) -> int:
    """A hash, to be summed."""
    return int.from_bytes(found, "big")


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
        self.kinds = tuple(kind for _, kind in columns)
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
