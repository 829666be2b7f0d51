"""Compute published vectors again and compare, string by string."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from verify.parallel import each
from verify.results.vectors import QUANTITIES, Vector
from verify.vectors.generate import certified_vector
from verify.vectors.grid import Site


@dataclass(frozen=True, slots=True)
class Difference:
    """A published number that a fresh computation does not reproduce."""

    id: str
    quantity: str
    published: str
    recomputed: str


class Identified(Protocol):
    """A vector of a step or of a run."""

    @property
    def id(self) -> str: ...


Published = TypeVar("Published", bound=Identified)


def sample(vectors: tuple[Published, ...], count: int, seed: int) -> tuple[Published, ...]:
    """That many vectors, chosen by a hash of seed and id: the same on every machine."""

    def key(vector: Published) -> bytes:
        return hashlib.sha256(f"{seed}/{vector.id}".encode()).digest()

    return tuple(sorted(vectors, key=key)[:count])


def differences(vectors: Iterable[Vector], jobs: int = 1) -> Iterator[list[Difference]]:
    """For each vector in turn, what differs (nothing, if all is well)."""
    return each(compare, vectors, jobs)


def compare(vector: Vector) -> list[Difference]:
    """Compare a fresh computation of the certified engine with what was published."""
    site = Site(vector.group, vector.q, vector.sigma, vector.alpha, vector.flags)
    fresh = certified_vector(site)
    found = [
        Difference(vector.id, name, str(vector[name]), str(fresh[name]))
        for name in QUANTITIES
        if vector[name] != fresh[name]
    ]
    if vector.id != site.id:
        found.append(Difference(vector.id, "id", vector.id, site.id))
    if set(fresh.flags) != set(vector.flags):
        found.append(Difference(vector.id, "flags", str(vector.flags), str(fresh.flags)))
    return found
