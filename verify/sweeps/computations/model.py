"""What a computation is: one frozen record, made in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point
from verify.sweeps.axes import Coordinate

DOUBLE, TEXT = "REAL", "TEXT"
"""The two kinds of columns, by the names SQLite has for them."""


class Status(StrEnum):
    """How it ended at one point. Only the first two count as done well."""

    VALUE = "value"
    NONE = "none"  # proved: there is no such number here
    FAILED = "failed"  # proved: the property is false here; or a library's answer does not conform
    UNDECIDED = "undecided"
    ERROR = "error"  # the note has its name; there is no value


GOOD = (Status.VALUE, Status.NONE)


class Outcome(NamedTuple):
    """What is written for a point: columns in the order the computation declares them."""

    status: Status
    note: str
    values: tuple[str | float | None, ...]


class Where(NamedTuple):
    """A point, in both forms."""

    q: Coordinate
    sigma: Coordinate
    alpha: Coordinate | None

    def point(self) -> Point:
        if self.alpha is None:
            raise OutOfDomain("an order is needed here")
        return Point(self.q.finite(), self.sigma.finite(), self.alpha.exact)


Run = Callable[[Where, float], Outcome]
"""The computation at a point, within so many seconds."""


def no_options(given: dict[str, Any]) -> dict[str, Any]:
    """Options are checked by name before; where there are none, none are left."""
    return given


def everywhere(point: Point) -> bool:
    return True


def always_ready(options: dict[str, Any]) -> None:
    """Nothing is needed that may be missing."""


@dataclass(frozen=True)
class Computation:
    """Something that can be computed at each point of a sweep.

    ``check`` turns options into their canonical form or raises OutOfDomain; ``prepare`` is called in
    each worker, once, with digits and options, and returns the function that is called at each point.
    ``ready`` raises OutOfDomain if a new sweep with these options could only fail on this machine.
    """

    name: str
    summary: str
    columns: tuple[tuple[str, str], ...]
    prepare: Callable[[int, dict[str, Any]], Run]
    options: tuple[str, ...] = ()
    check: Callable[[dict[str, Any]], dict[str, Any]] = no_options
    alpha: bool = True  # whether a point has an order
    doubles: bool = False  # whether points must be doubles
    needs: str = ""
    domain: Callable[[Point], bool] = everywhere
    ready: Callable[[dict[str, Any]], None] = always_ready


def certified_columns(name: str) -> tuple[tuple[str, str], ...]:
    """The four columns of a certified number."""
    return (name, DOUBLE), (f"{name}_up", DOUBLE), (f"{name}_lo", TEXT), (f"{name}_hi", TEXT)


def certified_values(x: Certified, digits: int) -> tuple[float, float, str, str]:
    """Nearest and upward double, and the ends rounded outwards to three digits more than asked."""
    return x.to_double(), x.to_double_up(), x.lo_str(digits + 3), x.hi_str(digits + 3)
