"""Which side is true, and by how much: this is decided by the certified engine, before a proof is
begun.

>>> found = decide(Point.of("0.01", "1.1", 8), Deadline(), valid=Fraction(1, 1000))
>>> found.question.kind, found.bits
(<VerdictKind.VALID: 'valid'>, 11)
>>> decide(Point.of("0.01", "1.1", 8), Deadline(), not_valid=Fraction(1, 1000))
Traceback (most recent call last):
...
proofs_checks.verdicts.decide.WrongSide: X = 0.001 is valid here (epsilon is 0.000584070335520251...
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion, in_full
from verify.moments.divergence import before
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.decimals import exponent10
from verify.numbers.errors import OutOfDomain, SgmError
from verify.numbers.point import Point, shown

DIGITS = (15, 30)
"""Digits tried one after the other to see on which side of the divergence X lies."""
MOST_DIGITS = 60
_LEAST_BITS = 8


class WrongSide(SgmError):
    """What was to be proved is false, by a certified interval."""


class Undecided(SgmError):
    """X lies inside the certified interval."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A true question, the divergence to ``digits`` digits, and the bits of ln A that a proof needs."""

    question: VerdictQuestion
    value: Certified
    digits: int
    gap: Fraction

    @property
    def exact(self) -> bool:
        """q = 0 and q = 1 have closed forms."""
        return self.question.point.q in (0, 1)

    @property
    def bits(self) -> int:
        """How small an error of ln A = (alpha - 1) epsilon must be, as a power of two; some to spare."""
        room = self.gap * (self.question.alpha - 1) / 4
        return max(_LEAST_BITS, math.ceil(-log2(room))) if room else _LEAST_BITS


def decide(
    point: Point,
    deadline: Deadline,
    *,
    not_valid: Fraction | None = None,
    valid: Fraction | None = None,
    digits: int | None = None,
    reverse: bool = False,
) -> Decided:
    """Of three ways to ask, exactly one; WrongSide or Undecided if there is nothing to prove."""
    given = [
        k for k, v in zip(VerdictKind, (not_valid, valid, digits), strict=True) if v is not None
    ]
    if len(given) != 1:
        raise OutOfDomain("give one of --not-valid X, --valid X and --digits N")
    if digits is not None:
        return _enclosure(point, deadline, digits, reverse)
    x = not_valid if not_valid is not None else valid
    assert x is not None  # one of the two was given
    question = VerdictQuestion(point, given[0], x, None, reverse)
    for wanted in DIGITS:
        value = _value(question, deadline, wanted)
        low, high = Fraction(value.lo), Fraction(value.hi)
        if low <= x <= high and low != high:
            continue
        if (given[0] is VerdictKind.NOT_VALID) != (x < low):
            raise WrongSide(_contrary(question, value, too_small=x < low))
        return Decided(question, value, wanted, min(abs(x - low), abs(x - high)))
    raise Undecided(
        f"undecided at {DIGITS[-1]} digits: X = {in_full(x)} lies inside the certified interval "
        f"[{value.lo_str(DIGITS[-1] + 3)}, {value.hi_str(DIGITS[-1] + 3)}]"
    )


def _value(question: VerdictQuestion, deadline: Deadline, digits: int) -> Certified:
    quantity = "rdp_reverse" if question.reverse else "rdp"
    return before(deadline, quantity, question.point, digits)


def _contrary(question: VerdictQuestion, value: Certified, *, too_small: bool) -> str:
    what = "too small" if too_small else "valid"
    other = "--not-valid" if too_small else "--valid"
    return f"X = {shown(question.x)} is {what} here (epsilon is {value.text(20)}); ask for {other}"


def _enclosure(point: Point, deadline: Deadline, digits: int, reverse: bool) -> Decided:
    """The divergence between decimals of so many digits, with an eighth of a unit to spare."""
    if not 1 <= digits <= MOST_DIGITS:
        raise OutOfDomain(f"digits = {digits}: must be a whole number from 1 to {MOST_DIGITS}")
    asked = VerdictQuestion(point, VerdictKind.ENCLOSURE, Fraction(0), Fraction(0), reverse)
    value = _value(asked, deadline, digits + 3)
    low, high = Fraction(value.lo), Fraction(value.hi)
    if low == high:
        return Decided(
            VerdictQuestion(point, VerdictKind.ENCLOSURE, low, low, reverse),
            value,
            digits,
            Fraction(0),
        )
    unit = Fraction(10) ** (exponent10(low) - digits + 1)
    x = math.floor(low / unit - Fraction(1, 8)) * unit
    upper = math.ceil(high / unit + Fraction(1, 8)) * unit
    question = VerdictQuestion(point, VerdictKind.ENCLOSURE, x, upper, reverse)
    return Decided(question, value, digits, min(low - x, upper - high))


def log2(x: Fraction) -> float:
    """The binary logarithm of a positive rational of any size.

    >>> log2(Fraction(1, 2**5000))
    -5000.0
    """
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    return shift + math.log2(x / Fraction(2) ** shift)
