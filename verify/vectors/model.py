"""A test vector, and its one canonical form as text.

Parameters are doubles, written twice: in hexadecimal, which no reader can get wrong, and as the
shortest decimal that reads back as the same double. Results are decimals of 40 significant digits
rounded outwards, so that the true value lies in [lo, hi], and two doubles: nearest and upward.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.certified import Bound

FORMAT = 1
DIGITS = 40
QUANTITIES = ("log_a", "log_b", "rdp", "rdp_reverse")


@dataclass(frozen=True, slots=True)
class Expected:
    """The truth about one quantity at one point."""

    lo: str
    hi: str
    nearest: float
    up: float

    def bounds(self) -> tuple[Bound, Bound]:
        """The enclosure with exact ends.

        >>> Expected("0.5", "inf", math.inf, math.inf).bounds()
        (Fraction(1, 2), inf)
        """
        return _bound(self.lo), _bound(self.hi)


@dataclass(frozen=True, slots=True)
class Vector:
    """A point, what is true there, and why it was chosen."""

    id: str
    group: str
    q: float
    sigma: float
    alpha: float
    flags: tuple[str, ...]
    expected: dict[str, Expected]

    def __getitem__(self, quantity: str) -> Expected:
        return self.expected[quantity]


def to_json(vector: Vector) -> dict[str, Any]:
    """The vector as plain data, keys in canonical order."""
    return {
        "id": vector.id,
        "q": _number(vector.q),
        "sigma": _number(vector.sigma),
        "alpha": _number(vector.alpha),
        "flags": list(vector.flags),
        **{
            name: {
                "lo": value.lo,
                "hi": value.hi,
                "nearest": hex_text(value.nearest),
                "up": hex_text(value.up),
            }
            for name, value in vector.expected.items()
        },
    }


def from_json(group: str, data: dict[str, Any]) -> Vector:
    """The inverse of :func:`to_json`; the data must have passed the schema."""
    return Vector(
        data["id"],
        group,
        from_hex(data["q"]["hex"]),
        from_hex(data["sigma"]["hex"]),
        from_hex(data["alpha"]["hex"]),
        flags=tuple(data["flags"]),
        expected={
            name: Expected(
                data[name]["lo"],
                data[name]["hi"],
                from_hex(data[name]["nearest"]),
                from_hex(data[name]["up"]),
            )
            for name in QUANTITIES
        },
    )


def file_text(group: str, title: str, vectors: list[Vector]) -> str:
    """A group as its canonical file: a JSON document with one vector a line."""
    head = {
        "format": FORMAT,
        "license": "CC0-1.0",
        "group": group,
        "title": title,
        "count": len(vectors),
    }
    opening = compact(head)[:-1]
    lines = ",\n".join(compact(to_json(vector)) for vector in vectors)
    return f'{opening},"vectors":[\n{lines}\n]}}\n'


def compact(value: object) -> str:
    """JSON without spaces and without anything beyond ASCII: one text for one value."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _number(x: float) -> dict[str, str]:
    return {"hex": hex_text(x), "dec": repr(x)}


def hex_text(x: float) -> str:
    """A double in hexadecimal, or "inf".

    >>> hex_text(0.5), hex_text(math.inf)
    ('0x1.0000000000000p-1', 'inf')
    """
    return "inf" if x == math.inf else x.hex()


def from_hex(text: str) -> float:
    """The double that :func:`hex_text` wrote."""
    return math.inf if text == "inf" else float.fromhex(text)


def _bound(text: str) -> Bound:
    return math.inf if text == "inf" else Fraction(text)
