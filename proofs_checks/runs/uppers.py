"""Upper bounds of a run on a lattice, in whole numbers that are multiples of 2^-k: the same program
that Coq will run.

``library/TightLattice.v`` proves it. The ratio of the two densities of a block of steps is replaced
by points exp(h s), s whole, such that every convex test can only grow. The masses are those with
the record, rounded up; what is moved to an end of the window is added to the spill, which counts at
the Lipschitz constant of the test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.runs.vectors import times

_NEAR = (1.5, 1.1, 1.02)
"""Times the guess: where an epsilon is looked for that is shown."""


@dataclass(frozen=True, slots=True)
class Uppers:
    """Masses of the points from ``origin`` on, and the spill, all times 2^k."""

    origin: int
    masses: list[int]
    spill: int


@dataclass(frozen=True, slots=True)
class UpperLevel:
    """Whether a block counts; after it is doubled: whether every other point is left out, with the shares of what
    lay there, the window, and exp h (shares and exp h times 2^k)."""

    counts: bool
    halves: bool
    below: int
    above: int
    bottom: int
    top: int
    growth: int


def up(a: int, k: int) -> int:
    """a / 2^k, rounded up.

    >>> up(5, 1), up(4, 1)
    (3, 2)
    """
    return -(-a >> k)


def nothing(k: int) -> Uppers:
    """No steps at all."""
    return Uppers(0, [1 << k], 0)


def join(v: Uppers, w: Uppers, k: int) -> Uppers:
    """One block after another."""
    masses = [up(x, k) for x in times(v.masses, w.masses)]
    return Uppers(v.origin + w.origin, masses, v.spill + up(sum(v.masses) * w.spill, k))


def coarser(level: UpperLevel, v: Uppers, k: int) -> Uppers:
    """Half as many points; a mass between two that are left goes to both.

    >>> coarser(UpperLevel(True, True, 2, 3, -9, 9, 5), Uppers(-1, [8, 4, 8], 0), 2)
    Uppers(origin=-1, masses=[4, 14, 6], spill=0)
    """
    if not level.halves:
        return v
    masses, carry, found = [0] * (v.origin % 2) + v.masses, 0, []
    for i in range(0, len(masses), 2):
        odd = masses[i + 1] if i + 1 < len(masses) else 0
        found.append(masses[i] + carry + up(odd * level.below, k))
        carry = up(odd * level.above, k)
    if len(masses) % 2 == 0:
        found.append(carry)
    return Uppers(v.origin // 2, found, v.spill)


def cut(level: UpperLevel, v: Uppers, k: int) -> Uppers:
    """What lies above the window is moved to its top, what lies below to its bottom."""
    masses, spill = v.masses, v.spill
    if v.origin <= level.top < v.origin + len(masses):
        last = level.top - v.origin
        over = sum(masses[last + 1 :])
        masses, spill = [*masses[:last], masses[last] + over], spill + over
    moved, count = 0, min(max(level.bottom - v.origin, 0), len(masses))
    for mass in masses[:count]:
        moved = up((moved + mass) * level.growth, k)
    rest = masses[count:] or [0]
    return Uppers(v.origin + count, [rest[0] + moved, *rest[1:]], spill + moved)


def reshape(level: UpperLevel, v: Uppers, k: int) -> Uppers:
    return cut(level, coarser(level, v, k), k)


def climb(levels: tuple[UpperLevel, ...], block: Uppers, k: int) -> Uppers:
    """All steps, from one; ``levels`` are the binary digits of their number."""
    rest = nothing(k)
    for i, level in enumerate(levels):
        if level.counts:
            rest = join(rest, block, k)
        if i + 1 < len(levels):
            block, rest = reshape(level, join(block, block, k), k), reshape(level, rest, k)
    return rest


def window(v: Uppers, growth: int, allowed: int, k: int) -> tuple[int, int]:
    """The narrowest window that adds at most ``allowed`` to the spill on either side."""
    over, top = 0, v.origin + len(v.masses) - 1
    while top > v.origin and over + v.masses[top - v.origin] <= allowed:
        over += v.masses[top - v.origin]
        top -= 1
    moved, bottom = 0, v.origin
    while bottom < top:
        moved = up((moved + v.masses[bottom - v.origin]) * growth, k)
        if moved > allowed:
            break
        bottom += 1
    return bottom, top


def shown_epsilons(
    v: Uppers, width: Fraction, delta: Fraction, k: int, guess: float
) -> tuple[float, float]:
    """The least and the greatest epsilon that the bound shows at delta, in doubles; both infinity if none is
    shown near ``guess``. What is spilt counts exp(epsilon) times in one of the two orders, so there is a greatest.
    """
    points = [(float(width * (v.origin + i)), float(m)) for i, m in enumerate(v.masses) if m]
    room = float(delta * 2**k)

    def shown(epsilon: float) -> bool:
        forward = math.fsum(m * -math.expm1(epsilon - x) for x, m in points if x > epsilon)
        factor = math.exp(epsilon)
        backward = math.fsum(m * (math.exp(-x) - factor) for x, m in points if -x > epsilon)
        return forward + v.spill <= room and backward + factor * v.spill <= room

    def between(no: float, yes: float) -> float:
        """Where it begins to be shown, from the side where it is."""
        for _ in range(60):
            middle = (no + yes) / 2
            no, yes = (no, middle) if shown(middle) else (middle, yes)
        return yes

    inside = next((c * guess for c in _NEAR if shown(c * guess)), math.inf)
    if inside == math.inf:
        return math.inf, math.inf
    beyond = max(inside, math.log(room / max(v.spill, 1))) + 1  # where the spill alone is too much
    return between(0.0, inside), between(beyond, inside)
