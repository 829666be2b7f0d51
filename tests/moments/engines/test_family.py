"""Shared nodes give what one order at a time gives: containment, digits, order, both signs."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import noises, rates
from verify.moments.engines import Moment, family, lattice, trapezoid, whole
from verify.moments.engines.lattice import Lattice
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded

TENTHS = [Q(1 + x / 10) for x in range(1, 100)]
FEWER = max(10, settings().max_examples // 4)

order_lists = st.one_of(
    st.lists(st.integers(2, 80).map(Q), min_size=4, max_size=12),
    st.lists(st.integers(11, 300).map(lambda n: Q(n / 10)), min_size=4, max_size=12),
    st.lists(st.integers(101, 2000).map(lambda n: Q(n, 100)), min_size=4, max_size=12),
    st.lists(st.floats(1.001, 60).map(Q), min_size=4, max_size=8),
)


def strictly_inside(value, finer) -> bool:
    return value.lo <= finer.lo <= finer.hi <= value.hi


@settings(max_examples=FEWER)
@given(rates(), noises(), order_lists, st.booleans(), st.integers(3, 40))
def test_contains_what_one_order_gives(q, sigma, orders, reverse, digits):
    orders = [1 - s for s in orders] if reverse else orders
    for s, value in zip(orders, family.evaluate(q, sigma, orders, digits, Deadline()), strict=True):
        alone = trapezoid.evaluate(Moment(q, sigma, s), digits + 25, Deadline())
        assert strictly_inside(value, alone)
        assert value.relative_width() <= Q(1, 10**digits)


@pytest.mark.parametrize("shared", [0, whole.SHARED])
def test_whole_orders_are_contained_without_slack(monkeypatch, shared):
    """By shared nodes, where the error bound is attained and a wrong one would show; and by sums."""
    monkeypatch.setattr(whole, "SHARED", shared)
    for sigma in ("0.7", "1.63", "3"):
        orders = [Q(n) for n in range(2, 60)]
        found = family.evaluate(Q(1, 10**4), Q(sigma), orders, 12, Deadline())
        for s, value in zip(orders, found, strict=True):
            exact = trapezoid.evaluate(Moment(Q(1, 10**4), Q(sigma), s), 60, Deadline())
            assert strictly_inside(value, exact)


def test_values_come_in_the_order_given_and_repeat():
    orders = [Q(9), Q(2), Q(5, 2), Q(9), Q(3), Q(4), Q(1), Q(0), Q(-3)]
    found = family.evaluate(Q(1, 10), Q(1), orders, 15, Deadline())
    for s, value in zip(orders, found, strict=True):
        alone = trapezoid.evaluate(Moment(Q(1, 10), Q(1), s), 40, Deadline())
        assert strictly_inside(value, alone)


@pytest.mark.parametrize("q", [Q(0), Q(1)])
def test_without_sampling_or_data(q):
    found = family.evaluate(q, Q(2), [Q(n) for n in range(2, 8)], 15, Deadline())
    assert [float(v.hi) for v in found] == pytest.approx([q * n * (n - 1) / 8 for n in range(2, 8)])


def test_sharing_happens(monkeypatch):
    """The default orders of other libraries do not fall back on one order at a time."""
    alone = []
    monkeypatch.setattr(trapezoid, "evaluate", lambda m, d, t: alone.append(m.order))
    family.evaluate(Q(0.01), Q(1.1), TENTHS + [Q(n) for n in range(11, 64)], 20, Deadline())
    assert alone == []


def test_the_budget_holds():
    with pytest.raises(BudgetExceeded):
        family.evaluate(Q(0.01), Q(1.1), TENTHS, 20, Deadline(0.0))


def test_doubles_next_to_tenths_are_a_lattice_with_their_exact_offsets():
    found = Lattice.of(TENTHS)
    assert found.denominator == 10
    assert [Q(n, 10) + Q(int(r.p), int(r.q)) for n, r in zip(found.numerators, found.offsets, strict=True)] == TENTHS  # fmt: skip


def test_orders_without_a_common_denominator_are_no_lattice():
    assert Lattice.of([Q(2), Q(3.14159265)]) is None


def test_the_offset_of_a_double_is_not_dropped(monkeypatch):
    """Taking 1.1 for 11/10 moves ln A by 1e-16 of itself: outside at 20 digits."""
    monkeypatch.setattr(lattice, "_taylor", lambda coefficients, r, left_over: coefficients[0])
    found = family.evaluate(Q(0.01), Q(1.1), TENTHS, 20, Deadline())
    alone = trapezoid.evaluate(Moment(Q(0.01), Q(1.1), TENTHS[0]), 45, Deadline())
    assert not strictly_inside(found[0], alone)


def test_the_rest_of_the_series_is_not_dropped(monkeypatch):
    """One term, with its bound: wide, and right."""
    monkeypatch.setattr(lattice, "_MOST_TERMS", 1)
    orders = [Q(n, 10) + Q(1, 10**13) for n in range(15, 40)]
    assert max(Lattice.of(orders).offsets) == fmpq(1, 10**13)
    for s, value in zip(
        orders, family.evaluate(Q(1, 10), Q(1), orders, 8, Deadline()), strict=True
    ):
        assert strictly_inside(value, trapezoid.evaluate(Moment(Q(1, 10), Q(1), s), 40, Deadline()))


def test_tails_of_the_wrong_end_are_caught(monkeypatch):
    """Half the geometric series: the intervals of whole orders no longer contain the truth."""
    original = family.Exponential.at
    monkeypatch.setattr(family.Exponential, "at", lambda self, s: original(self, s) * arb(0))
    monkeypatch.setattr(family, "sketch", lambda profile, depth, keep_all: family_sketch(profile, depth / 2, keep_all=keep_all))  # fmt: skip
    monkeypatch.setattr(whole, "SHARED", 0)
    orders = [Q(n) for n in range(2, 20)]
    found = family.evaluate(Q(1, 10), Q(1), orders, 12, Deadline())
    truth = [trapezoid.evaluate(Moment(Q(1, 10), Q(1), s), 40, Deadline()) for s in orders]
    assert not all(map(strictly_inside, found, truth))


family_sketch = family.sketch


def test_equal_orders_are_computed_once():
    """Twelve hundred times the same order is neither twelve hundred integrals nor a deep recursion."""
    found = family.evaluate(Q(1, 2), Q(1, 20), [Q(17, 2)] * 1200, 60, Deadline())
    assert len(found) == 1200
    assert len(set(map(id, found))) == 1
