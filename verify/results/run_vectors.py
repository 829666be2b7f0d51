"""The published test vectors of whole runs: one question a vector, with the answer in both directions.

Numbers are written as in the vectors of single steps (``verify.results.vectors``): parameters as
doubles in hexadecimal and as the shortest decimal, results as an interval of decimals (20
significant digits, rounded outwards) with its nearest and upward double.
"""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, field

from verify.results.document import Part
from verify.results.vectors import Digest, Expected, Flag, Flags, Number, Some

DIGITS: Final = 20
RunQuantity = Literal["epsilon", "delta", "sigma"]
Relation = Literal["add/remove", "zero-out", "replace-one"]
Sampling = Literal[
    "poisson",
    "fixed-size",
    "allocation",
    "shuffle",
    "shuffle-once",
    "sequential",
    "truncated-poisson",
]
SAMPLINGS: Final = get_args(Sampling)
RELATIONS: Final = get_args(Relation)
RunId = Annotated[
    str,
    Meta(pattern="^[a-z-]+/[a-z0-9.,+-]+/(epsilon|delta|sigma)@[0-9a-z.,=+-]+$", max_length=160),
]


class VectorPhase(Part, frozen=True):
    """So many steps; sigma is null where the noise is what is asked for."""

    q_number: Number = field(name="q")
    sigma_number: Number | None = field(name="sigma")
    steps: Some

    @property
    def q(self) -> float:
        return self.q_number.value

    @property
    def sigma(self) -> float:
        """The noise; nan if it is what is asked for."""
        return math.nan if self.sigma_number is None else self.sigma_number.value


class RunVector(Part, frozen=True):
    """A question about a run, and what is true.

    ``value`` is the answer, the larger of both directions; ``remove`` and ``add`` are those of each
    direction, where a direction has one of its own (sigma has none).
    """

    id: RunId
    quantity: RunQuantity
    sampling: Sampling
    relation: Relation
    history: Annotated[tuple[VectorPhase, ...], Meta(min_length=1, max_length=20)]
    delta_number: Number | None = field(name="delta")
    epsilon_number: Number | None = field(name="epsilon")
    flags: Flags
    value: Expected
    remove: Expected | None
    add: Expected | None

    def __post_init__(self) -> None:
        given = {
            "epsilon": (True, False),
            "delta": (False, True),
            "sigma": (True, True),
        }[self.quantity]
        if given != (self.delta_number is not None, self.epsilon_number is not None):
            raise ValueError(f"{self.quantity} is asked at other numbers")
        asked = self.quantity == "sigma"
        if any((phase.sigma_number is None) != asked for phase in self.history):
            raise ValueError("sigma is null where it is asked for, and nowhere else")
        if len(set(self.flags)) != len(self.flags):
            raise ValueError("a flag occurs twice")

    @property
    def group(self) -> str:
        return self.id.partition("/")[0]

    @property
    def delta(self) -> float | None:
        return None if self.delta_number is None else self.delta_number.value

    @property
    def epsilon(self) -> float | None:
        return None if self.epsilon_number is None else self.epsilon_number.value

    @property
    def phases(self) -> tuple[tuple[float, float, int], ...]:
        """(q, sigma, steps) of each phase."""
        return tuple((phase.q, phase.sigma, phase.steps) for phase in self.history)


class RunFile(Part, frozen=True):
    """All vectors of whole runs, one a line."""

    format: Literal[1]
    license: Literal["CC0-1.0"]
    title: str
    count: Some
    vectors: Annotated[tuple[RunVector, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if self.count != len(self.vectors):
            raise ValueError(f"{len(self.vectors)} vectors, and a count of {self.count}")


class RunManifest(Part, frozen=True):
    """The file with its digest, and the notes of the flags."""

    format: Literal[1]
    license: Literal["CC0-1.0"]
    digits: Literal[20]
    name: str
    sha256: Digest
    bytes: Some
    vectors: Some
    flags: tuple[Flag, ...]
