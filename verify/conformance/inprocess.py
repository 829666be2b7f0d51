"""Judge a Python function directly, for test suites: no processes, and a list of known failures.

The skip list is a TOML file that somebody answers for:

    [[skip]]
    id = "near-one/q=0.01,sigma=1.1,alpha=1.0"   # or: flag = "OrderOne"
    owner = "ada"
    reason = "order 1 is refused by design"

A skip that no longer hides a failure is an error, as is one that names nothing.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from verify.conformance.judged import Case, Judged, judged
from verify.conformance.question import Answer, printable
from verify.conformance.render import case_lines, where
from verify.errors import SgmError
from verify.results.vectors import Vector

Implementation = Callable[[float, float, float], float]
_SHOWN = 5


class BadSkipList(SgmError):
    """The list of known failures cannot be read, or lists something that does not exist."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A known failure: a vector or a flag, with who answers for it and why."""

    owner: str
    reason: str
    id: str = ""
    flag: str = ""

    def covers(self, vector: Vector | Case) -> bool:
        return vector.id == self.id if self.id else self.flag in vector.flags

    def __str__(self) -> str:
        return f"{self.id or self.flag} ({self.owner}: {self.reason})"


def read_skips(path: Path, known: Iterable[Vector]) -> list[Skip]:
    """The skips in a file, each complete and each naming something that exists."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadSkipList(f"{path}: {error}") from error
    entries = data.get("skip", [])
    if set(data) - {"skip"} or not isinstance(entries, list):
        raise BadSkipList(f"{path}: only [[skip]] tables belong here")
    ids = {vector.id for vector in known}
    flags = {flag for vector in known for flag in vector.flags}
    skips = []
    for entry in entries:
        if not all(isinstance(value, str) and value.strip() for value in entry.values()):
            raise BadSkipList(f"{path}: {entry}: every value is a text that is not empty")
        if set(entry) not in ({"id", "owner", "reason"}, {"flag", "owner", "reason"}):
            raise BadSkipList(f"{path}: {entry}: needs owner, reason, and either id or flag")
        if (
            entry.get("id", next(iter(ids))) not in ids
            or entry.get("flag", next(iter(flags))) not in flags
        ):
            raise BadSkipList(f"{path}: {entry}: no such vector or flag")
        skips.append(Skip(**entry))
    return skips


def ask(function: Implementation, vectors: Iterable[Vector]) -> dict[str, Answer]:
    """Call the function at every vector; an exception is an answer, too."""
    answers = {}
    for vector in vectors:
        begin = time.perf_counter()
        try:
            value = float(function(vector.q, vector.sigma, vector.alpha))
            answer = Answer("value", value, seconds=time.perf_counter() - begin)
        except Exception as error:  # noqa: BLE001  # whatever the function under test raises
            answer = Answer("error", detail=printable(f"{type(error).__name__}: {error}"))
        answers[vector.id] = answer
    return answers


def complaints(found: Judged, skips: Iterable[Skip]) -> list[str]:
    """What is wrong after the skips: failures, broken properties, stale skips. Empty if all is well."""
    skips = list(skips)
    lines = []
    failures = [case for case in found.failures if not any(skip.covers(case) for skip in skips)]
    if failures:
        lines.append(f"{len(failures)} of {len(found.cases)} vectors fail")
        worst = sorted(failures, key=lambda case: -abs(case.judgement.relative))
        for case in worst[:_SHOWN]:
            lines += case_lines(case.judgement.label, case)
    excused = {case.question for case in found.cases if any(skip.covers(case) for skip in skips)}
    broken = [v for v in found.violations if not excused & set(v.questions)]
    for violation in broken[:_SHOWN]:
        lines.append(f"not {violation.property}: {', '.join(map(where, violation.questions))}")
    failing = found.failures
    for skip in skips:
        covered = [case for case in found.cases if skip.covers(case)]
        if covered and not any(skip.covers(case) for case in failing):
            lines.append(f"stale skip, nothing fails there any more: {skip}")
    return lines


def check(
    function: Implementation,
    vectors: tuple[Vector, ...],
    *,
    quantity: str = "rdp",
    strict: bool = False,
    skips: Iterable[Skip] = (),
) -> list[str]:
    """Everything wrong with a function at the vectors."""
    answers = ask(function, vectors)
    return complaints(judged(vectors, quantity, answers, strict=strict), skips)
