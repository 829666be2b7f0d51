"""One case judged: is the narrower interval inside the wider one?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verify.audit.kinds import AuditCase
from verify.moments import agreement
from verify.moments.engines import Moment, family
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import SgmError

SECONDS = 30.0  # for each interval; what takes longer is counted as unanswered
ITSELF = "itself"
_MORE_OF_ITSELF = (25, 100, 300)  # digits beyond those asked, until the narrower interval is on
_MORE_OF_OTHERS = (10, 60, 300)  # one side of each end


class Containment(StrEnum):
    """What became of one containment."""

    CONTAINED = "contained"
    OUTSIDE = "outside"  # disjoint: one of the two certificates is false
    UNDECIDED = "undecided"  # still across an end with 300 digits more
    UNANSWERED = "unanswered"  # an engine gave up


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One interval held against one route's narrower interval of the same number."""

    case: AuditCase
    route: str
    verdict: Containment
    share: float = 1.0
    """Distance of the truth from the nearer end, as a share of the width."""


def judge(case: AuditCase) -> list[AuditFinding]:
    """Each interval against the reference's with more digits, and the other route's.

    Where another engine than the reference answers ordinary calls, its interval too, against the reference's.
    """
    findings = []
    for single, wide in intervals(case):
        for route in (ITSELF, agreement.second_route(single.moment)):
            if wide is None:
                findings.append(AuditFinding(single, route, Containment.UNANSWERED))
            else:
                verdict, distance = containment_of(wide, narrower(single, route))
                findings.append(AuditFinding(single, route, verdict, distance))
    answering = agreement.quickest(case.moment)
    if not case.beside and answering != agreement.REFERENCE:
        findings.append(_judge_caller(case, answering))
    return findings


def _judge_caller(case: AuditCase, answering: str) -> AuditFinding:
    """What a caller gets, held against the reference."""
    try:
        wide = _interval(answering, case.moment, case.digits)
    except SgmError:
        return AuditFinding(case, agreement.REFERENCE, Containment.UNANSWERED)
    verdict, distance = containment_of(wide, narrower(case, agreement.REFERENCE))
    return AuditFinding(case, agreement.REFERENCE, verdict, distance)


def intervals(case: AuditCase) -> Iterator[tuple[AuditCase, Enclosure | None]]:
    """What is to be judged: one interval, or those of a curve, each as a case with itself in front."""
    m = case.moment
    orders = (m.order, *case.beside)
    found: list[Enclosure] | list[None]
    try:
        if case.beside:
            found = family.evaluate(m.q, m.sigma, orders, case.digits, Deadline(SECONDS))
        else:
            found = [_interval(agreement.REFERENCE, m, case.digits)]
    except SgmError:
        found = [None] * len(orders)
    for index, (order, interval) in enumerate(zip(orders, found, strict=True)):
        others = orders[:index] + orders[index + 1 :]
        yield AuditCase(Moment(m.q, m.sigma, order, m.log), case.digits, others), interval


def narrower(case: AuditCase, route: str) -> Iterator[Enclosure]:
    """Ever narrower intervals of the case's number."""
    engine = agreement.REFERENCE if route == ITSELF else route
    for more in _MORE_OF_ITSELF if route == ITSELF else _MORE_OF_OTHERS:
        yield _interval(engine, case.moment, case.digits + more)


def _interval(engine: str, moment: Moment, digits: int) -> Enclosure:
    return agreement.engine(engine)(moment, digits, Deadline(SECONDS))


def containment_of(wide: Enclosure, narrow: Iterator[Enclosure]) -> tuple[Containment, float]:
    """Refine until the narrow interval is inside the wide one or apart from it; and its share.

    >>> wide = Enclosure(Fraction(0), Fraction(1), proved=True)
    >>> containment_of(wide, iter([Enclosure(Fraction(1, 4), Fraction(1, 3), proved=True)]))
    (<Containment.CONTAINED: 'contained'>, 0.25)
    """
    try:
        for inner in narrow:
            if wide.lo <= inner.lo and inner.hi <= wide.hi:
                return Containment.CONTAINED, share(wide, inner)
            if inner.hi < wide.lo or wide.hi < inner.lo:
                return Containment.OUTSIDE, share(wide, inner)
    except SgmError:
        return Containment.UNANSWERED, 1.0
    return Containment.UNDECIDED, 0.0


def share(wide: Enclosure, inner: Enclosure) -> float:
    """How far inside the inner interval is, as a share of the wide one's width; below 0: outside."""
    width = wide.hi - wide.lo
    distance = min(inner.lo - wide.lo, wide.hi - inner.hi)
    if inner.hi < wide.lo or wide.hi < inner.lo:
        distance = -max(wide.lo - inner.hi, inner.lo - wide.hi)
    return float(distance / width) if width else (0.5 if distance == 0 else float("-inf"))


def fails(case: AuditCase) -> bool:
    """Whether the case's interval is false."""
    return any(f.verdict is Containment.OUTSIDE and f.case == case for f in judge(case))


# -- a simpler case that fails as well ---------------------------------------------------


def complexity(case: AuditCase) -> tuple[int, int, str]:
    """Digits to write down, digits asked for; the text breaks ties, so that order never matters."""
    m = case.moment
    numbers = (m.q, m.sigma, m.order, *case.beside)
    length = sum(_length(x) for x in numbers)
    return length, case.digits, " ".join(str(x) for x in numbers)


def _length(x: Fraction) -> int:
    """Characters of a number: as a decimal where it is one, else as a ratio."""
    places, rest = 0, x.denominator
    while rest % 10 == 0:
        rest //= 10
        places += 1
    if (10**places * x).denominator == 1 or 10**40 % rest == 0:
        scaled = x * Fraction(10) ** max(places, len(str(rest)) if rest > 1 else 0)
        return len(str(abs(scaled.numerator)).rstrip("0")) + 2 * (scaled.denominator > 1)
    return len(str(x.numerator)) + len(str(x.denominator))


def simpler(case: AuditCase) -> Iterator[AuditCase]:
    """Neighbours that are easier to write down, easiest first."""
    m, half = case.moment, len(case.beside) // 2
    if case.beside:
        yield AuditCase(m, case.digits)
        yield AuditCase(m, case.digits, case.beside[:half])
        yield AuditCase(m, case.digits, case.beside[half:])
    for digits in sorted({1, 2, 3, case.digits // 2, case.digits - 1}):
        if 1 <= digits < case.digits:
            yield AuditCase(m, digits, case.beside)
    for figures in (1, 2, 3, 6, 12):
        for q in (_short(m.q, figures), 1 - _short(1 - m.q, figures)):
            if 0 < q < 1:
                yield AuditCase(Moment(q, m.sigma, m.order, m.log), case.digits, case.beside)
        sigma = _short(m.sigma, figures)
        yield AuditCase(Moment(m.q, sigma, m.order, m.log), case.digits, case.beside)
        if not m.log:
            order = _short(m.order, figures)
            yield AuditCase(Moment(m.q, m.sigma, order), case.digits, case.beside)


def _short(x: Fraction, figures: int) -> Fraction:
    """x rounded to so many significant digits."""
    if x == 0:
        return x
    size = len(str(abs(x.numerator))) - len(str(x.denominator))
    size -= abs(x) < Fraction(10) ** size  # now 10^size <= |x| < 10^(size+1)
    unit = Fraction(10) ** (size - figures + 1)
    return round(x / unit) * unit


def shrink(case: AuditCase, tests: int = 300) -> AuditCase:
    """The simplest failing case that greedy steps lead to."""
    seen = {case}
    progress = True
    while progress:
        progress = False
        for candidate in simpler(case):
            if candidate in seen or complexity(candidate) >= complexity(case):
                continue
            seen.add(candidate)
            if len(seen) > tests:
                return case
            if fails(candidate):
                case, progress = candidate, True
                break
    return case
