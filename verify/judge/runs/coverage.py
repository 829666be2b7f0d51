"""How likely a check of an accountant misses a fault, by the part of the questions that the fault is in.

    python -m verify.judge.runs.coverage

A part is a quantity with one or two conditions, on rate, noise or steps of a phase, on the number
of phases, the type of numbers, delta or epsilon: "noise, one phase's rate is 1, delta below 1e-18".
A fault that shows at every question of a part is found if one is asked. Parts with a vector or a
named run are always asked; of the others it is counted in how many draws there is no question. The
exact values that draws need are guessed in doubles here: that moves targets by a little.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import click

from verify.accounting.contour.planner import Planner
from verify.accounting.history import history
from verify.judge.runs import draws, runs
from verify.judge.runs.checking import USUAL
from verify.judge.runs.question import Phases, RunQuestion
from verify.judge.runs.truth import ExactRun
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfReach

ENDS: dict[str, tuple[float, ...]] = {
    "q": (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1.0),
    "sigma": (0.55, 1.0, 2.0, 8.0, 25.0),
    "steps": (2, 50, 1000, 20_000, 200_000),
    "phases": (2, 3, 6, 11),
    "delta": (1e-18, 1e-12, 1e-8, 1e-5, 1e-3),
    "epsilon": (0.5, 3.0, 8.0),
}
"""Where one part ends and the next begins."""
Condition = tuple[str, str]
Part = tuple[str, ...]


class GuessedRun(ExactRun):
    """The planner's guess in doubles in place of the exact epsilon."""

    def __init__(self, phases: Phases) -> None:
        self._planner = Planner(history(phases), "remove")

    def epsilon(self, delta: float, digits: int = 0) -> Certified:
        guess = self._planner.guess(math.log(delta))
        if not guess > 0:
            raise OutOfReach("no guess")
        return Certified.exactly(Fraction(guess))

    def delta(self, epsilon: float, digits: int = 0) -> Certified:
        return Certified.exactly(
            Fraction(1, 10**9)
        )  # which questions are asked does not depend on it


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """Parts with so many conditions: how many there are, how many are always asked, and the fraction
    of draws that miss each of the others."""

    conditions: int
    parts: int
    always: int
    missed: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        often = sum(missed >= 0.5 for _, missed in self.missed)
        return (
            f"{self.conditions} condition(s): {self.parts} parts, {self.always} always asked; "
            f"of the others {often} are missed by at least half of the draws"
        )


def coverage(seeds: int, count: int) -> list[RunCoverage]:
    """Parts of one condition, and of two, that are always asked or were drawn at least once."""
    known = {*_parts(point.question for point in runs.published_questions())}
    known |= {*_parts(question for _, question in runs.named_runs())}
    drawn: Counter[Part] = Counter()
    for seed in range(seeds):
        points = draws.draw_questions(seed, count, exact=GuessedRun).points
        drawn.update({*_parts(point.question for point in points)})
    return [_coverage(size, known, drawn, seeds) for size in (1, 2)]


def _coverage(size: int, known: set[Part], drawn: Counter[Part], seeds: int) -> RunCoverage:
    parts = {part for part in {*known, *drawn} if len(part) == size + 1}
    missed = {", ".join(part): 1 - drawn[part] / seeds for part in parts - known}
    ordered = sorted(missed.items(), key=lambda one: (-one[1], one[0]))
    return RunCoverage(size, len(parts), len(parts & known), tuple(ordered))


def _parts(questions: Iterable[RunQuestion]) -> Iterator[Part]:
    """Every part that one of the questions is in; conditions of a part are on different things."""
    for question in questions:
        if not question.usual:
            continue
        names = {name: xs for name, xs in question.names().items() if name != "steps"}
        names["steps"] = tuple(float(n) for _, _, n in question.history)
        found = {(name, _between(name, x)) for name, xs in names.items() for x in xs}
        conditions = sorted({*found, ("numbers", str(question.numbers))})
        kind = str(question.quantity)
        yield from ((kind, " ".join(one)) for one in conditions)
        for one, other in itertools.combinations(conditions, 2):
            if one[0] != other[0]:
                yield kind, " ".join(one), " ".join(other)


def _between(name: str, x: float) -> str:
    """Which part a number is in.

    >>> _between("q", 0.02), _between("q", 1.0), _between("sigma", 0.3)
    ('0.01 to 0.1', 'from 1', 'below 0.55')
    """
    ends = ENDS[name]
    k = bisect_right(ends, x)
    if k == 0:
        return f"below {ends[0]:g}"
    return f"from {ends[-1]:g}" if k == len(ends) else f"{ends[k - 1]:g} to {ends[k]:g}"


@click.command()
@click.option("--seeds", type=click.IntRange(1), default=40, show_default=True)
@click.option("--count", type=click.IntRange(1), default=USUAL.fresh, show_default=True)
@click.option("--all", "everything", is_flag=True, help="Every part that is not always asked.")
def main(seeds: int, count: int, everything: bool) -> None:
    """Print the counts, and the parts of one condition that draws miss."""
    for one in coverage(seeds, count):
        click.echo(str(one))
        for part, missed in one.missed if everything or one.conditions == 1 else ():
            click.echo(f"    {missed:>6.0%}  {part}")


if __name__ == "__main__":
    main()
