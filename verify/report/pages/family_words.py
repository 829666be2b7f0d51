"""Families of libraries in words: what the table of the first page and a family's own page say."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.report.draw import family_map
from verify.results.conformance import GOOD, Direction, Effect, Grade, Point, Region
from verify.results.families import Family

_SAME = 1e-6  # a final epsilon that is right
_LITTLE = 1e-2
_CAUSES = 3


@dataclass(frozen=True, slots=True)
class Said:
    """A few words, and how grave: "bad", "warn", "dim" or "good"."""

    grave: str
    words: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of families: its title, and a cell for each family."""

    title: str
    cells: tuple[tuple[Said, ...], ...]


# -- the table -----------------------------------------------------------------------------------


def columns(families: Sequence[Family]) -> list[Column]:
    """The columns beside the name; one that says the same in every row is left out."""
    every = {
        "in training runs": lambda f: region(f, Region.TRAINING),
        "at extremes": lambda f: region(f, Region.EXTREMES),
        "RDP ε of published runs": effect_on_epsilon,
        "theorem": proved,
        "causes (points)": causes,
    }
    made = [Column(title, tuple(map(say, families))) for title, say in every.items()]
    return [column for column in made if len(families) < 2 or len(set(column.cells)) > 1]


def region(family: Family, where: Region) -> tuple[Said, ...]:
    """How the answers in a region err, the gravest first."""
    tally = family.regions.get(where)
    if tally is None:
        return (Said("dim", "not asked"),)
    points = sum(tally.verdicts.values())
    said = [
        Said(grave, f"{tally.directions[d]} {word}, {_how(d, float(tally.worst[d].relative))}")
        for d, grave, word in (
            (Direction.UNSAFE, "bad", "too small"),
            (Direction.OVERSTATED, "warn", "too large"),
        )
        if d in tally.worst
    ]
    silent = tally.verdicts.get(Grade.NO_ANSWER, 0)
    if silent:
        said.append(Said("dim", f"{silent} without an answer"))
    good = sum(tally.verdicts.get(grade, 0) for grade in GOOD)
    if good == points:
        return (Said("good", f"all {points} right"),)
    return (*said, Said("good", f"{good} of {points} right"))


def _how(direction: Direction, relative: float) -> str:
    """By how much of the truth an answer errs at worst.

    >>> _how(Direction.UNSAFE, -0.25), _how(Direction.UNSAFE, -2.0), _how(Direction.OVERSTATED, 49.0)
    ('by up to 25%', 'at worst negative', 'up to 50 times the truth')
    """
    if relative <= -1:
        return "at worst zero" if relative == -1 else "at worst negative"
    if relative < -0.9:
        return f"down to {1 + relative:.1g} of the truth"
    return larger(relative, "the truth") if relative >= 1 else f"by up to {_share(relative)}"


def larger(relative: float, than: str) -> str:
    """A factor that is at least 2.

    >>> larger(1234.0, "the truth"), larger(1.8e10, "the truth"), larger(1.25, "it")
    ('up to 1235 times the truth', 'up to 2e10 times the truth', 'up to 2.2 times it')
    """
    times = 1 + relative
    told = f"{times:.2g}" if times < 10 else f"{times:.0f}" if times < 1e5 else f"{times:.0e}"
    return f"up to {told.replace('e+', 'e')} times {than}"


def _share(relative: float) -> str:
    """A relative error below 1, without its sign.

    >>> _share(-0.25), _share(0.000362)
    ('25%', '0.036%')
    """
    return f"{100 * abs(relative):.2g}%"


def effect_on_epsilon(family: Family) -> tuple[Said, ...]:
    """What becomes of the final epsilon of the published training runs, by way of RDP."""
    runs = family.effects
    if not runs:
        return (Said("dim", "not asked"),)
    factors = [float(run.factor) for run in runs if run.factor is not None]
    said = []
    below = [f for f in factors if f < 1 - _SAME]
    above = [f for f in factors if f > 1 + _SAME]
    if below:
        share = f"down to {min(below):.3g} of the right one"
        said.append(Said("bad", f"too small in {len(below)} of {len(runs)}: {share}"))
    if above:
        most = max(above) - 1
        by = larger(most, "the right one") if most >= 1 else f"by up to {_share(most)}"
        said.append(Said("warn", f"too large in {len(above)} of {len(runs)}, {by}"))
    silent = len(runs) - len(factors)
    if silent:
        said.append(Said("dim", f"none in {silent} of {len(runs)}"))
    return tuple(said) or (Said("good", f"right in all {len(runs)}"),)


def proved(family: Family) -> tuple[Said, ...]:
    if family.theorem is not None:
        return (Said("bad", "an answer too small, proved"),)
    return (Said("dim", "none" if family.understates else "nothing to prove"),)


def causes(family: Family) -> tuple[Said, ...]:
    """The largest causes."""
    named = tuple(Said("", f"{c.name} ({c.points})") for c in family.clusters[:_CAUSES])
    more = len(family.clusters) - len(named)
    return (*named, *([Said("dim", f"and {more} more")] if more else [])) or (Said("dim", "none"),)


def in_line(said: Sequence[Said]) -> str:
    """A cell of the table as one line."""
    return "; ".join(one.words for one in said)


# -- the page ------------------------------------------------------------------------------------


def matters(family: Family) -> str:
    """Does it matter to my users? In one sentence."""
    runs = family.effects
    if not runs:
        return "Not asked: the training runs were left out."
    off = [math.inf if run.factor is None else abs(float(run.factor) - 1) for run in runs]
    if max(off) <= _SAME:
        return f"No: the RDP ε of {len(runs)} published training runs is right."
    word = "Yes" if max(off) > _LITTLE else "Barely"
    return f"{word}: the RDP ε of published training runs is {in_line(effect_on_epsilon(family))}."


def how_far(run: Effect) -> Said:
    """A run's final epsilon beside the right one."""
    if run.factor is None:
        return Said("dim", "no epsilon")
    factor = float(run.factor)
    if abs(factor - 1) <= _SAME:
        return Said("good", "right")
    if factor < 1:
        return Said("bad", f"too small by {_share(factor - 1)}")
    told = f"by {_share(factor - 1)}" if factor < 2 else f"{factor:.3g} times the right one"
    return Said("warn", f"too large, {told}")


def worst(family: Family) -> Iterator[tuple[str, Point]]:
    """The points worth showing: the worst of each region and direction."""
    for where, tally in family.regions.items():
        for direction, point in tally.worst.items():
            yield f"{where}, {direction}", point


def counted(counts: Mapping[str, int], before: str = "") -> str:
    """Counts in a line.

    >>> counted({"nan": 3, "crash": 1})
    '3 nan, 1 crash'
    """
    return ", ".join(f"{n} {before}{name}" for name, n in counts.items() if n)


def command(q: object, sigma: object, alpha: object) -> str:
    """What certifies the truth at a point."""
    return f"sgm-verify value --q {q} --sigma {sigma} --alpha {alpha}"


def _figure(family: Family) -> Any:
    from markupsafe import Markup

    return Markup(family_map.figure(family))  # escaped by its maker


GLOBALS: dict[str, Callable[..., Any]] = {
    "family_columns": columns,
    "family_figure": _figure,
    "family_matters": matters,
    "family_worst": worst,
    "family_how_far": how_far,
    "family_counted": counted,
    "family_command": command,
}
"""What the macros of families.html.j2 call; a template imports them with its context."""
