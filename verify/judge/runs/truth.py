"""The exact value of what is asked about a run, by a clock that counts work: a busy machine finds
the same ones out of reach, but for those that take about as much work as is allowed.

To draw a question for delta, or for noise, the run is drawn first and its exact epsilon computed:
at that epsilon the delta is of the size that was drawn, and the least noise is the one that was
drawn.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction

from verify.accounting.history import history
from verify.accounting.questions import account, larger
from verify.accounting.tight import Curve
from verify.judge.runs.question import Phases, Quantity, RunQuestion
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfReach

DIGITS = 10
SECONDS = 4.0
_WIDTH = Fraction(1, 10**8)
_DIGITS_OF_AN_END = 4
_OF_A_BRACKET = (
    600.0  # seconds: many times what a bracket takes, so that its ends do not depend on the machine
)


class ExactRun:
    """Both directions of a run with Poisson sampling; questions share their tables."""

    def __init__(self, phases: Phases, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        run = history(phases)
        self.curves = [Curve(run, d, Deadline.of_work(seconds)) for d in ("remove", "add")]

    def epsilon(self, delta: float, digits: int = DIGITS) -> Certified:
        """The least epsilon at this delta; OutOfReach if it cannot be had to enough digits."""
        return self._larger(lambda curve: curve.epsilon(Fraction(delta), digits))

    def delta(self, epsilon: float, digits: int = DIGITS) -> Certified:
        """The least delta at this epsilon."""
        return self._larger(lambda curve: curve.delta(Fraction(epsilon), digits))

    def _larger(self, ask: Callable[[Curve], Certified]) -> Certified:
        found: Certified | None = None
        for curve in self.curves:
            curve.deadline = Deadline.of_work(self.seconds)
            value = ask(curve)
            found = value if found is None else larger(found, value)
        if found is None or isinstance(found.hi, float) or isinstance(found.lo, float):
            raise OutOfReach("no finite value")
        if found.hi - found.lo > _WIDTH * found.hi:
            raise OutOfReach(f"known to too few digits: {found}")
        return found


@functools.lru_cache(maxsize=4096)
def value(quantity: Quantity, phases: Phases, at: float) -> Certified:
    """The exact epsilon at a delta, or delta at an epsilon."""
    run = ExactRun(phases)
    return run.epsilon(at) if quantity is Quantity.EPSILON else run.delta(at)


def truth(question: RunQuestion) -> Certified:
    """What is true; for noise, the least one."""
    if not question.usual:
        return of_notion(question)
    if question.quantity is Quantity.SIGMA:
        ((q, _, steps),) = question.history
        return Certified.exactly(
            Fraction(least_noise(q, steps, question.epsilon or 0.0, question.delta or 0.0))
        )
    at = question.delta if question.quantity is Quantity.EPSILON else question.epsilon
    if at is None:
        raise ValueError("a question has the delta or the epsilon it is asked at")
    return value(question.quantity, question.history, at)


@functools.lru_cache(maxsize=256)
def of_notion(question: RunQuestion) -> Certified:
    """The same for another sampling or relation; where only a bracket is known, its lower end is
    attained by data sets."""
    if question.quantity is Quantity.SIGMA:
        raise OutOfReach(f"noise for {question.sampling}, {question.relation} is not asked")
    rows = [
        {"q": None if math.isnan(q) else q, "sigma": sigma, "steps": steps, **dict(question.beside)}
        for q, sigma, steps in question.history
    ]
    asked = account(rows, question.relation, question.sampling, max_seconds=_OF_A_BRACKET)
    digits = _DIGITS_OF_AN_END if asked.run.why else DIGITS
    if question.quantity is Quantity.EPSILON:
        return asked.epsilon(question.delta or 0.0, digits)
    return asked.delta(question.epsilon or 0.0, digits)


@functools.lru_cache(maxsize=64)
def least_noise(q: float, steps: int, epsilon: float, delta: float) -> float:
    """The smallest noise multiplier that meets the target."""
    from verify.accounting.calibration import calibrate

    return float(calibrate(epsilon=epsilon, delta=delta, q=q, steps=steps, max_seconds=600.0).value)
