"""What the audit of the curve asks, and what it heard."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.accounting.closed import single
from verify.accounting.contour import Value
from verify.accounting.history import History
from verify.accounting.pair import pair
from verify.accounting.planner import Direction
from verify.budget import Deadline
from verify.certified import nearest_double
from verify.errors import OutOfReach


@dataclass(frozen=True, slots=True)
class Case:
    """One question: what to compare, for which run, where."""

    kind: str
    history: History
    direction: Direction
    epsilon: Fraction
    digits: int
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Result:
    """ok is None for a vacuous case; ``detail`` says what was seen."""

    case: Case
    ok: bool | None
    detail: str


def compared(one: Value, other: Value) -> tuple[bool, str]:
    """Two intervals for one number must have a point in common."""
    ends = [nearest_double(x) for x in (one.lo, one.hi, other.lo, other.hi)]
    ok = one.lo <= other.hi and other.lo <= one.hi
    return ok, f"[{ends[0]!r}, {ends[1]!r}] and [{ends[2]!r}, {ends[3]!r}]"


def exact(case: Case, deadline: Deadline) -> Value:
    """The closed form of one step, or the integral of two."""
    (phase,) = case.history
    if phase.steps > 2:
        raise OutOfReach("no closed form")
    found = (single if phase.steps == 1 else pair)(phase, case.direction)
    return found.at(case.epsilon, 30.0, 30.0, deadline)
