"""Rényi divergences of runs for other samplings and relations, where they are exact.

The divergence of a product of pairs is the sum of theirs, and no step of a run is above its dominating pair: where that pair
is attained by data sets that do not depend on earlier outputs (the table of ``notions`` says *exact*), the sum is
the least bound of that order. A guarantee needs both directions, so the larger one is meant:

    poisson, sequential, fixed-size (add/remove, zero-out)   removing is the larger one (the paper's A >= B), at noise sigma or sigma/2
    poisson, sequential, replace-one                         both directions are the same
    groups                                                   both are computed, the larger one counts
    allocation                                               both are computed: E S^n by powers of a polynomial (``parts``), E S^{1-n}
                                                             by a Mellin integral (``mellin``); so whole orders n only

Batches of a fixed size with one record replaced or zeroed out are refused: the largest divergence of a step is not known (for
epsilon at a delta one step is exact, because the best data sets differ from order to order).
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from verify.accounting.history import Phase
from verify.accounting.pairs.allocation.mellin import moments
from verify.accounting.pairs.allocation.outline import Outline
from verify.accounting.pairs.allocation.parts import Allotted
from verify.accounting.pairs.allocation.parts import log_moment as whole_moment
from verify.accounting.pairs.mixtures.renyi import log_moment
from verify.accounting.pairs.mixtures.side import Change
from verify.accounting.pairs.notions import (
    ALLOCATION,
    FIXED,
    POISSON,
    REPLACE_ONE,
    SEQUENTIAL,
    Standing,
    answerable_entry,
)
from verify.accounting.pairs.run import Run, Stage
from verify.moments.divergence import DEFAULT_DIGITS, before
from verify.numbers.arrays import rowwise
from verify.numbers.balls import fraction, precision
from verify.numbers.budget import DEFAULT_SECONDS, Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, PrecisionExhausted
from verify.numbers.point import Number, Point, exact, out_of_domain

_ORDERS = "a number above 1, or inf"
_SPARE = 3  # digits of a step beyond those asked for
_ATTEMPTS = 6
_A_LOOK = 3  # digits of the smaller direction that mostly suffice


@rowwise("q", "sigma", "alpha")
def rdp(
    q: Number | None,
    sigma: Number,
    alpha: Number,
    *,
    relation: str | None = None,
    sampling: str = POISSON,
    group: Number = 1,
    steps: Number = 1,
    epochs: Number = 1,
    digits: int = DEFAULT_DIGITS,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The Rényi divergence of a run at order alpha, for any sampling and relation for which it is exact.

    >>> print(rdp("0.01", 1, "2.5", relation="replace-one", digits=12))
    0.0005727567555...
    >>> print(rdp(None, 2, 4, sampling="allocation", steps=100, digits=12))
    0.0056754654060...

    Args:
        q: Sampling rate; None for samplings in which each record takes part once in each epoch.
        sigma: Noise multiplier.
        alpha: Order: a number above 1, a whole number for allocation; or "inf", where it is infinite.
        relation: Which data sets are neighbours: "add/remove", "zero-out" or "replace-one". If nothing is said:
            add/remove, but replace-one for sequential.
        sampling: "poisson", "fixed-size" (add/remove), "allocation" (add/remove, zero-out) or "sequential".
        group: How many records are added, removed or replaced together (poisson only, up to 64).
        steps: Number of steps; for samplings by epochs, the batches of one epoch.
        epochs: Number of epochs, for samplings by epochs.
        digits: Significant digits that must be certain.
        max_seconds: Time allowed, in seconds.

    Returns:
        The larger one of both directions, in nats, certified. Lists and arrays of q, sigma and alpha give a list or an array.

    Raises:
        OutOfDomain: A parameter is not in its domain, or the divergence is not known exactly.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: More precision did not bring the digits asked for.
    """
    run = Run.of(
        q=q,
        sigma=sigma,
        steps=steps,
        sampling=sampling,
        relation=relation,
        group=group,
        epochs=epochs,
    )
    order = exact("alpha", alpha, _ORDERS)
    if order is not None and not order > 1:
        raise out_of_domain("alpha", alpha, _ORDERS)
    deadline = Deadline(checked_seconds(max_seconds))
    return divergence(run, order, checked_digits(digits), deadline)


def divergence(run: Run, alpha: Fraction | None, digits: int, deadline: Deadline) -> Certified:
    """The same of a run; alpha None is infinity."""
    for one in run.stages:
        if answerable_entry(one.sampling, run.relation).standing is not Standing.EXACT:
            raise OutOfDomain(
                f"{one.sampling}, {run.relation}: no Rényi divergence is known that is both proved and attained"
            )
        if one.sampling == ALLOCATION and alpha is not None and alpha.denominator != 1:
            raise OutOfDomain(
                f"alpha = {float(alpha):.6g}: random allocation is answered at whole orders"
            )
    if not run.stages:
        return Certified.exactly(Fraction(0))
    if alpha is None:  # q > 0, and the loss of removing or replacing is unbounded
        return Certified.exactly(math.inf)
    # each direction of the whole run: with group > 1 or allocation neither is known to be the larger one
    directions: tuple[Change, ...] = ("remove", "add")
    if run.relation == REPLACE_ONE:
        directions = ("replace",)
    elif run.group == 1 and all(s.sampling != ALLOCATION for s in run.stages):
        directions = ("remove",)
    low = high = Fraction(0)
    for direction in directions:
        if low > 0 and _total(run, direction, alpha, _A_LOOK, deadline)[1] < low:
            continue
        found = _total(run, direction, alpha, digits + _SPARE, deadline)
        low, high = max(low, found[0]), max(high, found[1])
    again = functools.partial(divergence, run, alpha)
    return Certified(low / (alpha - 1), high / (alpha - 1), again)


def _total(
    run: Run, direction: Change, alpha: Fraction, digits: int, deadline: Deadline
) -> tuple[Fraction, Fraction]:
    """(alpha - 1) times the divergence of the whole run in one direction, between these."""
    low = high = Fraction(0)
    for one in run.stages:
        deadline.check()
        value = _log_moment(one, run, direction, alpha, digits, deadline)
        times = one.epochs if one.sampling in (ALLOCATION, SEQUENTIAL) else one.steps
        low, high = low + times * Fraction(value.lo), high + times * Fraction(value.hi)
    return low, high


def _log_moment(
    one: Stage, run: Run, direction: Change, alpha: Fraction, digits: int, deadline: Deadline
) -> Certified:
    """ln psi(alpha) of one step, or of one epoch."""
    if one.sampling == ALLOCATION:
        part = Allotted(one.steps, one.sigma, 1, one.idle)
        if direction == "add":
            return negative_moment(part, alpha.numerator - 1, digits, deadline)
        return whole_moment(part, alpha.numerator, digits, deadline)
    rate = Fraction(1) if one.q is None else one.q
    if direction == "replace" or run.group > 1:
        phase = Phase(rate, one.sigma, 1)
        return log_moment(phase, direction, run.group, alpha, digits, deadline)
    noise = one.sigma / 2 if one.sampling == FIXED else one.sigma
    return before(deadline, "log_a", Point(rate, noise, alpha), digits)


def negative_moment(part: Allotted, x: int, digits: int, deadline: Deadline) -> Certified:
    """ln E S'^{-x} of one epoch, x >= 1, to so many digits.

    >>> print(negative_moment(Allotted(4, Fraction(2), 1), 1, 10, Deadline()))
    0.067885092...
    """
    if (phase := part.as_phase()) is not None:
        return before(deadline, "log_b", Point(phase.q, phase.sigma, Fraction(1 + x)), digits)
    outline = Outline(part)
    size = max(1e-30, outline.log_moment(float(-x)))
    goal = digits * math.log(10) + 6 - min(0.0, math.log(size))
    for _ in range(_ATTEMPTS):
        deadline.check()
        (value,), _ = moments(outline, 0, float(-x), 1.0, 0, goal, deadline)
        with precision(128 + int(2 * goal)):
            logarithm = value.real.log()
            if logarithm > 0 and logarithm.rel_accuracy_bits() >= 3.33 * digits + 1:
                return Certified(fraction(logarithm.lower()), fraction(logarithm.upper()))
        goal += 12
    raise PrecisionExhausted(f"{digits} digits of a moment of order {-x} were not reached")
