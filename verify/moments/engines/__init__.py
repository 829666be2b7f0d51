"""The engines: one room each, one signature, listed once.

With g(t) = (1-q) + q exp(t/sigma - 1/(2 sigma^2)) and t standard normal, everything this project
publishes is one of

    ln E[g^s]        ln A_alpha at s = alpha, ln B_alpha at s = 1 - alpha
    E[g^s ln g]      the Kullback-Leibler divergences, at s = 1 and (negated) at s = 0

An engine is a function from such a :class:`Moment`, a number of digits and a deadline to an
enclosure of that number. Digits count relative to the number itself, however small it is.

Some prove their intervals in ball arithmetic, each from formulas of its own; the others, the witnesses,
estimate theirs in another arithmetic (mpmath). The first in the list answers ordinary calls.

To add a witness: a file with the frame of ``quadrature.py``, and its line in ENGINES. Return zero for
q = 0 and for the orders 0 and 1; call ``witness.enclose(name, moment, digits, deadline, estimate)``, which
raises precision and takes the logarithm; call ``deadline.check()`` in loops. Raise OutOfReach *before*
working where it would be slow: running out of time makes a whole cross-check an error, OutOfReach only
leaves the engine out. It is asked for ten digits more than the caller wants, and for more after
cancellation. Then: pytest tests/moments tests/bench.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.point import shown


@dataclass(frozen=True, slots=True)
class Moment:
    """ln E[g^order], or E[g^order ln g] when ``log`` is set."""

    q: Fraction
    sigma: Fraction
    order: Fraction
    log: bool = False

    def __str__(self) -> str:
        order = shown(self.order)
        what = f"E[g^{order} ln g]" if self.log else f"ln E[g^{order}]"
        return f"{what} at q = {shown(self.q)}, sigma = {shown(self.sigma)}"


@dataclass(frozen=True, slots=True)
class Listed:
    """An engine's place in the list: where it lives, and whether its intervals are theorems."""

    module: str
    proved: bool


ENGINES = {
    "trapezoid": Listed("verify.moments.engines.trapezoid", proved=True),
    "whole": Listed("verify.moments.engines.whole", proved=True),
    "rigorous": Listed("verify.moments.engines.rigorous", proved=True),
    "series": Listed("verify.moments.engines.series", proved=False),
    "quadrature": Listed("verify.moments.engines.quadrature", proved=False),
}
"""Name -> engine; imported when asked for, so that mpmath is not loaded for nothing."""


class Engine(Protocol):
    """A way to evaluate a moment; raises rather than return fewer digits than asked."""

    def __call__(self, moment: Moment, digits: int, deadline: Deadline) -> Enclosure: ...
