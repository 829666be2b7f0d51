"""How long it takes to find out each program that cheats: the judge's own table."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from verify.judge.check.checking import Request, check
from verify.judge.protocol.harness import Harness
from verify.judge.selftest.cheats import REGISTRY
from verify.judge.verdict.effect import FLAG
from verify.judge.verdict.judged import Case, Judged


@dataclass(frozen=True, slots=True)
class FoundOut:
    """A program, whether it conforms, what gave it away, and seconds from start to verdict."""

    name: str
    found: Judged
    seconds: float

    @property
    def found_out(self) -> bool:
        return self.found.answered and not self.found.conforms

    def as_dict(self) -> dict[str, object]:
        """For ``--json``."""
        return {
            "name": self.name,
            "found_out": self.found_out,
            "seconds": round(self.seconds, 1),
            "by": given_away(self.found),
        }

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
        command = [sys.executable, "-m", "verify.judge.selftest.cheats", name]
        with Harness(command, seed=request.seed) as harness:
            found = check(harness, request).found
        yield FoundOut(name, found, time.monotonic() - begin)
