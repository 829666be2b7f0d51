"""Bounds of the law of a score as vectors of whole numbers, multiples of 2^-k: the same program that Coq will run.

``library/Lattice.v`` and ``library/LatticePhases.v`` prove it; here it runs first, to see which epsilon it reaches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

MOST_WORK = 10**10
"""Products of bits in one proof: some five minutes."""

Vectors = tuple[int, list[int], list[int]]
"""The least score, lower bounds with the record, upper bounds without it."""


@dataclass(frozen=True, slots=True)
class LatticeLevel:
    """Whether a block counts, and how scores are divided and clipped after it is doubled."""

    counts: bool
    divisor: int
    offset: int
    least: int
    most: int


def spread_out(rises: Sequence[int], masses: Sequence[int]) -> list[int]:
    return [x for rise, mass in zip(rises, masses, strict=True) for x in (*[0] * (rise - 1), mass)]


def times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two vectors of whole numbers that are not negative, by one product of long numbers.

    >>> times([1, 2, 3], [10, 20])
    [10, 40, 70, 60]
    """
    largest = max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()
    size, count = largest // 8 + 1, len(a) + len(b) - 1
    packed = [
        int.from_bytes(b"".join(x.to_bytes(size, "little") for x in v), "little") for v in (a, b)
    ]
    found = (packed[0] * packed[1]).to_bytes(size * (count + 1), "little")
    return [int.from_bytes(found[i * size : (i + 1) * size], "little") for i in range(count)]


def _regroup(a: Sequence[int], start: int, level: LatticeLevel) -> tuple[int, list[int]]:
    def clip(s: int) -> int:
        return max(level.least, min(level.most, (s + level.offset) // level.divisor))

    first, last = clip(start), clip(start + len(a) - 1)
    found = [0] * (last - first + 1)
    for s, x in enumerate(a, start):
        found[clip(s) - first] += x
    return first, found


def join(v: Vectors, w: Vectors, k: int) -> Vectors:
    lows = [x >> k for x in times(v[1], w[1])]
    highs = [-(-x >> k) for x in times(v[2], w[2])]
    return v[0] + w[0], lows, highs


def work(a: Sequence[int], b: Sequence[int]) -> int:
    """Products of bits in the product of two vectors, three of half the length for each of full length."""
    depth = max((min(len(a), len(b)) // 8).bit_length() - 1, 0)
    return math.ceil(_all_bits(a) * _all_bits(b) * Fraction(3, 4) ** depth)


def _all_bits(a: Sequence[int]) -> int:
    return sum(x.bit_length() for x in a)


def _work(v: Vectors, w: Vectors) -> int:
    return work(v[1], w[1]) + work(v[2], w[2])


def nothing(k: int) -> Vectors:
    """The score of no steps at all: 0."""
    return 0, [1 << k], [1 << k]


def join_phases(
    blocks: Sequence[tuple[Vectors, LatticeLevel]], kept: LatticeLevel, k: int, deadline: Deadline
) -> tuple[Vectors, int]:
    """The program of ``library/LatticePhases.v``: each block on the common lattice, added from the
    last to the first."""
    total, work = nothing(k), 0
    for block, common in reversed(blocks):
        deadline.check()
        block = squash(block, common)
        work += _work(block, total)
        _affordable(work)
        total = squash(join(block, total, k), kept)
    return total, work


def squash(v: Vectors, level: LatticeLevel) -> Vectors:
    start, lows = _regroup(v[1], v[0], level)
    return start, lows, _regroup(v[2], v[0], level)[1]


def double_steps(
    levels: Sequence[LatticeLevel], block: Vectors, k: int, deadline: Deadline
) -> tuple[Vectors, int]:
    """The program of ``library/Lattice.v``, and how many products of bits it forms."""
    rest, work = nothing(k), 0
    for i, level in enumerate(levels):
        deadline.check()
        if level.counts:
            work += _work(rest, block)
            rest = join(rest, block, k)
        if i + 1 < len(levels):
            work += _work(block, block) // 2
            _affordable(work)
            block, rest = squash(join(block, block, k), level), squash(rest, level)
    return rest, work


def best_cut(total: Vectors, delta: Fraction, k: int) -> tuple[int, float]:
    """The cut whose event refutes the largest epsilon."""
    start, lows, highs = total
    best = (start, -math.inf)
    low = high = 0
    allowed = math.ceil(delta * 2**k)
    for i in range(len(lows) - 1, -1, -1):
        low, high = low + lows[i], high + highs[i]
        if low > allowed and high > 0:
            reached = math.log(low - allowed) - math.log(high)
            best = max(best, (start + i, reached), key=lambda found: found[1])
    return best


def _affordable(work: int) -> None:
    if work > MOST_WORK:
        raise OutOfReach("a lattice this fine would take too long")
