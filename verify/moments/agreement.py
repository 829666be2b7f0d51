"""Moments, certified: closed forms where they exist, one engine for ordinary calls, more for proof.

One engine answers an ordinary call, for its error is proved: the certified trapezoid, or the
binomial sum where a whole order makes it short. What gets published is the trapezoid's, and
computed again: by a second certified route, whose proof shares nothing with the first but the
arithmetic, and by witnesses that share not even that. All run with ten digits more than asked, and
what they say has to lie in the interval of the reference. That two numbers agree to the digits
asked would not be enough: an interval may miss the truth by a thousandth of its width.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from fractions import Fraction

from verify.moments.engines import ENGINES, Engine, Moment
from verify.moments.engines.whole import QUICK
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified, Enclosure, scaled_ends
from verify.numbers.errors import BudgetExceeded, EnginesDisagree, OutOfReach, PrecisionExhausted

REFERENCE = next(iter(ENGINES))
WITNESSES = tuple(name for name, listed in ENGINES.items() if not listed.proved)

MORE_DIGITS = 10
"""What the others compute beyond the digits asked, so that they can tell the ends apart."""

_ONE = Fraction(1)
_WHOLE_UP_TO = 2000  # the binomial sum has as many terms as the order; beyond, quadrature is faster


def engine(name: str) -> Engine:
    """An engine by name."""
    evaluate: Engine = importlib.import_module(ENGINES[name].module).evaluate
    return evaluate


def second_route(moment: Moment) -> str:
    """The proved engine that shares no discretisation with the reference at this moment."""
    whole = moment.order.denominator == 1 and 0 <= moment.order <= _WHOLE_UP_TO
    return "whole" if whole and not moment.log else "rigorous"


def quickest(moment: Moment) -> str:
    """The proved engine that answers ordinary calls: the reference, or at small whole orders a short sum."""
    small = moment.order.denominator == 1 and 2 <= moment.order.numerator <= QUICK
    return "whole" if small and not moment.log else REFERENCE


def closed_form(moment: Moment) -> Fraction | None:
    """The moment as an exact rational, where it is one.

    >>> closed_form(Moment(Fraction(1), Fraction(2), Fraction(3)))
    Fraction(3, 4)
    """
    s = moment.order
    if moment.q == 0 or (s in (0, 1) and not moment.log):
        return Fraction(0)
    if moment.q == 1:
        return (2 * s - 1 if moment.log else s * (s - 1)) / (2 * moment.sigma**2)
    return None


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """What each engine says of one moment; made only if those that answered are compatible."""

    values: dict[str, Enclosure]
    unreachable: dict[str, str]
    agreement: int

    @property
    def confirmed_by(self) -> tuple[str, ...]:
        """All other engines that reached the point."""
        return tuple(name for name in self.values if name != REFERENCE)

    @property
    def witnesses(self) -> tuple[str, ...]:
        """Those in another arithmetic: what is published needs at least one."""
        return tuple(name for name in WITNESSES if name in self.values)

    @property
    def contained(self) -> tuple[str, ...]:
        """The engines whose whole interval lies in that of the reference."""
        outer = self.values[REFERENCE]
        return tuple(
            name
            for name, value in self.values.items()
            if name != REFERENCE and outer.lo <= value.lo and value.hi <= outer.hi
        )

    def scaled(self, scale: Fraction) -> CrossCheck:
        """The same verdict on a multiple of the moment."""
        values = {name: value.scaled(scale) for name, value in self.values.items()}
        return CrossCheck(values, self.unreachable, self.agreement)


def cross_check(
    moment: Moment, digits: int, deadline: Deadline, *, patience: float | None = None
) -> CrossCheck:
    """Evaluate by every engine; EnginesDisagree if any interval does not meet the reference's.

    An engine that cannot reach the point is left out; with ``patience``, so is one that takes more
    than so many seconds of work (without, running out of time is an error): of its own work, because how
    busy the machine is must not decide what is confirmed.
    """
    values = {REFERENCE: engine(REFERENCE)(moment, digits, deadline)}
    tolerated = (OutOfReach, PrecisionExhausted, *((BudgetExceeded,) if patience else ()))
    unreachable: dict[str, str] = {}
    for name in (second_route(moment), *WITNESSES):
        limit = deadline if patience is None else Deadline.of_work(min(patience, deadline.left()))
        try:
            values[name] = engine(name)(moment, digits + MORE_DIGITS, limit)
        except tolerated as error:
            unreachable[name] = str(error)
    return compare(moment, digits, values, unreachable)


def compare(
    moment: Moment, digits: int, values: dict[str, Enclosure], unreachable: dict[str, str]
) -> CrossCheck:
    """Judge the engines' values.

    Every interval, whether proved or a value with its estimated error, must meet the reference's: if
    two intervals are disjoint, at least one of them is false. And none may reach further from the
    middle than the digits asked allow, so that nothing is confirmed by being vague.
    """
    reference = values[REFERENCE]
    middle = (reference.lo + reference.hi) / 2
    agreement: int | None = None
    for name, value in values.items():
        apart = max(abs(value.lo - middle), abs(value.hi - middle))
        if value.hi < reference.lo or reference.hi < value.lo:
            raise EnginesDisagree(
                f"{moment}: {name} lies outside the interval of the {REFERENCE}: "
                + _listing(values, digits)
            )
        if apart > 2 * abs(middle) / Fraction(10) ** digits:
            raise EnginesDisagree(
                f"{moment}: {name} is off by more than asked: {_listing(values, digits)}"
            )
        if name != REFERENCE:
            same = _agreeing_digits(abs((value.lo + value.hi) / 2 - middle), middle)
            agreement = same if agreement is None else min(agreement, same)
    if agreement is None:
        reasons = "; ".join(f"{n}: {why}" for n, why in unreachable.items())
        raise OutOfReach(f"{moment}: no independent engine reaches this point ({reasons})")
    return CrossCheck(values, unreachable, agreement)


def _listing(values: dict[str, Enclosure], digits: int) -> str:
    """Every engine's interval, rounded outwards, with digits enough to see them apart."""
    places = digits + MORE_DIGITS + 3
    shown = ((name, Certified(v.lo, v.hi)) for name, v in values.items())
    return "; ".join(f"{n} in [{c.lo_str(places)}, {c.hi_str(places)}]" for n, c in shown)


def _agreeing_digits(difference: Fraction, size: Fraction) -> int:
    if difference == 0 or size == 0:
        return 9999
    ratio = abs(size) / difference
    return max(
        0, int((ratio.numerator.bit_length() - ratio.denominator.bit_length()) * 0.30103) - 1
    )


def certified(
    moment: Moment,
    digits: int,
    deadline: Deadline,
    *,
    check: bool = False,
    scale: Fraction = _ONE,
) -> Certified:
    """scale times the moment, to that many digits; with ``check``, confirmed by the others."""
    exact = closed_form(moment)
    if exact is not None:
        return Certified.exactly(exact * scale)
    if check:
        found = cross_check(moment, digits, deadline)
        reference, witnesses = found.values[REFERENCE], found.confirmed_by
        return certified_from(moment, reference, deadline.seconds, witnesses, scale=scale)
    deadline.check()  # a short sum has no loop that would
    value = engine(quickest(moment))(moment, digits, deadline)
    return certified_from(moment, value, deadline.seconds, scale=scale)


def certified_from(
    moment: Moment,
    found: Enclosure,
    max_seconds: float,
    witnesses: tuple[str, ...] = (),
    *,
    scale: Fraction = _ONE,
) -> Certified:
    """scale times what was found of a moment, with the way to compute it again (can be pickled)."""
    again = functools.partial(certified, moment, scale=scale)
    low, high = scaled_ends(found.lo, found.hi, scale)
    return Certified(low, high, again, witnesses, max_seconds)
