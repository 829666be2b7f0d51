"""Checksums of rows: against damage and slips, not against forgers (there is no key).

A row is written out as JSON, an array in ASCII without spaces, and hashed with SHA-256. A double has the
fewest digits that give it back, and always a point or an exponent, which tells it from a whole number;
nothing (NULL) is null; bytes, which no sweep writes, are {"bytes": hexadecimal}.

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
from functools import lru_cache
from types import NoneType
from typing import Any

from verify.sweeps.work import Row

MODULUS = 2**256


_encode = json.JSONEncoder(separators=(",", ":")).encode


def row_bytes(row: Row, kinds: tuple[str, ...]) -> bytes:
    """The same bytes for a row before it is written and after it was read.

    >>> row_bytes((7, 1.5, None, "value"), ("INTEGER", "REAL", "REAL", "TEXT"))
    b'[7,1.5,null,"value"]'
    """
    if _are_plain(tuple(map(type, row)), kinds):
        text = _encode(row)
        if "NaN" not in text and "-0.0" not in text:  # otherwise perhaps in a text: no matter
            return text.encode()
    return _encode([_kept(value, kind) for value, kind in zip(row, kinds, strict=True)]).encode()


@lru_cache(maxsize=1024)
def _are_plain(types: tuple[type, ...], kinds: tuple[str, ...]) -> bool:
    """Whether values of these types come back from SQLite as they are, but for NaN and -0.0."""
    right = {"INTEGER": int, "REAL": float, "TEXT": str}
    return all(
        one in (right[kind], NoneType) for one, kind in zip(types, kinds, strict=True)
    )  # fmt: skip


def _kept(value: Any, kind: str) -> Any:
    """A value as SQLite gives it back: NaN as NULL, -0.0 as 0.0, a whole number among doubles as one.

    >>> [_kept(x, "REAL") for x in (float("nan"), -0.0, 1, "1.0", b"no")]
    [None, 0.0, 1.0, '1.0', {'bytes': '6e6f'}]
    """
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, float) or (kind == "REAL" and isinstance(value, int)):
        return None if math.isnan(value) else float(value) + 0.0
    return value


def row_hash(row: Row, kinds: tuple[str, ...]) -> bytes:
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
