"""Kinds of the audit about adversaries' states, shuffled epochs and truncated samples."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from flint import arb

from verify.accounting.exact.closed import single
from verify.accounting.exact.loss import Grid, Loss
from verify.accounting.history import Phase
from verify.accounting.pairs.fixed import layout, policies
from verify.accounting.pairs.fixed.kinds import replacing
from verify.accounting.pairs.fixed.policies import Tests
from verify.accounting.pairs.fixed.shuffled import Largest
from verify.accounting.pairs.fixed.truncated import at_least, step
from verify.audit.pairs.fixed_case import POINTS, FixedCase, above, below, grid_of, order_text
from verify.numbers.balls import fraction, precision
from verify.numbers.errors import OutOfReach

_CELLS = 9600
_RESOLVED = 1e-11  # differences of numbers of order 1, in doubles


def walk_states(case: FixedCase) -> tuple[bool, str]:
    """A coarse grid; each state's two numbers are recomputed from exact weights of buckets by recursion."""
    kinds = list(replacing(case.q, case.sigma).values())[: 2 + case.choice % 2]
    grid = Grid(0.25, -20, 24, 40)
    deadline = case.deadline()
    moves = [policies.move(kind, grid, 30.0, deadline) for kind in kinds]
    one = 1 << grid.bits
    tests = policies.at_the_end(grid)
    power = {i: Fraction(1 if i <= 0 else 0) for i in range(grid.low, grid.high + 1)}
    size = dict(power)
    for _ in range(case.steps):
        found = policies.better([policies.before(move, tests) for move in moves])
        power, size = _walk(moves, power, size, found, tests)
        tests = found
    for place, i in enumerate(range(grid.low, grid.high + 1)):
        if not Fraction(tests.power[place], one) <= power[i]:
            return False, f"power of state {i}"
        if not Fraction(tests.size[place], one) >= size[i]:
            return False, f"size of state {i}"
        if abs(Fraction(tests.power[place], one) - power[i]) > Fraction(1, 10**9):
            return False, f"power of state {i} is too low"
    return True, f"{len(power)} states"


_State = dict[int, Fraction]


def _walk(
    moves: list[policies.Move], power: _State, size: _State, found: Tests, tests: Tests
) -> tuple[_State, _State]:
    """One step back, by the definition; the kind in each state is the one that was chosen."""
    grid = tests.grid
    one = 1 << grid.bits

    def value(table: _State, i: int) -> Fraction:
        return Fraction(1) if i < grid.low else table.get(i, Fraction(0))

    candidates = [policies.before(move, tests) for move in moves]
    powers, sizes = {}, {}
    for place, i in enumerate(range(grid.low, grid.high + 1)):
        (number,) = [
            n
            for n, c in enumerate(candidates)
            if (c.power[place], c.size[place]) == (found.power[place], found.size[place])
        ][:1] or [0]
        move = moves[number]
        labels = range(move.shifted(), move.shifted() + len(move.power))
        powers[i] = sum(
            (
                Fraction(w, one) * value(power, i - j)
                for j, w in zip(labels, move.power, strict=True)
            ),
            Fraction(0),
        )
        sizes[i] = sum(
            (Fraction(w, one) * value(size, i - j) for j, w in zip(labels, move.size, strict=True)),
            Fraction(0),
        )
    return powers, sizes


def largest(case: FixedCase) -> tuple[bool, str]:
    """E_P of the second epoch's best event, summed over the first epoch's largest output."""
    outcome = Largest(3 + case.choice, case.sigma, bool(case.choice % 2))
    epsilon = min(case.epsilon, 2 / case.sigma)
    loss = Loss(Phase(Fraction(1), case.sigma, 1), "remove")
    size = layout.log_delta([(loss, 2)], float(epsilon))
    grid = layout.window([(loss, 2)], size, POINTS)
    low = below(outcome, case, grid).delta(epsilon)
    first, last = outcome.range(40.0)
    count = _CELLS
    with precision(200):
        edges = [arb(first + (last - first) * i / count) for i in range(count + 1)]
        both = [(arb(0), arb(0)), *(outcome.below(x) for x in edges), (arb(1), arb(1))]
        cells = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(both)]
        losses = sorted(
            (float((p / q).log().mid()), float(p.mid()), float(q.mid()))
            for p, q in cells
            if q > 0 and p > 0
        )
    # without a grid of losses: the best test of two bucketed outcomes, in doubles
    tail_p, tail_q = [0.0], [0.0]
    for _, p, q in reversed(losses):
        tail_p.append(tail_p[-1] + p)
        tail_q.append(tail_q[-1] + q)
    best, place, eps = 0.0, 0, float(epsilon)
    for x, p, q in losses:  # the second loss must be above eps - x, which falls
        while place < len(losses) and losses[len(losses) - 1 - place][0] > eps - x:
            place += 1
        best += p * tail_p[place] - math.exp(eps) * q * tail_q[place]
    if best < _RESOLVED:
        raise OutOfReach("the sum in doubles has no digits")
    return float(low) <= best * (1 + 1e-3), f"{float(low)!r} <= {best!r}"


def reveal_sizes(case: FixedCase) -> tuple[bool, str]:
    n, most = 50 + case.choice, 1 + case.choice // 2
    loss = step(case.q, case.sigma, n, most, case.direction)
    grid = grid_of(loss, case)
    here = 0.0 if case.direction == "add" else float(case.epsilon)  # the loss of adding has an end
    at = Fraction(grid.mesh) * round(here / grid.mesh)
    high = above(loss, case, grid).delta(at)
    total = Fraction(0)
    with precision(300):
        weights = [(Phase(case.q, case.sigma, 1), 1 - at_least(n, case.q, most))]
        for m in range(most, n + 1):
            rate = case.q * most / (m + 1)
            share = at_least(n, case.q, m) - at_least(n, case.q, m + 1)
            weights.append((Phase(rate, case.sigma / 2, 1), share))
    for phase, weight in weights:
        value = single(phase, case.direction).at(at, 12.0, 12.0, case.deadline())
        total += value.lo * fraction(weight.lower())
    return total <= high <= total * 2, order_text(total, high)


def binomial(case: FixedCase) -> tuple[bool, str]:
    n, k = 5 + case.choice, max(1, case.choice // 2)
    p = 1 - case.q
    total = sum((math.comb(n, m) * case.q**m * p ** (n - m) for m in range(k, n + 1)), Fraction(0))
    found = at_least(n, case.q, k)
    with precision(400):
        ok = fraction(found.lower()) <= total <= fraction(found.upper())
    return ok, found.str(20)
