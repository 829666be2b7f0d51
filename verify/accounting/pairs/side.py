"""What an engine answers: one direction of one pair of distributions, for a whole run."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified


class Side(Protocol):
    """delta(epsilon) of a run in one direction. Questions asked of the same side share its tables."""

    deadline: Deadline

    def delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        """The least delta at this epsilon >= 0 (None is infinity)."""
        ...

    def epsilon(self, delta: Fraction, digits: int) -> Certified:
        """The least epsilon >= 0 at this delta in [0, 1]."""
        ...

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound can be shown cheaply; False says nothing."""
        ...
