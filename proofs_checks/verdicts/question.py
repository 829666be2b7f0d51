"""What is to be proved, as a function of the numbers alone: once in words, once in Coq.

>>> asked = VerdictQuestion(Point.of("1/100", "1.1", 8), VerdictKind.NOT_VALID, Fraction(1, 2000))
>>> print(asked.words())
X = 0.0005 is too small at q = 0.01, sigma = 1.1, alpha = 8: for every type of records and in every
dimension there is a function of sensitivity 1 whose sampled Gaussian mechanism is not (alpha, X)-RDP.
>>> print(asked.statement())
forall (U : Type) (u : U) (n : nat), exists f : list U -> point, sensitivity_1_space (S n) f /\\
  ~ is_RDP_space (S n) (sampled_gaussian_space (1 / 100) (11 / 10) (S n) f) 8 (1 / 2000)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, Inexact, localcontext
from enum import StrEnum
from fractions import Fraction

from verify.numbers.certified import nearest_double
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point, exact, exact_text, shown

ALLOWED_ORDER = (
    "a finite number > 1: at order 1 and at infinity there is no theorem on the mechanism"
)

_PLACES = 100  # significant digits that words may have


class VerdictKind(StrEnum):
    """What a verdict says of X, or of the two ends of an enclosure."""

    NOT_VALID = "not-valid"
    VALID = "valid"
    ENCLOSURE = "enclosure"


@dataclass(frozen=True, slots=True)
class VerdictQuestion:
    """X is not valid, X is valid, or: the divergence lies between X and ``upper``.

    ``reverse`` speaks of D(mu0 || mu) instead of the mechanism, whose parameter is the larger of the two.
    """

    point: Point
    kind: VerdictKind
    x: Fraction
    upper: Fraction | None = None
    reverse: bool = False

    def __post_init__(self) -> None:
        if self.point.alpha is None or self.point.alpha <= 1:
            given = "inf" if self.point.alpha is None else shown(self.point.alpha)
            raise OutOfDomain(f"alpha = {given}: must be {ALLOWED_ORDER}")

    @property
    def alpha(self) -> Fraction:
        assert self.point.alpha is not None  # seen to when the question was made
        return self.point.alpha

    def divergence(self) -> str:
        """The divergence that the question is about, in Coq."""
        q, sigma, alpha = (literal(v) for v in (self.point.q, self.point.sigma, self.alpha))
        pair = f"(mu {q} {sigma}) (mu0 {sigma})"
        if self.reverse:
            pair = f"(mu0 {sigma}) (mu {q} {sigma})"
        return f"renyi {alpha} {pair}"

    def statement(self) -> str:
        """The theorem, with the names of the Statements files."""
        q, sigma, alpha, x = (
            literal(v) for v in (self.point.q, self.point.sigma, self.alpha, self.x)
        )
        if self.kind is VerdictKind.ENCLOSURE:
            return f"{x} <= {self.divergence()} <= {literal(self.upper or Fraction(0))}"
        if self.reverse:
            low, high = f"{x} < {self.divergence()}", f"{self.divergence()} <= {x}"
            return low if self.kind is VerdictKind.NOT_VALID else high
        rdp = f"is_RDP_space (S n) (sampled_gaussian_space {q} {sigma} (S n) f) {alpha} {x}"
        if self.kind is VerdictKind.NOT_VALID:
            return (
                "forall (U : Type) (u : U) (n : nat), exists f : list U -> point, "
                f"sensitivity_1_space (S n) f /\\\n  ~ {rdp}"
            )
        return (
            "forall (U : Type) (n : nat) (f : list U -> point), "
            f"sensitivity_1_space (S n) f ->\n  {rdp}"
        )

    def words(self) -> str:
        """The same for people."""
        values = (self.point.q, self.point.sigma, self.alpha)
        names = zip(("q", "sigma", "alpha"), values, strict=True)
        where, x = (
            "at " + ", ".join(f"{name} = {exact_words(v)}" for name, v in names),
            exact_words(self.x),
        )
        name = "D(mu0 || mu)" if self.reverse else "D(mu || mu0)"
        if self.kind is VerdictKind.ENCLOSURE:
            ends = f"{x} and {exact_words(self.upper or Fraction(0))}"
            return f"The Rényi divergence {name} {where} lies between\n{ends}."
        if self.reverse:
            side = "above" if self.kind is VerdictKind.NOT_VALID else "at most"
            return f"The Rényi divergence {name} {where} is {side}\nX = {x}."
        if self.kind is VerdictKind.NOT_VALID:
            return (
                f"X = {x} is too small {where}: for every type of records and in every\n"
                "dimension there is a function of sensitivity 1 whose sampled Gaussian mechanism is not "
                "(alpha, X)-RDP."
            )
        return (
            f"X = {x} is valid {where}: for every type of records, every dimension and every\n"
            "function of sensitivity 1 the sampled Gaussian mechanism is (alpha, X)-RDP."
        )


def exact_words(x: Fraction) -> str:
    """A rational for people, with nothing rounded: a double also says its bits.

    >>> exact_words(Fraction(1, 100)), exact_words(Fraction(0.01)), exact_words(Fraction(1, 3))
    ('0.01', '0.01 (the double 0x1.47ae147ae147bp-7)', '1/3')
    >>> exact_words(Fraction(10**30 + 1, 10**33))
    '0.001000000000000000000000000000001'
    """
    text = shown(x)
    if exact("a number", text, "a number") == x:
        return text
    if math.isfinite(near := nearest_double(x)) and Fraction(near) == x:
        return f"{near!r} (the double {near.hex()})"
    return in_full(x)


def in_full(x: Fraction) -> str:
    """All digits of a rational, or the fraction: a number printed so lies where it is said to lie.

    >>> in_full(Fraction(0.1)), in_full(Fraction(1, 3))
    ('0.1000000000000000055511151231257827021181583404541015625', '1/3')
    """
    return decimal_text(x) or exact_text(x)


def decimal_text(x: Fraction) -> str:
    """All decimals of a rational; empty if there are too many, or no end of them."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = _PLACES, MAX_EMAX, MIN_EMIN
        decimal = Decimal(x.numerator) / Decimal(x.denominator)
        return "" if context.flags[Inexact] else f"{decimal.normalize():g}"


def literal(x: Fraction) -> str:
    """A rational in Coq, exactly; a double is a rational as well.

    >>> literal(Fraction(0.1)), literal(Fraction(50)), literal(Fraction(-1, 3))
    ('(3602879701896397 / 36028797018963968)', '50', '(-1 / 3)')
    """
    if x.denominator == 1:
        return str(x.numerator) if x >= 0 else f"({x.numerator})"
    return f"({x.numerator} / {x.denominator})"


def pair(x: Fraction) -> str:
    """The same as a pair of integers."""
    return f"({x.numerator}, {x.denominator})%Z"
