"""The published test vectors: a file of a group, the manifest, and who confirmed the numbers.

Parameters are doubles, written twice: in hexadecimal, which no reader can get wrong, and as the
shortest decimal that reads back as the same double. Results are decimals of 40 significant digits
rounded outwards, so that the true value lies in [lo, hi], and two doubles: nearest and upward, each
in both notations as well.

These files are published (CC0), without a closing record each: the manifest is one for all of them, it is
written last, and has their digests. Format 2 has the doubles as decimals, too; without those it is
format 1 to the byte.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, field

from verify.numbers.certified import Bound
from verify.results.document import Part

DIGITS: Final = 40
QUANTITIES = ("log_a", "log_b", "rdp", "rdp_reverse")

Hex = Annotated[
    str,
    Meta(
        description="a double in hexadecimal, or inf",
        pattern=r"^(inf|0x[01]\.[0-9a-f]{13}p[+-](0|[1-9][0-9]{0,3})|0x0\.0p\+0)$",
    ),
]
Decimal = Annotated[
    str,
    Meta(
        description="a decimal of at most 40 significant digits, or inf; lo is rounded down, hi up",
        max_length=60,
        pattern=r"^(0|inf|-?[0-9]+(\.[0-9]+)?(e[+-][0-9]{2,})?)$",
    ),
]
Shortest = Annotated[
    str, Meta(max_length=40, pattern=r"^(inf|[0-9]+(\.[0-9]+)?(e[+-][0-9]{2,3})?)$")
]
Id = Annotated[
    str,
    Meta(pattern="^[a-z-]+/q=[0-9.e-]+,sigma=[0-9.e+-]+,alpha=([0-9.e+-]+|inf)$", max_length=120),
]
Flags = Annotated[
    tuple[Annotated[str, Meta(pattern="^[A-Z][A-Za-z]+$")], ...],
    Meta(min_length=1, extra_json_schema={"uniqueItems": True}),
]
Some = Annotated[int, Meta(ge=1)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Number(Part, frozen=True):
    """An exact double, in hexadecimal and as the shortest decimal that reads back."""

    hex: Hex
    dec: Shortest

    def __post_init__(self) -> None:
        if self.dec != repr(self.value):
            raise ValueError(f"{self.dec} is not the shortest decimal of {self.hex}")

    @classmethod
    def of(cls, x: float) -> Number:
        """The double in both notations.

        >>> Number.of(0.5)
        Number(hex='0x1.0000000000000p-1', dec='0.5')
        """
        return cls(hex_text(x), repr(x))

    @property
    def value(self) -> float:
        return from_hex(self.hex)


class Expected(Part, frozen=True):
    """The truth about one quantity at one point: it lies in [lo, hi]."""

    lo: Decimal
    hi: Decimal
    nearest_hex: Hex = field(name="nearest")
    up_hex: Hex = field(name="up")
    nearest_dec: Shortest
    up_dec: Shortest

    def __post_init__(self) -> None:
        for dec, x in ((self.nearest_dec, self.nearest), (self.up_dec, self.up)):
            if dec != repr(x):
                raise ValueError(f"{dec} is not the shortest decimal of {x.hex()}")

    @classmethod
    def of(cls, lo: str, hi: str, nearest: float, up: float) -> Expected:
        return cls(lo, hi, hex_text(nearest), hex_text(up), repr(nearest), repr(up))

    @property
    def nearest(self) -> float:
        return from_hex(self.nearest_hex)

    @property
    def up(self) -> float:
        return from_hex(self.up_hex)

    def bounds(self) -> tuple[Bound, Bound]:
        """The enclosure with exact ends.

        >>> Expected.of("0.5", "inf", math.inf, math.inf).bounds()
        (Fraction(1, 2), inf)
        """
        return _parse_bound(self.lo), _parse_bound(self.hi)


class Vector(Part, frozen=True):
    """A point, what is true there, and why it was chosen."""

    id: Id
    q_number: Number = field(name="q")
    sigma_number: Number = field(name="sigma")
    alpha_number: Number = field(name="alpha")
    flags: Flags
    log_a: Expected
    log_b: Expected
    rdp: Expected
    rdp_reverse: Expected

    def __post_init__(self) -> None:
        if len(set(self.flags)) != len(self.flags):
            raise ValueError("a flag occurs twice")

    @property
    def group(self) -> str:
        return self.id.partition("/")[0]

    @property
    def q(self) -> float:
        return self.q_number.value

    @property
    def sigma(self) -> float:
        return self.sigma_number.value

    @property
    def alpha(self) -> float:
        return self.alpha_number.value

    def __getitem__(self, quantity: str) -> Expected:
        if quantity not in QUANTITIES:
            raise KeyError(quantity)
        expected: Expected = getattr(self, quantity)
        return expected


class GroupFile(Part, frozen=True):
    """The file of a group: one vector a line."""

    format: Literal[2]
    license: Literal["CC0-1.0"]
    group: Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$")]
    title: str
    count: Some
    vectors: Annotated[tuple[Vector, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if self.count != len(self.vectors):
            raise ValueError(f"{len(self.vectors)} vectors, and a count of {self.count}")
        if any(vector.group != self.group for vector in self.vectors):
            raise ValueError("a vector's id names another group")


class Entry(Part, frozen=True):
    """A file that is published."""

    name: str
    sha256: Digest
    bytes: Some
    vectors: Some


class Flag(Part, frozen=True):
    """A kind of vector, with the mistake it is there to catch."""

    name: str
    mistake: str
    looks_like: str


class VectorsManifest(Part, frozen=True):
    """What is published: files with their digests, and the notes of the flags."""

    format: Literal[2]
    license: Literal["CC0-1.0"]
    digits: Literal[40]
    quantities: tuple[str, ...]
    files: tuple[Entry, ...]
    flags: tuple[Flag, ...]


class Witnesses(Part, frozen=True):
    """Engines that confirmed the numbers of each direction: ln A and rdp, ln B and rdp_reverse."""

    a: tuple[str, ...]
    b: tuple[str, ...]


class Confirmed(Part, frozen=True):
    """Who confirmed what: the usual engines, and the ids where it was others."""

    format: Literal[2]
    vectors: int
    usual: Witnesses
    others: dict[str, Witnesses]


def as_text(whole: Part) -> str:
    """The file: JSON without spaces, ASCII only, but lists and tables of parts have one part a line.

    One text for one value.
    """
    fields = zip(whole.__struct_encode_fields__, whole.__struct_fields__, strict=True)
    body = ",".join(f'"{name}":{_laid_out(getattr(whole, field))}' for name, field in fields)
    return f"{{{body}}}\n"


def _laid_out(value: Any) -> str:
    if isinstance(value, dict):
        rows = ",\n".join(f"{compact(key)}:{compact(part)}" for key, part in value.items())
        return f"{{\n{rows}\n}}"
    if isinstance(value, tuple) and all(isinstance(part, Part) for part in value):
        rows = ",\n".join(map(compact, value))
        return f"[\n{rows}\n]"
    return compact(value)


def compact(value: object) -> str:
    """JSON without spaces and without anything beyond ASCII."""
    return msgspec.json.encode(value).decode("ascii")


def hex_text(x: float) -> str:
    """A double in hexadecimal, or "inf".

    >>> hex_text(0.5), hex_text(math.inf)
    ('0x1.0000000000000p-1', 'inf')
    """
    return "inf" if x == math.inf else x.hex()


def from_hex(text: str) -> float:
    """The double that :func:`hex_text` wrote."""
    return math.inf if text == "inf" else float.fromhex(text)


def _parse_bound(text: str) -> Bound:
    return math.inf if text == "inf" else Fraction(text)
