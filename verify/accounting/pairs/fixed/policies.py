"""Lower ends: adversaries that choose the gradients of later steps from what they saw, and a test at the end.

**The game.** An adversary chooses, before each step and from all earlier outputs, the gradients of
that step (the mechanism's function is any, and so are the data sets), then accepts or refuses. If
it accepts with probability alpha in the first world and beta in the second,
delta(eps) >= alpha - e^eps beta for the run. Nothing else is used: *whatever* the adversary below
does, its alpha and beta bound delta, and alpha may be rounded down and beta up. (In a = e^eps each
(alpha, beta) is a line that V, the value of the game, is not below: these lines are the tangents of
V where the adversary plays best there.)

**States.** A state is a whole number i: the adversary plays as if epsilon = i mesh were still to be
lost. After an outcome of a step in the bucket that carries the label j, i becomes i - j. The label
is the loss in meshes, rounded; any label is valid. For each state ``power`` is a lower bound of the
probability to accept in the first world, ``size`` an upper bound of that in the second, for the
steps that are left:

    power'_i = floor( sum_j P(bucket j) power_{i-j} ),      size'_i = ceil( sum_j Q(bucket j) size_{i-j} ),

with power = size = 1 in states below the grid (accept at once), 0 above it (refuse). P(bucket) is
rounded down, Q(bucket) up. With no steps left it accepts iff i <= 0. A bucket whose P-weight was
rounded to 0 may be refused: it counts in neither.

**Choice.** If several kinds of step are at hand (positions of the other records), each state takes
the one with the largest power - e^{i mesh} size; the others' gradients may depend on the history.
The comparison is made with a rounded e^{i mesh}: a wrong choice is a worse adversary, not a wrong
bound.

**Blocks.** 2^k steps of one kind are one step whose label is the sum of the labels; choices are
then made between blocks only. Blocks are short towards the end, where a choice matters most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Protocol

from flint import arb, fmpz_poly

from verify.accounting.exact.loss import Grid
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline

_LOOKED_AT = 3000  # values at which the loss is looked at to find the ends of buckets
_CHOICE = 60  # bits of e^eps in choices
_SAME = 8  # blocks of each length


class Observed(Protocol):
    """A real-valued outcome Z in two worlds."""

    def below(self, z: arb) -> tuple[arb, arb]:
        """P(Z <= z) and Q(Z <= z), in balls that contain them."""

    def loss(self, z: float) -> float:
        """ln(dP/dQ) at z, in doubles."""

    def range(self, nats: float) -> tuple[float, float]:
        """Where Z lies but for about e^-nats, in doubles."""


@dataclass(frozen=True, slots=True)
class Move:
    """The buckets of a step with labels low, low + 1, ...: P-weights from below, Q-weights from
    above, in units of 2^-bits."""

    low: int
    power: list[int]
    size: list[int]
    drift: float = 0.0

    def shifted(self) -> int:
        """The first label with what all labels are too low by."""
        return self.low + round(self.drift)


@dataclass(frozen=True, slots=True)
class Tests:
    """Power and size of what the adversary does from each state of the grid on, in units of 2^-bits."""

    grid: Grid
    power: list[int]
    size: list[int]

    __test__ = False  # the statistician's tests

    def delta(self, epsilon: Fraction) -> Fraction:
        """A number that delta(epsilon) is not below."""
        e, one = math.exp(min(float(epsilon), 700.0)), 2.0**self.grid.bits
        values = [a / one - e * (b / one) for a, b in zip(self.power, self.size, strict=True)]
        i = max(range(len(values)), key=values.__getitem__)
        with precision(self.grid.bits + 64):
            value = self.power[i] - ball(epsilon).exp() * self.size[i]
            return max(Fraction(0), fraction((value / arb(2) ** self.grid.bits).lower()))

    def epsilon(self, delta: Fraction) -> Fraction:
        """A number that epsilon(delta) is not below: alpha - e^eps beta = delta."""
        units = delta * 2**self.grid.bits
        least = float(units)
        ratios = [
            (a - least) / b if b and a > units else 0.0
            for a, b in zip(self.power, self.size, strict=True)
        ]
        i = max(range(len(ratios)), key=ratios.__getitem__)
        if ratios[i] <= 1:
            return Fraction(0)
        with precision(self.grid.bits + 64):
            value = ((self.power[i] - ball(units)) / self.size[i]).log()
            return max(Fraction(0), fraction(value.lower())) if value.is_finite() else Fraction(0)


def move(outcome: Observed, grid: Grid, nats: float, deadline: Deadline) -> Move:
    """One step: the buckets between the places where the rounded loss changes."""
    edges, labels = _buckets(outcome, grid, nats)
    low, high = min(labels), max(labels)
    power, size = [arb(0)] * (high - low + 1), [arb(0)] * (high - low + 1)
    with precision(grid.bits + 64):
        before = arb(0), arb(0)
        for i, label in enumerate(labels):
            deadline.check()  # at thousands of bits one bucket takes a twentieth of a second
            here = outcome.below(arb(edges[i])) if i < len(edges) else (arb(1), arb(1))
            power[label - low] += here[0] - before[0]
            size[label - low] += here[1] - before[1]
            before = here
        unit = arb(2) ** grid.bits
        down = [max(0, math.floor(fraction((unit * x).lower()))) for x in power]
        up = [max(0, math.ceil(fraction((unit * x).upper()))) for x in size]
    return _trim_refused(low, down, up, _drift(low, down, up, grid.mesh))


def _drift(low: int, power: list[int], size: list[int], mesh: float) -> float:
    """By how many meshes labels are too low on the average."""
    total = sum(power)
    return sum(
        a / total * (math.log(a / b) / mesh - label)
        for label, (a, b) in enumerate(zip(power, size, strict=True), low)
        if a and b
    )


def _buckets(outcome: Observed, grid: Grid, nats: float) -> tuple[list[float], list[int]]:
    """Increasing ends of the buckets, and the labels of the buckets below, between and above them."""
    first, last = outcome.range(nats)
    most = grid.high - grid.low

    def level(z: float) -> float:
        return min(max(outcome.loss(z) / grid.mesh + 0.5, -most), most)

    here = level(first)
    edges: list[float] = []
    labels = [math.floor(here)]
    z, step = first, (last - first) / _LOOKED_AT
    for i in range(1, _LOOKED_AT + 1):
        nearby = first + i * step
        there = level(nearby)
        while labels[-1] != math.floor(there):
            up = there > here
            crossed = labels[-1] + 1 if up else labels[-1]
            edge = z + (crossed - here) / (there - here) * (nearby - z)
            least = edges[-1] if edges else -math.inf
            edges.append(max(edge, least))
            labels.append(labels[-1] + (1 if up else -1))
        here, z = there, nearby
    return edges, labels


def _trim_refused(low: int, power: list[int], size: list[int], drift: float) -> Move:
    """Without the buckets that are refused."""
    inside = [i for i, w in enumerate(power) if w]
    if not inside:
        return Move(low, [0], [0], drift)
    first, last = inside[0], inside[-1] + 1
    kept = zip(power[first:last], size[first:last], strict=True)
    return Move(low + first, power[first:last], [b if a else 0 for a, b in kept], drift)


def join_moves(x: Move, y: Move, grid: Grid) -> Move:
    """One move after another: labels add up; those beyond the grid's width are its width."""
    most = grid.high - grid.low
    low = x.low + y.low
    parts = []
    for one, two in ((x.power, y.power), (x.size, y.size)):
        product = [int(v) for v in (fmpz_poly(one) * fmpz_poly(two)).coeffs()]
        product += [0] * (len(one) + len(two) - 1 - len(product))
        under, over = max(0, -most - low), max(0, low + len(product) - 1 - most)
        inside = product[under : len(product) - over]
        inside[0] += sum(product[:under])
        inside[-1] += sum(product[len(product) - over :]) if over else 0
        parts.append(inside)
    power = [v >> grid.bits for v in parts[0]]
    size = [-(-v >> grid.bits) for v in parts[1]]
    return _trim_refused(max(low, -most), power, size, x.drift + y.drift)


def at_the_end(grid: Grid) -> Tests:
    """No steps left: accept iff i <= 0."""
    one = 1 << grid.bits
    values = [one if i <= 0 else 0 for i in range(grid.low, grid.high + 1)]
    return Tests(grid, values, values)


def before(step: Move, tests: Tests) -> Tests:
    """What the adversary reaches with this step and then those tests."""
    grid = tests.grid
    power = _weigh_values(step.shifted(), step.power, tests.power, grid.bits)
    size = _weigh_values(step.shifted(), step.size, tests.size, grid.bits)
    return Tests(grid, [v >> grid.bits for v in power], [-(-v >> grid.bits) for v in size])


def _weigh_values(low: int, weights: list[int], values: list[int], bits: int) -> list[int]:
    """sum_j w_j v_{i-j} for every state i, v = 1 below the grid and 0 above it."""
    count = len(values)
    product = [int(v) for v in (fmpz_poly(weights) * fmpz_poly(values)).coeffs()]
    shifted = ([0] * low + product if low >= 0 else product[-low:])[:count]
    shifted += [0] * (count - len(shifted))
    # States counted from the first: i - j < 0 is j > i. Those j have the places from i - low + 1 on.
    rests = [*accumulate(reversed(weights), initial=0)]
    rests.reverse()  # rests[k] = sum of the weights from place k on
    rests = [rests[0]] * low + rests[1:] if low >= 0 else rests[1 - low :]
    for i, rest in enumerate(rests[:count]):
        shifted[i] += rest << bits
    return shifted


def better(candidates: Sequence[Tests]) -> Tests:
    """In each state the candidate with the largest power - e^{i mesh} size."""
    grid = candidates[0].grid
    scale = [
        round(2**_CHOICE * math.exp(min(i * grid.mesh, 600.0)))
        for i in range(grid.low, grid.high + 1)
    ]
    best = list(zip(candidates[0].power, candidates[0].size, strict=True))
    for other in candidates[1:]:
        best = [
            (a, b) if (a - one[0]) << _CHOICE > e * (b - one[1]) else one
            for one, a, b, e in zip(best, other.power, other.size, scale, strict=True)
        ]
    return Tests(grid, [a for a, _ in best], [b for _, b in best])


def blocks(steps: int) -> Iterable[int]:
    """Exponents k of blocks of 2^k steps, from the last block to the first: eight of each length
    while there are so many.

    >>> list(blocks(20))
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    """
    k = 0
    while steps >> k:
        count = min(_SAME, steps >> k)
        steps -= count << k
        yield from [k] * count
        k += 1
    yield from (i for i in range(k) if steps >> i & 1)


def play_steps(kinds: Sequence[Move], steps: int, tests: Tests, deadline: Deadline) -> Tests:
    """So many steps before those tests, of any of these kinds."""
    moves = [[kind] for kind in kinds]
    for k in blocks(steps):
        candidates = []
        for one in moves:
            while len(one) <= k:
                deadline.check()
                one.append(join_moves(one[-1], one[-1], tests.grid))
            deadline.check()
            candidates.append(before(one[k], tests))
        tests = better(candidates)
    return tests
