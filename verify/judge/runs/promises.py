"""What an accountant promises, and whether an answer keeps it.

An upper bound below the exact value is *low* by up to a ten-thousandth of it and UNSAFE beyond; a
lower bound above it misses. What is within a millionth is on neither side. The tolerance of epsilon
is also 1e-12 absolutely; that of delta is relative, down to the smallest delta that is asked. Noise
is judged by the delta that the run with it really has, relative to the target.

Nothing passes by silence: no answer, nan and infinity are failures, and so is a bound that is true
and says nothing (*absurd*): a thousand times the truth. How much a bound wastes is measured in
epsilon, which is what people publish. Far out in the tail a thousand times the delta is a few per
cent of the epsilon, and every bound by way of RDP wastes as much there; so a delta beyond a
thousand times the exact one is absurd if the same point (epsilon, delta) would be an absurd epsilon
for that delta, and kept otherwise. A delta of 1 is always absurd there. Noise beyond ten times the
least is absurd, too, if the target is an absurd epsilon for the run with that noise. An estimate
promises no side and gets its error; a thousand times the truth, or a thousandth, is no estimate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verify.judge.runs.question import Quantity
from verify.numbers.certified import Bound, Certified
from verify.results.conformance import Direction, Region

RELATIVE, LITTLE = Fraction(1, 10**6), Fraction(1, 10**4)
SMALLEST_DELTA = Fraction(1, 10**30)
ABSURD = 1000
_ABSOLUTE = {
    Quantity.EPSILON: Fraction(1, 10**12),
    Quantity.DELTA: RELATIVE * SMALLEST_DELTA,
    Quantity.SIGMA: Fraction(0),
}
_FLOOR = {
    Quantity.EPSILON: Fraction(
        1, 1000
    ),  # a bound of 1 for an epsilon of almost 0 still says something
    Quantity.DELTA: Fraction(1, 10**12),  # and one of 1e-9 for a delta of almost 0
    Quantity.SIGMA: Fraction(0),
}
RULE = (
    "a bound is kept to a millionth of the exact value (epsilon: or 1e-12), low to a ten-thousandth, UNSAFE beyond; "
    "absurd from a thousand times the exact value (delta and noise: by the epsilon they waste); "
    "noise by the delta it gives"
)


class Promise(StrEnum):
    """What an accountant says of its numbers."""

    UPPER = "upper"
    LOWER = "lower"
    ESTIMATE = "estimate"


class Ruling(StrEnum):
    """What became of one answer."""

    KEPT = "kept"
    ESTIMATED = "estimated"
    LOW = "low"
    UNSAFE = "UNSAFE"
    MISSES = "misses"
    ABSURD = "absurd"
    VACUOUS = "vacuous"
    NO_ANSWER = "no answer"
    UNDECIDED = "undecided"


_GOOD = (Ruling.KEPT, Ruling.ESTIMATED)
_WAYS = {
    Ruling.LOW: Direction.LOW,
    Ruling.UNSAFE: Direction.UNSAFE,
    Ruling.ABSURD: Direction.OVERSTATED,
    Ruling.VACUOUS: Direction.OVERSTATED,
}


@dataclass(frozen=True, slots=True)
class RunJudgement:
    """A ruling, with the answer over the exact value, less one (None where there is none)."""

    grade: Ruling
    error: float | None = None
    reason: str = ""
    region: Region = Region.TRAINING

    @property
    def ruling(self) -> Ruling:
        return self.grade

    @property
    def direction(self) -> Direction | None:
        """Which way a bound errs that is not kept."""
        return _WAYS.get(self.grade)

    @property
    def relative(self) -> float:
        return 0.0 if self.error is None else self.error

    @property
    def silent(self) -> bool:
        return self.grade is Ruling.NO_ANSWER

    @property
    def label(self) -> str:
        return str(self.grade)

    def good(self, strict: bool) -> bool:
        """Whether the answer passes; strictly, an estimate has to be within a thousandth."""
        if strict and self.grade is Ruling.ESTIMATED:
            return abs(self.relative) <= 1e-3
        return self.grade in _GOOD


def judge(
    promise: Promise,
    answer: float | None,
    truth: Certified,
    quantity: Quantity = Quantity.EPSILON,
) -> RunJudgement:
    """An answer for epsilon or delta against the interval that contains the exact value.

    >>> exact = Certified.exactly(Fraction(2))
    >>> [str(judge(Promise.UPPER, x, exact).ruling) for x in (2.5, 2 - 1e-9, 2 - 1e-5, 1.99, 2e6)]
    ['kept', 'kept', 'low', 'UNSAFE', 'absurd']
    """
    if answer is None:
        return RunJudgement(Ruling.NO_ANSWER)
    if math.isnan(answer):
        return RunJudgement(Ruling.NO_ANSWER, reason="nan")
    if math.isinf(answer):
        return _infinite(promise, answer, truth)
    if isinstance(truth.lo, float) or isinstance(truth.hi, float):
        return _of_infinity(promise, truth)
    ruling = _ruling(promise, Fraction(answer), truth.lo, truth.hi, quantity)
    return RunJudgement(ruling, _error(answer, truth))


def _infinite(promise: Promise, answer: float, truth: Certified) -> RunJudgement:
    if truth.lo == truth.hi == answer:
        return RunJudgement(
            Ruling.KEPT if promise is not Promise.ESTIMATE else Ruling.ESTIMATED, 0.0
        )
    says = f"{answer} for a finite value"
    empty = answer > 0 if promise is Promise.UPPER else answer < 0
    if promise is not Promise.ESTIMATE and empty:
        return RunJudgement(Ruling.VACUOUS, reason=says)
    broken = Ruling.UNSAFE if promise is Promise.UPPER else Ruling.MISSES
    return RunJudgement(Ruling.NO_ANSWER if promise is Promise.ESTIMATE else broken, reason=says)


def _of_infinity(promise: Promise, truth: Certified) -> RunJudgement:
    """A finite answer where the truth is infinite, or not known to be finite."""
    if truth.lo != math.inf:
        return RunJudgement(Ruling.UNDECIDED)
    return RunJudgement(Ruling.UNSAFE if promise is Promise.UPPER else Ruling.KEPT)


def _ruling(
    promise: Promise, answer: Fraction, low: Fraction, high: Fraction, quantity: Quantity
) -> Ruling:
    floor = _FLOOR[quantity]
    if promise is not Promise.LOWER and answer > ABSURD * max(high, floor):
        return Ruling.ABSURD
    if promise is not Promise.UPPER and ABSURD * answer < low and low > ABSURD * floor:
        return Ruling.ABSURD
    if promise is Promise.ESTIMATE:
        negative = answer < -ABSURD * max(high, floor)
        return Ruling.ABSURD if negative else Ruling.ESTIMATED
    if promise is Promise.UPPER:
        return _above(answer, low, high, _ABSOLUTE[quantity])
    slack = _slack(low, RELATIVE, _ABSOLUTE[quantity])
    if answer <= low + slack:
        return Ruling.KEPT
    return Ruling.MISSES if answer > high + slack else Ruling.UNDECIDED


def _above(answer: Fraction, low: Fraction, high: Fraction, absolute: Fraction) -> Ruling:
    """An upper bound; between the ends of the interval nothing is decided."""
    if answer >= high - _slack(high, RELATIVE, absolute):
        return Ruling.KEPT
    if answer >= low - _slack(low, RELATIVE, absolute):
        return Ruling.UNDECIDED
    if answer >= high - _slack(high, LITTLE, absolute):
        return Ruling.LOW
    return Ruling.UNSAFE if answer < low - _slack(low, LITTLE, absolute) else Ruling.UNDECIDED


def _slack(x: Fraction, relative: Fraction, absolute: Fraction) -> Fraction:
    return max(abs(x) * relative, absolute)


def _error(answer: float, truth: Certified) -> float | None:
    """answer/truth - 1, by the end of the interval that is nearer to the answer."""
    ends = [x for x in (truth.lo, truth.hi) if not isinstance(x, float) and x > 0]
    errors = [_double(Fraction(answer) / x - 1) for x in ends]
    return min(errors, key=abs) if errors else None


def _double(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return 1.7e308 if x > 0 else -1.7e308


def judge_sigma(
    promise: Promise,
    answer: float | None,
    achieved: Certified | None,
    target: Fraction,
    least: float,
) -> RunJudgement:
    """A noise multiplier: does the run with it meet the target delta, and how much more noise than needed is it?

    ``achieved`` is the exact delta of the run with that noise (None if it meets the target anyway,
    being at least the least, or if it is no noise), ``least`` the smallest noise that meets the
    target.
    """
    if answer is None or math.isnan(answer):
        return RunJudgement(Ruling.NO_ANSWER, reason="" if answer is None else "nan")
    if math.isinf(answer):
        return RunJudgement(Ruling.VACUOUS, reason=f"{answer} for a finite value")
    excess = _double(Fraction(answer) / Fraction(least) - 1)
    if answer > ABSURD * least:
        return RunJudgement(Ruling.ABSURD, excess)
    if promise is Promise.ESTIMATE:
        return RunJudgement(Ruling.ABSURD if answer * ABSURD < least else Ruling.ESTIMATED, excess)
    if answer >= least:
        return RunJudgement(Ruling.KEPT, excess)
    if achieved is None:  # less than any noise that is accounted for
        return RunJudgement(Ruling.UNSAFE, excess)
    return RunJudgement(_of_achieved(achieved, target), excess)


def _of_achieved(achieved: Certified, target: Bound) -> Ruling:
    goal = Fraction(target)
    for ruling, part in ((Ruling.KEPT, RELATIVE), (Ruling.LOW, LITTLE)):
        if achieved.hi <= goal * (1 + part):
            return ruling
        if achieved.lo <= goal * (1 + part):
            return Ruling.UNDECIDED
    return Ruling.UNSAFE
