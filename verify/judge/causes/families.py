"""Libraries that answer alike at every point are one family: they share a program, whatever they are called.

Alike is: the same kind of silence, or numbers no farther apart than one part in 1e9, or 1e-12. Rounding on another
machine does not make a family, and neither does agreement at most points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from verify.results.conformance import Conformance, Direction, Region, Row

_RELATIVE, _ABSOLUTE = 1e-9, 1e-12
_LATE = 0.01  # of the points may be late, and are not compared
_SAME = 1e-6  # a final epsilon that is right


@dataclass(frozen=True, slots=True)
class LibraryFamily:
    """Recorded checks with the same answers, in the order of their names; the first stands for all."""

    members: tuple[Conformance, ...]

    @property
    def first(self) -> Conformance:
        return self.members[0]

    @property
    def name(self) -> str:
        """Its members with their versions; versions of one library together."""
        versions: dict[str, list[str]] = {}
        for member in self.members:
            versions.setdefault(member.target, []).append(member.version)
        return ", ".join(f"{name} {' and '.join(those)}" for name, those in versions.items())

    def worst(self, region: Region) -> str:
        """How many answers err which way in a region, and by how much of the truth at worst."""
        from verify.judge.show.render import percent

        tally = self.first.regions[region]
        found = [
            f"{tally.directions[d]} {d}, worst {percent(float(tally.worst[d].relative))}"
            for d in Direction
            if d in tally.worst
        ]
        return "; ".join(found) or "none"

    def effect(self) -> str:
        """The final epsilon of training runs, as factors."""
        runs = self.first.effects
        if not runs:
            return "not asked"
        factors = [None if e.factor is None else float(e.factor) for e in runs]
        known = [factor for factor in factors if factor is not None]
        if not known:
            return "no epsilon"
        if max(abs(factor - 1) for factor in known) <= _SAME:
            return f"none ({len(runs)} runs)"
        unsafe = sum(factor < 1 - _SAME for factor in known)
        kind = f"{unsafe} UNSAFE, " if unsafe else ""
        span = " to ".join(
            "1" if abs(f - 1) <= _SAME else f"{f:.5g}" for f in (min(known), max(known))
        )
        return f"{span} times ({kind}{len(runs)} runs)"

    def cause(self) -> str:
        """Every cause with its number of points, the largest first, at most three."""
        causes = [f"{cluster.name} ({cluster.points})" for cluster in self.first.clusters]
        return ", ".join(causes[:3]) + (", ..." if len(causes) > 3 else "") if causes else "-"


def families(found: Iterable[Conformance]) -> list[LibraryFamily]:
    """Every recorded check in one family, by name."""
    groups: list[list[Conformance]] = []
    for check in found:
        for group in groups:
            if alike(group[0], check):
                group.append(check)
                break
        else:
            groups.append([check])
    return [LibraryFamily(tuple(group)) for group in groups]


def alike(a: Conformance, b: Conformance) -> bool:
    """Whether two checks asked the same published points and were answered alike at every one."""
    rows, others = _rows_of_every_check(a), _rows_of_every_check(b)
    if a.quantity != b.quantity or len(rows) != len(others):
        return False
    pairs = list(zip(rows, others, strict=True))
    late = sum(_late(x) or _late(y) for x, y in pairs)
    return late <= _LATE * len(pairs) and all(_alike(x, y) for x, y in pairs)


def _late(row: Row) -> bool:
    """A time-out says something about the machine, nothing about the program's answer."""
    return row.reason.startswith("time-out")


def _rows_of_every_check(check: Conformance) -> list[Row]:
    """The points of every check; those drawn for one check alone are no ground for comparison."""
    return [r for r in check.cases.rows if not r.group.startswith(("fresh-", "search"))]


def _alike(x: Row, y: Row) -> bool:
    if (x.group, x.q, x.sigma, x.alpha) != (y.group, y.q, y.sigma, y.alpha):
        return False
    if _late(x) or _late(y):
        return True
    if x.answer is None or y.answer is None:
        return x.answer is None and y.answer is None
    given, other = float(x.answer), float(y.answer)
    if not (math.isfinite(given) and math.isfinite(other)):
        return repr(given) == repr(other)
    near_one = 1.0 if x.alpha == "inf" else min(1.0, max(float(x.alpha) - 1, 2.0**-52))
    return abs(given - other) <= _RELATIVE * abs(given) + _ABSOLUTE / near_one
