"""The adversary's tables: whatever it does, power from below and size from above."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verify.accounting.exact.loss import Grid
from verify.accounting.pairs.fixed import policies
from verify.accounting.pairs.fixed.composing import Played
from verify.accounting.pairs.fixed.kinds import replacing
from verify.audit.pairs.fixed import KINDS, draw
from verify.audit.pairs.fixed import test as audited
from verify.numbers.budget import Deadline

GRID = Grid(0.25, -8, 12, 40)


def moves():
    kinds = replacing(Fraction("0.3"), Fraction(1))
    return [policies.move(kinds[y], GRID, 30.0, Deadline()) for y in ("-1", "1")]


@pytest.mark.parametrize("steps", [1, 7, 8, 9, 20, 1000, 12345])
def test_blocks_are_all_steps(steps):
    assert sum(1 << k for k in policies.blocks(steps)) == steps


def test_weights_of_a_move_lie_on_either_side_of_1():
    for move in moves():
        assert sum(move.power) <= 1 << GRID.bits <= sum(move.size) + (1 << 20)
        assert sum(move.power) > (1 << GRID.bits) - (1 << 12)


def test_two_moves_joined_are_one_after_the_other():
    one, other = moves()
    tests = policies.at_the_end(GRID)
    twice = policies.before(one, policies.before(other, tests))
    at_once = policies.before(policies.join_moves(one, other, GRID), tests)
    middle = range(len(twice.power) // 4, 3 * len(twice.power) // 4)
    for i in middle:
        assert twice.power[i] == pytest.approx(at_once.power[i], abs=2**32)


def test_rounding_has_a_direction():
    half = policies.Move(0, [1], [1])
    tests = policies.Tests(Grid(0.5, 0, 0, 4), [5], [5])
    found = policies.before(half, tests)
    assert (found.power, found.size) == ([0], [1])


def test_states_below_the_grid_accept_and_those_above_refuse():
    grid = Grid(0.5, 0, 1, 4)
    tests = policies.Tests(grid, [8, 4], [8, 4])
    up = policies.before(policies.Move(1, [16], [16]), tests)
    assert up.power == [16, 8]
    down = policies.before(policies.Move(-1, [16], [16]), tests)
    assert down.power == [4, 0]


def test_a_choice_is_never_worse_where_it_is_made():
    one, other = moves()
    tests = policies.at_the_end(GRID)
    found = [
        policies.play_steps(kinds, 6, tests, Deadline()) for kinds in ([one], [other], [one, other])
    ]
    for eps in (Fraction(0), Fraction(1), Fraction(2)):
        alone, second, both = (table.delta(eps) for table in found)
        assert both >= max(alone, second) * Fraction(999, 1000)


def test_choices_in_phases_of_unknown_order_are_refused():
    kinds = list(replacing(Fraction("0.3"), Fraction(1)).values())
    with pytest.raises(ValueError, match="order"):
        Played([[(kinds, 2), (kinds, 3)]], [[]])


@pytest.mark.parametrize("kind", KINDS)
def test_the_audit_of_each_kind_passes(kind):
    results = [audited(draw(seed, kind)) for seed in (3, 4)]
    assert [r.detail for r in results if r.ok is False] == []
    assert any(r.ok for r in results)
