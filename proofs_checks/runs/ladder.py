"""How blocks of steps are doubled on a lattice of upper bounds: when it is made coarser, and which window is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs_checks.runs.uppers import UpperLevel, Uppers, coarser, cut, join, nothing, window
from proofs_checks.runs.vectors import MOST_WORK, work
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

_GROWTH = 0.25  # binary orders that the width grows by with each doubling
_MARGIN = 1  # units by which numbers are widened, for the widths of Coq's intervals


@dataclass(frozen=True, slots=True)
class Ladder:
    """The levels, the bound for all steps, its width, the products of bits that it takes, and the longest vector."""

    levels: tuple[UpperLevel, ...]
    total: Uppers
    width: Fraction
    work: int
    longest: int


def double_steps(
    block: Uppers,
    steps: int,
    width: Fraction,
    k: int,
    allowed: Callable[[float], int],
    deadline: Deadline,
) -> Ladder:
    """All steps from one; each of n blocks may spill ``allowed(n)`` at either end of its window."""
    rest, first = nothing(k), float(width)
    levels: list[UpperLevel] = []
    cost, longest, count = 0, 0, steps.bit_length()
    for i in range(count):
        deadline.check()
        counts = bool(steps >> i & 1)
        longest = max(longest, len(block.masses))
        if counts:
            cost += work(rest.masses, block.masses)
            rest = join(rest, block, k)
        if i + 1 == count:
            levels.append(UpperLevel(counts, False, 0, 0, 0, 0, 0))
            break
        cost += work(block.masses, block.masses) // 2
        if cost > MOST_WORK:
            raise OutOfReach("a lattice this fine would take too long")
        halves = 2 * width <= first * 2 ** ((i + 1) * _GROWTH) * math.sqrt(2)
        shares = _shares_of_halving(width, k, deadline)
        width = 2 * width if halves else width
        growth = _times_one(width, k, deadline)
        open_end = UpperLevel(counts, halves, *shares, 0, 0, growth)
        block, rest = coarser(open_end, join(block, block, k), k), coarser(open_end, rest, k)
        ends = [
            window(block, growth, allowed(steps / 2 ** (i + 1)), k),
            window(rest, growth, allowed(1), k),
        ]
        bottom, top = min(b for b, _ in ends), max(t for _, t in ends)
        level = UpperLevel(counts, halves, *shares, bottom, top, growth)
        levels.append(level)
        block, rest = cut(level, block, k), cut(level, rest, k)
    return Ladder(tuple(levels), rest, width, cost, longest)


def _times_one(x: Fraction, k: int, deadline: Deadline) -> int:
    """exp(x) 2^k, rounded up."""
    with precision(256, deadline):
        return math.ceil(fraction((ball(x).exp() * arb(2) ** k).upper())) + _MARGIN


def _shares_of_halving(width: Fraction, k: int, deadline: Deadline) -> tuple[int, int]:
    with precision(256, deadline):
        e = ball(width).exp()
        both = (arb(2) ** k / (1 + e), arb(2) ** k * e / (1 + e))
        below, above = (math.ceil(fraction(s.upper())) + _MARGIN for s in both)
    return below, above
