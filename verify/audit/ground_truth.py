"""The checks of the ground truth itself, which every report runs.

Every check counts its cases and says how many were effective (the hypothesis held, an engine could
reach) and how many vacuous; a check without an effective case has not passed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import mpmath

from verify.audit import runs
from verify.audit.campaign import Counts, batch
from verify.audit.kinds import KINDS
from verify.bounds.table import Truth, table
from verify.moments import agreement
from verify.moments.divergence import evaluate, moment_and_factor
from verify.moments.engines import Moment
from verify.moments.engines.trapezoid import moment_enclosure
from verify.numbers.budget import Deadline
from verify.numbers.errors import EnginesDisagree, OutOfReach
from verify.numbers.point import Point
from verify.results.report import Shown

DIGITS = 30
SECONDS = 120.0
AUDITED = 40  # points of each kind
RUNS_AUDITED = 2  # tests of each kind of runs


Case = tuple[bool, bool, str]
"""(effective, true, description)"""
Check = Callable[[], Iterator[Case]]


def grid() -> list[Point]:
    """Ordinary points and the corners of the range, the same in every run."""
    ordinary = itertools.product(
        ("1e-6", "0.01", "0.2", "0.5"), ("0.5", "1.1", "4", "20"), ("1.5", "2", "8.5", "32")
    )
    extreme = [
        ("1e-12", "2", "1024"), ("0.3", "1000", "9999.5"), ("0.5", "0.01", "1000"), ("1e-40", "1", "1.5"),
        ("0.2", "4", "1"), ("0.01", "1", "1"), ("0.1", "0.05", "1.999999999999"), ("0.9", "3", "1.000000000001"),
    ]  # fmt: skip
    return [Point.of(*p) for p in itertools.chain(ordinary, extreme)]


def run(checks: Mapping[str, Check]) -> Iterator[Shown]:
    """Checks by name, one after the other."""
    for name, check in checks.items():
        yield _run_check(name, check)


def _run_check(name: str, check: Check) -> Shown:
    effective = vacuous = 0
    detail, failure = "", None
    for counts, true, text in check():
        if not counts:
            vacuous += 1
        elif not true:
            failure = text
            break
        else:
            effective += 1
            detail = text
    return Shown(
        name=name,
        statement=" ".join((check.__doc__ or "").split()),
        effective=effective,
        vacuous=vacuous,
        detail=detail,
        failure=failure,
        passed=failure is None and effective > 0,
    )


def engines_agree() -> Iterator[Case]:
    """ln A, ln B and both divergences: a second certified route and the engines in another arithmetic,
    all with ten digits more, lie in the certified interval of 30 digits."""
    least = 10**6
    for point in grid():
        for quantity in ("rdp", "rdp_reverse"):
            moment, _ = moment_and_factor(quantity, point)
            try:
                found = agreement.cross_check(moment, DIGITS, Deadline(SECONDS))
            except EnginesDisagree as error:
                yield True, False, str(error)
                return
            except OutOfReach as error:
                yield False, False, str(error)
                continue
            least = min(least, found.agreement)
            complete = not found.unreachable
            yield complete, True, f"agreement to at least {least} digits"


def containment() -> Iterator[Case]:
    """A certified interval contains the same number with 25 digits more, and by the second certified
    route, at random and adversarial points (the command sgm-verify audit draws as many as one likes)."""
    tally = Counts()
    for kind in KINDS:
        tally += batch(f"report/{kind}", kind, AUDITED)
    for (kind, family, route), row in tally.rows.items():
        where = f"{kind}, {family}, by {route}"
        for _ in range(row.unanswered + row.undecided):
            yield False, True, where
        if row.outside:
            yield True, False, f"{row.outside} false intervals: {where}; {tally.failures[0]}"
    counts = "; ".join(f"{k} {tally.total(lambda key, k=k: key[0] == k).contained}" for k in KINDS)  # type: ignore[misc]  # the default binds
    tightest = f"tightest {tally.total().tightest:.2g} of the width from an end"
    for _ in range(tally.total().contained):
        yield True, True, f"{counts}; {tightest}"


def runs_contain() -> Iterator[Case]:
    """delta and epsilon of whole runs lie in their certified intervals: every kind of test of runs,
    asked in two ways that share as little as possible or on contours that are made bad on purpose,
    and the largest error beside its bound."""
    tally = Counts()
    for kind in runs.KINDS:
        tally += batch(f"report/{kind}", kind, RUNS_AUDITED)
    for (kind, _, _), row in tally.rows.items():
        for _ in range(row.vacuous):
            yield False, True, kind
        if row.outside:
            yield True, False, f"{row.outside} false: {kind}; {tally.false_runs[0]}"
    told = []
    for (kind, _, _), row in tally.rows.items():
        error = f", largest error {row.largest:.1g} of its bound" if row.largest else ""
        told.append(f"{kind} {row.contained}{error}")
    for _ in range(tally.total().contained):
        yield True, True, "; ".join(told)


def order_two() -> Iterator[Case]:
    """A_2 = 1 + q^2 (e^{1/sigma^2} - 1) lies in the certified interval."""
    for point in grid():
        value = agreement.certified(
            Moment(point.q, point.sigma, Fraction(2)), 40, Deadline(SECONDS)
        )
        with mpmath.workdps(150):
            q, sigma = (mpmath.mpf(x.numerator) / x.denominator for x in (point.q, point.sigma))
            exact = mpmath.log1p(q**2 * mpmath.expm1(1 / sigma**2))
            inside = _mpf(value.lo) <= exact <= _mpf(value.hi)
        yield True, bool(inside), str(point)


def no_sampling() -> Iterator[Case]:
    """At q = 1 the engine's interval contains e^{s(s-1)/(2 sigma^2)}, s = alpha and 1 - alpha."""
    for point in grid():
        alpha = point.alpha or Fraction(2)
        for s in (alpha, 1 - alpha):
            if s in (0, 1):
                yield False, True, str(point)
                continue
            value = agreement.engine(agreement.REFERENCE)(
                Moment(Fraction(1), point.sigma, s), 40, Deadline(SECONDS)
            )
            yield True, value.lo <= s * (s - 1) / (2 * point.sigma**2) <= value.hi, str(point)


def orders_zero_and_one() -> Iterator[Case]:
    """E[g^0] = E[g^1] = 1 lies in the certified interval, which is narrow."""
    for point, s in itertools.product(grid(), (0, 1)):
        value = moment_enclosure(Moment(point.q, point.sigma, Fraction(s)), 100, Deadline(SECONDS))
        narrow = value.hi - value.lo < Fraction(1, 10**25)
        yield True, value.lo <= 1 <= value.hi and narrow, str(point)


def a_above_b() -> Iterator[Case]:
    """A_alpha > B_alpha for alpha > 1 and 0 < q < 1, by disjoint certified intervals."""
    for point in grid():
        forward, reverse = (evaluate(n, point, 60, False, SECONDS) for n in ("rdp", "rdp_reverse"))
        yield True, forward.lo > reverse.hi, str(point)


def main_theorem() -> Iterator[Case]:
    """Where the conditions of the paper's main theorem hold, epsilon <= 2 q^2 alpha/sigma^2."""
    for point in grid():
        if point.alpha == 1:
            yield False, True, str(point)
            continue
        row = table(point, ["this-work"], SECONDS)[0]
        yield row.applies is Truth.TRUE, row.holds is Truth.TRUE, str(point)


def _mpf(x: Fraction | float) -> Any:
    exact = Fraction(x)
    return mpmath.mpf(exact.numerator) / exact.denominator


CHECKS: dict[str, Check] = {
    "independent engines agree": engines_agree,
    "certified intervals contain the truth": containment,
    "intervals of whole runs contain the truth": runs_contain,
    "closed form at order 2": order_two,
    "closed form without sampling": no_sampling,
    "orders 0 and 1": orders_zero_and_one,
    "A above B": a_above_b,
    "main theorem's bound": main_theorem,
}
