"""The certified (epsilon, delta) of a run: one interval, or a bracket where nobody knows the exact value.

>>> print(epsilon("0.01", 1, 1000, "1e-5"))
1.8282366665165768426
>>> print(delta("0.01", 1, 1000, 2, direction="add"))
1.06716202136867733331e-09
>>> print(epsilon("0.01", 1, 1000, "1e-5", 10, relation="replace-one"))
2.8434402593
>>> print(epsilon(None, "0.9", 98, "1e-5", sampling="shuffle", relation="replace-one", epochs=20))
[23.839651, 90.936753]
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar, cast

from verify.accounting.history import History, checked_delta, checked_epsilon, several
from verify.accounting.pairs.notions import ADD_REMOVE, POISSON
from verify.accounting.pairs.run import Run
from verify.accounting.pairs.side import Side
from verify.accounting.pairs.sides import Ends, ends
from verify.accounting.tight import Bracketed, out_of_time
from verify.numbers.arrays import rowwise
from verify.numbers.budget import DEFAULT_SECONDS, Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified, Refine
from verify.numbers.curves import CurvePoint, PrivacyCurve
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Number

DIGITS = 20
_OF_AN_END = 8  # digits of an end of a bracket that is not tight
Phases = Iterable[Any]
"""Triples (q, sigma, steps), or mappings that also name sampling, epochs, records and limit."""


class Account:
    """A run. All questions asked of one account share its tables of transforms.

    >>> run = Account(Run.of(q="0.01", sigma=1, steps=1000))
    >>> [str(run.epsilon(delta, 10)) for delta in ("1e-5", "1e-6")]
    ['1.8282366665', '2.1245151711']
    """

    def __init__(
        self,
        run: Run | History,
        max_seconds: float = DEFAULT_SECONDS,
        stop: Deadline | None = None,
    ) -> None:
        self.run = run if isinstance(run, Run) else Run.poisson(run)
        self.max_seconds, self.stop = checked_seconds(max_seconds), stop
        self.ends: Ends = ends(self.run, Deadline(self.max_seconds))

    def epsilon(self, delta: Number, digits: int = DIGITS, direction: str = "both") -> Certified:
        """The least epsilon >= 0 at this delta."""
        exact, digits = checked_delta(delta), checked_digits(digits)

        def smaller(side: Side, known: Certified) -> bool:
            return isinstance(known.lo, Fraction) and side.surely_below(known.lo, exact)

        again = functools.partial(_answer, self.run, "epsilon", exact, direction)
        few = self._useful(digits)
        return self._answer(direction, digits, lambda s: s.epsilon(exact, few), smaller, again)

    def delta(self, epsilon: Number, digits: int = DIGITS, direction: str = "both") -> Certified:
        """The least delta at this epsilon."""
        exact, digits = checked_epsilon(epsilon), checked_digits(digits)

        def smaller(side: Side, known: Certified) -> bool:
            return exact is not None and side.surely_below(exact, Fraction(known.lo))

        again = functools.partial(_answer, self.run, "delta", exact, direction)
        few = self._useful(digits)
        return self._answer(direction, digits, lambda s: s.delta(exact, few), smaller, again)

    def delta_above(self, epsilon: Fraction, digits: int) -> Fraction:
        """A number that delta(epsilon) is not above, without the work for a lower end."""
        found = [Fraction(0)]
        for side in self.ends.sides.values():
            side.deadline = Deadline(self.max_seconds, stop=self.stop)
            alone = getattr(side, "delta_above", None)
            end = side.delta(epsilon, digits).hi if alone is None else alone(epsilon, digits)
            found.append(Fraction(end))
        return min(max(found), Fraction(1))

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound in all directions is shown by a bound of it alone; False says nothing."""
        return all(bounded_below(side, epsilon, bound) for side in self.ends.sides.values())

    def _useful(self, digits: int) -> int:
        """Digits to ask the sides for: the ends of a bracket need no more than people read of them."""
        return min(digits, _OF_AN_END) if self.run.why else digits

    def _answer(
        self,
        direction: str,
        digits: int,
        ask: Callable[[Side], Certified],
        smaller: Callable[[Side, Certified], bool],
        again: Refine,
    ) -> Certified:
        """The larger of the directions asked for; a bracket if the upper end is not attained."""
        asked = self.ends.directions(direction)
        whole = Deadline(self.max_seconds, stop=self.stop)
        found = _largest([self.ends.sides[d] for d in asked], ask, smaller, whole)
        if found.lo == found.hi:
            return found
        if isinstance(found.hi, float) or (found.hi - found.lo) * 10**digits > found.hi:
            return _bracket(found, self.run)
        return Certified(found.lo, found.hi, again, max_seconds=self.max_seconds)


def _bracket(found: Certified, run: Run) -> Bracketed:
    """The answer with its reason, and with the data sets that attain its own lower end."""
    late = out_of_time(found)
    if not run.why:
        return Bracketed(found.lo, found.hi, out_of_time=late)
    by = _attained(found) or run.attained
    return Bracketed(found.lo, found.hi, why=run.why, attained=by, out_of_time=late)


def _attained(found: Certified) -> str:
    """The data sets that attain the lower end of this answer, where it names them."""
    return found.attained if isinstance(found, Bracketed) else ""


def bounded_below(side: Side, epsilon: Fraction, bound: Fraction) -> bool:
    """Whether delta(epsilon) < bound is shown by a bound alone, without a table, where the side knows one."""
    shows = getattr(side, "bounded_below", None)
    return shows is not None and bool(shows(epsilon, bound))


def _largest(
    sides: list[Side],
    ask: Callable[[Side], Certified],
    smaller: Callable[[Side, Certified], bool],
    deadline: Deadline,
) -> Certified:
    """The largest answer; a side that is surely smaller is not computed."""
    for side in sides:
        side.deadline = deadline
    found = ask(sides[0])
    for side in sides[1:]:
        if not smaller(side, found):
            found = larger(found, ask(side))
    return found


def _answer(
    run: Run,
    what: str,
    at: Fraction | None,
    direction: str,
    digits: int,
    deadline: Deadline,
) -> Certified:
    """Answer a question by a new account."""
    fresh = Account(run, deadline.seconds, deadline)
    found: Certified = getattr(fresh, what)("inf" if at is None else at, digits, direction)
    return found


def larger(x: Certified, y: Certified) -> Certified:
    """The maximum of two certified numbers; of brackets, with the data sets that attain the larger lower end."""
    low, high = max(x.lo, y.lo), max(x.hi, y.hi)
    by = _attained(x if x.lo >= y.lo else y)
    late = out_of_time(x) or out_of_time(y)
    return (
        Bracketed(low, high, attained=by, out_of_time=late) if by or late else Certified(low, high)
    )


def account(
    phases: Phases,
    relation: str = ADD_REMOVE,
    sampling: str = POISSON,
    group: Number = 1,
    max_seconds: float = DEFAULT_SECONDS,
) -> Account:
    """An account of phases, in any order: (q, sigma, steps), or mappings with a sampling of their own."""
    return Account(Run.of_rows(phases, relation, group, sampling), max_seconds)


F = TypeVar("F", bound=Callable[..., Certified])


def _pointing_to_run(function: F) -> F:
    """Who gives a loader to a function of a rate is told where it goes."""

    @functools.wraps(function)
    def wrapper(*given: Any, **options: Any) -> Any:
        if "noise_multiplier" in options:
            raise TypeError(f"{function.__name__}() calls the noise multiplier sigma")
        if wrong := sorted({"batch", "batch_size", "drop_last"} & options.keys()):
            raise TypeError(
                f"{function.__name__}() takes q and steps, no {wrong[0]}: with records and batch ask verify.Run.of_loader("
                f"records=..., batch=..., epochs=..., sigma=..., sampling=...).{function.__name__}(...)"
            )
        return function(*given, **options)

    return cast(F, wrapper)


@_pointing_to_run
@rowwise("q", "sigma", "steps", "delta")
def epsilon(
    q: Number | None,
    sigma: Number,
    steps: Number,
    delta: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = ADD_REMOVE,
    sampling: str = POISSON,
    group: Number = 1,
    epochs: Number = 1,
    records: Number | None = None,
    limit: Number | None = None,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight epsilon of a run at this delta. Lists and arrays of q, sigma, steps and delta give a list or an array.

    Added in version 0.2.0.

    >>> print(epsilon(1, 10, 100, "1e-5", digits=10))
    4.3771780957
    >>> [str(x) for x in epsilon("0.01", [1, 2], 1000, "1e-5", 6)]
    ['1.828237', '0.6220303']

    Records, batch size and epochs go into a :class:`Run`, which counts the steps as a loader does:

    >>> loader = {"records": 50_000, "batch": 512, "epochs": 20, "sampling": "poisson"}
    >>> [str(Run.of_loader(**loader, sigma=sigma).epsilon("1e-5", 6)) for sigma in ("0.9", "1")]
    ['3.279717', '2.625078']

    Args:
        q: Sampling rate, the probability with which a record is in a batch: 0, or 1e-12 to 1. None for samplings
            in which each record takes part once in each epoch (allocation, shuffle, shuffle-once, sequential).
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: 0.05 to 1e6.
        steps: Number of steps, a whole number; for samplings by epochs, the batches of one epoch. ``Run.of_loader``
            counts them from records, batch size and epochs.
        delta: Failure probability, in [0, 1].
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours: "add/remove", "zero-out" or "replace-one".
        sampling: How batches are drawn: "poisson", "fixed-size", "allocation", "shuffle", "shuffle-once",
            "sequential" or "truncated-poisson".
        group: How many records are added, removed or replaced together (poisson only, up to 64).
        epochs: Number of epochs, for samplings by epochs.
        records: Size of the larger data set, for truncated-poisson.
        limit: Largest batch, for truncated-poisson.
        max_seconds: Time allowed, in seconds.

    Returns:
        The least epsilon in nats, certified. A :class:`Bracketed` where no more digits can be had, or where the exact
        value is not known: its lower end is attained by data sets, its upper end is proved.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or the question has no answer.
        BudgetExceeded: The time allowed ran out.
    """
    run = Run.of(
        q=q,
        sigma=sigma,
        steps=steps,
        sampling=sampling,
        relation=relation,
        group=group,
        epochs=epochs,
        records=records,
        limit=limit,
    )
    return Account(run, max_seconds).epsilon(delta, digits, direction)


@_pointing_to_run
@rowwise("q", "sigma", "steps", "epsilon")
def delta(
    q: Number | None,
    sigma: Number,
    steps: Number,
    epsilon: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = ADD_REMOVE,
    sampling: str = POISSON,
    group: Number = 1,
    epochs: Number = 1,
    records: Number | None = None,
    limit: Number | None = None,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight delta of a run at this epsilon. Lists and arrays of q, sigma, steps and epsilon
    give a list or an array.

    Added in version 0.2.0.

    >>> delta("0.01", 1, 100, "inf").to_double()
    0.0

    Args:
        q: Sampling rate; None for samplings in which each record takes part once in each epoch.
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: 0.05 to 1e6.
        steps: Number of steps, a whole number; for samplings by epochs, the batches of one epoch.
        epsilon: epsilon in nats, >= 0, or "inf".
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours: "add/remove", "zero-out" or "replace-one".
        sampling: How batches are drawn, as in :func:`epsilon`.
        group: How many records are added, removed or replaced together (poisson only, up to 64).
        epochs: Number of epochs, for samplings by epochs.
        records: Size of the larger data set, for truncated-poisson.
        limit: Largest batch, for truncated-poisson.
        max_seconds: Time allowed, in seconds.

    Returns:
        The least delta, certified; a :class:`Bracketed` where its exact value or more digits cannot be had.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or the question has no answer.
        BudgetExceeded: The time allowed ran out.
    """
    run = Run.of(
        q=q,
        sigma=sigma,
        steps=steps,
        sampling=sampling,
        relation=relation,
        group=group,
        epochs=epochs,
        records=records,
        limit=limit,
    )
    return Account(run, max_seconds).delta(epsilon, digits, direction)


def history_epsilon(
    phases: Phases,
    delta: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = ADD_REMOVE,
    sampling: str = POISSON,
    group: Number = 1,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight epsilon of several phases, fixed in advance; the other arguments are those of :func:`epsilon`.

    Added in version 0.2.0.

    A phase is a triple (q, sigma, steps), or a mapping with these names that may also give sampling, epochs, records
    and limit. Phases of different samplings compose where one choice of data sets attains all of them.

    >>> print(history_epsilon([("0.01", 1, 500), ("0.02", 2, 500)], "1e-5", 10))
    1.6150713953

    Args:
        phases: Triples (q, sigma, steps), or mappings with these names, in any order.
        delta: Failure probability, in [0, 1].
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours: "add/remove", "zero-out" or "replace-one".
        sampling: How batches are drawn, as in :func:`epsilon`.
        group: How many records are added, removed or replaced together (poisson only, up to 64).
        max_seconds: Time allowed, in seconds.

    Returns:
        The least epsilon, certified; a :class:`Bracketed` where its exact value or more digits cannot be had.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or the question has no answer.
        BudgetExceeded: The time allowed ran out.
    """
    return account(phases, relation, sampling, group, max_seconds).epsilon(delta, digits, direction)


def history_delta(
    phases: Phases,
    epsilon: Number,
    digits: int = DIGITS,
    *,
    direction: str = "both",
    relation: str = ADD_REMOVE,
    sampling: str = POISSON,
    group: Number = 1,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """The tight delta of several phases, fixed in advance; the arguments are those of :func:`history_epsilon`.

    Added in version 0.2.0.

    >>> print(history_delta([("0.01", 1, 500), ("0.02", 2, 500)], "1.6150713953", 4))
    0.000010000

    Args:
        phases: Triples (q, sigma, steps), or mappings with these names, in any order.
        epsilon: epsilon in nats, >= 0, or "inf".
        digits: Significant digits that must be certain.
        direction: "both" (the larger of the two, which is what a guarantee needs), "remove" or "add".
        relation: Which data sets are neighbours: "add/remove", "zero-out" or "replace-one".
        sampling: How batches are drawn, as in :func:`epsilon`.
        group: How many records are added, removed or replaced together (poisson only, up to 64).
        max_seconds: Time allowed, in seconds.

    Returns:
        The least delta, certified; a :class:`Bracketed` where its exact value or more digits cannot be had.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or the question has no answer.
        BudgetExceeded: The time allowed ran out.
    """
    return account(phases, relation, sampling, group, max_seconds).delta(epsilon, digits, direction)


def privacy_curve(
    q: Number | None,
    sigma: Number,
    steps: Number,
    *,
    epsilons: Iterable[Number] = (),
    deltas: Iterable[Number] = (),
    digits: int = DIGITS,
    direction: str = "both",
    relation: str = ADD_REMOVE,
    sampling: str = POISSON,
    group: Number = 1,
    epochs: Number = 1,
    records: Number | None = None,
    limit: Number | None = None,
    max_seconds: float = DEFAULT_SECONDS,
) -> PrivacyCurve:
    """delta at many epsilons, or epsilon at many deltas; neighbours share tables of transforms.

    Added in version 0.2.0.

    >>> [str(point.delta) for point in privacy_curve("0.01", 1, 1000, epsilons=[1, 2], digits=8)]
    ['0.00261242058', '0.0000026655719']

    Args:
        q: Sampling rate; this and the other arguments of the run are those of :func:`epsilon`.
        sigma: Noise multiplier.
        steps: Number of steps, or batches of one epoch.
        epsilons: Ask for delta at each of these (in nats; a list or an array), or
        deltas: ask for epsilon at each of these.
        digits: Significant digits that must be certain.
        direction: "both", "remove" or "add".
        relation: Which data sets are neighbours.
        sampling: How batches are drawn.
        group: How many records differ.
        epochs: Number of epochs.
        records: Size of the larger data set, for truncated-poisson.
        limit: Largest batch, for truncated-poisson.
        max_seconds: Time allowed for all of them, in seconds.

    Returns:
        A point (epsilon, delta) for each number given, both certified: a list with ``to_frame()`` and ``plot()``.

    Raises:
        OutOfDomain: A parameter is not a number, not in its domain, or the question has no answer.
        BudgetExceeded: The time allowed ran out.
    """
    run = Run.of(
        q=q,
        sigma=sigma,
        steps=steps,
        sampling=sampling,
        relation=relation,
        group=group,
        epochs=epochs,
        records=records,
        limit=limit,
    )
    return curve_points(Account(run, max_seconds), epsilons, deltas, digits, direction)


def curve_points(
    run: Account,
    epsilons: Iterable[Number],
    deltas: Iterable[Number],
    digits: int,
    direction: str = "both",
) -> PrivacyCurve:
    abscissas, ordinates = several("epsilons", epsilons), several("deltas", deltas)
    if bool(abscissas) == bool(ordinates):
        raise OutOfDomain(
            "a privacy curve needs either epsilons or deltas, such as epsilons=[0.5, 1, 2]"
        )
    points = PrivacyCurve()
    for given in abscissas:
        exact = checked_epsilon(given)
        x = Certified.exactly(float("inf") if exact is None else exact)
        points.append(CurvePoint(x, run.delta(given, digits, direction)))
    for given in ordinates:
        y = Certified.exactly(checked_delta(given))
        points.append(CurvePoint(run.epsilon(given, digits, direction), y))
    return points
