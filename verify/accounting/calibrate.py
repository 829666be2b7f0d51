"""The least noise, the most steps or the largest rate that meet a target (epsilon, delta), proved.

Each search rests on a monotonicity of delta(epsilon), and each monotonicity on data processing: a randomised map applied to the
outcome of every step cannot raise the hockey-stick divergence of the product.

    sigma   more noise is noise added afterwards: N(0, s'^2) = N(0, s^2) + N(0, s'^2 - s^2), for both distributions of the pair
    steps   fewer steps are more steps with some outcomes thrown away
    q       with q' = r q: replacing the outcome by a fresh draw of N(0, s^2) with probability 1 - r leaves N(0, s^2) as it is
            and turns (1-q) N(0, s^2) + q N(1, s^2) into the mixture with weight q'

The answer is a pair of neighbouring doubles (or whole numbers), one that surely meets the target and one that surely does not: both are
evaluated at exactly those numbers, in both directions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verify.accounting.account import Account
from verify.accounting.history import (
    RELATION,
    SAMPLING,
    checked_delta,
    checked_epsilon,
    checked_notions,
    history,
)
from verify.accounting.planner import Planner
from verify.accounting.routes import log
from verify.accounting.tight import Bracketed
from verify.budget import DEFAULT_SECONDS, Deadline, checked_seconds
from verify.certified import Certified
from verify.errors import BudgetExceeded, OutOfDomain, OutOfReach, PrecisionExhausted
from verify.point import Number

_DIGITS = (3, 12, 20, 32, 50)
_ROUNDS = 200
_RANGES = {"sigma": (0.05, 1e6), "q": (1e-12, 1.0), "steps": (1.0, 1e12)}
_LIKELY = {"sigma": (0.2, 1e4), "q": (1e-7, 1.0), "steps": (1.0, 1e9)}  # where the estimate looks


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The number found, as a double (or whole number) that meets the target, and what it achieves.

    The true optimum lies in ``optimum``: at its safe end the target is met, at the other it is not.
    """

    parameter: str
    value: float | int
    optimum: Certified
    delta: Certified


class _Target:
    """Does a run meet the target? Decided in balls; every run is asked once."""

    def __init__(
        self,
        run: Callable[[float], tuple[Number, Number, Number]],
        epsilon: Fraction,
        delta: Fraction,
        deadline: Deadline,
    ) -> None:
        self.run, self.epsilon, self.delta, self.deadline = run, epsilon, delta, deadline
        self.asked: dict[float, tuple[bool, float, Certified]] = {}

    def at(self, x: float) -> tuple[bool, float, Certified]:
        """(meets, ln(delta/target), delta) with this value of the parameter."""
        if x not in self.asked:
            self.asked[x] = self._decide(x)
        return self.asked[x]

    def _decide(self, x: float) -> tuple[bool, float, Certified]:
        self.deadline.check()
        run = Account(history([self.run(x)]), self.deadline.left())
        for digits in _DIGITS:
            self.deadline.check()
            try:
                found = run.delta(self.epsilon, digits)
            except BudgetExceeded:  # of what was left, which is not what the caller allowed
                raise self.deadline.exceeded() from None
            meets, fails = found.hi <= self.delta, found.lo > self.delta
            if meets or fails:
                return meets, _gap(found, self.delta), found
            if isinstance(found, Bracketed):
                raise OutOfReach(f"delta is only known to lie in {found} at {x!r}: no decision")
        raise PrecisionExhausted(f"delta at {x!r} cannot be told from the target")


def _gap(found: Certified, target: Fraction) -> float:
    """ln(delta/target), roughly."""
    middle = (Fraction(found.lo) + Fraction(found.hi)) / 2
    return log(middle / target) if middle > 0 else -800.0


def calibrate(
    *,
    epsilon: Number,
    delta: Number,
    q: Number | None = None,
    sigma: Number | None = None,
    steps: Number | None = None,
    relation: str = RELATION,
    sampling: str = SAMPLING,
    max_seconds: float = DEFAULT_SECONDS,
) -> Calibrated:
    """The one of q, sigma and steps that is not given, as good as the target allows.

    >>> calibrate(epsilon=2, delta="1e-5", q="0.01", steps=1000).value
    0.9591015524135982
    >>> calibrate(epsilon=2, delta="1e-5", q="0.01", sigma=1).value
    1202

    Args:
        epsilon: Target epsilon in nats, finite.
        delta: Target delta, strictly between 0 and 1.
        q: Sampling rate; leave out to find the largest.
        sigma: Noise multiplier; leave out to find the smallest.
        steps: Number of steps; leave out to find the most.
        relation: Which data sets are neighbours; only "add/remove" is answered.
        sampling: How batches are drawn; only "poisson" is answered.
        max_seconds: Time allowed, in seconds.

    Returns:
        The parameter that was left out: a double (a whole number of steps) that is proved to meet the
        target, with what it achieves; its neighbour is proved not to meet it.

    Raises:
        OutOfDomain: A number is not in its domain, not exactly one is left out, or all or none of the range meets the target.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: The target lies too close to a boundary to be decided.
        OutOfReach: delta is known to too few digits there.
    """
    checked_notions(relation, sampling)
    eps, target = checked_epsilon(epsilon), checked_delta(delta)
    if eps is None or not 0 < target < 1:
        raise OutOfDomain("a target needs a finite epsilon and 0 < delta < 1")
    given = {"q": q, "sigma": sigma, "steps": steps}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        raise OutOfDomain("give two of q, sigma and steps; the third is found")
    name = missing[0]

    def run(x: float) -> tuple[Number, Number, Number]:
        value = {k: v for k, v in given.items() if v is not None} | {
            name: int(x) if name == "steps" else x
        }
        return value["q"], value["sigma"], value["steps"]

    goal = _Target(run, eps, target, Deadline(checked_seconds(max_seconds)))
    return _search(name, goal)


def _search(name: str, goal: _Target) -> Calibrated:
    safe, unsafe = _bracket(name, goal)
    if unsafe is None:  # q = 1
        return Calibrated(name, safe, Certified.exactly(Fraction(safe)), goal.at(safe)[2])
    safe, unsafe = _narrow(goal, safe, unsafe, whole=name == "steps")
    if name == "steps":
        return Calibrated(name, int(safe), Certified.exactly(Fraction(safe)), goal.at(safe)[2])
    low, high = sorted((Fraction(safe), Fraction(unsafe)))
    return Calibrated(name, safe, Certified(low, high), goal.at(safe)[2])


def _bracket(name: str, goal: _Target) -> tuple[float, float | None]:
    """A number that meets the target and one that does not, around the doubles' estimate."""
    low, high = _RANGES[name]
    towards_safe = 1 if name == "sigma" else -1
    x = _estimate(name, goal)
    x = float(round(x)) if name == "steps" else x
    meets, factor = goal.at(x)[0], 1.02
    sign = -towards_safe if meets else towards_safe
    while True:
        before, x = x, min(max(x * factor**sign, low), high)
        if name == "steps":
            x = min(max(float(round(x)), low), high)
            x = before + sign if x == before and low <= before + sign <= high else x
        if x == before:
            if name == "q" and meets:
                return x, None
            what = "still meets" if meets else "does not meet"
            raise OutOfDomain(f"{name} = {x:g} {what} the target, and the search ends there")
        if goal.at(x)[0] != meets:
            return (before, x) if meets else (x, before)
        factor *= factor


def _estimate(name: str, goal: _Target) -> float:
    """Where the saddle point estimate of delta meets the target."""
    low, high = (math.log(v) for v in _LIKELY[name])
    eps, want = float(goal.epsilon), log(goal.delta)
    for _ in range(24):
        middle = (low + high) / 2
        x = math.exp(middle)
        try:
            planner = Planner(
                history([goal.run(float(round(x)) if name == "steps" else x)]), "remove"
            )
            meets = planner.saddle(planner.c_of_epsilon(eps))[1] < want
        except (ArithmeticError, ValueError):
            meets = (name == "sigma") == (x > 1)
        if meets == (name == "sigma"):
            high = middle
        else:
            low = middle
    return math.exp((low + high) / 2)


def _narrow(goal: _Target, safe: float, unsafe: float, whole: bool) -> tuple[float, float]:
    """Neighbours, one safe and one not. The secant's error is of second order in the bracket's width:
    one point on either side of its root, that far away, makes the next bracket."""
    for _ in range(_ROUNDS):
        if _neighbours(safe, unsafe, whole):
            return safe, unsafe
        width = abs(unsafe - safe)
        root = _secant(goal, safe, unsafe)
        error = max(width * width / abs(root), 1.0 if whole else math.ulp(root))
        for x in (root - error, root + error, (safe + unsafe) / 2):
            if x == (safe + unsafe) / 2 and abs(unsafe - safe) < width / 2:
                break  # the secant did its work
            x = float(round(x)) if whole else x
            low, high = sorted((safe, unsafe))
            if low < x < high:
                safe, unsafe = (x, unsafe) if goal.at(x)[0] else (safe, x)
    raise PrecisionExhausted("no neighbouring numbers were separated")


def _neighbours(safe: float, unsafe: float, whole: bool) -> bool:
    return abs(safe - unsafe) <= 1 if whole else math.nextafter(safe, unsafe) == unsafe


def _secant(goal: _Target, safe: float, unsafe: float) -> float:
    """Where the line through both ends, in ln delta, meets the target."""
    fa, fb = goal.at(safe)[1], goal.at(unsafe)[1]
    if not fa < fb or not math.isfinite(fa - fb):
        return (safe + unsafe) / 2
    return safe + (unsafe - safe) * min(max(fa / (fa - fb), 0.0), 1.0)
