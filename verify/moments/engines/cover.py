"""Which nodes are summed and which are bounded: all integers, each exactly once.

A trapezoidal sum runs over the nodes t = j h, j in Z. The engine adds up a few blocks of them and
bounds the rest: the gaps between blocks, and a tail on either side. A node that is counted twice
makes a certified interval exclude the truth, for at whole orders the discretisation error is
attained almost exactly and nothing else is left to hide behind. So the ranges are not four
computations that ought to fit together: gaps and tails are *defined* as the complement of the
blocks, and blocks that touch or overlap are one block.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cover:
    """Blocks of nodes to sum, in ascending order, with at least one node between neighbours.

    >>> cover = Cover.of([(-2.0, 1.0), (4.0, 5.5)], 1.0)
    >>> cover.left_tail, cover.blocks, cover.gaps, cover.right_tail
    (-3, (range(-2, 2), range(4, 7)), (range(2, 4),), 7)
    """

    blocks: tuple[range, ...]

    @classmethod
    def of(cls, stretches: Iterable[tuple[float, float]], h: float) -> Cover:
        """The nodes from just outside one end of each stretch to just outside the other.

        The quotients are doubles: they choose where a block ends, and any choice is as right as
        another. What follows from the choice is integer arithmetic.
        """
        chosen = (range(math.floor(a / h), math.ceil(b / h) + 1) for a, b in stretches if a <= b)
        return cls(_merged(chosen))

    @property
    def left_tail(self) -> int:
        """The last node of the left tail, which has no first one."""
        return self.blocks[0].start - 1

    @property
    def right_tail(self) -> int:
        """The first node of the right tail, which has no last one."""
        return self.blocks[-1].stop

    @property
    def gaps(self) -> tuple[range, ...]:
        """What lies between the blocks; never empty."""
        return tuple(range(a.stop, b.start) for a, b in itertools.pairwise(self.blocks))

    @property
    def count(self) -> int:
        """How many nodes are summed."""
        return sum(block.stop - block.start for block in self.blocks)


def _merged(chosen: Iterable[range]) -> tuple[range, ...]:
    """The union of the ranges as disjoint blocks; of nothing, the empty block at 0.

    >>> _merged([range(5, 9), range(0, 3), range(3, 4), range(7, 12)])
    (range(0, 4), range(5, 12))
    """
    merged: list[range] = []
    for block in sorted(chosen, key=lambda r: r.start):
        if merged and block.start <= merged[-1].stop:
            last = merged.pop()
            block = range(last.start, max(last.stop, block.stop))
        merged.append(block)
    return tuple(merged) or (range(0),)
