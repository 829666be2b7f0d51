"""Compute published vectors of whole runs again and compare, string by string."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verify.parallel import each
from verify.results.run_vectors import RunVector
from verify.vectors.recompute import Difference
from verify.vectors.whole.generate import answer_site
from verify.vectors.whole.grid import RunSite


def run_differences(vectors: Iterable[RunVector], jobs: int = 1) -> Iterator[list[Difference]]:
    """For each vector in turn, what differs (nothing, if all is well)."""
    return each(compare_run, vectors, jobs)


def compare_run(vector: RunVector) -> list[Difference]:
    """The certified engine's word against what was published."""
    group, name, _ = vector.id.split("/")
    site = RunSite(
        group, name, vector.quantity, vector.phases, vector.delta, vector.epsilon,
        sampling=vector.sampling, relation=vector.relation,
    )  # fmt: skip
    fresh = answer_site(site)
    pairs = {
        what: (getattr(vector, what), getattr(fresh, what))
        for what in ("id", "value", "remove", "add")
    }
    found = [
        Difference(vector.id, what, str(old), str(new))
        for what, (old, new) in pairs.items()
        if old != new
    ]
    if missing := set(fresh.flags) - {"Random"} - set(vector.flags):
        found.append(Difference(vector.id, "flags", str(vector.flags), f"and {sorted(missing)}"))
    return found
