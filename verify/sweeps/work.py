"""One batch in a worker: indices in, rows out. Workers are given the spec and never read or write
the file."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from verify.numbers.errors import BudgetExceeded, OutOfDomain
from verify.parallel.programs import programs
from verify.support.escaping import printable
from verify.sweeps.axes import Coordinate
from verify.sweeps.boundary import Edge
from verify.sweeps.computations import Outcome, Run, Status, Where
from verify.sweeps.computations.model import TEXT
from verify.sweeps.spec import Spec, from_text

Row = tuple[Any, ...]
"""index, q, sigma, alpha (doubles), the same three exactly (text), status, note, the computation's columns."""

_LONG = 3  # a batch that takes so many times as long as it should comes back early
_NOTE = 300
_SILENCE, _SEVERAL = 600.0, 10
_TRIES = 3  # of a point that had no time


@dataclass(frozen=True)
class Batch:
    """Points start <= index < stop of a spec, except those to skip; about so many seconds of work."""

    spec: str
    start: int
    stop: int
    skip: frozenset[int]
    seconds: float
    max_seconds: float
    programs: str = field(default_factory=programs)  # of the one who gives it out

    @property
    def longest(self) -> float:
        """Seconds after which no answer is coming: a point may take several times ``max_seconds`` (several
        numbers, a library that is asked again), and the first one has to wait for a library to be installed.
        """
        return _SILENCE + _SEVERAL * (self.max_seconds + _LONG * self.seconds)

    def __str__(self) -> str:
        spec = from_text(self.spec)
        first = describe_point(spec, self.start)
        return first if self.stop == self.start + 1 else f"points from {first} to {self.stop - 1}"


@dataclass(frozen=True)
class Chunk:
    """The rows of the points start <= index < stop; stop may be short of the batch's."""

    start: int
    stop: int
    rows: list[Row]
    seconds: float


def halves(batch: Batch) -> Sequence[Batch]:
    """Two batches for one, to find the point that kills its worker."""
    if batch.stop - batch.start < 2:
        return (batch,)
    middle = (batch.start + batch.stop) // 2
    return replace(batch, stop=middle), replace(batch, start=middle)


def describe_point(spec: Spec, index: int) -> str:
    """A point for people."""
    place = spec.at(index)
    text = f"point {index} (q = {place.q.text}, sigma = {place.sigma.text}"
    if isinstance(place.alpha, Edge):
        return f"{text}, alpha {place.alpha.side} {place.alpha.curve})"
    return f"{text}, alpha = {place.alpha.text})" if place.alpha is not None else f"{text})"


def compute(batch: Batch) -> Chunk:
    """The rows of a batch, or of its beginning if it turns out to be long."""
    if batch.programs != programs():  # a worker that joined a cluster late was not asked before
        raise OutOfDomain(
            f"a worker on {platform.node()} has {programs()}; the sweep is made by {batch.programs}"
        )
    spec, run = from_text(batch.spec), _prepare_run(batch.spec)
    begin = time.monotonic()
    rows: list[Row] = []
    index = batch.start
    while index < batch.stop:
        if index not in batch.skip:
            rows.append(_row_in_time(spec, run, index, batch.max_seconds))
        index += 1
        if time.monotonic() - begin > _LONG * batch.seconds:
            break
    return Chunk(batch.start, index, rows, time.monotonic() - begin)


@lru_cache(maxsize=8)
def _prepare_run(text: str) -> Run:
    spec = from_text(text)
    return spec.computation.prepare(spec.digits, spec.options)


def _row_in_time(spec: Spec, run: Run, index: int, max_seconds: float) -> Row:
    """The row of a point; once more if its time ran out while the machine was stopped or swamped, and it
    had less than half of it on a processor: rows must not depend on that."""
    for _ in range(_TRIES):
        begin = time.thread_time()
        row = _row(spec, run, index, max_seconds)
        starved = time.thread_time() - begin < max_seconds / 2
        if not (starved and row[8].startswith(BudgetExceeded.__name__)):
            break
    return row


def _row(spec: Spec, run: Run, index: int, max_seconds: float) -> Row:
    q, sigma, alpha = spec.at(index)
    found: Outcome | None = None
    values: Sequence[str | float | None]
    text = ""  # a point has one name, and none shares it with another: it is its key in the file
    try:
        if isinstance(alpha, Edge):
            text = f"{alpha.curve}:{alpha.side}"  # its name, should the search fail
            alpha = alpha.resolve(q, sigma, spec.doubles, max_seconds)
            if alpha is None:
                text = text.partition(":")[0]  # proved for the curve, whatever the side
                found = _empty(spec, Status.NONE, "no boundary: false already next to order 1")
        found = found or run(Where(q, sigma, alpha), max_seconds)
        values = _kept_values(spec, found.values)
    except Exception as error:  # noqa: BLE001  # whatever went wrong is written down, with its name
        message = " ".join(f"{type(error).__name__}: {error}".split())
        found = _empty(spec, Status.ERROR, printable(message)[:_NOTE])
        values = found.values
    double = None
    if isinstance(alpha, Coordinate):
        double, text = alpha.double, alpha.text
    return (
        index, q.double, sigma.double, double, q.text, sigma.text, text,
        str(found.status), printable(found.note), *values,
    )  # fmt: skip


def _kept_values(spec: Spec, values: Sequence[str | float | None]) -> Sequence[str | float | None]:
    columns = zip(spec.computation.columns, values, strict=True)
    return [as_kept(kind, value) for (_, kind), value in columns]


def as_kept(kind: str, value: str | float | None) -> str | float | None:
    """A value as SQLite gives it back from a column of this kind, so that a row has the same checksum before
    and after: -0.0 is 0.0 there, and a whole number in a column of doubles is a double. What it cannot keep
    (NaN, half a character, text for a number) is an error of the point, and never NULL beside a value.

    >>> as_kept("REAL", -0.0), as_kept("REAL", 3), as_kept("REAL", None), as_kept("TEXT", "digits")
    (0.0, 3.0, None, 'digits')
    """
    if value is None:
        return None
    if isinstance(value, str) != (kind == TEXT) or value != value:
        raise TypeError(f"{value!r:.40} in a column of {kind}")
    if isinstance(value, str):
        value.encode()
        return value
    return float(value) + 0.0


def _empty(spec: Spec, status: Status, note: str) -> Outcome:
    return Outcome(status, note, (None,) * len(spec.computation.columns))
