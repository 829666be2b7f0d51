"""epsilon by the convolution of losses: a method that shares nothing with the contour but the loss of one step.

Its two ends are proved, some three digits apart; whoever trusts neither method alone compares them.
"""

from __future__ import annotations

import math
from fractions import Fraction

from verify.accounting.contour.planner import Direction
from verify.accounting.exact.convolution import Bracket
from verify.accounting.history import History
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import EnginesDisagree, OutOfReach

METHOD = "convolution"
_DIRECTIONS: tuple[Direction, ...] = ("remove", "add")


def convolved_epsilon(history: History, delta: Fraction, deadline: Deadline) -> Certified:
    """The larger epsilon of both directions lies between these ends."""
    lows, highs = [], []
    for direction in _DIRECTIONS:
        try:
            found = Bracket(history, direction, math.log(delta), deadline).epsilon(delta)
        except ArithmeticError as error:  # losses beyond the doubles that lay out the grid
            raise OutOfReach("the convolution of losses does not reach this run") from error
        lows.append(found[0])
        highs.append(math.inf if found[1] is None else found[1])
    return Certified(max(lows), max(highs))


def checked_witness(answer: Certified, witness: Certified) -> Certified:
    """The witness, if both can be true.

    >>> wide = Certified(Fraction(1), Fraction(2))
    >>> checked_witness(Certified.exactly(Fraction(3, 2)), wide) is wide
    True
    """
    if answer.hi < witness.lo or witness.hi < answer.lo:
        raise EnginesDisagree(
            f"epsilon in [{answer.lo_str(20)}, {answer.hi_str(20)}], but by {METHOD} in "
            f"[{witness.lo_str(20)}, {witness.hi_str(20)}]"
        )
    return witness
