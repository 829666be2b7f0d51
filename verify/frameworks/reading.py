"""Reading a run from what a framework has recorded.

>>> read_run([(1.0, 0.01, 1000)]).epsilon("1e-5").to_double_up()  # Opacus's order: noise, rate, steps
1.828236666516577
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify.frameworks import events
from verify.frameworks.checkpoint import STATE, read_checkpoint
from verify.frameworks.logs import read_file
from verify.frameworks.opacus import UPPER_END, read_history, upper_end
from verify.frameworks.run import POISSON, TrainingPhase, TrainingRun
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact

_COUNTS = ("steps", "epochs", "records", "limit")
_BINARY = (b"PK", b"\x80")  # a zip archive, a pickle


def read_run(source: Any) -> TrainingRun:
    """The run that something records.

    Added in version 0.2.0.

    Args:
        source: An Opacus accountant or privacy engine; the state of an accountant, or a checkpoint
            with one in it, as a dictionary; a history (noise multiplier, sample rate, steps) in
            Opacus's order, as a list; a DpEvent of dp-accounting, or an accountant of it; the path
            of a checkpoint, or of a log in CSV or JSON with q, sigma and steps.

    Returns:
        The run, with its phases, how their batches were drawn, and ``epsilon(delta)`` and ``delta(epsilon)``.

    Raises:
        OutOfDomain: It records no run, or one that is not answered.
    """
    if isinstance(source, (str, Path)):
        return _file(Path(source))
    if isinstance(source, Mapping):
        return _state(source)
    if isinstance(source, list):
        return read_history(source)
    own = getattr(source, "run", None)
    if isinstance(own, TrainingRun):  # our accountant for dp-accounting
        return own
    for name in ("accountant", "ledger"):  # a privacy engine, an accountant of dp-accounting
        if hasattr(source, name):
            return read_run(getattr(source, name))
    if events.kind(source):
        return _event(source)
    if hasattr(source, "history") and hasattr(source, "mechanism"):
        return read_history(list(source.history), getattr(source, "_samplings", None))
    raise OutOfDomain(f"{type(source).__name__}: nothing that a run can be read from")


def saved_rows(file: Path) -> list[dict[str, Any]]:
    """The phases of a saved Opacus state, as ``accounting.history_epsilon`` takes them; they are Poisson-sampled."""
    run = read_history(*read_checkpoint(file))
    if not run.only_poisson():
        phases = ", ".join(
            f"q {p.q}, sigma {p.sigma}, {p.steps} steps" for p in upper_end(run).phases
        )
        raise OutOfDomain(f"{file.name}: {UPPER_END}; that is the epsilon of {phases}")
    if not run.phases:
        raise OutOfDomain(f"{file.name}: no step was recorded")
    return [phase.row() for phase in run.phases]


def _file(path: Path) -> TrainingRun:
    try:
        with path.open("rb") as file:
            start = file.read(2)
    except OSError as error:
        raise OutOfDomain(f"{path.name}: cannot be read: {error!s:.100}") from error
    if start.startswith(_BINARY):
        return read_history(*read_checkpoint(path))
    phases = []
    for row in read_file(path):
        given = {name: value for name, value in row.items() if value not in (None, "")}
        counts = {name: _whole(path, name, given[name]) for name in _COUNTS if name in given}
        if not {"sigma", "steps"} <= set(given):
            raise OutOfDomain(f"{path.name}: a phase without sigma or steps")
        sampling = given.get("sampling", POISSON)
        phases.append(TrainingPhase(given.get("q"), given["sigma"], sampling=sampling, **counts))
    return TrainingRun(tuple(phases))


def _whole(path: Path, name: str, given: Any) -> int:
    number = exact(name, given, "a whole number >= 1")
    if number is None or number.denominator != 1 or number < 1:
        raise OutOfDomain(f"{path.name}: {name} = {given!s:.40}: must be a whole number >= 1")
    return number.numerator


def _state(state: Mapping[str, Any]) -> TrainingRun:
    inner = state.get(STATE, state)
    if not isinstance(inner, Mapping) or "history" not in inner:
        raise OutOfDomain(f"a state of an accountant has a history (or {STATE})")
    return read_history(list(inner["history"]), inner.get("samplings"))


def _event(event: Any) -> TrainingRun:
    try:
        found = events.read(event)
    except events.Refused as refused:
        raise OutOfDomain(f"{events.kind(refused.event) or 'event'}: {refused.reason}") from None
    return TrainingRun(found.phases, private=found.private)
