"""Certificates by the exact pair: the loss of a step on a lattice by connecting the dots, and
blocks of steps doubled.

The loss of an output z is L(z) = ln(1 - q + q exp((2z-1)/(2 sigma^2))). Where it lies between two
points s h and t h of the lattice, the ratio exp L is a mean of exp(s h) and exp(t h), and a convex
test of it is at most that mean of the tests. So the mass of the outputs between the points goes to
both, such that the masses with and without the record stay what they are. Edges of cells are
multiples of 1/unit, and no loss there is exactly one of the lattice: around each point a very
narrow cell goes to the points before and after it.

The variance of the loss grows by about h^2/6 a step, and by h^2/2 a block each time that every
other point is left out. Masses come from balls; Coq integrates again and compares.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from proofs_checks.runs.ladder import double_steps
from proofs_checks.runs.uppers import UpperLevel, Uppers, shown_epsilons
from proofs_checks.verdicts.plan import PAIRS, Panel, panels_of_cells
from verify.accounting.history import Phase
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline

FINENESS = (0.6, 0.35, 0.2, 0.12, 0.07)
"""Tried one after the other: the smaller, the nearer to the truth, and the longer the proof."""

_COARSER = 0.1  # how fast the steps between points of large losses grow, at fineness 1
_LOST = 0.03  # of delta, at the ends of the window and to rounding, at fineness 1
_FREE = 2.5  # so large an epsilon leaves of delta what is lost, times exp(epsilon)
_POINTS = 1000  # about so many are rounded in each step
_MARGIN = 1  # units by which masses are widened, for the widths of Coq's intervals
_SPARE = 10  # bits of everything outside the panels, beyond those of the integrals
_DEGREES = (1, 2, *PAIRS)  # the narrow cells need few
_SECONDS_PER_PRODUCT, _SECONDS_PER_CELL = 3e-8, 0.15  # on a machine of 2026: an estimate, no more


@dataclass(frozen=True, slots=True)
class Dots:
    """A cell: how wide it is, its panels, the two points that its mass goes to, and how much, times 2^k."""

    units: int
    panels: tuple[Panel, ...]
    before: int
    after: int
    to_before: int
    to_after: int


@dataclass(frozen=True, slots=True)
class DotsStep:
    """One step: the cells, and the tails, which are moved to the points ``low_end`` and ``high_end`` and spill."""

    unit: int
    left: int
    cells: tuple[Dots, ...]
    low_end: int
    high_end: int
    lefty: int
    righty: int

    @property
    def edges(self) -> list[int]:
        return list(itertools.accumulate((c.units for c in self.cells), initial=self.left))

    @property
    def base(self) -> int:
        return self.cells[0].before

    def block(self) -> Uppers:
        base = self.base
        found = [0] * (max(self.high_end, self.cells[-1].after) - base + 1)
        for c in self.cells:
            found[c.before - base] += c.to_before
            found[c.after - base] += c.to_after
        found[self.low_end - base] += self.lefty
        found[self.high_end - base] += self.righty
        return Uppers(base, found, self.lefty + self.righty)


@dataclass(frozen=True, slots=True)
class DotsPlan:
    """All numbers of a certificate, and the least and the greatest epsilon that it shows."""

    phase: Phase
    step: DotsStep
    width: Fraction
    levels: tuple[UpperLevel, ...]
    k: int
    bits: int
    epsilon: float
    greatest: float
    work: int
    longest: int

    @property
    def seconds(self) -> float:
        """A rough estimate for an idle machine."""
        return _SECONDS_PER_CELL * len(self.step.cells) + _SECONDS_PER_PRODUCT * self.work


def dots_plan(
    p: Phase, delta: Fraction, epsilon: float, fineness: float, deadline: Deadline
) -> DotsPlan:
    """A plan for epsilons near ``epsilon``, which should be about the true one; its cells have no panels yet."""
    whole = _Size(p, delta, epsilon, fineness)
    step = _step(whole, deadline)
    found = double_steps(step.block(), p.steps, whole.width, whole.k, whole.allowed_spill, deadline)
    shown = shown_epsilons(found.total, found.width, delta, whole.k, epsilon)
    return DotsPlan(
        p, step, whole.width, found.levels, whole.k, whole.bits, *shown, found.work, found.longest
    )


def with_panels(plan: DotsPlan, deadline: Deadline) -> DotsPlan:
    """The plan with the panels that Coq integrates over: most of the work of planning."""
    p, step = plan.phase, plan.step
    bits = plan.bits - _SPARE - 3
    panels = panels_of_cells(p.q, p.sigma, step.unit, step.edges, bits, deadline, _DEGREES)
    cells = (replace(c, panels=found) for c, found in zip(step.cells, panels, strict=True))
    return replace(plan, step=replace(step, cells=tuple(cells)))


class _Size:
    """How fine the lattice is, how far it goes, and how many bits its masses have."""

    def __init__(self, p: Phase, delta: Fraction, epsilon: float, fineness: float) -> None:
        self.p, self.epsilon, self.fineness = p, epsilon, fineness
        self.q, self.sigma = float(p.q), float(p.sigma)
        log_delta = math.log(delta.numerator) - math.log(delta.denominator)
        # About the standard deviation of a step's loss, if the losses of all steps sum to a normal law.
        spread = epsilon / math.sqrt(-2 * log_delta * p.steps)
        self.width = _few_bits(fineness * spread)
        self.h = float(self.width)
        levels = p.steps.bit_length()
        # What each level may lose at either end. Roundings of all steps together lose about as much.
        # It counts exp(epsilon) times in one of the two orders.
        counted = max(0.0, epsilon - _FREE)
        self.log_lost = log_delta + math.log(_LOST * fineness**2 / (2 * levels)) - counted
        self.k = math.ceil((math.log(_POINTS * p.steps) - self.log_lost) / math.log(2))
        self.integrals = self.k + math.ceil(-math.log2(min(self.h, 1.0)))
        self.bits = self.integrals + _SPARE
        self.unit = 1 << max(4, 18 - math.floor(math.log2(self.sigma)))

    def allowed_spill(self, blocks: float) -> int:
        """What each of so many blocks may spill, times 2^k."""
        return math.floor(math.exp(self.log_lost + self.k * math.log(2)) / blocks)

    def ends(self) -> tuple[int, int]:
        """Where the tails of a step begin: they have less mass than a step may lose."""
        lost = self.log_lost - math.log(self.p.steps)
        first = self.sigma * math.sqrt(2 * max(0.0, -lost))
        second = 1 + self.sigma * math.sqrt(2 * max(0.0, math.log(self.q) - lost))
        right = max(first, second, 1.0)
        return -2 * math.ceil(first * self.unit / 2), 2 * math.ceil(right * self.unit / 2) + 2

    def loss(self, z: float) -> float:
        tilt = (2 * z - 1) / (2 * self.sigma**2)
        if self.q == 1:
            return tilt
        return math.log1p(self.q * math.expm1(tilt)) if tilt < 700 else tilt + math.log(self.q)

    def place(self, loss: float) -> float:
        """Where the loss is reached; minus infinity below all losses."""
        ratio = (math.expm1(loss) + self.q) / self.q if loss < 700 else math.inf
        log = (
            math.log(ratio)
            if 0 < ratio < math.inf
            else loss - math.log(self.q)
            if ratio > 0
            else -math.inf
        )
        return self.sigma**2 * log + 0.5

    def points(self, left: int, right: int) -> Iterator[tuple[int, int, int]]:
        """Points of the lattice inside, each with the edges of the narrow cell around it."""
        s = math.floor(self.loss(left / self.unit) / self.h)
        least, most, last = s, self.loss(right / self.unit) / self.h, left
        while s < most:
            z = self.place(s * self.h) * self.unit
            if z > left:
                before, after = 2 * math.floor((z - 0.2) / 2), 2 * math.ceil((z + 0.2) / 2)
                if before > last and after < right:
                    yield s, before, after
                    last = after
            s += max(1, math.floor(_COARSER * math.sqrt(self.fineness) * (s - least)))


def _few_bits(x: float) -> Fraction:
    """A fraction of few digits near x, below it.

    >>> _few_bits(0.0123)
    Fraction(25, 2048)
    """
    power = 5 - math.frexp(x)[1]
    return math.floor(Fraction(x) * Fraction(2) ** power) / Fraction(2) ** power


def _step(size: _Size, deadline: Deadline) -> DotsStep:
    left, right = size.ends()
    least = math.floor(size.loss(left / size.unit) / size.h - 1e-9)
    last = math.ceil(size.loss(right / size.unit) / size.h + 1e-9)
    edges, goals = [left], []
    points = [(least, left, left), *size.points(left, right), (last, right, right)]
    for (a, _, begin), (b, end, after), (c, _, _) in zip(
        points[:-1], points[1:], [*points[2:], points[-1]], strict=True
    ):
        assert begin < end, "points apart have edges apart"
        edges.append(end)
        goals.append((a, b))
        if after > end:
            edges.append(after)
            goals.append((a, c))
    shares = _shares(size, edges, goals, deadline)
    cells = tuple(
        Dots(end - begin, (), *goal, *share)
        for (begin, end), goal, share in zip(itertools.pairwise(edges), goals, shares, strict=True)
    )
    low_end, high_end = least + 1, math.floor(size.loss(right / size.unit) / size.h - 1e-9)
    with precision(256, deadline):
        h, one = ball(size.width), arb(2) ** size.k

        def tail(z: int) -> arb:
            return (-((ball(Fraction(z, size.unit)) / ball(size.p.sigma)) ** 2) / 2).exp() / 2

        lefty = tail(left) * (h * low_end).exp()
        mixed = ball(1 - size.p.q) * tail(right) + ball(size.p.q) * tail(right - size.unit)
        righty = (tail(right) * (h * high_end).exp()).max(mixed)
        spilt = [math.ceil(fraction((t * one).upper())) + _MARGIN for t in (lefty, righty)]
    return DotsStep(size.unit, left, cells, low_end, high_end, *spilt)


def _shares(
    size: _Size, edges: Sequence[int], goals: Sequence[tuple[int, int]], deadline: Deadline
) -> list[tuple[int, int]]:
    """How much of each cell's mass with the record goes to either point, times 2^k and rounded up."""
    p, found = size.p, []
    with precision(256, deadline):
        scale, h, one = ball(p.sigma) * arb(2).sqrt(), ball(size.width), arb(2) ** size.k

        def above(z: Fraction) -> arb:
            return (ball(z) / scale).erfc() / 2

        tails = [(above(Fraction(e, size.unit)), above(Fraction(e, size.unit) - 1)) for e in edges]
        for ((a, a1), (b, b1)), goal in zip(itertools.pairwise(tails), goals, strict=True):
            plain = a - b
            mixed = ball(1 - p.q) * plain + ball(p.q) * (a1 - b1)
            low, high = ((h * s).exp() for s in goal)
            before, after = (
                max(0, math.ceil(fraction((s * one).upper()))) + _MARGIN
                for s in (
                    (high * plain - mixed) * low / (high - low),
                    (mixed - low * plain) * high / (high - low),
                )
            )
            found.append((before, after))
    return found
