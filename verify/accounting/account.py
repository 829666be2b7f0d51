"""The certified (epsilon, delta) of a run: one interval, the larger of both directions.

>>> print(epsilon("0.01", 1, 1000, "1e-5"))
1.8282366665165768426
>>> print(delta("0.01", 1, 1000, 2, direction="add"))
1.06716202136867733331e-09
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from verify.accounting.history import (
    RELATION,
    SAMPLING,
    History,
    checked_delta,
    checked_epsilon,
    checked_notions,
    history,
    several,
)
from verify.accounting.planner import Direction
from verify.accounting.tight import Bracketed, Curve
from verify.budget import DEFAULT_SECONDS, Deadline, checked_digits, checked_seconds
from verify.certified import Certified, Refine
from verify.errors import OutOfDomain
from verify.point import Number

DIGITS = 20
DIRECTIONS: tuple[Direction, ...] = ("remove", "add")
Phases = Iterable[tuple[Number, Number, Number]]


class Account:
    """A run. All questions asked of one account share its tables of transforms.

    >>> run = Account(history([("0.01", 1, 1000)]))
    >>> [str(run.epsilon(delta, 10)) for delta in ("1e-5", "1e-6")]
    ['1.8282366665', '2.1245151711']
    """

    def __init__(self, phases: History, max_seconds: float = DEFAULT_SECONDS) -> None:
        self.history, self.max_seconds = phases, checked_seconds(max_seconds)
        self.curves = {d: Curve(phases, d, Deadline(self.max_seconds)) for d in DIRECTIONS}

    def epsilon(self, delta: Number, digits: int = DIGITS, direction: str = "both") -> Certified:
        """The least epsilon >= 0 at this delta."""
        exact, digits = checked_delta(delta), checked_digits(digits)

        def smaller(curve: Curve, known: Certified) -> bool:
            return isinstance(known.lo, Fraction) and curve.surely_below(known.lo, exact)

        again = functools.partial(_answer, self.history, "epsilon", exact, direction)
        return self._larger(direction, digits, lambda c: c.epsilon(exact, digits), smaller, again)

    def delta(self, epsilon: Number, digits: int = DIGITS, direction: str = "both") -> Certified:
        """The least delta at this epsilon."""
        exact, digits = checked_epsilon(epsilon), checked_digits(digits)

        def smaller(curve: Curve, known: Certified) -> bool:
            return exact is not None and curve.surely_below(exact, Fraction(known.lo))

        again = functools.partial(_answer, self.history, "delta", exact, direction)
        return self._larger(direction, digits, lambda c: c.delta(exact, digits), smaller, again)

    def _larger(
        self,
        direction: str,
        digits: int,
        ask: Callable[[Curve], Certified],
        smaller: Callable[[Curve, Certified], bool],
        again: Refine,
    ) -> Certified:
        """The larger of the directions asked for; the second is not computed if surely smaller."""
        asked = checked_direction(direction)
        for d in asked:
            self.curves[d].deadline = Deadline(self.max_seconds)
        found = ask(self.curves[asked[0]])
        for d in asked[1:]:
            if not smaller(self.curves[d], found):
                found = larger(found, ask(self.curves[d]))
        if found.lo == found.hi:
            return found
        if isinstance(found.hi, float) or (found.hi - found.lo) * 10**digits > found.hi:
            return Bracketed(found.lo, found.hi)
        return Certified(found.lo, found.hi, again, max_seconds=self.max_seconds)


def _answer(
    phases: History,
    what: str,
    at: Fraction | None,
    direction: str,
    digits: int,
    deadline: Deadline,
) -> Certified:
    """A question put to a fresh account."""
    fresh = Account(phases, max(deadline.left(), 1e-9))
    found: Certified = getattr(fresh, what)("inf" if at is None else at, digits, direction)
    return found


def larger(x: Certified, y: Certified) -> Certified:
    """The maximum of two certified numbers."""
    return Certified(max(x.lo, y.lo), max(x.hi, y.hi))


def checked_direction(direction: str) -> tuple[Direction, ...]:
    if direction == "both":
        return DIRECTIONS
    for known in DIRECTIONS:
        if direction == known:
            return (known,)
    raise OutOfDomain(f"direction = {direction!s:.40}: must be both, remove or add")


def account(
    phases: Phases,
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> Account:
    """An account of phases (q, sigma, steps), in any order."""
    checked_notions(relation, sampling)
    return Account(history(phases), max_seconds)


def epsilon(
    q: Number,
    sigma: Number,
    steps: Number,
    delta: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight epsilon of that many steps at this delta.

    >>> print(epsilon(1, 10, 100, "1e-5", digits=10))
    4.3771780957

    Args:
        q: Sampling rate, the probability with which a record is in a batch: 0, or 1e-12 to 1.
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: 0.05 to 1e6.
        steps: Number of steps, a whole number.
        delta: Failure probability, in [0, 1].
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours; only "add/remove" is answered, others are refused.
        sampling: How batches are drawn; only "poisson" is answered, others are refused.
        max_seconds: Time allowed, in seconds.

    Returns:
        The least epsilon in nats, certified; a bracket with fewer digits where no more can be had.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or a notion that is not answered.
        BudgetExceeded: The time allowed ran out.
    """
    run = account([(q, sigma, steps)], relation, sampling, max_seconds)
    return run.epsilon(delta, digits, direction)


def delta(
    q: Number,
    sigma: Number,
    steps: Number,
    epsilon: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight delta of that many steps at this epsilon.

    >>> delta("0.01", 1, 100, "inf").to_double()
    0.0

    Args:
        q: Sampling rate, the probability with which a record is in a batch: 0, or 1e-12 to 1.
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: 0.05 to 1e6.
        steps: Number of steps, a whole number.
        epsilon: epsilon in nats, >= 0, or "inf".
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours; only "add/remove" is answered, others are refused.
        sampling: How batches are drawn; only "poisson" is answered, others are refused.
        max_seconds: Time allowed, in seconds.

    Returns:
        The least delta, certified; a bracket with fewer digits where no more can be had.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or a notion that is not answered.
        BudgetExceeded: The time allowed ran out.
    """
    run = account([(q, sigma, steps)], relation, sampling, max_seconds)
    return run.delta(epsilon, digits, direction)


def history_epsilon(
    phases: Phases,
    delta: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight epsilon of several phases (q, sigma, steps), fixed in advance.

    >>> print(history_epsilon([("0.01", 1, 500), ("0.02", 2, 500)], "1e-5", 10))
    1.6150713953

    Args:
        phases: Triples (q, sigma, steps), in any order.
        delta: Failure probability, in [0, 1].
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours; only "add/remove" is answered, others are refused.
        sampling: How batches are drawn; only "poisson" is answered, others are refused.
        max_seconds: Time allowed, in seconds.

    Returns:
        The least epsilon in nats, certified.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or a notion that is not answered.
        BudgetExceeded: The time allowed ran out.
    """
    return account(phases, relation, sampling, max_seconds).epsilon(delta, digits, direction)


def history_delta(
    phases: Phases,
    epsilon: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight delta of several phases (q, sigma, steps), fixed in advance.

    >>> print(history_delta([("0.01", 1, 500), ("0.02", 2, 500)], "1.6150713953", 4))
    0.000010000

    Args:
        phases: Triples (q, sigma, steps), in any order.
        epsilon: epsilon in nats, >= 0, or "inf".
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours; only "add/remove" is answered, others are refused.
        sampling: How batches are drawn; only "poisson" is answered, others are refused.
        max_seconds: Time allowed, in seconds.

    Returns:
        The least delta, certified.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or a notion that is not answered.
        BudgetExceeded: The time allowed ran out.
    """
    return account(phases, relation, sampling, max_seconds).delta(epsilon, digits, direction)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a privacy curve: the number given, exactly, and the one found."""

    epsilon: Certified
    delta: Certified


def privacy_curve(
    q: Number,
    sigma: Number,
    steps: Number,
    *,
    epsilons: Iterable[Number] = (),
    deltas: Iterable[Number] = (),
    digits: int = DIGITS,
    direction: str = "both",
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> list[CurvePoint]:
    """delta at many epsilons, or epsilon at many deltas; neighbours share tables of transforms.

    >>> [str(point.delta) for point in privacy_curve("0.01", 1, 1000, epsilons=[1, 2], digits=8)]
    ['0.00261242058', '0.0000026655719']

    Args:
        q: Sampling rate, the probability with which a record is in a batch: 0, or 1e-12 to 1.
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: 0.05 to 1e6.
        steps: Number of steps, a whole number.
        epsilons: Ask for delta at each of these (in nats; a list or an array), or
        deltas: ask for epsilon at each of these.
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours; only "add/remove" is answered, others are refused.
        sampling: How batches are drawn; only "poisson" is answered, others are refused.
        max_seconds: Time allowed for all of them, in seconds.

    Returns:
        A point (epsilon, delta) for each number given, both certified.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or a notion that is not answered.
        BudgetExceeded: The time allowed ran out.
    """
    run = account([(q, sigma, steps)], relation, sampling, max_seconds)
    return curve_points(run, epsilons, deltas, digits, direction)


def curve_points(
    run: Account,
    epsilons: Iterable[Number],
    deltas: Iterable[Number],
    digits: int,
    direction: str = "both",
) -> list[CurvePoint]:
    abscissas, ordinates = several("epsilons", epsilons), several("deltas", deltas)
    if bool(abscissas) == bool(ordinates):
        raise OutOfDomain("a privacy curve needs either epsilons or deltas")
    points = []
    for given in abscissas:
        exact = checked_epsilon(given)
        x = Certified.exactly(float("inf") if exact is None else exact)
        points.append(CurvePoint(x, run.delta(given, digits, direction)))
    for given in ordinates:
        y = Certified.exactly(checked_delta(given))
        points.append(CurvePoint(run.epsilon(given, digits, direction), y))
    return points
