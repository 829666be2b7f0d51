"""What is gained by accounting exactly: the noise that a target needs, by the exact curve and by way of RDP.

The exact noise comes from the certified calibration. That of RDP is the least noise of five digits
with which a certified RDP accountant (dp-accounting's default orders, the conversion of Canonne,
Kamath and Steinke) shows that the target is met.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from verify.accounting.calibration import calibrate
from verify.accounting.history import history
from verify.accounting.questions import epsilon
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

ORDERS, CONVERSION = "dp-accounting", "cks"
_DIGITS = 5
_WIDEST = Decimal(1000)


@dataclass(frozen=True, slots=True)
class GainTarget:
    """A run whose noise is to be chosen; ``q`` is exact, as written."""

    run: str
    q: str
    steps: int
    epsilon: str
    delta: str


TARGETS = (
    GainTarget("MNIST tutorial, TF Privacy", "256/60000", 14062, "3", "1e-5"),
    GainTarget("CIFAR-10, Opacus", "2048/50000", 2450, "8", "1e-5"),
    GainTarget("quick test", "1/100", 1000, "2", "1e-5"),
    GainTarget("language model", "1/1000", 10000, "1", "1e-6"),
    GainTarget("tiny rate", "1/10000", 100000, "1/2", "1e-6"),
)
"""Runs that are published or typical, each with an ordinary target."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Both noise multipliers, and the exact epsilon of the run that was given RDP's noise."""

    target: GainTarget
    exact: float
    rdp: Decimal
    spent: float

    @property
    def saved(self) -> float:
        """The part of RDP's noise that is not needed."""
        return 1 - self.exact / float(self.rdp)


def gain(target: GainTarget) -> Gain:
    """Both calibrated.

    >>> found = gain(GainTarget("", "0.01", 100, "2", "1e-5"))
    >>> round(found.exact, 4), found.rdp, round(found.spent, 3)
    (0.7367, Decimal('0.82690'), 1.348)
    """
    exact = calibrate(
        epsilon=target.epsilon, delta=target.delta, q=target.q, steps=target.steps
    ).value
    noise = noise_by_rdp(target)
    spent = epsilon(target.q, Fraction(noise), target.steps, target.delta, digits=8)
    return Gain(target, float(exact), noise, spent.to_double_up())


def noise_by_rdp(target: GainTarget) -> Decimal:
    """The least noise of so many digits that RDP proves to be enough."""
    low, high = Decimal("0.1"), Decimal(1)
    while not _enough(target, high):
        low, high = high, 2 * high
        if high > _WIDEST:
            raise OutOfReach(f"no noise up to {_WIDEST} meets {target}")
    rounded = Context(prec=_DIGITS, rounding=ROUND_CEILING)
    while (middle := rounded.create_decimal((low + high) / 2)) < high:
        low, high = (low, middle) if _enough(target, middle) else (middle, high)
    return high


def _enough(target: GainTarget, sigma: Decimal) -> bool:
    """Whether the certified epsilon by RDP is at most the target; an undecided one is not."""
    phases = history([(target.q, Fraction(sigma), target.steps)])
    curve = RenyiCurve(phases, 12, Deadline())
    found = over_list(curve, Fraction(target.delta), CONVERSION, ORDERS).epsilon
    return found.hi <= Fraction(target.epsilon)
