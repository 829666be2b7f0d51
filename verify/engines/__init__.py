"""The engines: three rooms, one signature, no shared arithmetic.

With g(t) = (1-q) + q exp(t/sigma - 1/(2 sigma^2)) and t standard normal, everything this project
publishes is one of

    ln E[g^s]        ln A_alpha at s = alpha, ln B_alpha at s = 1 - alpha
    E[g^s ln g]      the Kullback-Leibler divergences, at s = 1 and (negated) at s = 0

An engine is a function from such a :class:`Moment`, a number of digits and a deadline to an
enclosure of that number. Digits count relative to the number itself, however small it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from verify.budget import Deadline
from verify.certified import Enclosure
from verify.point import shown


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


class Engine(Protocol):
    """A way to evaluate a moment; raises rather than return fewer digits than asked."""

    def __call__(self, moment: Moment, digits: int, deadline: Deadline) -> Enclosure: ...
