"""Ways to break the certified engine by little, and how long the audit takes to find each.

    python -m tests.meta.audit_breaks [--all-kinds]

prints the table: by the kinds of points made for each break, or by all kinds in turn, as an audit
without options goes. Every break leaves all digits right at most points; each makes some certified interval
exclude the truth. The audit has to find one, by the same batches that ``sgm-verify audit`` runs.
"""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flint import arb

from verify.audit.campaign import Counts, batch, jobs_of
from verify.audit.containment import judge
from verify.audit.kinds import KINDS, AuditCase
from verify.moments.engines import family, trapezoid, whole
from verify.moments.engines.cover import Cover
from verify.moments.engines.remainder import Remainder
from verify.moments.engines.step import Error
from verify.moments.engines.trapezoid import Nodes, Sums
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure

Patch = pytest.MonkeyPatch
WHOLE = ("plain whole orders",)
MODES = ("blocks that touch", "far modes")


@dataclass(frozen=True, slots=True)
class Break:
    """One thing wrong with the engine, and the kinds of points where it should show."""

    name: str
    apply: Callable[[Patch], None]
    kinds: tuple[str, ...]


def blocks_overlap(patch: Patch) -> None:
    """Blocks that overlap are both summed: the fault this audit was made for."""

    def overlapping(cls, stretches, h):
        chosen = (range(math.floor(a / h), math.ceil(b / h) + 1) for a, b in stretches if a <= b)
        return cls(tuple(sorted(chosen, key=lambda block: block.start)))

    original = Remainder._gap
    patch.setattr(Cover, "of", classmethod(overlapping))
    patch.setattr(Remainder, "_gap", lambda self, gap: original(self, gap) if gap else arb(0))


def of_both_sums(patch: Patch, broken: Callable[[Callable[..., arb], Sums, Deadline], arb]) -> None:
    """Break the sum of the nodes, in one turn and in many."""
    for name in ("whole", "in_turns"):
        original = getattr(Sums, name)
        patch.setattr(Sums, name, functools.partialmethod(broken_sum, original, broken))


def broken_sum(sums, original, broken, deadline):
    return broken(original, sums, deadline)


def node_twice(patch: Patch) -> None:
    """The outermost node is added once more."""

    def twice(original, sums, deadline):
        total = original(sums, deadline)
        last = sums.cover.blocks[-1].stop
        with precision(sums.full):
            return total + sums.add(last - 1, last)

    of_both_sums(patch, twice)


def node_missing(patch: Patch) -> None:
    """The last node of the last block is left to nobody."""

    def short(original, sums, deadline):
        last = sums.cover.blocks[-1]
        sums.cover = Cover((*sums.cover.blocks[:-1], range(last.start, last.stop - 1)))
        return original(sums, deadline)

    of_both_sums(patch, short)


def error_bound_too_small(patch: Patch) -> None:
    """The discretisation error is taken to be one per cent less than proved."""
    original = trapezoid.error

    def smaller(integrand, chosen, balls):
        found = original(integrand, chosen, balls)
        return Error(found.relative * arb("0.99"), found.absolute * arb("0.99"))

    patch.setattr(trapezoid, "error", smaller)


def tail_halved(patch: Patch) -> None:
    """What lies beyond the blocks is taken to be half of its bound."""
    original = Remainder._outwards

    def half(self, first, sign, dropped):
        bound = original(self, first, sign, dropped)
        return None if bound is None else bound / 2

    patch.setattr(Remainder, "_outwards", half)


def gap_dropped(patch: Patch) -> None:
    """What lies between the blocks is taken to be nothing, once it is proved to be small."""
    original = Remainder._gap
    patch.setattr(
        Remainder, "_gap", lambda self, gap: None if original(self, gap) is None else arb(0)
    )


def rounded_inwards(patch: Patch) -> None:
    """The ends are rounded towards each other, by a ten-thousandth of the width."""
    original = trapezoid.enclosure

    def inwards(value):
        found = original(value)
        little = (found.hi - found.lo) / 10_000
        return Enclosure(found.lo + little, found.hi - little, proved=True)

    patch.setattr(trapezoid, "enclosure", inwards)


def double_for_a_ball(patch: Patch) -> None:
    """1/sigma is a double on its way into the nodes."""
    original = Nodes.__init__

    def rounded(self, integrand, balls, h):
        original(self, integrand, balls, h)
        self.x_ratio = (self.h * arb(1 / integrand.shape.sigma)).exp()

    patch.setattr(Nodes, "__init__", rounded)


def radius_forgotten(patch: Patch) -> None:
    """The sum of the nodes enters by its middle: rounding errors are lost."""
    of_both_sums(patch, lambda original, sums, deadline: original(sums, deadline).mid())


def slit_forgotten(patch: Patch) -> None:
    """Fractional orders: the contour's way round the branch points is taken to cost nothing."""
    original = trapezoid.error

    def line_only(integrand, chosen, balls):
        found = original(integrand, chosen, balls)
        return Error(found.relative, arb(0)) if chosen.slit else found

    patch.setattr(trapezoid, "error", line_only)


def negative_too_sure(patch: Patch) -> None:
    """Negative orders only: the discretisation error is one per cent less than proved."""
    original = trapezoid.error

    def smaller(integrand, chosen, balls):
        found = original(integrand, chosen, balls)
        scale = arb(1) if integrand.positive else arb("0.99")
        return Error(found.relative * scale, found.absolute * scale)

    patch.setattr(trapezoid, "error", smaller)


def curve_too_sure(patch: Patch) -> None:
    """Many orders at once: the shared error bound is one per cent too small."""
    original = family.error

    def smaller(integrand, chosen, balls):
        found = original(integrand, chosen, balls)
        return Error(found.relative * arb("0.99"), found.absolute)

    patch.setattr(family, "error", smaller)


def curve_tails_halved(patch: Patch) -> None:
    """Many orders at once: what lies beyond the block is taken to be half of its bound."""
    original = family.Family._tails

    def half(self, low, high):
        tails = original(self, low, high)
        return tails and tuple(family.Exponential(t.rate, t.factor / 2) for t in tails)

    patch.setattr(family.Family, "_tails", half)


def binomial_off(patch: Patch) -> None:
    """Small whole orders: the last binomial is one part in 10^15 too small."""
    original = whole._binomials

    def off(n):
        *most, last = original(n)
        return (*most, last * (1 - arb("1e-15")))

    patch.setattr(whole, "_binomials", off)


def triangle_off(patch: Patch) -> None:
    """Whole orders of a curve: an entry of Pascal's triangle is one part in 10^15 too small."""
    original = whole._pascal

    def off(largest):
        triangle = original(largest) * 1
        triangle[largest - 2, 0] *= 1 - arb("1e-15")
        return triangle

    patch.setattr(whole, "_pascal", off)


def short_radius_forgotten(patch: Patch) -> None:
    """Small whole orders: the sum enters by its middle, rounding errors are lost."""
    original = whole._short
    patch.setattr(whole, "_short", lambda *given: original(*given).mid())


BREAKS = (
    Break("overlapping blocks, both summed", blocks_overlap, MODES),
    Break("a node twice", node_twice, WHOLE),
    Break("a node missing", node_missing, WHOLE),
    Break("the error bound 1 % too small", error_bound_too_small, WHOLE),
    Break("the tail halved", tail_halved, ("one shifted mode",)),
    Break("a ball rounded inwards", rounded_inwards, WHOLE),
    Break("the gap's bound dropped", gap_dropped, MODES),
    Break("a double where a ball belongs", double_for_a_ball, WHOLE),
    Break("the slit forgotten", slit_forgotten, ("plain", "small sigma")),
    Break("1 % too small at negative orders", negative_too_sure, ("tiny q", "next to whole")),
    Break("a curve's bound 1 % too small", curve_too_sure, ("curve",)),
    Break("a curve's tails halved", curve_tails_halved, ("curve",)),
    Break("a binomial off by 1e-15", binomial_off, WHOLE),
    Break("Pascal's triangle off by 1e-15", triangle_off, ("curve",)),
    Break("a short sum without its radius", short_radius_forgotten, WHOLE),
    Break("a sum without its radius", radius_forgotten, ("tiny q", "one shifted mode")),
)


@dataclass(frozen=True, slots=True)
class Found:
    """When the audit found a break."""

    points: int
    seconds: float
    case: AuditCase | None


def hunt(broken: Break, kinds: tuple[str, ...] = (), most: int = 60_000) -> Found:
    """Run the audit's batches on the broken engine until one fails."""
    start, points = time.perf_counter(), 0
    with pytest.MonkeyPatch.context() as patch:
        broken.apply(patch)
        for seed, kind, count in jobs_of(0, kinds or broken.kinds, most):
            tally: Counts = batch(seed, kind, count)
            points += count
            if tally.failures:
                return Found(points, time.perf_counter() - start, tally.failures[0])
    return Found(points, time.perf_counter() - start, None)


def missed_by(broken: Break, case: AuditCase) -> float:
    """How far outside the false interval the truth lies, as a share of its width."""
    with pytest.MonkeyPatch.context() as patch:
        broken.apply(patch)
        return -min(finding.share for finding in judge(case))


def main() -> None:
    print(f"{'break':<34}{'points':>8}{'seconds':>9}{'missed by':>12}  of the width, at")
    kinds = tuple(KINDS) if "--all-kinds" in sys.argv else ()
    for broken in BREAKS:
        found = hunt(broken, kinds)
        if found.case is None:
            print(f"{broken.name:<34}{found.points:>8}{found.seconds:>9.1f}   NOT FOUND")
            continue
        m, share = found.case.moment, missed_by(broken, found.case)
        print(
            f"{broken.name:<34}{found.points:>8}{found.seconds:>9.1f}{share:>12.1e}  "
            f"{m}, {found.case.digits} digits"
        )


if __name__ == "__main__":
    main()
