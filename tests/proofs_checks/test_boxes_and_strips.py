"""Boxes of rates and noises, strips of orders: what they settle contains the truth at points inside."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from proofs_checks.beyond.excess import relative_excess
from proofs_checks.quantities.crossing_boxes import Box, cover, one_crossing
from proofs_checks.quantities.engine import divergence, log_moment
from proofs_checks.quantities.maximal_alpha import maximal_alpha
from proofs_checks.quantities.order_boxes import order_boxes
from proofs_checks.quantities.order_strips import (
    at_zero,
    beyond,
    growing,
    noise_below,
    strips,
)
from proofs_checks.tools.balls import rational
from verify.claims import Undecided
from verify.numbers.balls import enclosure, precision

BOX = Box(Fraction("0.05"), Fraction("0.06"), Fraction(5), Fraction("5.2"))
TWO = Fraction(2)


def exponential(x: Fraction) -> Fraction:
    """e^x from below, a rational."""
    with precision(80):
        return Fraction(enclosure(rational(x).exp()).lo)


@pytest.mark.parametrize("q", [BOX.q1, Fraction("0.055"), BOX.q2])
@pytest.mark.parametrize("sigma", [BOX.s1, Fraction("5.1"), BOX.s2])
def test_the_crossing_of_a_box_holds_that_of_each_point(q: Fraction, sigma: Fraction) -> None:
    found = one_crossing(BOX, TWO)
    lo, hi = maximal_alpha(q, sigma, 6)
    assert found.lo < lo < hi < found.hi


def test_the_boxes_of_a_cover_fill_it() -> None:
    whole = Box(Fraction("0.02"), Fraction("0.05"), Fraction(4), Fraction(5))
    found = [crossing.box for crossing in cover(whole, TWO)]
    assert len(found) > 1
    area = sum((b.q2 - b.q1) * (b.s2 - b.s1) for b in found)
    assert area == (whole.q2 - whole.q1) * (whole.s2 - whole.s1)


@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(49, 100)])
def test_a_bound_that_fails_next_to_order_1_has_no_crossing(factor: Fraction) -> None:
    with pytest.raises(Undecided):
        list(cover(BOX, factor))


def test_a_box_too_wide_is_undecided() -> None:
    with pytest.raises(Undecided):
        one_crossing(Box(Fraction("0.02"), Fraction("0.1"), Fraction(4), Fraction(5)), TWO)


def settled_strips() -> list[tuple[Fraction, Fraction, Fraction, Fraction, Fraction]]:
    """Points (q, sigma, alpha) that strips of q <= e^{-n v} settle, with n of the strip and its value."""

    def largest(n: int, a: Fraction, _: Fraction) -> Fraction:
        with precision(80):
            return min(Fraction(1, 50), Fraction(enclosure((-rational(n * a)).exp()).hi))

    found = strips(
        Fraction(1, 16), Fraction(1, 5), growing(60, Fraction(11, 10)), largest, lambda *_: TWO
    )
    return [
        (min(Fraction(1, 50), exponential(-Fraction(s.m) * s.b)), noise_below(s.b), Fraction(s.n + s.m, 2), s.a / s.b, s.value)
        for s in list(found)[::5]
    ]  # fmt: skip


def test_strips_are_above_the_relative_excess_inside() -> None:
    points = settled_strips()
    assert len(points) > 5
    for q, sigma, alpha, share, value in points:
        assert relative_excess(q, sigma, alpha) * rational(share) < rational(value)


@pytest.mark.parametrize(("m", "v"), [(40, "1/5"), (60, "1/16"), (200, "1/64")])
def test_the_bound_for_all_larger_orders_is_one(m: int, v: str) -> None:
    x = Fraction(v)
    q, sigma = exponential(-(m - 2) * x), noise_below(x)
    excess = relative_excess(q, sigma, Fraction(m))
    assert excess < rational(at_zero(x) * Fraction(1_000_001, 10**6) + beyond(m, x))
    assert excess > rational(at_zero(x) * Fraction(999_999, 10**6))


@pytest.mark.parametrize(("m", "v"), [(6, "1"), (20, "1/16"), (9, "1/5")])
def test_where_it_does_not_fall_yet_it_is_not_given(m: int, v: str) -> None:
    with pytest.raises(Undecided):
        beyond(m, Fraction(v))


def test_the_bound_for_larger_orders_falls() -> None:
    assert beyond(60, Fraction(1, 16)) > beyond(61, Fraction(1, 16)) > beyond(61, Fraction(1, 15))


def test_boxes_of_orders_bound_epsilon_inside() -> None:
    box = (Fraction("0.05"), Fraction("0.06"), Fraction(1, 20), Fraction(1, 18))
    c, last = Fraction(4, 5), Fraction(40)
    assert list(order_boxes(box, TWO, lambda *_: last, c))
    for q, x, alpha in ((box[0], box[3], last), (box[1], box[2], Fraction(7, 2))):
        sigma = noise_below(x)
        assert divergence(q, sigma, alpha).hi < c * q**2 * alpha / sigma**2


def test_boxes_do_not_show_what_the_lower_bound_excludes() -> None:
    box = (Fraction("0.05"), Fraction("0.0501"), Fraction(1, 20), Fraction(1001, 20_000))
    with pytest.raises(Undecided):
        list(order_boxes(box, TWO, lambda *_: Fraction(40), Fraction(1, 2)))


@pytest.mark.parametrize("v", ["1/5", "1/77", "0.0123"])
def test_a_noise_below_has_at_least_that_inverse_square(v: str) -> None:
    sigma = noise_below(Fraction(v))
    assert 1 / sigma**2 >= Fraction(v)
    assert 1 / sigma**2 < Fraction(v) * Fraction(1_000_001, 10**6)


def test_orders_grow_and_end() -> None:
    orders = growing(100, Fraction(6, 5))
    assert orders[:4] == [2, 3, 4, 5]
    assert orders[-1] == 100
    assert all(x < y <= max(x + 1, x * 6 // 5) for x, y in pairwise(orders))


def test_the_moment_rises_with_the_rate_and_falls_with_the_noise() -> None:
    at = log_moment(Fraction("0.1"), Fraction(2), Fraction("3.5"))
    assert log_moment(Fraction("0.100001"), Fraction(2), Fraction("3.5")).lo > at.hi
    assert log_moment(Fraction("0.1"), Fraction("2.000001"), Fraction("3.5")).hi < at.lo
