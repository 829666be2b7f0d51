"""Judge recorded answers again, with today's rules: nothing is asked, no library is needed.

    python -m verify.judge.verdict.rejudge reports/conformance     # every file there, in place

Files of the format before this one are read, too; they do not say why single points have no answer.
What was asked then and what was said stays as recorded, as do date, command and times.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

import verify
from verify.judge.protocol.question import Answer, Question
from verify.judge.show import record
from verify.judge.verdict import effect
from verify.judge.verdict.judged import Asked, Judged, case_of, name_of, points_of_vectors, sum_up
from verify.judge.verdict.truth import truth
from verify.numbers.errors import SgmError
from verify.results import document
from verify.results.conformance import (
    Conformance,
    Number,
    ProtocolViolations,
    Seconds,
    Surroundings,
    as_text,
)
from verify.vectors import store
from verify.vectors.grid import intrinsic

_FORMATS = ("sgm-verify conformance 2", "sgm-verify conformance 3")
_NUMBERS = ("nan", "inf")


class _Cases(msgspec.Struct):
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class _Recorded(msgspec.Struct):
    """What all formats have in common, and all that is needed of a file."""

    format: str
    target: str
    version: str
    date: str
    reproduce: str
    quantity: str
    seed: int
    strict: bool
    vectors_sha256: str
    no_answer: dict[str, int]
    protocol_violations: ProtocolViolations
    restarts: int
    seconds: Seconds
    cases: _Cases
    surroundings: Surroundings = msgspec.field(default_factory=Surroundings)
    course: tuple[str, ...] = ()


def rejudge_document(text: bytes) -> Conformance:
    """The document that today's rules make of a recorded one."""
    try:
        old = msgspec.json.decode(text, type=_Recorded)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise document.BadDocument(f"no recorded check: {error}") from None
    if old.format not in _FORMATS:
        raise document.BadDocument(f"format {old.format!r}: can read {' and '.join(_FORMATS)}")
    if old.format == _FORMATS[-1]:
        document.from_text(text, Conformance)  # whole, and not edited
    run = record.CheckRecord(
        old.target, old.version, old.reproduce, old.quantity, old.seed, old.strict,
        old.vectors_sha256, verify.__version__, old.date, old.surroundings, old.course,
    )  # fmt: skip
    made = record.document(run, _judge_again(old))
    return msgspec.structs.replace(
        made, seconds=old.seconds, protocol_violations=old.protocol_violations, closing=None
    )


def _judge_again(old: _Recorded) -> Judged:
    vectors = points_of_vectors(store.load(), old.quantity)
    known = {point.id: point for point in (*vectors, *effect.training_points())}
    cases = []
    for row in _rows(old):
        question = Question(old.quantity, *(float(row[x]) for x in ("q", "sigma", "alpha")))
        name = name_of(row["group"], question)
        point = known.get(name) or drawn_then(row["group"], question)
        if point is None:
            raise document.BadDocument(f"{name}: no such point")
        cases.append(case_of(point, _answer(old, row)))
    first = old.protocol_violations.first
    return effect.mark_unsafe(
        sum_up(cases, protocol=first, restarts=old.restarts, strict=old.strict)
    )


def drawn_then(group: str, question: Question) -> Asked | None:
    """A point that was drawn for that check alone: what is true there is computed again."""
    kind = "Search" if group == "search" else "Fresh" if group.startswith("fresh-") else ""
    if not kind:
        return None
    flags = tuple(sorted({kind, *intrinsic(question.q, question.sigma, question.alpha)}))
    return Asked.at(group, flags, question, truth(question))


def _rows(old: _Recorded) -> Iterator[dict[str, Any]]:
    for row in old.cases.rows:
        if len(row) != len(old.cases.columns):
            raise document.BadDocument("a point has another number of columns")
        yield dict(zip(old.cases.columns, row, strict=True))


def _answer(old: _Recorded, row: dict[str, Any]) -> Answer:
    given: Number | None = row["answer"]
    if given is not None:
        return Answer("value", float(given))
    if "reason" in row:
        kind, _, detail = row["reason"].partition(": ")
        return Answer(kind, detail=detail)
    silent = [kind for kind in old.no_answer if kind not in _NUMBERS]
    return Answer(silent[0] if len(silent) == 1 else "unrecorded")


def files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.json")) if path.is_dir() else [path]


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
def main(paths: tuple[Path, ...]) -> None:
    """Judge the recorded answers in files, or in all files of a folder, again; in place."""
    for path in files(paths):
        try:
            made = rejudge_document(path.read_bytes())
            document.write(path, as_text(made))
        except (OSError, SgmError) as error:
            click.echo(f"Error: {path}: {error}", err=True)
            raise SystemExit(2) from None
        click.echo(made.summary)


if __name__ == "__main__":
    main()
