"""Blocks, gaps and tails are every integer exactly once, whatever the sketch looks like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.moments.engines.cover import Cover

stretches = st.lists(
    st.tuples(st.integers(-60, 60), st.integers(-60, 60)).map(
        lambda ends: (ends[0] / 4, ends[1] / 4)
    ),
    max_size=5,
)
steps = st.sampled_from([0.25, 0.3, 0.5, 1.0, 1.7, 40.0])


def times_counted(cover: Cover, node: int) -> int:
    """In how many blocks, gaps and tails a node is."""
    inside = sum(node in part for part in (*cover.blocks, *cover.gaps))
    return inside + (node <= cover.left_tail) + (node >= cover.right_tail)


def assert_each_once(cover: Cover) -> None:
    for node in range(cover.left_tail - 3, cover.right_tail + 4):
        assert times_counted(cover, node) == 1, node
    assert all(cover.gaps)
    assert cover.count == sum(map(len, cover.blocks))


@given(stretches, steps)
def test_every_node_is_counted_once(drawn, h):
    assert_each_once(Cover.of(drawn, h))


@given(stretches, steps)
def test_every_stretch_is_inside_the_blocks(drawn, h):
    cover = Cover.of(drawn, h)
    for a, b in drawn:
        if a <= b:
            assert any(block.start * h <= a and b <= (block.stop - 1) * h for block in cover.blocks)


@pytest.mark.parametrize(
    ("what", "drawn"),
    [("touch in a node", [(0, 3), (3, 6)]), ("overlap", [(0, 4), (2, 6)]), ("one inside the other", [(0, 9), (2, 3)]),
     ("end in one cell", [(0, 3.2), (3.6, 6)]), ("are neighbours", [(0, 3), (4, 6)]), ("are empty", []),
     ("are turned round", [(3, 0)]), ("are points", [(2, 2), (2, 2)]), ("are out of order", [(8, 9), (0, 1)])],
)  # fmt: skip
def test_stretches_that(what, drawn):
    assert_each_once(Cover.of(drawn, 1.0))


def test_stretches_one_node_apart_leave_a_gap_of_one():
    assert Cover.of([(0, 3), (5, 6)], 1.0).gaps == (range(4, 5),)


def test_ends_in_one_cell_are_merged():
    """Both round outwards: the two nodes around the cell would be summed twice."""
    assert Cover.of([(0, 3.2), (3.6, 6)], 1.0).blocks == (range(7),)


def test_far_beyond_the_doubles_that_count():
    cover = Cover.of([(-1e30, -1e30), (1e30, 1e30)], 2.0**-20)
    assert_each_once_at_the_ends(cover)
    assert sum(b - a for a, b in ((g.start, g.stop) for g in cover.gaps)) > 10**35


def assert_each_once_at_the_ends(cover: Cover) -> None:
    for block in cover.blocks:
        for node in (block.start - 1, block.start, block.stop - 1, block.stop):
            assert times_counted(cover, node) == 1
