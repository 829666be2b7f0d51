"""The least noise, the most steps or the largest rate that meet a target (epsilon, delta), proved.

Each search rests on a monotonicity of delta(epsilon), and each monotonicity on data processing: a
randomised map applied to the outcome of every step cannot raise the hockey-stick divergence of the
product.

    sigma   more noise is noise added afterwards: N(0, s'^2) = N(0, s^2) + N(0, s'^2 - s^2), for
            both distributions of the pair
    steps   fewer steps are more steps with some outcomes thrown away
    q       with q' = r q: replacing the outcome by a fresh draw of N(0, s^2) with probability 1 - r
            leaves N(0, s^2) as it is and turns (1-q) N(0, s^2) + q N(1, s^2) into the mixture with
            weight q'

The other pairs of distributions are monotone for the same reasons: mixtures of more shifts and larger groups dominate
(``pairs.mixtures``), epochs are steps, and half the noise is less noise.

The answer is a pair of neighbouring doubles (or whole numbers), one that surely meets the target
and one that surely does not: both are evaluated at exactly those numbers, in both directions. Where
the exact delta is not known, its proved upper end has to meet the target; then the answer meets it,
and a number that is better by a ten-thousandth is not shown to meet it.

The search begins at the doubles' estimate. A number far on the safe side is decided by a bound of
delta alone (the total variation, or one moment). Between two numbers on either side of the target
the root is interpolated, with a cautious error: the two points that far away on either side of it
are the next bracket, decided with the digits that their distance makes likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.accounting.contour.planner import Planner
from verify.accounting.history import History, Phase, checked_delta, checked_epsilon
from verify.accounting.pairs.notions import (
    BY_EPOCHS,
    FIXED,
    POISSON,
    REPLACE_ONE,
    SEQUENTIAL,
    SHUFFLE,
    SHUFFLE_ONCE,
    sampling_named,
)
from verify.accounting.pairs.run import Run, of_loader
from verify.accounting.questions import Account
from verify.accounting.routes import log
from verify.accounting.tight import Bracketed, Curve
from verify.numbers.arrays import rowwise
from verify.numbers.budget import DEFAULT_SECONDS, Deadline, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, OutOfReach, PrecisionExhausted
from verify.numbers.point import Number

_DIGITS = (3, 12, 20, 32, 50)
_FAR = 12.0  # nats below the target, by the doubles' estimate, from which a bound is tried first
_ROUGH = 0.002  # of the estimate's logarithm
_KNOTS = 4  # of the interpolation
_ROUNDS = 200
_OF_A_BRACKET = 4  # digits of an upper end
_NEAR = 1e-4  # relative distance of the two numbers where only a bracket of delta is known
_RANGES = {"sigma": (0.05, 1e6), "q": (1e-12, 1.0), "steps": (1.0, 1e12), "epochs": (1.0, 1e9)}
_LIKELY = {"sigma": (0.2, 1e4), "q": (1e-7, 1.0), "steps": (1.0, 1e9), "epochs": (1.0, 1e6)}
"""Where the estimate looks."""
_WHOLE = frozenset({"steps", "epochs"})


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The number found, as a double (or whole number) that meets the target, and what it achieves.

    The true optimum lies in ``optimum``: at its safe end the target is met, at the other it is not.
    If not ``exact``, delta is only known between two ends, and at the other end of ``optimum`` the
    target is not shown to be met.

    Added in version 0.2.0.
    """

    parameter: str
    value: float | int
    optimum: Certified
    delta: Certified
    exact: bool = True


@dataclass(frozen=True, slots=True)
class _Decided:
    """Whether the target is met, ln(delta/target), and delta; None where only a bound of it is known."""

    meets: bool
    gap: float
    delta: Certified | None


class _Target:
    """Does a run meet the target? Decided in balls; every run is asked once."""

    def __init__(
        self,
        run: Callable[[float], Run],
        epsilon: Fraction,
        delta: Fraction,
        deadline: Deadline,
        exact: bool,
    ) -> None:
        self.run, self.epsilon, self.delta, self.deadline = run, epsilon, delta, deadline
        self.exact = exact
        self.asked: dict[float, _Decided] = {}

    def at(self, x: float, likely: float = 0.0) -> _Decided:
        """What this value of the parameter achieves; ``likely`` digits of delta will decide."""
        if x not in self.asked:
            self.asked[x] = self._decide(x, likely)
        return self.asked[x]

    def delta_at(self, x: float) -> Certified:
        """delta with this value of the parameter."""
        known = self.at(x).delta
        if not self.exact:
            return self._account(x).delta(self.epsilon, _OF_A_BRACKET)
        return self._account(x).delta(self.epsilon, _DIGITS[0]) if known is None else known

    def estimate(self, x: float) -> float:
        """ln(delta/target), in doubles."""
        planner, epsilon = Planner(_alike(self.run(x)), "remove"), float(self.epsilon)
        size, want = planner.log_delta(epsilon), log(self.delta)
        if size > want:  # a saddle point at such a rare loss gives no estimate: use the bound
            size = min(size, planner.log_bound(planner.chernoff(epsilon), epsilon))
        return size - want

    def _account(self, x: float) -> Account:
        self.deadline.check()
        return Account(self.run(x), self.deadline.seconds, self.deadline)

    def _decide(self, x: float, likely: float) -> _Decided:
        run = self._account(x)
        far = 0.0 if likely else self._far(x)
        side = run.ends.sides.get("remove")
        varied = not likely and isinstance(side, Curve) and side.above_variation(self.delta)
        if varied or (far < -_FAR and run.surely_below(self.epsilon, self.delta)):
            return _Decided(True, far, None)
        first = math.ceil(max(likely, _DIGITS[0]))
        for digits in (first, *(d for d in _DIGITS if d > first)):
            self.deadline.check()
            if not self.exact:
                above = Certified.exactly(run.delta_above(self.epsilon, _OF_A_BRACKET))
                return _Decided(above.hi <= self.delta, _gap(above, self.delta), above)
            found = run.delta(self.epsilon, digits)
            meets, fails = found.hi <= self.delta, found.lo > self.delta
            if meets or fails:
                return _Decided(meets, _gap(found, self.delta), found)
            if isinstance(found, Bracketed):
                raise OutOfReach(f"delta is only known to lie in {found} at {x!r}: no decision")
        raise PrecisionExhausted(f"delta at {x!r} cannot be told from the target")

    def _far(self, x: float) -> float:
        try:
            return self.estimate(x)
        except (ArithmeticError, ValueError):
            return 0.0


def _gap(found: Certified, target: Fraction) -> float:
    """ln(delta/target), roughly."""
    ratio = (Fraction(found.lo) + Fraction(found.hi)) / (2 * target)
    if abs(ratio - 1) < Fraction(1, 2):
        return math.log1p(float(ratio - 1))
    return log(ratio) if ratio > 0 else -800.0


def _alike(run: Run) -> History:
    """Poisson phases with about the same loss, for a first estimate in doubles."""
    (one,) = run.stages
    halved = one.sampling in (FIXED, SHUFFLE, SHUFFLE_ONCE, SEQUENTIAL)
    move = run.group * (2 if run.relation == REPLACE_ONE or halved else 1)
    if one.sampling in (SHUFFLE, SHUFFLE_ONCE, SEQUENTIAL):
        return (Phase(Fraction(1), one.sigma / move, one.epochs),)
    if one.q is None:
        return (Phase(Fraction(1, one.steps), one.sigma / move, one.steps * one.epochs),)
    return (Phase(one.q, one.sigma / move, one.steps),)


def _counts_of_loader(
    records: Number | None,
    batch: Number | None,
    epochs: Number | None,
    sigma: Number | None,
    sampling: str,
    drop_last: bool,
) -> tuple[Number | None, Number | None, Number | None]:
    """q, steps and epochs of a loader, of which the noise or the number of epochs is to be found."""
    if records is None or batch is None:
        raise OutOfDomain("records and batch go together (and drop_last with them)")
    if (epochs is None) == (sigma is None):
        raise OutOfDomain("leave out sigma or epochs, and give the other: it is found")
    one = of_loader(
        records=records,
        batch=batch,
        epochs=1 if epochs is None else epochs,
        sigma=1 if sigma is None else sigma,
        sampling=sampling,
        drop_last=drop_last,
    )
    if one.idle:
        raise OutOfDomain(
            f"{sampling} with a smaller last batch is not calibrated: choose a batch size that divides the number of "
            "records, or give the batches of one epoch (steps) and epochs for equal batches"
        )
    if sampling in BY_EPOCHS:
        return None, one.steps, None if epochs is None else one.epochs
    return one.q, None if epochs is None else one.steps, None


@rowwise("epsilon", "delta", "q", "sigma", "steps", "epochs", "records", "batch")
def calibrate(
    *,
    epsilon: Number,
    delta: Number,
    q: Number | None = None,
    sigma: Number | None = None,
    steps: Number | None = None,
    epochs: Number | None = None,
    records: Number | None = None,
    batch: Number | None = None,
    drop_last: bool = False,
    relation: str | None = None,
    sampling: str = POISSON,
    group: Number = 1,
    max_seconds: float = DEFAULT_SECONDS,
) -> Calibrated:
    """The one of q, sigma and steps (of sigma and epochs) that is not given, as good as the target allows.

    Added in version 0.2.0.

    Lists and arrays of epsilon, delta, q, sigma, steps, epochs, records and batch give a list or an array.

    >>> calibrate(epsilon=2, delta="1e-5", q="0.01", steps=1000).value
    0.9591015524135982
    >>> calibrate(epsilon=2, delta="1e-5", q="0.01", sigma=1).value
    1202
    >>> calibrate(epsilon=2, delta="1e-5", q="0.01", steps=1000, relation="replace-one").value
    1.2962254433291627
    >>> calibrate(epsilon=8, delta="1e-5", sigma=4, steps=100, sampling="shuffle").value  # epochs
    11
    >>> [found.value for found in calibrate(epsilon=[1, 2], delta="1e-5", q="0.01", sigma=1)]
    [254, 1202]
    >>> calibrate(epsilon=3, delta="1e-5", records=50_000, batch=512, epochs=20).value  # as a loader counts
    0.9372741939967724

    Args:
        epsilon: Target epsilon in nats, finite.
        delta: Target delta, strictly between 0 and 1.
        q: Sampling rate; leave out to find the largest.
        sigma: Noise multiplier; leave out to find the smallest.
        steps: Number of steps; leave out to find the most. For samplings by epochs, the batches of one epoch.
        epochs: Number of epochs, for samplings by epochs or with records and batch; leave out to find the most.
        records: Number of records, with batch in place of q and steps.
        batch: Batch size, with records.
        drop_last: Whether the loader drops a last, smaller batch.
        relation: Which data sets are neighbours: add/remove if nothing is said, replace-one where that is not defined.
        sampling: How batches are drawn; as in :func:`verify.epsilon`, except truncated-poisson.
        group: How many records differ.
        max_seconds: Time allowed, in seconds.

    Returns:
        The parameter that was left out: a double (a whole number of steps or epochs) that is proved to meet the
        target, with what it achieves; its neighbour is proved not to meet it (or not shown to meet it, if not ``exact``).

    Raises:
        OutOfDomain: A number is not in its domain, not exactly one is left out, or all or none of
            the range meets the target.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: The target lies too close to a boundary to be decided.
        OutOfReach: delta is known to too few digits there.
    """
    eps, target = checked_epsilon(epsilon), checked_delta(delta)
    if eps is None or not 0 < target < 1:
        raise OutOfDomain("a target needs a finite epsilon and 0 < delta < 1")
    name = sampling_named(sampling)
    if records is not None or batch is not None or drop_last:
        if q is not None or steps is not None:
            raise OutOfDomain("records and batch exclude q and steps")
        q, steps, epochs = _counts_of_loader(records, batch, epochs, sigma, name, drop_last)
    given: dict[str, Number | None] = {"q": q, "sigma": sigma, "steps": steps}
    fixed: dict[str, Number] = {}
    if name in BY_EPOCHS:
        if q is not None or steps is None:
            raise OutOfDomain(f"{name} has no q, and needs steps, the batches of one epoch")
        given, fixed = {"sigma": sigma, "epochs": epochs}, {"steps": steps}
    elif epochs is not None:
        raise OutOfDomain(f"{name} sampling counts all steps: leave epochs out")
    missing = [key for key, value in given.items() if value is None]
    if len(missing) != 1:
        raise OutOfDomain(f"leave out one of {', '.join(given)}, and give the others: it is found")
    wanted = missing[0]
    known = {key: value for key, value in given.items() if value is not None} | fixed

    def run(x: float) -> Run:
        row: dict[str, Any] = {**known, wanted: int(x) if wanted in _WHOLE else x, "sampling": name}
        return Run.of_rows([row], relation, group)

    likely = math.sqrt(_LIKELY[wanted][0] * _LIKELY[wanted][1])
    exact = not run(likely).why
    goal = _Target(run, eps, target, Deadline(checked_seconds(max_seconds)), exact)
    return _search(wanted, goal)


def _search(name: str, goal: _Target) -> Calibrated:
    safe, unsafe = _bracket(name, goal)
    if unsafe is None:  # q = 1
        exactly = Certified.exactly(Fraction(safe))
        return Calibrated(name, safe, exactly, goal.delta_at(safe), goal.exact)
    safe, unsafe = _narrow(goal, safe, unsafe, whole=name in _WHOLE)
    achieved = goal.delta_at(safe)
    if name in _WHOLE:
        return Calibrated(name, int(safe), Certified.exactly(Fraction(safe)), achieved, goal.exact)
    low, high = sorted((Fraction(safe), Fraction(unsafe)))
    return Calibrated(name, safe, Certified(low, high), achieved, goal.exact)


def _bracket(name: str, goal: _Target) -> tuple[float, float | None]:
    """A number that meets the target and one that does not, around the doubles' estimate."""
    low, high = _RANGES[name]
    towards_safe = 1 if name == "sigma" else -1
    x = _estimate(name, goal)
    x = float(round(x)) if name in _WHOLE else x
    meets, factor = goal.at(x).meets, 1.02
    sign = -towards_safe if meets else towards_safe
    while True:
        before, x = x, min(max(x * factor**sign, low), high)
        if name in _WHOLE:
            x = min(max(float(round(x)), low), high)
            x = before + sign if x == before and low <= before + sign <= high else x
        if x == before:
            if name == "q" and meets:
                return x, None
            what = "still meets" if meets else "does not meet"
            raise OutOfDomain(f"{name} = {x:g} {what} the target, and the search ends there")
        if goal.at(x).meets != meets:
            return (before, x) if meets else (x, before)
        factor = min(factor * factor, 2.0)


def _estimate(name: str, goal: _Target) -> float:
    """Where the doubles' estimate of delta meets the target."""
    low, high = (math.log(v) for v in _LIKELY[name])
    while high - low > _ROUGH:
        middle = (low + high) / 2
        x = math.exp(middle)
        try:
            meets = goal.estimate(float(round(x)) if name in _WHOLE else x) < 0
        except (ArithmeticError, ValueError):
            meets = (name == "sigma") == (x > 1)
        if meets == (name == "sigma"):
            high = middle
        else:
            low = middle
    return math.exp((low + high) / 2)


def _narrow(goal: _Target, safe: float, unsafe: float, whole: bool) -> tuple[float, float]:
    """Neighbours, one safe and one not: one point on either side of the interpolated root makes the next bracket."""
    stalled = False
    for _ in range(_ROUNDS):
        if _neighbours(safe, unsafe, whole):
            return safe, unsafe
        if not goal.exact and abs(safe - unsafe) <= _NEAR * abs(safe):
            return safe, unsafe
        width = abs(unsafe - safe)
        root, error = _interpolate(goal, safe, unsafe)
        error = max(error, 1.0 if whole else math.ulp(root))
        likely = 1.5 - math.log10(error / abs(root))
        # Both points on one side are two more knots: interpolate again, halve the bracket only if that happens twice.
        for x in (root - error, root + error, *([(safe + unsafe) / 2] if stalled else [])):
            if x == (safe + unsafe) / 2 and abs(unsafe - safe) < width / 2:
                break  # the interpolation did its work
            x = float(round(x)) if whole else x
            low, high = sorted((safe, unsafe))
            if low < x < high:
                safe, unsafe = (x, unsafe) if goal.at(x, likely).meets else (safe, x)
        stalled = abs(unsafe - safe) >= width / 2
    raise PrecisionExhausted("no neighbouring numbers were separated")


def _neighbours(safe: float, unsafe: float, whole: bool) -> bool:
    return abs(safe - unsafe) <= 1 if whole else math.nextafter(safe, unsafe) == unsafe


def _interpolate(goal: _Target, safe: float, unsafe: float) -> tuple[float, float]:
    """Where ln delta meets the target, and a distance from there on either side of which it does not.

    Neville's scheme for the number as a function of the gap: the ends of the bracket, then the
    points next to the target. What the last point changes is taken for the error, ten times over.
    """
    ends = [(goal.at(x).gap, x) for x in (safe, unsafe)]
    known = ((d.gap, x) for x, d in goal.asked.items() if d.delta is not None)
    others = sorted((point for point in known if point not in ends), key=lambda p: abs(p[0]))
    points = [*ends, *others[: _KNOTS - len(ends)]]
    width = abs(unsafe - safe)
    if not ends[0][0] < 0 < ends[1][0] or len({gap for gap, _ in points}) < len(points):
        return (safe + unsafe) / 2, width / 4
    offsets = [x - safe for _, x in points]  # small numbers keep their digits
    gaps = [gap for gap, _ in points]
    before = 0.0
    for order in range(1, len(points)):
        before = offsets[0]
        for i in range(len(points) - order):
            a, b = gaps[i], gaps[i + order]
            offsets[i] = (a * offsets[i + 1] - b * offsets[i]) / (a - b)
    root = safe + offsets[0]
    if not min(safe, unsafe) < root < max(safe, unsafe):
        return (safe + unsafe) / 2, width / 4
    if len(points) == len(ends):  # the secant's error is of second order in the bracket's width
        return root, width * width / abs(root)
    return root, min(10 * abs(offsets[0] - before), width * width / abs(root))
