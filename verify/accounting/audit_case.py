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


_SHARPER = 100


def compared(one: Value, other: Value) -> tuple[bool, str]:
    """Two intervals for one number: the sharper one lies inside the other, if it is so much sharper; of two that
    are about as wide no more can be asked than a point in common.

    >>> wide, sharp = Value(Fraction(0), Fraction(1), 0.0), Value(Fraction(999, 1000), Fraction(1001, 1000), 0.0)
    >>> compared(wide, sharp)[0], compared(wide, Value(Fraction(1, 2), Fraction(3, 2), 0.0))[0]
    (False, True)
    """
    ends = [nearest_double(x) for x in (one.lo, one.hi, other.lo, other.hi)]
    sharp, wide = sorted((one, other), key=lambda value: value.hi - value.lo)
    if _SHARPER * (sharp.hi - sharp.lo) <= wide.hi - wide.lo:
        ok = wide.lo <= sharp.lo and sharp.hi <= wide.hi
    else:
        ok = one.lo <= other.hi and other.lo <= one.hi
    return ok, f"[{ends[0]!r}, {ends[1]!r}] and [{ends[2]!r}, {ends[3]!r}]"


def exact(case: Case, deadline: Deadline) -> Value:
    """The closed form of one step, or the integral of two."""
    (phase,) = case.history
    if phase.steps > 2:
        raise OutOfReach("no closed form")
    found = (single if phase.steps == 1 else pair)(phase, case.direction)
    return found.at(case.epsilon, 30.0, 30.0, deadline)
