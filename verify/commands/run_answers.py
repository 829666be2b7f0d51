"""Answers about runs in words: exact numbers by direction, or both ends of a bracket and what they mean."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from verify.accounting.pairs.notions import POISSON, SHUFFLE
from verify.accounting.pairs.run import Run
from verify.accounting.questions import Account
from verify.accounting.tight import Bracketed, out_of_time
from verify.commands.runs import (
    OUT_OF_TIME,
    AskedRun,
    attaining_data_sets,
    doubles_line,
    in_words,
)
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified, double_above
from verify.numbers.errors import BudgetExceeded, SgmError
from verify.support.screen import fitted, width

_PART = 0.75  # of the time that is left, for one direction; the rest is for what follows
_BESIDE = 0.5  # of the time that is left, for a number that is only mentioned
_MOST_BESIDE = 10.0  # seconds for it
_SHOWN = 4  # digits of it
_NAMES = {"remove": "removing", "add": "adding"}


@dataclass(frozen=True, slots=True)
class FoundRun:
    """The answer, and where it is exact and has directions, each of them."""

    whole: Certified
    directions: dict[str, Certified]


Ask = Callable[[Account, str], Certified]
"""A question put to an account, for a direction."""


def answer(asked: AskedRun, ask: Ask, deadline: Deadline) -> FoundRun:
    """The answer for each direction, then for both: tables are shared."""
    account = Account(asked.run, max(deadline.left(), 1e-9))
    found = {}
    names = account.ends.directions("both")
    for direction in names if len(names) > 1 else ():
        account.max_seconds = max(_PART * deadline.left(), 1e-9)
        try:
            found[direction] = ask(account, direction)
        except BudgetExceeded:
            raise deadline.exceeded() from None
    account.max_seconds = max(deadline.left(), 1e-9)
    return FoundRun(ask(account, "both"), found)


def field(name: str, text: str) -> str:
    """A name and its text, in 80 columns or those of the terminal.

    >>> print(field("why", "a reason that is rather long, so that it needs a second line on a narrow page"))
    why             a reason that is rather long, so that it needs a second line on
                    a narrow page
    """
    return textwrap.fill(
        f"{name:<16}{text}", width(), subsequent_indent=" " * 16, break_long_words=False
    )


def in_lines(what: str, asked: AskedRun, found: FoundRun) -> list[str]:
    """The answer for people."""
    if asked.run.why:
        low, high = found.whole.lo_str(8), found.whole.hi_str(8)
        return [
            field(what, f"between {low} and {high}"),
            field("  at least", f"{low}, attained: {attaining_data_sets(asked.run, found.whole)}"),
            field("  at most", f"{high}, proved"),
            field("as a double", f"at most {double_above(found.whole.hi)!r}"),
            field("why a bracket", asked.run.why),
            *([field("out of time", OUT_OF_TIME)] if out_of_time(found.whole) else []),
        ]
    lines = [f"{'tight ' + what:<16}{in_words(found.whole)}"]
    lines += [f"  {_NAMES[d]:<14}{in_words(x)}" for d, x in found.directions.items()]
    lines.append(f"as a double     {doubles_line(found.whole)}")
    late = [field("out of time", OUT_OF_TIME)] if out_of_time(found.whole) else []
    return [*map(fitted, lines), *late]


def beside(what: str, asked: AskedRun, found: Certified, ask: Ask, deadline: Deadline) -> list[str]:
    """The epsilon for the other loader, beside the one found. It is printed if the sampling was assumed, or if
    batches are shuffled and the Poisson one is below what some data sets attain."""
    run = asked.run
    if asked.assumed and (other := asked.with_sampling(SHUFFLE)) is not None:
        said = [
            "Assumed: Poisson sampling, each record in a batch with probability q, independently.",
        ]
        bracket = _number_beside(other, ask, deadline)
        if bracket is None or out_of_time(bracket):
            said.append(
                f"With a shuffled loader {what} is another one: ask with --sampling shuffle."
            )
        else:
            stage = other.stages[0]
            batches = asked.loader.batches if asked.loader else stage.steps
            several = (
                "each stage shuffled" if len(other.stages) > 1 else _epochs(stage.epochs, batches)
            )
            said.append(
                f"With a shuffled loader ({several}, one record replaced) {what} is between "
                f"{bracket.lo_str(_SHOWN)} and {bracket.hi_str(_SHOWN)}: "
                "ask with --sampling shuffle."
            )
        return [textwrap.fill(line, width()) for line in said] + [""]
    shuffles = run.stages and all(s.sampling.startswith("shuffle") for s in run.stages)
    if shuffles and (other := asked.with_sampling(POISSON)) is not None:
        poisson = Run.of_stages(other.stages, run.relation)
        number = _number_beside(poisson, ask, deadline)
        if number is not None and number.hi < found.lo:  # with whole batches the two are one
            value = f"The Poisson {what} of the same batches, {number.hi_str(_SHOWN)},"
            return ["", textwrap.fill(f"{value} is not valid for this loop.", width())]
    return []


def rates(what: str, asked: AskedRun, ask: Ask, deadline: Deadline) -> list[str]:
    """Which rate was used, and what another rate gives that Opacus would use for the same loader."""
    if asked.loader is None or (other := asked.loader.opacus(asked.run)) is None:
        return []
    given, batches = asked.loader.given, asked.loader.batches
    said = f"{given['batch']}/{given['records']}, batch over records. {asked.loader.opacus_draws}"
    number = _number_beside(other, ask, deadline)
    exact = number is not None and not isinstance(number, Bracketed)
    found = f": {what} {number.hi_str(_SHOWN)}" if number is not None and exact else ""
    repeat = f"--q 1/{batches} --steps {other.stages[0].steps}" if other.stages else ""
    return [field("rate", f"{said}{found} ({repeat})")]


def _epochs(epochs: int, batches: int) -> str:
    return f"{epochs} epoch{'s' if epochs > 1 else ''} of {batches} batches"


def _number_beside(run: Run, ask: Ask, deadline: Deadline) -> Certified | None:
    """A number beside the answer, if it can be had in a part of the time."""
    seconds = max(min(_BESIDE * deadline.left(), _MOST_BESIDE), 1e-9)
    with suppress(SgmError):
        return ask(Account(run, seconds), "both")
    return None
