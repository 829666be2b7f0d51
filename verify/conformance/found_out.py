"""How long it takes to find out each program that cheats: the judge's own table."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from verify.conformance.cheats import REGISTRY
from verify.conformance.checking import Request, check
from verify.conformance.effect import FLAG
from verify.conformance.harness import Harness
from verify.conformance.judged import Case, Judged


@dataclass(frozen=True, slots=True)
class FoundOut:
    """A program, whether it conforms, what gave it away, and seconds from start to verdict."""

    name: str
    found: Judged
    seconds: float

    @property
    def found_out(self) -> bool:
        return self.found.answered and not self.found.conforms

    def __str__(self) -> str:
        word = "found out" if self.found_out else "NOT FOUND OUT"
        return f"{self.name:<26}{word} after {self.seconds:5.1f} s: {given_away(self.found)}"


def given_away(found: Judged) -> str:
    """By what: failing points by their kind, and properties."""
    groups = Counter(map(_kind, found.failures))
    broken = {f"not {name}": n for name, n in found.by_property().items() if n}
    return ", ".join(f"{n} {what}" for what, n in {**groups, **broken}.items()) or "nothing"


def _kind(case: Case) -> str:
    named = {"Fresh": "fresh points", FLAG: "points of training runs"}
    return next((words for flag, words in named.items() if flag in case.flags), "vectors")


def lines(request: Request) -> Iterator[FoundOut]:
    """The whole default check of each, one after the other."""
    request = dataclasses.replace(request, shrink=0.0)
    for name in REGISTRY:
        begin = time.monotonic()
        command = [sys.executable, "-m", "verify.conformance.cheats", name]
        with Harness(command, seed=request.seed) as harness:
            found = check(harness, request).found
        yield FoundOut(name, found, time.monotonic() - begin)
