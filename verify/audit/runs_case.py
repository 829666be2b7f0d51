"""What the audit of the curve asks, and what it heard."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from verify.accounting.contour.planner import Direction
from verify.accounting.contour.vertical import Table, Value
from verify.accounting.exact.closed import single
from verify.accounting.exact.two_steps import pair
from verify.accounting.history import History
from verify.accounting.hyperbola.bent import Hyperbola
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import nearest_double
from verify.numbers.errors import OutOfReach


@dataclass(frozen=True, slots=True)
class Case:
    """One question: what to compare, for which run, where."""

    kind: str
    history: History
    direction: Direction
    epsilon: Fraction
    digits: int
    seconds: float = 20.0


class Seen(NamedTuple):
    """What a test saw; ``share`` is the actual error as a share of the bound that is put to the
    test, where there is one."""

    ok: bool
    detail: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """ok is None for a vacuous case; ``detail`` says what was seen."""

    case: Case
    ok: bool | None
    detail: str
    share: float | None = None


_SHARPER = 100


def compare_values(one: Value, other: Value) -> Seen:
    """Two intervals for one number: the sharper one lies inside the other, if it is so much sharper; of two that
    are about as wide no more can be asked than a point in common.

    >>> wide, sharp = Value(Fraction(0), Fraction(1), 0.0), Value(Fraction(999, 1000), Fraction(1001, 1000), 0.0)
    >>> compare_values(wide, sharp)[0], compare_values(wide, Value(Fraction(1, 2), Fraction(3, 2), 0.0))[0]
    (False, True)
    """
    ends = [nearest_double(x) for x in (one.lo, one.hi, other.lo, other.hi)]
    sharp, wide = sorted((one, other), key=lambda value: value.hi - value.lo)
    if _SHARPER * (sharp.hi - sharp.lo) <= wide.hi - wide.lo:
        ok = wide.lo <= sharp.lo and sharp.hi <= wide.hi
    else:
        ok = one.lo <= other.hi and other.lo <= one.hi
    return Seen(ok, f"[{ends[0]!r}, {ends[1]!r}] and [{ends[2]!r}, {ends[3]!r}]")


def agree(one: Value, other: Value) -> tuple[bool, str]:
    """Whether two intervals for one number agree, and both of them."""
    return compare_values(one, other)[:2]


def exact(case: Case, deadline: Deadline) -> Value:
    """The closed form of one step, or the integral of two."""
    (phase,) = case.history
    if phase.steps > 2:
        raise OutOfReach("no closed form")
    found = (single if phase.steps == 1 else pair)(phase, case.direction)
    return found.at(case.epsilon, 30.0, 30.0, deadline)


def compare_with_bound(
    table: Table | Hyperbola, case: Case, truth: Value, bound: str = "width"
) -> Seen:
    """A table with one large error, against the truth: is it inside, and how large is the error beside its bound?

    ``bound``: "tail" or "aliasing" of a line; "width" is that of the whole interval.
    """
    seen = compare_values(table.delta(case.epsilon), truth)
    with precision(table.bend.bits if isinstance(table, Hyperbola) else table.plan.bits):
        true = (ball(truth.lo) + ball(truth.hi)) / 2
        if isinstance(table, Hyperbola):
            middle, size, _ = table.parts(case.epsilon)
            size += middle.rad()
        else:
            parts = table.parts(case.epsilon)
            middle = parts.middle
            sizes = {"tail": parts.tail, "aliasing": parts.right + parts.left}
            size = sizes.get(bound, parts.tail + parts.right + parts.left + middle.rad())
        share = abs(true - middle.mid()) / size
        return seen._replace(share=float(share.mid()) if share.is_finite() else None)
