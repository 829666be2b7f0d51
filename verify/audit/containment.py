"""One case judged: is the narrower interval inside the wider one?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verify import moments
from verify.audit.kinds import Case
from verify.budget import Deadline
from verify.certified import Enclosure
from verify.engines import Moment
from verify.errors import SgmError

SECONDS = 30.0  # for each interval; what takes longer is counted as unanswered
MORE = (25, 100, 300)  # digits beyond those asked, until the narrower interval is on one side
ITSELF = "itself"


class Verdict(StrEnum):
    """What became of one containment."""

    CONTAINED = "contained"
    OUTSIDE = "outside"  # disjoint: one of the two certificates is false
    UNDECIDED = "undecided"  # still across an end with 300 digits more
    UNANSWERED = "unanswered"  # an engine gave up


@dataclass(frozen=True, slots=True)
class Finding:
    """One interval of a case held against one route's narrower interval of the same number."""

    route: str
    verdict: Verdict
    share: float = 1.0
    """Distance of the truth from the nearer end, as a share of the width."""


def judge(case: Case) -> list[Finding]:
    """The case's interval against the same engine's with more digits, and the other route's."""
    try:
        wide = _interval(moments.REFERENCE, case.moment, case.digits)
    except SgmError:
        return [
            Finding(route, Verdict.UNANSWERED)
            for route in (ITSELF, moments.second_route(case.moment))
        ]
    return [
        contained(wide, narrower(moments.REFERENCE, case), ITSELF),
        contained(
            wide,
            narrower(moments.second_route(case.moment), case),
            moments.second_route(case.moment),
        ),
    ]


def narrower(engine: str, case: Case) -> Iterator[Enclosure]:
    """Ever narrower intervals of the case's number."""
    for more in MORE:
        yield _interval(engine, case.moment, case.digits + more)


def _interval(engine: str, moment: Moment, digits: int) -> Enclosure:
    return moments.engine(engine)(moment, digits, Deadline(SECONDS))


def contained(wide: Enclosure, narrow: Iterator[Enclosure], route: str) -> Finding:
    """Refine until the narrow interval is inside the wide one or apart from it.

    >>> wide = Enclosure(Fraction(0), Fraction(1), proved=True)
    >>> inside = Enclosure(Fraction(1, 4), Fraction(1, 3), proved=True)
    >>> contained(wide, iter([inside]), "itself")
    Finding(route='itself', verdict=<Verdict.CONTAINED: 'contained'>, share=0.25)
    """
    try:
        for inner in narrow:
            if wide.lo <= inner.lo and inner.hi <= wide.hi:
                return Finding(route, Verdict.CONTAINED, share(wide, inner))
            if inner.hi < wide.lo or wide.hi < inner.lo:
                return Finding(route, Verdict.OUTSIDE, share(wide, inner))
    except SgmError:
        return Finding(route, Verdict.UNANSWERED)
    return Finding(route, Verdict.UNDECIDED, 0.0)


def share(wide: Enclosure, inner: Enclosure) -> float:
    """How far inside the inner interval is, as a share of the wide one's width; below 0: outside."""
    width = wide.hi - wide.lo
    distance = min(inner.lo - wide.lo, wide.hi - inner.hi)
    if inner.hi < wide.lo or wide.hi < inner.lo:
        distance = -max(wide.lo - inner.hi, inner.lo - wide.hi)
    return float(distance / width) if width else (0.5 if distance == 0 else float("-inf"))


def fails(case: Case) -> bool:
    """Whether the case's interval is false."""
    return any(finding.verdict is Verdict.OUTSIDE for finding in judge(case))


# -- a simpler case that fails as well ---------------------------------------------------


def complexity(case: Case) -> tuple[int, int, str]:
    """Digits to write down, digits asked for; the text breaks ties, so that order never matters."""
    m = case.moment
    numbers = (m.q, m.sigma, m.order)
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


def simpler(case: Case) -> Iterator[Case]:
    """Neighbours that are easier to write down, easiest first."""
    m = case.moment
    for digits in sorted({1, 2, 3, case.digits // 2, case.digits - 1}):
        if 1 <= digits < case.digits:
            yield Case(m, digits)
    for figures in (1, 2, 3, 6, 12):
        for q in {_short(m.q, figures), 1 - _short(1 - m.q, figures)}:
            if 0 < q < 1:
                yield Case(Moment(q, m.sigma, m.order, m.log), case.digits)
        if sigma := _short(m.sigma, figures):
            yield Case(Moment(m.q, sigma, m.order, m.log), case.digits)
        if not m.log:
            yield Case(Moment(m.q, m.sigma, _short(m.order, figures)), case.digits)


def _short(x: Fraction, figures: int) -> Fraction:
    """x rounded to so many significant digits."""
    if x == 0:
        return x
    size = len(str(abs(x.numerator))) - len(str(x.denominator))
    unit = Fraction(10) ** (size - figures + 1)
    return round(x / unit) * unit


def shrink(case: Case, tests: int = 300) -> Case:
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
