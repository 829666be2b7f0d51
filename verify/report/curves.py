"""The numbers behind the figures: certified, as decimal text, computed over processes.

Every largest order below is a certified change of sign between two decimals that agree to the digits
shown. That there is no other change of sign is a claim of its own (the allowed orders form an interval).
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from typing import Any

from verify.bounds import Truth, table
from verify.budget import Deadline
from verify.certified import Certified
from verify.divergence import evaluate
from verify.errors import PrecisionExhausted
from verify.point import Point
from verify.report.series_error import series_rows

DIGITS = 8
SECONDS = 60.0
LEAST = Fraction(1001, 1000)
FIRST, SECOND, EXACT = 2, 3, -1  # index of the condition in the row of the table; -1: the bound

Rows = list[list[str | None]]
Job = tuple[str, ...]


def geometric(low: float, high: float, count: int) -> list[str]:
    """Rates or orders at equal ratios, rounded to three digits so that they can be quoted.

    >>> geometric(1, 100, 3)
    ['1', '10', '100']
    """
    ratio = (high / low) ** (1 / (count - 1))
    return [f"{float(f'{low * ratio**k:.3g}'):.10g}" for k in range(count)]


def decided(
    which: int, q: Fraction, sigma: Fraction, alpha: Fraction, deadline: Deadline | None = None
) -> bool:
    """Whether a condition of the main theorem (or its bound) is true at a point."""
    if deadline is not None:
        deadline.check()
    seconds = SECONDS if deadline is None else deadline.left()
    row = table(Point.of(q, sigma, alpha), ["this-work"], seconds)[0]
    truth = row.holds if which == EXACT else row.conditions[which].truth
    if truth is Truth.UNDECIDED or truth is None:
        raise PrecisionExhausted(f"undecided at q = {q}, sigma = {sigma}, alpha = {alpha}")
    return truth is Truth.TRUE


def largest_order(
    which: int, q: Fraction, sigma: Fraction, deadline: Deadline | None = None
) -> tuple[Fraction, Fraction] | None:
    """Orders lo < hi, close together, with the condition true at lo and false at hi.

    None if it is false already next to order 1. The deadline is for the whole search; without one
    each decision has its own time.

    >>> lo, hi = largest_order(EXACT, Fraction(1, 5), Fraction(4))
    >>> float(lo) < 56.28293050 < float(hi), float(hi - lo) < 1e-4
    (True, True)
    """
    lo, hi = LEAST, Fraction(4)
    if not decided(which, q, sigma, lo, deadline):
        return None
    while decided(which, q, sigma, hi, deadline):
        lo, hi = hi, hi * 8
    while (hi - lo) > (lo - 1) / 10**6:
        middle = Fraction(f"{float((lo - 1) * (hi - 1)) ** 0.5 + 1:.10g}")
        if not lo < middle < hi:
            break
        lo, hi = (middle, hi) if decided(which, q, sigma, middle, deadline) else (lo, middle)
    return lo, hi


def shown(bracket: tuple[Fraction, Fraction] | None) -> str | None:
    """The digits that both ends of a bracket share."""
    return None if bracket is None else str(Certified(*bracket))


def conditions_row(sigma: str, q: str) -> list[str | None]:
    """q, largest orders by (14), by (15), their minimum, and the exact one."""
    brackets = [largest_order(w, Fraction(q), Fraction(sigma)) for w in (FIRST, SECOND, EXACT)]
    first, second, exact = brackets
    least = None if first is None or second is None else min(first, second)
    return [q, shown(first), shown(second), shown(least), shown(exact)]


def epsilon_row(q: str, sigma: str, alpha: str) -> list[str | None]:
    """alpha, exact epsilon, the bound, their ratio."""
    point = Point.of(q, sigma, alpha)
    epsilon = evaluate("rdp", point, DIGITS, False, SECONDS)
    bound = 2 * point.q**2 * Fraction(alpha) / point.sigma**2
    ratio = Certified.exactly(Fraction(epsilon.lo) / bound)
    return [
        alpha,
        epsilon.lo_str(DIGITS),
        Certified.exactly(bound).lo_str(DIGITS),
        ratio.lo_str(5),
    ]


def ratio_row(sigma: str, q: str, alpha: str) -> list[str | None]:
    """q, alpha, epsilon/bound, and whether the theorem's conditions hold."""
    ratio = epsilon_row(q, sigma, alpha)[3]
    row = table(Point.of(q, sigma, alpha), ["this-work"], SECONDS)[0]
    return [q, alpha, ratio, "yes" if row.applies is Truth.TRUE else "no"]


def frontier_row(q: str, sigma: str) -> list[str | None]:
    """q, sigma, and the largest order at which the bound is true."""
    return [q, sigma, shown(largest_order(EXACT, Fraction(q), Fraction(sigma)))]


TASKS: dict[str, Callable[..., Any]] = {
    "conditions": conditions_row,
    "epsilon": epsilon_row,
    "ratio": ratio_row,
    "frontier": frontier_row,
    "series": series_rows,
}


def jobs(profile: str) -> Iterator[tuple[str, list[Job]]]:
    """Figure by figure, what has to be computed; a job is a task's name and its arguments."""
    fine = profile == "full"
    rates = geometric(1e-6, 0.2, 60 if fine else 30)
    for sigma in ("4", "10"):
        yield f"figure-1-left-sigma-{sigma}", [("conditions", sigma, q) for q in rates]
    for q, sigma, top in (("0.01", "4", 400), ("0.001", "10", 3000)):
        orders = geometric(1.25, top, 120 if fine else 60)
        yield f"figure-1-right-sigma-{sigma}", [("epsilon", q, sigma, a) for a in orders]
    rates, orders = (
        geometric(1e-6, 0.4, 40 if fine else 24),
        geometric(1.1, 1000, 44 if fine else 28),
    )
    yield "ratio", [("ratio", "4", q, a) for q in rates for a in orders]
    rates, noises = geometric(1e-6, 0.4, 33 if fine else 17), geometric(0.6, 60, 33 if fine else 17)
    yield "frontier", [("frontier", q, s) for q in rates for s in noises]
    yield "series", [("series",)]


def run_job(job: Job) -> Any:
    return TASKS[job[0]](*job[1:])


def compute(todo: list[Job], workers: int, done: Callable[[], None] = lambda: None) -> Rows:
    """The rows of one figure, in the order of the jobs."""
    rows: Rows = []

    def take(found: Any) -> None:
        rows.extend(found if found and isinstance(found[0], list) else [found])
        done()

    if workers <= 1 or len(todo) == 1:
        for job in todo:
            take(run_job(job))
        return rows
    context = multiprocessing.get_context("spawn")  # flint keeps process-global state
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for found in pool.map(run_job, todo, chunksize=4):
            take(found)
    return rows
