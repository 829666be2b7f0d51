"""Moments, certified: closed forms where they exist, one engine for ordinary calls, three for proof.

The certified trapezoid alone answers ordinary calls, for its error is proved. The other engines are
witnesses: what gets published is computed by all of them, and they must agree.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from fractions import Fraction

from verify.budget import Deadline
from verify.certified import Certified, Enclosure
from verify.engines import Engine, Moment
from verify.errors import EnginesDisagree, OutOfReach

REFERENCE = "trapezoid"
WITNESSES = ("series", "quadrature")


def engine(name: str) -> Engine:
    """An engine by name; imported on first use, so that mpmath is not loaded for nothing."""
    evaluate: Engine = importlib.import_module(f"verify.engines.{name}").evaluate
    return evaluate


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
    """What each engine says of one moment; made only if those that answered agree."""

    values: dict[str, Enclosure]
    unreachable: dict[str, str]
    agreement: int

    @property
    def witnesses(self) -> tuple[str, ...]:
        """The independent engines that confirmed the reference."""
        return tuple(name for name in WITNESSES if name in self.values)

    def scaled(self, scale: Fraction) -> CrossCheck:
        """The same verdict on a multiple of the moment."""
        values = {name: value.scaled(scale) for name, value in self.values.items()}
        return CrossCheck(values, self.unreachable, self.agreement)


def cross_check(moment: Moment, digits: int, deadline: Deadline) -> CrossCheck:
    """Evaluate by every engine; EnginesDisagree if any two values are incompatible."""
    values = {REFERENCE: engine(REFERENCE)(moment, digits, deadline)}
    unreachable: dict[str, str] = {}
    for name in WITNESSES:
        try:
            values[name] = engine(name)(moment, digits, Deadline(deadline.seconds))
        except OutOfReach as error:
            unreachable[name] = str(error)
    return compare(moment, digits, values, unreachable)


def compare(
    moment: Moment, digits: int, values: dict[str, Enclosure], unreachable: dict[str, str]
) -> CrossCheck:
    """Judge the engines' values: all must lie within 10^-digits of the reference."""
    reference = values[REFERENCE]
    middle = (reference.lo + reference.hi) / 2
    agreement: int | None = None
    for name, value in values.items():
        apart = max(abs(value.lo - middle), abs(value.hi - middle))
        if apart > 2 * abs(middle) / Fraction(10) ** digits:
            listing = "; ".join(
                f"{n} in [{_shown(v.lo, digits)}, {_shown(v.hi, digits)}]"
                for n, v in values.items()
            )
            raise EnginesDisagree(f"{moment}: {name} is off by more than asked: {listing}")
        if name != REFERENCE:
            difference = abs((value.lo + value.hi) / 2 - middle)
            same = _agreeing_digits(difference, middle)
            agreement = same if agreement is None else min(agreement, same)
    if agreement is None:
        reasons = "; ".join(f"{n}: {why}" for n, why in unreachable.items())
        raise OutOfReach(f"{moment}: no independent engine reaches this point ({reasons})")
    return CrossCheck(values, unreachable, agreement)


def _shown(x: Fraction, digits: int) -> str:
    return Certified.exactly(x).lo_str(digits + 5)


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
    scale: Fraction = Fraction(1),
) -> Certified:
    """scale times the moment, to that many digits; with ``check``, confirmed by the witnesses."""
    exact = closed_form(moment)
    if exact is not None:
        return Certified.exactly(exact * scale)
    if check:
        found = cross_check(moment, digits, deadline)
        result = known(moment, found.values[REFERENCE], deadline.seconds, found.witnesses)
    else:
        enclosure = engine(REFERENCE)(moment, digits, deadline)
        result = known(moment, enclosure, deadline.seconds)
    return result.scaled(scale)


def known(
    moment: Moment, enclosure: Enclosure, max_seconds: float, witnesses: tuple[str, ...] = ()
) -> Certified:
    """A moment that has been computed, with the way to compute it again (which can be pickled)."""
    again = functools.partial(certified, moment)
    return Certified(enclosure.lo, enclosure.hi, again, witnesses, max_seconds)
