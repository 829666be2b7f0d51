"""sgm-verify samplings: what can be answered for which sampling and relation, and a run in all of them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from verify.accounting.history import checked_delta
from verify.accounting.pairs.notions import (
    BY_EPOCHS,
    RELATIONS,
    SAMPLINGS,
    TABLE,
    TRUNCATED,
    Standing,
)
from verify.accounting.pairs.run import Run, Stage, of_loader, stage
from verify.accounting.published import RUNS
from verify.accounting.questions import Account
from verify.accounting.tight import Bracketed, out_of_time
from verify.commands import options, runs
from verify.commands.runs import OUT_OF_TIME
from verify.numbers.budget import Deadline, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, SgmError
from verify.support.screen import WIDEST, blocks, fitted, width

_DIGITS = 6
_PUBLISHED = 10


@dataclass(frozen=True, slots=True)
class Loop:
    """A training loop whose loader is not said: rate and steps, batches and epochs."""

    name: str
    stages: dict[str, Stage]
    delta: Fraction


@click.command("samplings")
@click.option("--records", help="Number of records.")
@options.batch("Batch size.")
@click.option("--epochs", help="Number of epochs.")
@options.sigma("Noise multiplier.")
@click.option("--delta", help="Failure probability in [0, 1].")
@click.option("--drop-last", is_flag=True, help="The loader drops a last, smaller batch.")
@click.option("--published", is_flag=True, help="Ten published and ordinary runs instead.")
@options.as_json
@options.max_seconds
def command(
    records: str | None,
    batch: str | None,
    epochs: str | None,
    sigma: str | None,
    delta: str | None,
    drop_last: bool,
    published: bool,
    as_json: bool,
    max_seconds: float,
) -> None:
    """What is exact, a bracket or refused; with a run, its epsilon in every sampling and relation.

    \b
    sgm-verify samplings
    sgm-verify samplings --records 50000 --batch 512 --epochs 20 --sigma 0.9 \\
        --delta 1e-5
    sgm-verify samplings --published
    """
    seconds = checked_seconds(max_seconds)
    given = {"records": records, "batch": batch, "epochs": epochs, "sigma": sigma}
    if published:
        if any(given.values()) or delta is not None:
            raise OutOfDomain("--published and a run exclude each other")
        loops = [_published_loop(*run) for run in RUNS[:_PUBLISHED]]
    elif not any(given.values()) and delta is None:
        _show_table(as_json)
        return
    else:
        missing = [name for name, value in {**given, "delta": delta}.items() if value is None]
        if missing:
            raise OutOfDomain(
                f"--{missing[0]} is missing: a run needs --records, --batch, --epochs, --sigma and --delta"
            )
        loops = [_loop_of_loader(given, drop_last, str(delta))]
    rows = []
    for loop in loops:
        if not as_json:
            click.echo(fitted(f"{loop.name}; delta = {runs.in_short(loop.delta)}"))
        for row in _answers(loop, seconds):
            rows.append({"run": loop.name, "delta": str(loop.delta), **row})
            if not as_json:
                click.echo(_wrap_row(row["sampling"], row["relation"], row["answer"], row["words"], "why" if "why" in row else "epsilon"))  # fmt: skip
    if as_json:
        options.emit({"rows": [{k: v for k, v in row.items() if k != "words"} for row in rows]})


def _show_table(as_json: bool) -> None:
    """The vocabulary and what it answers."""
    if as_json:
        rows = [
            {
                "sampling": s,
                "relation": r,
                "answer": str(e.standing),
                "attained_by": e.attained,
                "why": e.why,
            }
            for (s, r), e in TABLE.items()
        ]
        options.emit({"samplings": dict(SAMPLINGS), "relations": dict(RELATIONS), "rows": rows})
        return
    for title, known in (("sampling", SAMPLINGS), ("relation", RELATIONS)):
        click.echo(title)
        for name, meaning in known.items():
            click.echo(textwrap.fill(f"  {name:<19}{meaning}", width(), subsequent_indent=" " * 21))
        click.echo()
    if width() == WIDEST:
        click.echo(f"  {'sampling':<19}{'relation':<13}answer")
    for (sampling, relation), entry in TABLE.items():
        click.echo(_wrap_row(sampling, relation, str(entry.standing), entry.why, "why"))


def _wrap_row(sampling: str, relation: str, answer: str, words: str, about: str) -> str:
    """A row of the table, in 80 columns; below each other on a narrow terminal."""
    if width() < WIDEST:
        return "\n".join(
            blocks(("", "answer", about), [(f"{sampling}, {relation}", answer, words)])
        )
    row = f"  {sampling:<19}{relation:<13}{answer:<9}{words}"
    return textwrap.fill(row.rstrip(), width(), subsequent_indent=" " * 43)


def _loop_of_loader(given: dict[str, Any], drop_last: bool, delta: str) -> Loop:
    """A run by records, batch size and epochs."""
    stages = {
        name: of_loader(**given, sampling=name, drop_last=drop_last)
        for name in SAMPLINGS
        if name != TRUNCATED
    }
    rate = stages["poisson"]
    # a limit of six standard deviations above the mean batch is usual
    size, mean = int(given["records"]), int(given["batch"])
    limit = min(size, mean + math.ceil(6 * math.sqrt(mean)))
    stages[TRUNCATED] = stage(rate.sigma, rate.steps, rate.q, TRUNCATED, records=size, limit=limit)
    words = f"{given['records']} records in batches of {given['batch']}, {given['epochs']} epochs"
    return Loop(f"{words}, sigma = {given['sigma']}", stages, checked_delta(delta))


def _published_loop(name: str, q: Fraction, sigma: float, steps: int, delta: float) -> Loop:
    """A published run; for samplings by epochs with 1/q batches, rounded up, and the epochs nearest to its steps."""
    batches = math.ceil(1 / q)
    epochs = max(1, round(steps / batches))
    exact = Fraction(str(sigma))
    stages = {}
    for sampling in SAMPLINGS:
        if sampling in BY_EPOCHS:
            stages[sampling] = stage(exact, batches, sampling=sampling, epochs=epochs)
        elif sampling == TRUNCATED:
            size, mean = q.denominator * 1000, q.numerator * 1000
            limit = mean + math.ceil(6 * math.sqrt(mean))
            stages[sampling] = stage(exact, steps, q, sampling, records=size, limit=limit)
        else:
            stages[sampling] = stage(exact, steps, q, sampling)
    words = (
        f"{name}: q = {q}, sigma = {sigma}, {steps} steps ({epochs} epochs of {batches} batches)"
    )
    return Loop(words, stages, Fraction(str(delta)))


def _answers(loop: Loop, seconds: float) -> Iterator[dict[str, Any]]:
    """epsilon for each sampling and relation, or why there is none."""
    for (sampling, relation), entry in TABLE.items():
        row = {"sampling": sampling, "relation": relation, "answer": str(entry.standing)}
        if entry.standing is Standing.REFUSED:
            yield row | {"words": entry.why, "why": entry.why}
            continue
        try:
            run = Run.of_stages([loop.stages[sampling]], relation)
            found = Account(run, Deadline(seconds).seconds).epsilon(loop.delta, _DIGITS + 2)
        except SgmError as error:
            yield row | {"words": f"no answer: {error}", "why": str(error)}
            continue
        late = {"out_of_time": OUT_OF_TIME} if out_of_time(found) else {}
        words = in_words(found) + ("; out of time" if late else "")
        yield row | {"answer": str(run.standing), "words": words, **_ends(found), **late}


def in_words(found: Certified) -> str:
    """A number, or both ends of a bracket."""
    certain = found.certain_digits()
    if not isinstance(found, Bracketed) and certain >= _DIGITS:
        return str(found)
    digits = max(_DIGITS, certain + 2)  # so many that the two ends differ
    return f"{found.lo_str(digits)} to {found.hi_str(digits)}"


def _ends(found: Certified) -> dict[str, str]:
    return {"lo": found.lo_str(_DIGITS + 3), "hi": found.hi_str(_DIGITS + 3)}
