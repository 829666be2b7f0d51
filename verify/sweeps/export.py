"""A finished sweep as CSV or Parquet: the same bytes, whatever happened while it was computed.

Rows stand in the order of the spec. Doubles are doubles in Parquet, and hexadecimal in CSV, which no
reader can get wrong; digits are text in both. Nothing in them depends on a clock or a machine.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verify.numbers.errors import OutOfDomain
from verify.sweeps.checksum import SweepClosing
from verify.sweeps.database import SweepFailed, hint, plainly
from verify.sweeps.store import Store
from verify.sweeps.work import Row

GROUP = 50_000  # rows of a group in Parquet: what is in memory at a time


def export(path: Path, target: Path) -> int:
    """Write the rows of a finished file; how many there were."""
    writers = {".csv": _csv, ".parquet": _parquet}
    writer = writers.get(target.suffix)
    if writer is None:
        raise OutOfDomain(f"--export {target}: must end in .csv or .parquet")
    with Store.read(path) as store, plainly(path):
        if store.closed is None:
            raise SweepFailed(
                f"{path}: incomplete (no closing record); run the sweep to its end{hint(path)}"
            )
        closing = store.closing()
        with _replace_when_written(target) as unfinished:
            try:
                writer(unfinished, store.columns, _note_rows(store.rows(), closing))
            except _Misfit as error:
                raise store.changed_error() from error
            store.compare(closing)
        return closing.rows


class _Misfit(Exception):
    """A value that its column cannot hold: no sweep wrote it."""


def _note_rows(rows: Iterator[Row], closing: SweepClosing) -> Iterator[Row]:
    """Rows on their way out, counted and digested again."""
    for row in rows:
        closing.add(row)
        yield row


@contextlib.contextmanager
def _replace_when_written(target: Path) -> Iterator[Path]:
    """A name to write under; it becomes the target only when all is written."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        yield unfinished
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
        _sync_directory(target.absolute().parent)
    except OSError as error:
        message = f"{target}: cannot be written ({error.strerror or error})"
        raise (
            OutOfDomain(message) if isinstance(error, PermissionError) else SweepFailed(message)
        ) from error
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _sync_directory(directory: Path) -> None:
    """Only then is the new name on the disk; file systems that cannot do that say EINVAL."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def _csv(path: Path, columns: list[tuple[str, str]], rows: Iterator[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(name for name, _ in columns)
        for row in rows:
            out.writerow(_cell(value) for value in row)


def _cell(value: Any) -> Any:
    """One text for one value; what is not there is empty.

    >>> _cell(0.1), _cell(float("inf")), _cell(None), _cell(7)
    ('0x1.999999999999ap-4', 'inf', '', 7)
    """
    if isinstance(value, float):
        return value.hex()
    return "" if value is None else value


def _parquet(path: Path, columns: list[tuple[str, str]], rows: Iterator[Row]) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise OutOfDomain(
            "Parquet needs pyarrow: pip install '.[parquet]' in a checkout"
        ) from error
    kinds = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(), "TEXT": pyarrow.string()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns])
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as out:
        while group := list(itertools.islice(rows, GROUP)):
            columnwise = zip(zip(*group, strict=True), schema, strict=True)
            try:
                arrays = [pyarrow.array(values, type=column.type) for values, column in columnwise]
            except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
                raise _Misfit from error
            out.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
