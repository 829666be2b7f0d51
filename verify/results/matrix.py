"""Accountants by what they are used for: the matrix of the report and of README, from the recorded
answers alone.

A cell says of one accountant and one use whether its answers are large enough, and how much larger than needed:

* *too small* if an answer is below the exact value by more than a millionth, whatever the accountant promises;
* *safe and tight* if none is and half of them exceed the exact value by one per cent at most, *safe, loose* else;
* *no answer* if there is none, or none that is finite; *undecided* if all lie between the two ends of an exact value
  that is not known; *not asked* where the recorded questions have none of that kind.

Where a use has questions of several kinds, an excess is that of the answers for epsilon: a delta can be a billion times
too large where epsilon is one per cent too large.

*Safe* is meant at the questions that were asked, and is no proof.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec.structs import replace

from verify.results.accountants import (
    Accountants,
    JudgedAccountant,
    RunAnswer,
    accountant_title,
)
from verify.results.document import Part

RECORDS = ("accountants.json", "samplings.json", "small-deltas.json")
"""Files of recorded answers, below the folder of the report: usual runs, which its figures draw; other samplings and
relations; and the published vectors with a small delta."""

TINY = 1e-10
"""Below this a delta is called tiny: Fourier transforms in doubles end a little below it."""

TIGHT = 0.01
_EVEN = -1e-6  # the judge's tolerance: an answer within a millionth is on neither side
_TOO_SMALL = ("UNSAFE", "low")
_SILENT = ("no answer", "vacuous")
DEFAULTS: Mapping[tuple[str, str], str] = {
    ("opacus", "prv"): "the default of PrivacyEngine",
    ("opacus", "rdp"): "the default of get_noise_multiplier",
}
"""What users get who choose nothing."""

HOW: Mapping[tuple[str, str], str] = {
    ("dp-accounting", "rdp nested"): "composed inside the sample",
    ("prv-accountant", "prv estimate"): "with eps_error = 0.1",
    ("prv-accountant", "prv upper"): "with eps_error = 0.1",
}
"""What was chosen in asking, where answers depend on it."""

Standing = Literal["tight", "loose", "too small", "no answer", "not asked"]


def _usual(case: RunAnswer) -> bool:
    return (case.sampling, case.relation) == ("poisson", "add/remove")


def _tiny(case: RunAnswer) -> bool:
    """Whether the delta is tiny: the given one, or the exact one where delta is asked."""
    return (float(case.truth_hi or 0) if case.delta is None else case.delta) < TINY


def _ordinary(case: RunAnswer, quantity: str) -> bool:
    return _usual(case) and case.quantity == quantity and not _tiny(case)


USES: Mapping[str, Callable[[RunAnswer], bool]] = {
    "ε at δ ≥ 1e-10": lambda case: _ordinary(case, "epsilon"),
    "ε, noise, δ at tinier δ": lambda case: _usual(case) and _tiny(case),
    "noise for a target": lambda case: _ordinary(case, "sigma"),
    "δ for an ε": lambda case: _ordinary(case, "delta"),
    "replaced or zeroed, Poisson": lambda case: (
        case.sampling == "poisson" and case.relation in ("replace-one", "zero-out")
    ),
    "fixed-size batches, or in order": lambda case: case.sampling in ("fixed-size", "sequential"),
    "random allocation, or truncated": lambda case: (
        case.sampling in ("allocation", "truncated-poisson")
    ),
}
"""What an accountant is used for, and which questions tell; every recorded question tells about one of these."""


class UseCell(Part, frozen=True):
    """One accountant at one use; ``typical`` is the median of answer / exact - 1, ``worst`` the answer to look at."""

    use: str
    standing: Standing
    asked: int = 0
    answered: int = 0
    below: int = 0
    undecided: int = 0
    typical: float | None = None
    worst: RunAnswer | None = None

    @property
    def words(self) -> str:
        """The cell, in few words."""
        if self.standing == "not asked" and self.undecided:
            return f"undecided ({self.undecided})"
        if self.standing in ("no answer", "not asked"):
            return self.standing
        error = self.worst.error if self.worst else None
        if self.standing == "too small":
            lost = "" if error is None else f", by {_less(error, self.below > 1)}"
            said = f"too small{lost} ({self.below} of {self.answered})"
        else:
            word = "safe and tight, by" if self.standing == "tight" else "safe, loose by"
            most = f" (worst: {_more(error)})" if self.answered > 1 else ""
            said = f"{word} {_more(self.typical)}{most}"
        silent = self.asked - self.answered
        said += f"; no answer to {silent} of {self.asked}" if silent else ""
        return said + (f"; {self.undecided} undecided" if self.undecided else "")


class MatrixRow(Part, frozen=True):
    """One accountant."""

    library: str
    version: str
    name: str
    promise: str
    cells: tuple[UseCell, ...]
    default: str = ""
    how: str = ""

    @property
    def title(self) -> str:
        return accountant_title(self.library, self.version, self.name)

    @property
    def slug(self) -> str:
        """Where it is told in full."""
        return self.title.lower().replace(" ", "-")


class Matrix(Part, frozen=True):
    """All accountants that were asked in the recorded runs."""

    date: str
    rows: tuple[MatrixRow, ...]


def matrix(*found: Accountants) -> Matrix:
    """One row for each accountant that gives an upper bound or an estimate; what users get by
    default first.

    Answers of one release that were recorded in several files stand in one row. A lower bound
    guarantees nothing, so it has no row.
    """
    joined: dict[tuple[str, ...], JudgedAccountant] = {}
    for one in (one for record in found for one in record.accountants if one.promise != "lower"):
        key = (one.library, one.version, one.name, one.promise)
        before = joined[key].cases if key in joined else ()
        joined[key] = replace(one, cases=(*before, *one.cases))
    rows = map(_row, joined.values())
    return Matrix(max(record.date for record in found), tuple(sorted(rows, key=_rank)))


def _rank(row: MatrixRow) -> int:
    chosen = list(DEFAULTS)
    place = (row.library, row.name)
    return chosen.index(place) if place in chosen else len(chosen)


def _row(one: JudgedAccountant) -> MatrixRow:
    cells = tuple(cell(use, filter(belongs, one.cases)) for use, belongs in USES.items())
    who = (one.library, one.name)
    default, how = DEFAULTS.get(who, ""), HOW.get(who, "")
    return MatrixRow(one.library, one.version, one.name, one.promise, cells, default, how)


def cell(use: str, cases: Iterable[RunAnswer]) -> UseCell:
    """The cell that summarises the answers. Answers whose exact value is not known well enough are
    left out."""
    every = list(cases)
    asked = [case for case in every if case.ruling != "undecided"]
    undecided = len(every) - len(asked)
    answered = [case for case in asked if case.ruling not in _SILENT]
    if not answered:
        return UseCell(use, "no answer" if asked else "not asked", len(asked), undecided=undecided)
    below = list(filter(too_small, answered))
    measured = [case for case in answered if case.quantity == "epsilon"] or answered
    errors = [case.error for case in measured if case.error is not None]
    typical = statistics.median(errors) if errors else None
    worst = min(below, key=_error) if below else max(measured, key=_error)
    tight = typical is not None and typical <= TIGHT
    standing: Standing = "too small" if below else "tight" if tight else "loose"
    return UseCell(use, standing, len(asked), len(answered), len(below), undecided, typical, worst)


def too_small(case: RunAnswer) -> bool:
    """Whether somebody who publishes this answer promises too much, even if it was called an estimate."""
    estimated = case.ruling in ("estimated", "absurd") and case.error is not None
    return case.ruling in _TOO_SMALL or (estimated and _error(case) < _EVEN)


def _error(case: RunAnswer) -> float:
    return 0.0 if case.error is None else case.error


def _more(error: float | None) -> str:
    """An excess.

    >>> _more(0.0000123), _more(0.24), _more(2.5), _more(3e-9), _more(1449.0), _more(9.4e10)
    ('0.0012 %', '24 %', '3.5 times', '0 %', '1450 times', '9.4e10 times')
    """
    if error is None or abs(error) < 1e-8:
        return "0 %"
    if error >= 1:
        times = f"{1 + error:.2g}" if error < 9 or error > 1e5 else f"{1 + error:.0f}"
        return f"{times.replace('e+0', 'e').replace('e+', 'e')} times"
    return _percent(error)


def _less(error: float, several: bool = False) -> str:
    """How much is missing; of a number that is zero or below it, everything.

    >>> _less(-0.114), _less(-0.00002, several=True), _less(-14.0, several=True)
    ('11 %', 'up to 0.002 %', 'all of it')
    """
    if error < -0.999:
        return "all of it"
    return f"{'up to ' if several else ''}{_percent(-error)}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %".replace("e-0", "e-")


def legend(found: Matrix) -> str:
    """How to read the matrix, in four sentences."""
    return (
        f"Answers recorded on {found.date}, each against the certified exact value. Safe: no "
        "answer is below it, at the questions that were asked; half of the answers exceed it by no "
        "more than the first number. Too small: an answer promises more privacy than there is, "
        "also where the library calls it an estimate. Not asked: no such question was put to it."
    )


def exact(case: RunAnswer) -> str:
    """The exact value as it was recorded; where only a bracket is known, both ends."""
    if not case.truth_hi:
        return "unknown"
    low, high = float(case.truth_lo or 0), float(case.truth_hi)
    return case.truth_hi if high - low <= 1e-6 * high else f"{low:.7g} to {high:.7g}"


def question(case: RunAnswer) -> str:
    """What was asked, in one line."""
    phases = "; ".join(
        (f"q = {p.q:.6g}, " if p.q is not None else "")
        + (f"σ = {p.sigma:.6g}, " if p.sigma is not None else "")
        + (f"{p.epochs} epochs of {p.steps} batches" if p.epochs else f"{p.steps} steps")
        + (f", at most {p.limit} of {p.records} records" if p.limit else "")
        for p in case.history[:3]
    )
    more = f"; and {len(case.history) - 3} more phases" if len(case.history) > 3 else ""
    given = {"δ": case.delta, "ε": case.epsilon}
    wanted = ", ".join(f"{name} = {x:.4g}" for name, x in given.items() if x is not None)
    kind = "" if _usual(case) else f", {case.sampling}, {case.relation}"
    numbers = "" if case.numbers == "float" else f", numbers as {case.numbers}"
    return f"{phases}{more}; {wanted}{kind}{numbers}"


def command(case: RunAnswer) -> str:
    """What gives the exact value; empty for a run of several phases, which needs a file."""
    if len(case.history) != 1:
        return ""
    (phase,) = case.history
    words = {"epsilon": "epsilon", "delta": "delta", "sigma": "calibrate"}[case.quantity]
    given: dict[str, object] = {"q": phase.q, "sigma": phase.sigma, "steps": phase.steps}
    given |= {"delta": case.delta, "epsilon": case.epsilon}
    given |= {"epochs": phase.epochs, "records": phase.records, "limit": phase.limit}
    if not _usual(case):
        given |= {"sampling": case.sampling, "relation": case.relation}
    return f"sgm-verify {words}" + "".join(
        f" --{k} {v!r}" if not isinstance(v, str) else f" --{k} {v}"
        for k, v in given.items()
        if v is not None
    )
