"""How long it takes to find out each accountant that cheats, and that healthy ones pass: the judge's own table."""

from __future__ import annotations

import dataclasses
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verify.judge.protocol.harness import Harness
from verify.judge.protocol.session import Extent
from verify.judge.runs import draws, runs
from verify.judge.runs.checking import USUAL, RunExamination, RunRequest, check
from verify.judge.runs.panel import Accountant, program
from verify.judge.runs.promises import Promise
from verify.judge.runs.record import summary
from verify.judge.selftest.accountants.__main__ import HEALTHY
from verify.judge.selftest.accountants.more import REGISTRY

_PART = 50  # questions
_NOTHING_TWICE = Extent(USUAL.fresh, calls=0, age=0.0, busy=0.0)


@dataclass(frozen=True, slots=True)
class FoundOutAccountant:
    """An accountant, whether it must pass, and what its check found."""

    name: str
    healthy: bool
    examined: RunExamination
    seconds: float

    @property
    def as_expected(self) -> bool:
        return self.examined.found.conforms if self.healthy else self.examined.found.exit_code == 1

    def as_dict(self) -> dict[str, object]:
        """For ``--json``, a line each."""
        return {
            "name": self.name,
            "healthy": self.healthy,
            "as_expected": self.as_expected,
            "conforms": self.examined.found.conforms,
            "seconds": round(self.seconds, 1),
            "summary": summary(self.examined),
        }

    def __str__(self) -> str:
        word = "accepted" if self.examined.found.conforms else "found out"
        mark = "" if self.as_expected else "  <- WRONG"
        counts = ", ".join(f"{n} {r}" for r, n in self.examined.found.counts.items() if n)
        broken = len(self.examined.found.violations)
        more = f", {broken} not repeatable" if broken else ""
        return f"{self.name:<32}{word} after {self.seconds:.1f} s ({counts}{more}){mark}"


def request(seed: int) -> RunRequest:
    """What a check asks by default."""
    points = (*runs.always(), *runs.published_questions())
    return RunRequest(points=points, drawn=draws.draw_questions(seed, USUAL.fresh), seed=seed)


def lines(seed: int, names: Iterable[str] = (*HEALTHY, *REGISTRY)) -> Iterator[FoundOutAccountant]:
    """The default check of each, which ends with the first failure of a part; who passes is then
    asked again and again, as by default."""
    whole = request(seed)
    parts = _parts(whole)
    for name in names:
        begin = time.monotonic()
        examined = next((e for e in _examine_parts(name, parts) if not e.found.conforms), None)
        if examined is None or name in HEALTHY:
            examined = examine(name, whole)
        yield FoundOutAccountant(name, name in HEALTHY, examined, time.monotonic() - begin)


def _parts(whole: RunRequest) -> list[RunRequest]:
    """All questions once, in the order of a seed, by fifties."""
    points = [*whole.points, *whole.drawn.points]
    random.Random(whole.seed).shuffle(points)
    return [
        dataclasses.replace(whole, points=tuple(points[k : k + _PART]), drawn=draws.DrawnRuns(), plan=_NOTHING_TWICE)
        for k in range(0, len(points), _PART)
    ]  # fmt: skip


def _examine_parts(name: str, parts: list[RunRequest]) -> Iterator[RunExamination]:
    """One process, part after part; a healthy one is not asked in parts."""
    if name in HEALTHY:
        return
    accountant = _accountant(name)
    with Harness(list(accountant.command), seed=parts[0].seed) as harness:
        for part in parts:
            yield check(accountant, harness, part)


def _accountant(name: str) -> Accountant:
    return program(f"{sys.executable} -m verify.judge.selftest.accountants {name}", Promise.UPPER)


def examine(name: str, asked: RunRequest) -> RunExamination:
    """A whole check of one of them."""
    accountant = _accountant(name)
    with Harness(list(accountant.command), seed=asked.seed) as harness:
        return check(accountant, harness, asked)
