"""What the accounting commands share: a run on the command line or in a file, and its JSON."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from verify.accounting.history import History, Phase, checked_steps
from verify.accounting.pairs.notions import (
    ADD_REMOVE,
    BY_EPOCHS,
    POISSON,
    RELATIONS,
    REPLACE_ONE,
    SAMPLINGS,
    sampling_named,
)
from verify.accounting.pairs.run import Run, Stage
from verify.accounting.tight import Bracketed, out_of_time
from verify.commands import options
from verify.commands.loader import Loader
from verify.commands.loader import read as loader_of
from verify.frameworks.logs import read_file
from verify.frameworks.reading import saved_rows
from verify.numbers.certified import Certified, double_above
from verify.numbers.decimals import decimal
from verify.numbers.errors import OutOfDomain, PrecisionExhausted
from verify.numbers.point import exact_text, shown

F = TypeVar("F", bound=Callable[..., Any])

_SHOWN = 20  # phases of a run that are repeated on a page
_RATES = frozenset(SAMPLINGS) - BY_EPOCHS
ASSUMPTION = (
    "Poisson sampling: each record is in a batch with probability q, independently of the others. "
    "A loader that shuffles or draws batches of a fixed size has another epsilon."
)
_ONE_RUN = ("q", "sigma", "steps", "epochs", "records", "batch", "limit")


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run that was asked about, and how it was written.

    ``assumed``: the sampling was not said. ``loader``: what was counted from records, batch and epochs.
    """

    run: Run
    typed: tuple[dict[str, Any], ...]
    assumed: bool = False
    loader: Loader | None = None

    @property
    def phases(self) -> History | None:
        """The run as phases of Poisson sampling for add/remove; None for any other run."""
        same = self.run.relation == ADD_REMOVE and self.run.group == 1
        if not same or any(s.sampling != POISSON for s in self.run.stages):
            return None
        return tuple(Phase(s.q or Fraction(0), s.sigma, s.steps) for s in self.run.stages)

    def with_sampling(self, sampling: str) -> Run | None:
        """The same run with another sampling. Without a loader about the same: 1/q batches of one epoch, rounded up."""
        relation = ADD_REMOVE if sampling == POISSON else REPLACE_ONE
        if self.loader is not None:
            return Run.of_stages([self.loader.stage(sampling)], relation)
        rows: list[Any] = []
        for one in self.run.stages:
            if one.q is None:
                if sampling == POISSON:
                    rows.append((Fraction(1, one.steps), one.sigma, one.steps * one.epochs))
                continue
            batches = math.ceil(1 / one.q)
            epochs = max(1, round(one.steps / batches))
            rows.append({"sigma": one.sigma, "steps": batches, "epochs": epochs})
        return Run.of_rows(rows, relation, sampling=sampling) if rows else None


def _choices(known: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {meaning}" for name, meaning in known.items())


def notion_options(f: F) -> F:
    """--relation, --sampling and --group."""
    for option in (
        click.option(
            "--group", default="1", show_default=True, help="Number of records that differ."
        ),
        click.option(
            "--sampling",
            help=f"How batches are drawn. {_choices(SAMPLINGS)}.  [default: poisson]",
        ),
        click.option(
            "--relation",
            help=f"Which data sets are neighbours. {_choices(RELATIONS)}."
            "  [default: add/remove; replace-one for shuffle, shuffle-once and sequential]",
        ),
    ):
        f = option(f)
    return f


OPTION_NAMES = (*_ONE_RUN, "file", "checkpoint", "relation", "sampling", "group", "drop_last")


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that describe a run; the command gets it as ``run``, an :class:`AskedRun`."""

    @functools.wraps(command)
    def f(**given: Any) -> None:
        asked = {name: given.pop(name) for name in OPTION_NAMES}
        command(run=read_run(**asked), **given)

    return raw_run_options(f)


def raw_run_options(f: F) -> F:
    """The same options, given to the command as they were typed."""
    for option in (
        click.option("--limit", help="Largest batch of truncated-poisson."),
        click.option("--drop-last", is_flag=True, help="The loader drops a last, smaller batch."),
        click.option("--epochs", help="Number of epochs."),
        options.batch("Batch size: with --records and --epochs instead of --q and --steps."),
        click.option("--records", help="Number of records."),
        notion_options,
        click.option(
            "--history",
            "file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Several phases: CSV with columns q, sigma, steps (and sampling, epochs), or a JSON list of objects.",
        ),
        click.option(
            "--checkpoint",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Read the run from a saved Opacus state; no code in the file is run.",
        ),
        click.option("--steps", help="Number of steps, or batches of one epoch."),
        options.sigma("Noise multiplier."),
        click.option("--q", help="Sampling rate in [0, 1], taken exactly as written."),
    ):
        f = option(f)
    return f


def digits_option(f: F) -> F:
    return click.option(
        "--digits", type=int, default=20, show_default=True, help="Significant digits."
    )(f)


def read_run(
    *,
    file: Path | None = None,
    checkpoint: Path | None = None,
    relation: str | None = None,
    sampling: str | None = None,
    group: str = "1",
    drop_last: bool = False,
    **given: str | None,
) -> AskedRun:
    """The run that the options describe."""
    name = POISSON if sampling is None else sampling_named(sampling)
    row: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if checkpoint is not None:
        if row or file is not None:
            raise OutOfDomain("--checkpoint excludes --history, --q, --sigma, --steps and --batch")
        typed = tuple(saved_rows(checkpoint))
        return AskedRun(Run.of_rows(typed, relation, group, name), typed, sampling is None)
    if file is not None:
        if row:
            raise OutOfDomain(f"--history and --{next(iter(row))} exclude each other")
        typed = tuple(read_file(file))
        said = sampling is not None or all("sampling" in one for one in typed)
        return AskedRun(Run.of_rows(typed, relation, group, name), typed, not said)
    if empty := [key for key, value in row.items() if value == ""]:
        raise OutOfDomain(f"--{empty[0]} is empty")
    if "batch" in row or ("records" in row and "q" not in row):
        loader = loader_of(row, drop_last)
        one = Run.of_stages([loader.stage(name)], relation, group)
        return AskedRun(one, (row,), sampling is None, loader)
    if drop_last:
        raise OutOfDomain("--drop-last goes with --records, --batch and --epochs")
    needed = ("sigma", "steps") if name in BY_EPOCHS else ("q", "sigma", "steps")
    if missing := [key for key in needed if key not in row]:
        raise OutOfDomain(
            f"--{missing[0]} is missing: give --q, --sigma and --steps, or --records, --batch, --epochs and "
            "--sigma, or --history FILE (for shuffle, shuffle-once, sequential and allocation --steps are "
            "the batches of one epoch)"
        )
    typed = ({**row, "sampling": name},)
    return AskedRun(Run.of_rows(typed, relation, group), typed, sampling is None)


def describe_run(asked: AskedRun) -> str:
    """The run in a few lines, its numbers as they were written."""
    run = asked.run
    if asked.loader:
        lines = [str(asked.loader), *map(str, run.stages)]
    else:
        lines = [_line(row) for row in asked.typed[:_SHOWN]]
        if len(asked.typed) > _SHOWN:
            lines.append(f"and {len(asked.typed) - _SHOWN} phases more")
    lines = lines if run.stages else ["nothing is released"]
    samplings = dict.fromkeys(s.sampling for s in run.stages) or {POISSON: None}
    many = f" ({run.group} records)" if run.group > 1 else ""
    how = f"{' and '.join(samplings)} sampling" if set(samplings) & _RATES else ", ".join(samplings)
    return "\n".join([*lines, f"{how}; neighbours: {run.relation}{many}"])


def _line(row: dict[str, Any]) -> str:
    noise, steps = f"sigma = {row['sigma']}", row["steps"]
    if row.get("q") not in (None, ""):
        cut = (
            f", at most {row['limit']} of {row['records']} records"
            if row.get("limit") is not None
            else ""
        )
        return f"q = {row['q']}, {noise}, {steps} steps{cut}"
    return f"{row.get('epochs') or 1} epochs of {steps} batches, {noise}"


def attaining_data_sets(run: Run, found: Certified | None) -> str:
    """The data sets that attain the lower end of this answer."""
    return getattr(found, "attained", "") or run.attained


OUT_OF_TIME = (
    "the time allowed ran out on the way; with more (--max-seconds) the two ends may come closer"
)


def run_json(asked: AskedRun, found: Certified | None = None) -> dict[str, Any]:
    """What was asked, and what kind of answer there is; ``found`` is the answer, where there is one only."""
    run = asked.run
    samplings = list(dict.fromkeys(s.sampling for s in run.stages)) or [POISSON]
    record: dict[str, Any] = {
        "relation": run.relation,
        "sampling": samplings[0] if len(samplings) == 1 else samplings,
        "group": run.group,
        "answer": str(run.standing),
        "attained_by": attaining_data_sets(run, found),
    }
    if run.why:
        record["why"] = run.why
    if out_of_time(found):
        record["out_of_time"] = OUT_OF_TIME
    if asked.assumed:
        record["assumption"] = ASSUMPTION
    if asked.loader is not None:
        record["loader"] = asked.loader.as_json(samplings[0])
        record["history"] = [_json_stage(one) for one in run.stages]
    else:
        record["history"] = [_json_row(row) for row in asked.typed]
    return record


def _json_stage(one: Stage) -> dict[str, Any]:
    """A stage that was counted; the records of a smaller or missing last batch as a part of all."""
    counted: dict[str, Any] = {"q": exact_text(one.q)} if one.q is not None else {}
    counted |= {"sigma": exact_text(one.sigma), "steps": one.steps, "epochs": one.epochs}
    if one.idle:
        counted["in_a_smaller_batch" if one.small else "in_no_batch"] = exact_text(one.idle)
    return counted | {"sampling": one.sampling}


def _json_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as it was written; steps and epochs as numbers."""
    given = {k: v for k, v in row.items() if v not in (None, "")}
    return given | {k: checked_steps(given[k]) for k in ("steps", "epochs") if k in given}


def certified_json(number: Certified, digits: int) -> dict[str, Any]:
    """Ends and doubles; a bracket with fewer digits says so, and has no doubles if it cannot."""
    result: dict[str, Any] = dict(number.as_json(digits))
    if isinstance(number, Bracketed):
        result["fewer_digits"] = number.certain_digits()
    return result


def in_words(number: Certified, digits: int | None = None) -> str:
    """A number for people: its certain digits (at most so many), or its ends when it has few."""
    if isinstance(number, Bracketed):
        known = number.certain_digits()
        return f"{number}  ({f'{known} digits' if known else 'no digit'} certain: a bracket)"
    known = 0 if digits is None or number.lo == number.hi else number.certain_digits(digits)
    return decimal(number.lo, known) if known else str(number)


def in_short(x: Fraction | None) -> str:
    """A parameter for people; None is infinity."""
    return "inf" if x is None else shown(x)


def doubles_line(number: Certified) -> str:
    try:
        return f"{number.to_double()!r}, rounded up {number.to_double_up()!r}"
    except PrecisionExhausted:
        return f"not known; surely at most {double_above(number.hi)!r}"
