"""Failures that somebody knows of and answers for: a TOML file, on the command line and in pytest alike.

    [[exception]]
    flag = "OrderOne"          # or: id = "near-one/q=0.01,sigma=1.1,alpha=1.0"
    owner = "ada"              # or: cluster = "dropped sign"
    reason = "order 1 is refused by design"

    [[exception]]
    property = "nonnegative"   # alone: wherever it is broken; beside one of the others: only there
    owner = "ada"
    reason = "rounding, clamped by the caller"

An exception covers points. It hides their failures, and the properties that are broken at one of them.
An exception that hides nothing any more is an error, like one that names nothing: otherwise the list would
only grow. Two kinds are never called stale: exceptions for points that differ in each check (``Fresh``,
``Search``), and exceptions for questions that were not asked. One file serves checks of steps and of runs,
and all accountants of a library.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.judge.causes import grouping
from verify.judge.verdict import effect
from verify.judge.verdict.judged import AnyCase, AnyJudged, Judged, Q, T, V
from verify.judge.verdict.properties import NAMES, Violation
from verify.numbers.errors import OutOfDomain
from verify.vectors import FLAGS, load
from verify.vectors.whole import RUN_FLAGS, load_runs

_BY = ("id", "flag", "cluster", "property")
_DRAWN = ("Fresh", "Search")
_STALE = "nothing fails there any more"
# questions to accountants that are not among the vectors
_OF_RUNS = ("Ordinary", "Notion", "Seldom")


class BadExceptions(OutOfDomain):
    """The list of known failures cannot be read, or lists something that does not exist."""


@dataclass(frozen=True, slots=True)
class Known:
    """A known failure: which, who answers for it, and why."""

    owner: str
    reason: str
    id: str = ""
    flag: str = ""
    cluster: str = ""
    broken: str = ""  # the property, in the file

    def covers(self, case: AnyCase[Any, Any, Any], cluster: str = "") -> bool:
        """Whether the point is one of those meant."""
        if self.id:
            return case.id == self.id
        if self.flag:
            return self.flag in case.flags
        return bool(self.cluster) and self.cluster == cluster

    @property
    def everywhere(self) -> bool:
        """A property wherever it is broken."""
        return not (self.id or self.flag or self.cluster)

    @property
    def drawn(self) -> bool:
        """Whether the points are different in each check: if none of them fails, that may be luck."""
        return self.flag in _DRAWN

    @property
    def in_a_process(self) -> bool:
        """Whether only the check of a program can see it: a function is never asked twice, nor about training runs."""
        return (
            self.broken == "repeatable"
            or self.flag == effect.FLAG
            or self.id.startswith(f"{effect.GROUP}/")
        )

    def __str__(self) -> str:
        named = [x for x in (self.id, self.flag, self.cluster, self.broken) if x]
        return f"{', '.join(named)} ({self.owner}: {self.reason})"


def read(path: Path) -> tuple[Known, ...]:
    """The exceptions in a file, each complete and each naming something that exists."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadExceptions(f"{path}: {error}") from error
    entries = data.get("exception", [])
    if set(data) - {"exception"} or not isinstance(entries, list):
        raise BadExceptions(f"{path}: only [[exception]] tables belong here")
    return tuple(_parse_entry(path, entry) for entry in entries)


def _parse_entry(path: Path, entry: dict[str, object]) -> Known:
    if not all(isinstance(value, str) and value.strip() for value in entry.values()):
        raise BadExceptions(f"{path}: {entry}: every value is a text that is not empty")
    by = set(entry) - {"owner", "reason"}
    if (
        set(entry) - by != {"owner", "reason"}
        or not by
        or len(by - {"property"}) > 1
        or by - {*_BY}
    ):
        raise BadExceptions(
            f"{path}: {entry}: needs owner, reason, and one of id, flag, cluster, property"
        )
    exists = {
        "id": _ids_of_steps() | _ids_of_runs() if "id" in by else set(),
        "flag": {*FLAGS, *RUN_FLAGS, *_DRAWN, *_OF_RUNS, effect.FLAG},
        "property": set(NAMES),
    }
    for name in by & set(exists):
        if entry[name] not in exists[name]:
            raise BadExceptions(f"{path}: {entry}: there is no such {name}")
    words = {"broken" if name == "property" else name: str(text) for name, text in entry.items()}
    return Known(**words)


def _ids_of_steps() -> set[str]:
    """Of every point that is the same in every check."""
    return {vector.id for vector in load()} | {point.id for point in effect.training_points()}


def _ids_of_runs() -> set[str]:
    """The same for accountants."""
    from verify.judge.runs import notions, runs

    named = {name for name, _ in (*runs.named_runs(), *notions.named_questions())}
    return {vector.id for vector in load_runs()} | named


def excuse(
    found: AnyJudged[Q, T, V],
    known: Iterable[Known],
    clusters: Mapping[str, str] | None = None,
    whole: bool = True,
) -> AnyJudged[Q, T, V]:
    """What is left when known failures are taken away; what hides nothing is listed as stale.

    ``clusters`` gives the cluster of a failing point by its id, if they are known already.
    ``whole`` says that everything was asked: after a part of it, only exceptions that cover some of
    the points asked can be told to be stale.
    """
    known = list(known)
    if clusters is None:
        clusters = _clusters(found) if any(exception.cluster for exception in known) else {}  # type: ignore[arg-type]  # only steps have causes
    failing = {case.id for case in found.failures}
    excused: set[str] = set()
    hidden: set[int] = set()
    stale, used = [], []
    for exception in known:
        covered = [c for c in found.cases if exception.covers(c, clusters.get(c.id, ""))]
        failures = set() if exception.broken else {c.id for c in covered} & failing
        there = {case.question for case in covered}
        broken = {k for k, v in enumerate(found.violations) if _hides(exception, v, there)}
        if not failures and not broken and (covered or whole) and not exception.drawn:
            stale.append(f"{_STALE}: {exception}")
        if failures or broken:
            used.append(str(exception))
        excused |= failures
        hidden |= broken
    return dataclasses.replace(
        found,
        excused=frozenset(excused),
        violations=tuple(v for k, v in enumerate(found.violations) if k not in hidden),
        stale=tuple(stale),
        used=tuple(used),
    )


def of_steps(known: Iterable[Known]) -> tuple[Known, ...]:
    """Those that can be about steps; the others of the file are about accountants."""
    known = tuple(known)
    if not known:  # most checks: then no vectors are loaded for their names
        return ()
    names, flags = _ids_of_runs(), {*RUN_FLAGS, *_OF_RUNS} - {*FLAGS}
    return tuple(k for k in known if k.id not in names and k.flag not in flags)


def of_runs(known: Iterable[Known]) -> tuple[Known, ...]:
    """Those that can be about accountants: causes, and most properties, are about steps."""
    known = tuple(known)
    if not known:
        return ()
    names, flags = _ids_of_steps(), {*FLAGS, effect.FLAG} - {*RUN_FLAGS}
    return tuple(
        k
        for k in known
        if k.id not in names
        and k.flag not in flags
        and not k.cluster
        and k.broken in ("", "repeatable")
    )


def share_exceptions(found: Iterable[AnyJudged[Q, T, V]]) -> list[AnyJudged[Q, T, V]]:
    """Of several that have one file: a line that is of use to one of them is stale for none."""
    found = list(found)
    used = {f"{_STALE}: {line}" for one in found for line in one.used}
    return [
        dataclasses.replace(one, stale=tuple(x for x in one.stale if x not in used))
        for one in found
    ]


def _clusters(found: Judged) -> dict[str, str]:
    return {case.id: cluster.name for cluster in grouping.clusters(found) for case in cluster.cases}


def _hides(exception: Known, violation: Violation, there: set[Any]) -> bool:
    if exception.broken and exception.broken != violation.property:
        return False
    return exception.everywhere or bool(there & set(violation.questions))
