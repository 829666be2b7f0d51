"""How fast the paper's series for fractional orders converges, summed as it stands and accelerated.

From k = ceil(alpha) on the terms alternate and are Hausdorff moments, so the Cohen-Villegas-Zagier
weights leave an error of at most (first accelerated term)/d_n. Sums and truth are balls: each error
below is certain to the digits it has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs_checks.quantities.half_lines import HalfLines, acceleration_weights, reduction
from verify.moments.divergence import evaluate
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.errors import PrecisionExhausted
from verify.numbers.point import Point

DIGITS = 4
_TRUTH = 75  # digits: beyond what the accelerated sums reach
_BITS = 400


@dataclass(frozen=True, slots=True)
class TruncationErrors:
    """Errors of A after so many terms, as decimals; None where nothing was accelerated."""

    terms: int
    plain: str
    accelerated: str | None
    proved: str | None


def errors(
    q: str, sigma: str, alpha: str, counts: Sequence[int], accelerated_up_to: int
) -> list[TruncationErrors]:
    """The error of the plain sum, that of the accelerated one, and the proved bound of the latter.

    >>> [(e.plain, e.accelerated, e.proved) for e in errors("0.5", "1", "1.1", (10, 100), 50)]
    [('1.843e-5', '5.447e-10', '1.432e-8'), ('1.102e-8', None, None)]
    """
    series = HalfLines(Fraction(q), Fraction(sigma), Fraction(alpha))
    log_a = evaluate("log_a", Point.of(q, sigma, alpha), _TRUTH, True, 120.0)
    with precision(_BITS):
        truth = ball(Fraction(log_a.lo)).union(ball(Fraction(log_a.hi))).exp()
        terms = list(itertools.islice(series.terms(), max(counts)))
        head = math.ceil(series.alpha)
        return list(_errors(terms, head, truth, counts, accelerated_up_to))


def _errors(
    terms: list[arb], head: int, truth: arb, counts: Sequence[int], accelerated_up_to: int
) -> Iterator[TruncationErrors]:
    sums = list(itertools.accumulate(terms, initial=arb(0)))
    for count in counts:
        plain = error_text(sums[count] - truth)
        if not head < count <= accelerated_up_to:
            yield TruncationErrors(count, plain, None, None)
            continue
        tail, proved = accelerated_sum([abs(t) for t in terms[head:count]])
        sign = 1 if terms[head] > 0 else -1
        yield TruncationErrors(
            count, plain, error_text(sums[head] + sign * tail - truth), error_text(proved)
        )


def accelerated_sum(moments: list[arb]) -> tuple[arb, arb]:
    """The alternating sum of all moments from the first ones, and the proved bound of its error.

    >>> with precision(100):  # ln 2 = 1 - 1/2 + 1/3 - ...
    ...     total, bound = accelerated_sum([1 / arb(k + 1) for k in range(20)])
    ...     abs(total - arb(2).log()) < bound < 1e-14
    True
    """
    weights, d = acceleration_weights(len(moments)), reduction(len(moments))
    total = sum((w * a for w, a in zip(weights, moments, strict=True)), arb(0))
    return total / d, moments[0] / d


def error_text(error: arb) -> str:
    """The size of an error, rounded to nearest; an error if its ball does not know so many digits."""
    import mpmath

    size = abs(error)
    found = set()
    with mpmath.workdps(30):
        for end in (enclosure(size).lo, enclosure(size).hi):
            found.add(mpmath.nstr(mpmath.mpf(end.numerator) / end.denominator, DIGITS))
    if len(found) > 1:
        raise PrecisionExhausted(f"the error {size} is not known to {DIGITS} digits")
    return str(found.pop())
