"""Refutations by scores on a lattice: the event that the sum of the rounded losses of all outputs
is large.

The loss of an output z is L(z) = ln(1 - q + q exp((2z-1)/(2 sigma^2))). Each output gets the whole
number nearest to L/h as its score (large losses on a coarser grid), blocks of steps are doubled,
and the score of a block is divided by 2 when the block's spread has grown enough: h then doubles. A
divided score is the score of another event, so that nothing is lost to rounding but information,
about h^2/12 of the variance of a block each time. Lower bounds of the masses with the record and
upper bounds without it are carried in multiples of 2^-k (``vectors``). The event is {total >= cut},
the best cut of all.

In a history each phase has its own ladder of lattices; their last widths are powers of two times each other, so that a
final division brings all phases to one lattice, on which they are added.

Masses come from balls; Coq integrates again and compares.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs_checks.runs.vectors import (
    LatticeLevel,
    Vectors,
    best_cut,
    double_steps,
    join_phases,
    nothing,
    spread_out,
)
from proofs_checks.verdicts.plan import Panel, panels_of_cells
from verify.accounting.history import Phase
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

FINENESS = (1.6, 1.0, 0.7, 0.5, 0.35, 0.25)
"""Tried one after the other: the smaller, the nearer to the truth, and the longer the proof."""

_SPREAD = 0.3  # h of one step, in standard deviations of its loss, at fineness 1
_SHARE = 0.08  # the least h of one step, against epsilon over the root of the number of steps
_GROWTH = 0.36  # binary orders that h grows by with each doubling: loss and work fall alike from level to level
_COARSER = 0.12  # how fast the grid of large losses grows
_CLIP = 3.5  # standard deviations of the run that scores may leave the interesting range by
_SPARE = 6  # bits of the integrals beyond those of the masses
_MARGIN = 2  # units by which masses are widened, for the widths of Coq's intervals
_SECONDS_PER_PRODUCT, _SECONDS_PER_PANEL = (
    3e-8,
    1.2e-3,
)  # on a machine of 2026: good for an estimate, no more


@dataclass(frozen=True, slots=True)
class LatticeCell:
    """A cell of one output: panels, its score less that of the cell before, bounds of its masses times 2^k."""

    panels: tuple[Panel, ...]
    rise: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LatticeStretch:
    """The steps of one phase: the cells of an output, how blocks are doubled, and how they come to the common lattice.

    A phase at rate 0 has no cells: it releases nothing, and every score is 0.
    """

    phase: Phase
    unit: int
    left: int
    base: int
    cells: tuple[LatticeCell, ...]
    levels: tuple[LatticeLevel, ...]
    common: LatticeLevel

    def block(self) -> Vectors:
        rises = [c.rise for c in self.cells]
        lows, highs = [c.low for c in self.cells], [c.high for c in self.cells]
        return self.base + 1, spread_out(rises, lows), spread_out(rises, highs)


@dataclass(frozen=True, slots=True)
class LatticePlan:
    """All numbers of a refutation, and the epsilon that it reaches."""

    stretches: tuple[LatticeStretch, ...]
    kept: LatticeLevel
    cut: int
    k: int
    epsilon: float
    work: int

    @property
    def bits(self) -> int:
        return self.k + _SPARE

    @property
    def cells(self) -> int:
        return sum(len(s.cells) for s in self.stretches)

    @property
    def seconds(self) -> float:
        """A rough estimate for an idle machine."""
        cells = [c for s in self.stretches for c in s.cells]
        panels = sum((2 * p.pairs + 2) ** 2 for c in cells for p in c.panels)
        return _SECONDS_PER_PANEL * panels + _SECONDS_PER_PRODUCT * self.work


def lattice_plan(
    phases: Sequence[Phase], delta: Fraction, epsilon: float, fineness: float, deadline: Deadline
) -> LatticePlan:
    """A plan for refuting epsilons near ``epsilon``, which should be about the true one."""
    whole = _Whole.of(phases, delta, epsilon, fineness)
    grids = [_Grid(p, whole) if p.q > 0 else None for p in phases]
    width = max(g.last_width() for g in grids if g is not None)
    for grid in grids:
        if grid is not None:
            grid.fit_to(width)
    found = [None if g is None else g.cells() for g in grids]
    k = max(whole.k(scores[-1] - scores[0]) for _, scores in filter(None, found))
    stretches = tuple(
        _silent(p) if g is None or f is None else _stretch(g, *f, width, k, deadline)
        for p, g, f in zip(phases, grids, found, strict=True)
    )
    kept = LatticeLevel(False, 1, 0, math.floor(whole.low / width), math.ceil(whole.high / width))
    blocks, work = [], 0
    for s in stretches:
        block, cost = double_steps(s.levels, s.block(), k, deadline) if s.cells else (nothing(k), 0)
        blocks.append((block, s.common))
        work += cost
    total = blocks[0][0]
    if len(phases) > 1:
        total, cost = join_phases(blocks, kept, k, deadline)
        work += cost
    cut, reached = best_cut(total, delta, k)
    return LatticePlan(stretches, kept, cut, k, reached, work)


def _stretch(
    grid: _Grid,
    edges: list[int],
    scores: list[int],
    width: float,
    k: int,
    deadline: Deadline,
) -> LatticeStretch:
    p, base = grid.p, scores[0] - 1
    masses = _masses(p, grid.unit, edges, deadline)
    lows = [max(0, math.floor(low * 2**k) - _MARGIN) for low, _ in masses]
    highs = [math.ceil(high * 2**k) + _MARGIN for _, high in masses]
    for end in (0, -1):  # the tails, which are below 2^-k by the choice of the ends
        highs[end] += 2
    panels = panels_of_cells(p.q, p.sigma, grid.unit, edges, k + _SPARE - 2, deadline)
    rises = [b - a for a, b in zip([base, *scores], scores, strict=False)]
    cells = tuple(LatticeCell(*c) for c in zip(panels, rises, lows, highs, strict=True))
    levels, common = tuple(grid.levels()), grid.common(width)
    return LatticeStretch(p, grid.unit, edges[0], base, cells, levels, common)


def _silent(p: Phase) -> LatticeStretch:
    """A stretch of steps at rate 0: they release nothing, and the levels only count them."""
    bits = range(p.steps.bit_length())
    levels = tuple(LatticeLevel(bool(p.steps >> i & 1), 1, 0, 0, 0) for i in bits)
    return LatticeStretch(p, 1, 0, 0, (), levels, LatticeLevel(False, 1, 0, 0, 0))


@dataclass(frozen=True, slots=True)
class _Whole:
    """What the phases of a run share: the range of scores that matters, and the bits of the masses."""

    log_delta: float
    epsilon: float
    fineness: float
    steps: int
    spread: float

    @classmethod
    def of(
        cls, phases: Sequence[Phase], delta: Fraction, epsilon: float, fineness: float
    ) -> _Whole:
        log_delta = math.log(delta.numerator) - math.log(delta.denominator)
        spread = math.sqrt(sum(p.steps * _loss_deviation(p, epsilon) ** 2 for p in phases))
        return cls(log_delta, epsilon, fineness, sum(p.steps for p in phases), spread)

    @property
    def low(self) -> float:
        return -(self.spread * self.spread / 2 + _CLIP * self.spread) - 0.05 * self.epsilon

    @property
    def high(self) -> float:
        return self.epsilon + _CLIP * self.spread + 0.5 * self.epsilon

    def k(self, cells: int) -> int:
        """Bits of the masses: roundings of all steps together stay below a thousandth of the event's probability."""
        return math.ceil(
            (math.log(2000.0 * self.steps * (cells + 50)) + self.epsilon - self.log_delta)
            / math.log(2)
        )


def _loss_deviation(p: Phase, epsilon: float) -> float:
    """Standard deviation of the loss of a step, without the record; capped where doubles end."""
    return min(float(p.q) * math.sqrt(math.expm1(min(1 / float(p.sigma) ** 2, 500.0))), epsilon)


class _Grid:
    """How fine scores are, level by level, and which cells one output has."""

    def __init__(self, p: Phase, whole: _Whole) -> None:
        self.p, self.whole, self.fineness = p, whole, whole.fineness
        self.q, self.sigma = float(p.q), float(p.sigma)
        self.spread, self.scale = _loss_deviation(p, whole.epsilon), 1.0
        self.unit = 1 << max(4, 14 - math.floor(math.log2(self.sigma)))

    @property
    def h(self) -> float:
        return self.step(0)

    def step(self, level: int) -> float:
        """The width of the lattice that a block of 2^level steps should have."""
        share = _SHARE * self.whole.epsilon / math.sqrt(self.whole.steps)
        one = max(_SPREAD * self.spread, share)
        return self.scale * self.fineness * one * 2 ** (level * _GROWTH)

    def last_width(self) -> float:
        """The width of the lattice on which all steps of the phase are added."""
        return self.h * math.prod(level.divisor for level in list(self.levels())[:-1])

    def fit_to(self, width: float) -> None:
        """Scale all widths, by less than 2, so that ``width`` is a power of 2 times the last one."""
        ratio = width / self.last_width()
        self.scale = ratio / 2 ** round(math.log2(ratio))

    def common(self, width: float) -> LatticeLevel:
        divisor = 2 ** round(math.log2(width / self.last_width()))
        low, high = self.whole.low / width, self.whole.high / width
        return LatticeLevel(False, divisor, divisor // 2, math.floor(low), math.ceil(high))

    def levels(self) -> Iterator[LatticeLevel]:
        h, drift = self.h, 0.0
        for level in range(self.p.steps.bit_length()):
            counts = bool(self.p.steps >> level & 1)
            divisor = 2 if 2 * h <= self.step(level + 1) * math.sqrt(2) else 1
            offset = 1 if divisor == 2 and drift < 0 else 0
            # Whole numbers are divided downwards: without the offset scores would sink from level to level.
            drift = 2 * drift if divisor == 1 else drift + (offset - 0.5) / 2
            h *= divisor
            yield LatticeLevel(
                counts,
                divisor,
                offset,
                math.floor(self.whole.low / h),
                math.ceil(self.whole.high / h),
            )

    def cells(self) -> tuple[list[int], list[int]]:
        """Edges in units, and the scores of the cells between them."""
        # Beyond, the noise has less than 2^-k; twice that for the record.
        far = self.sigma * math.sqrt(2 * math.log(2) * (self.whole.k(2000) + 2))
        left, right = -2 * math.ceil(far * self.unit / 2), 2 * math.ceil((far + 1) * self.unit / 2)
        bottom = (
            round(math.log1p(-self.q) / self.h)
            if self.q < 1
            else math.floor(self.whole.low / self.h)
        )
        bottom = max(bottom, math.floor(self.whole.low / self.h))
        edges, scores = [left], [bottom]
        while True:
            rise = max(1, math.floor(_COARSER * self.fineness * (scores[-1] - bottom)))
            edge = self.place((scores[-1] + rise / 2) * self.h)
            if edge is None or edge >= right - 2 or (scores[-1] + rise) * self.h > self.whole.high:
                break
            if edge >= edges[-1] + 2:
                edges.append(edge)
                scores.append(scores[-1] + rise)
            else:  # no even number between: the cell is empty
                scores[-1] += rise
        if len(scores) < 2:
            raise OutOfReach("the losses of this run do not differ enough for a lattice")
        return [*edges, right], scores

    def place(self, loss: float) -> int | None:
        """Where the loss is reached, as an even number of units; None if nowhere."""
        ratio = (math.expm1(loss) + self.q) / self.q
        if ratio <= 0:
            return -2 * math.ceil(60 * self.sigma * self.unit)
        if not math.isfinite(ratio):
            return None
        return 2 * round((self.sigma**2 * math.log(ratio) + 0.5) * self.unit / 2)


def _masses(
    p: Phase, unit: int, edges: Sequence[int], deadline: Deadline
) -> list[tuple[Fraction, Fraction]]:
    """Of each cell: a lower bound with the record, an upper bound without it."""
    with precision(256, deadline):
        scale = ball(p.sigma) * arb(2).sqrt()

        def above(z: Fraction) -> arb:
            return (ball(z) / scale).erfc() / 2

        tails = [(above(Fraction(e, unit)), above(Fraction(e, unit) - 1)) for e in edges]
        found = []
        for (a, a1), (b, b1) in itertools.pairwise(tails):
            plain = a - b
            mixed = ball(1 - p.q) * plain + ball(p.q) * (a1 - b1)
            found.append((fraction(mixed.lower()), fraction(plain.upper())))
    return found
