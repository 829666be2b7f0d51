"""The closed-form bounds of the paper's Table 1 and their conditions, decided by balls.

A condition is true, false, or (if balls of a few thousand bits cannot tell) undecided; it is never
judged by floating point. L stands for ln(1 + 1/(q (alpha - 1))).

>>> row = table(Point.of("0.01", 4, 8), ["this-work"])[0]
>>> row.applies, str(row.epsilon), row.holds
(<Truth.TRUE: 'true'>, '0.0001', <Truth.TRUE: 'true'>)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from flint import arb

from verify.moments.divergence import evaluate
from verify.numbers.balls import ball, precision
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point

_PRECISIONS = (64, 128, 256, 512, 1024, 4096)


class Truth(StrEnum):
    """Three-valued: what balls can say."""

    TRUE = "true"
    FALSE = "false"
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, fact: bool) -> Truth:
        return cls.TRUE if fact else cls.FALSE

    def __and__(self, other: Truth) -> Truth:
        if Truth.FALSE in (self, other):
            return Truth.FALSE
        return Truth.UNDECIDED if Truth.UNDECIDED in (self, other) else Truth.TRUE


def nonnegative(difference: Callable[[], arb]) -> Truth:
    """Whether a real number is >= 0, from balls of rising precision.

    >>> nonnegative(lambda: arb(2).sqrt() ** 2 - 2)
    <Truth.UNDECIDED: 'undecided'>
    """
    for bits in _PRECISIONS:
        with precision(bits):
            value = difference()
            if value >= 0:
                return Truth.TRUE
            if value < 0:
                return Truth.FALSE
    return Truth.UNDECIDED


@dataclass(frozen=True, slots=True)
class PaperCondition:
    """One condition of a row, as a formula and its truth at the point."""

    text: str
    truth: Truth


@dataclass(frozen=True, slots=True)
class Row:
    """A row of Table 1 at a point.

    ``epsilon`` is None where the row gives no closed form that a point could be judged by;
    ``holds`` compares the true epsilon with it, whether or not the conditions are met.
    """

    name: str
    source: str
    conditions: tuple[PaperCondition, ...]
    formula: str
    epsilon: Certified | None
    holds: Truth | None
    remark: str = ""

    @property
    def applies(self) -> Truth:
        truth = Truth.TRUE
        for condition in self.conditions:
            truth &= condition.truth
        return truth


def table(
    point: Point, names: Iterable[str] | None = None, max_seconds: float = DEFAULT_SECONDS
) -> list[Row]:
    """All rows (or those named) at a point with q > 0 and 1 < alpha < infinity."""
    if point.alpha is None or point.alpha == 1 or point.q == 0:
        raise OutOfDomain(f"{point}: the table's bounds need q > 0 and 1 < alpha < inf")
    chosen = list(ROWS) if names is None else list(names)
    unknown = [name for name in chosen if name not in ROWS]
    if unknown:
        raise OutOfDomain(f"row = {unknown[0]!r:.60}: must be one of {', '.join(ROWS)}")
    return [ROWS[name](point, point.alpha, max_seconds) for name in chosen]


def compare(
    point: Point, bound: Fraction, max_seconds: float, most: Fraction | None = None
) -> Truth:
    """Whether the true epsilon is <= a bound in [bound, most]: digits are added until it is clear."""
    for digits in (10, 30, 100):
        true = evaluate("rdp", point, digits, False, max_seconds)
        if true.hi <= bound:
            return Truth.TRUE
        if true.lo > (bound if most is None else most):
            return Truth.FALSE
    return Truth.UNDECIDED


def _length(q: Fraction, alpha: Fraction) -> arb:
    """L."""
    return ball(1 + 1 / (q * (alpha - 1))).log()


def _abadi(point: Point, alpha: Fraction, max_seconds: float) -> Row:
    q, sigma = point.q, point.sigma
    conditions = (
        PaperCondition("q < 1/(16 sigma)", Truth.of(q < 1 / (16 * sigma))),
        PaperCondition(
            "alpha <= 1 + sigma^2 ln(1/(q sigma))",
            nonnegative(lambda: 1 - ball(alpha) - ball(sigma**2) * ball(q * sigma).log()),
        ),
    )
    return Row(
        "abadi-asymptotic",
        "Abadi et al. 2016",
        conditions,
        "q^2 alpha/((1-q) sigma^2) + O(q^3 alpha^3/sigma^3)",
        None,
        None,
        "asymptotic: without the constant of its O it says nothing at a single point",
    )


def _abadi_numerical(point: Point, alpha: Fraction, max_seconds: float) -> Row:
    whole = PaperCondition("alpha is an integer", Truth.of(alpha.denominator == 1))
    epsilon = evaluate("rdp", point, 30, False, max_seconds)
    return Row(
        "abadi-numerical", "Abadi et al. 2016", (whole,), "exact value", epsilon, Truth.TRUE,
        "a procedure; the value shown is the certified one",
    )  # fmt: skip


def _bun(point: Point, alpha: Fraction, max_seconds: float) -> Row:
    q, sigma = point.q, point.sigma
    conditions = (
        PaperCondition("q <= 1/10", Truth.of(q <= Fraction(1, 10))),
        PaperCondition("sigma >= sqrt(5)", Truth.of(sigma**2 >= 5)),
        PaperCondition(
            "alpha <= sigma^2 ln(1/q)/2",
            nonnegative(lambda: -ball(sigma**2 / 2) * ball(q).log() - ball(alpha)),
        ),
    )
    bound = 6 * q**2 * alpha / sigma**2
    return Row(
        "bun", "Bun et al. 2018", conditions, "6 q^2 alpha/sigma^2", Certified.exactly(bound),
        compare(point, bound, max_seconds),
        "stated for samples of fixed size and replacement of a value; compared here with Poisson sampling",
    )  # fmt: skip


def _this_work(point: Point, alpha: Fraction, max_seconds: float) -> Row:
    q, sigma = point.q, point.sigma

    def first() -> arb:
        return ball(sigma**2 / 2) * _length(q, alpha) - 2 * ball(sigma).log() - ball(alpha)

    def second() -> arb:
        # The denominator L + ln(q alpha) + 1/(2 sigma^2) is positive: q alpha e^L > 1.
        length = _length(q, alpha)
        numerator = ball(sigma**2 / 2) * length**2 - arb(5).log() - 2 * ball(sigma).log()
        denominator = length + ball(q * alpha).log() + ball(1 / (2 * sigma**2))
        return numerator - ball(alpha) * denominator

    conditions = (
        PaperCondition("q <= 1/5", Truth.of(q <= Fraction(1, 5))),
        PaperCondition("sigma >= 4", Truth.of(sigma >= 4)),
        PaperCondition("alpha <= sigma^2 L/2 - 2 ln sigma", nonnegative(first)),
        PaperCondition(
            "alpha <= (sigma^2 L^2/2 - ln 5 - 2 ln sigma)/(L + ln(q alpha) + 1/(2 sigma^2))",
            nonnegative(second),
        ),
    )
    bound = 2 * q**2 * alpha / sigma**2
    return Row(
        "this-work", "the paper's main theorem", conditions, "2 q^2 alpha/sigma^2",
        Certified.exactly(bound), compare(point, bound, max_seconds),
        "the table asks for q < 1/5, the theorem for q <= 1/5",
    )  # fmt: skip


def _this_work_numerical(point: Point, alpha: Fraction, max_seconds: float) -> Row:
    epsilon = evaluate("rdp", point, 30, False, max_seconds)
    return Row(
        "this-work-numerical", "the paper's numerical procedure", (), "exact value", epsilon,
        Truth.TRUE, "a procedure; the value shown is the certified one",
    )  # fmt: skip


ROWS: dict[str, Callable[[Point, Fraction, float], Row]] = {
    "abadi-asymptotic": _abadi,
    "abadi-numerical": _abadi_numerical,
    "bun": _bun,
    "this-work": _this_work,
    "this-work-numerical": _this_work_numerical,
}
