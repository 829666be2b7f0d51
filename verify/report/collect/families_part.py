"""What the conformance checks found, as families of libraries in the report.

The files come from runs of other people's programs. One that is not whole, or contradicts itself, is
listed as unreadable, never counted as a library judged.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from verify.judge.causes import families as grouping
from verify.report.collect import sources
from verify.report.pages import cells, run_cells
from verify.results import document
from verify.results.conformance import GOOD, Cluster, Conformance, Row
from verify.results.families import AnswerTheorem, Family
from verify.results.report import Unreadable
from verify.results.verdicts import KernelVerdict, KernelVerdicts

_MAX_TEXT = 2000
_MAX_REASON = 300
_TOO_SMALL = "not-valid"  # the kind of theorem that says so


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read: its name, its digest, and what it says."""

    file: str
    sha256: str
    found: Conformance


def read_all(
    folder: Path, verdicts: Iterable[KernelVerdicts] = ()
) -> tuple[tuple[Family, ...], tuple[Unreadable, ...]]:
    """The families of the libraries judged, and the files that could not be used with the reason."""
    read, unreadable = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            found = document.from_text(path.read_bytes(), Conformance)
            read.append(_Read(path.name, sources.file_digest(path), found))
        except (OSError, document.BadDocument) as error:
            unreadable.append(_unusable(folder, path.name, str(error)))
    kept, taken, made = tuple(verdicts), set[str](), []
    by_check = {id(one.found): one for one in read}
    for group in grouping.families(one.found for one in read):
        members = [by_check[id(check)] for check in group.members]
        try:
            made.append(family(group, members, kept, taken))
        except msgspec.ValidationError as error:
            unreadable += [_unusable(folder, one.file, str(error)) for one in members]
    return tuple(made), tuple(unreadable)


def _unusable(folder: Path, file: str, reason: str) -> Unreadable:
    return Unreadable(_text(f"{folder.name}/{file}"), _text(reason)[:_MAX_REASON])


def family(
    group: grouping.LibraryFamily,
    members: Sequence[_Read],
    verdicts: Iterable[KernelVerdicts],
    taken: set[str],
) -> Family:
    """One family; its slug is none of those taken, and is one from now on."""
    found = group.first
    body = {
        "name": group.name,
        "slug": slug((check.target for check in group.members), taken),
        "members": [
            {
                "file": one.file,
                "sha256": one.sha256,
                "seed": str(one.found.seed),
                **{
                    name: getattr(one.found, name)
                    for name in ("target", "version", "date", "reproduce", "summary", "conforms")
                },
            }
            for one in members
        ],
        **{name: getattr(found, name) for name in _COPIED},
        "properties": {name: n for name, n in found.properties.items() if n},
        "effect": group.effect(),
        "failing": list(failing(found)),
        "cells": counts_by_cell(found.cases.rows),
        "near": run_cells.near(found.cases.rows),
        "asked": run_cells.asked_cells(found.cases.rows),
        "theorem": theorem(group, verdicts),
    }
    return msgspec.convert(_bound_texts(msgspec.to_builtins(body)), Family)


_COPIED = (
    "quantity", "rule", "points", "verdicts", "no_answer", "regions", "effects", "clusters",
)  # fmt: skip


def slug(targets: Iterable[str], taken: set[str]) -> str:
    """A name for files, whatever the libraries are called; versions do not change it.

    >>> taken: set[str] = set()
    >>> slug(["Some_1", "some 1", "../<b>"], taken), slug(["some-1", "b"], taken), slug(["?"], taken)
    ('some-1-b', 'some-1-b-2', 'library')
    """
    words = dict.fromkeys(
        re.sub(r"[^a-z0-9]+", "-", target.lower()).strip("-") for target in targets
    )
    name = "-".join(filter(None, words))[:60].strip("-") or "library"
    numbered = (f"{name}-{k}" for k in itertools.count(2))
    free = next(n for n in itertools.chain([name], numbered) if n not in taken)
    taken.add(free)
    return free


# -- points --------------------------------------------------------------------------------------


def failing(found: Conformance) -> Iterator[tuple[object, ...]]:
    """Every point that is worse than adequate or unanswered."""
    for row in found.cases.rows:
        if row.verdict not in GOOD:
            silence = "" if row.direction else row.reason.partition(":")[0] or str(row.verdict)
            yield (
                row.q, row.sigma, row.alpha, row.answer, row.verdict, row.direction, silence,
                possible(row, found.clusters),
            )  # fmt: skip


def possible(row: Row, clusters: Sequence[Cluster]) -> tuple[int, ...]:
    """The clusters that a point can belong to: those with points of its region and of its kind.

    A file says how many points of which kind a cluster has, not which.
    """
    kind = str(row.direction or row.reason.partition(":")[0] or row.verdict)
    return tuple(
        number
        for number, cluster in enumerate(clusters)
        if cluster.regions.get(row.region) and cluster.verdicts.get(kind)
    )


def counts_by_cell(rows: Collection[Row]) -> list[tuple[int, ...]]:
    """The cells that have a point: place, points, good ones."""
    asked, good = Counter(map(_place, rows)), Counter(_place(r) for r in rows if r.verdict in GOOD)
    return [(*place, asked[place], good[place]) for place in sorted(asked)]


def _place(row: Row) -> tuple[int, int, int]:
    return (
        cells.index(cells.SIGMA, row.sigma),
        cells.index(cells.Q, row.q),
        cells.index(cells.ALPHA, float(row.alpha)),
    )


# -- theorems ------------------------------------------------------------------------------------


def theorem(
    group: grouping.LibraryFamily, verdicts: Iterable[KernelVerdicts]
) -> AnswerTheorem | None:
    """The theorem that an answer of a member is too small.

    About a recorded answer, if there is one; of several the one that names a member. Else about a named member.
    """
    known = [
        (kept.coq, verdict)
        for kept in verdicts
        for verdict in kept.verdicts
        if verdict.kind == _TOO_SMALL and not verdict.reverse
    ]
    fitting = [
        (
            (_gave_this_answer(verdict, group.members), _is_about_member(verdict, group.members)),
            coq,
            verdict,
        )
        for coq, verdict in known
    ]
    fit, coq, verdict = max(fitting, key=lambda one: one[0], default=((False, False), "", None))
    return AnswerTheorem(coq, verdict) if verdict is not None and any(fit) else None


def _gave_this_answer(verdict: KernelVerdict, members: Iterable[Conformance]) -> bool:
    """Whether a member was asked at this very point, and gave this very number."""
    wanted: tuple[object, ...] = tuple(
        map(Fraction, (verdict.q, verdict.sigma, verdict.alpha, verdict.x))
    )
    return any(
        wanted == (row.q, row.sigma, row.alpha, row.answer)  # doubles and fractions compare exactly
        for member in members
        if member.quantity == "rdp"
        for row in member.cases.rows
    )


def _is_about_member(verdict: KernelVerdict, members: Iterable[Conformance]) -> bool:
    names = {f"answer of {member.target} {member.version}" for member in members}
    return verdict.of.partition(" (")[0] in names


# -- foreign text --------------------------------------------------------------------------------


def _text(value: str) -> str:
    """Of bounded length, lone surrogates (names of files may hold some) made visible: JSON in UTF-8 has none."""
    return value.encode("utf-8", "backslashreplace").decode()[:_MAX_TEXT]


def _bound_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {_bound_texts(k): _bound_texts(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_bound_texts(item) for item in value]
    return _text(value) if isinstance(value, str) else value
