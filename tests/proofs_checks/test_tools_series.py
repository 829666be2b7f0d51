"""Graph polynomials and half-line series against what is known of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from proofs_checks.quantities.engine import as_ball, divergence, log_moment, reverse_divergence
from proofs_checks.quantities.graphs import by_enumeration, by_inversion, polynomial_sum
from proofs_checks.quantities.half_lines import HalfLines, acceleration_weights, reduction
from verify import rdp, rdp_reverse
from verify.numbers.balls import precision


@pytest.mark.parametrize("k", range(6))
def test_graphs_counted_and_inverted_agree(k: int) -> None:
    assert by_enumeration(k) == by_inversion(k)


def test_number_of_graphs_without_isolated_vertices() -> None:
    """1, 0, 1, 4, 41, 768, 27449: labelled graphs without isolated vertices."""
    assert [sum(by_inversion(k)) for k in range(7)] == [1, 0, 1, 4, 41, 768, 27449]


def test_isolated_vertices_change_the_count() -> None:
    assert by_enumeration(4, isolated_allowed=True) != by_inversion(4)


def test_order_two_is_one_edge() -> None:
    assert polynomial_sum(2) == {(2, 1): 1}


def test_acceleration_of_the_alternating_harmonic_series() -> None:
    """ln 2 = sum (-1)^k/(k+1), whose terms are moments: twenty steps leave less than 1/d_20."""
    with precision(200):
        total = sum((w / arb(k + 1) for k, w in enumerate(acceleration_weights(20))), arb(0))
        error = abs(total / reduction(20) - arb(2).log())
        assert error < arb(1) / reduction(20)
        assert error > arb(1) / reduction(30)


def test_half_lines_add_up_to_the_whole_moment() -> None:
    series = HalfLines(Fraction(1, 3), Fraction(2), Fraction(3, 2))
    with precision(200):
        for k in (Fraction(0), Fraction(5, 2), Fraction(-4)):
            exponent = (k * k - k) / 8
            whole = (arb(exponent.numerator) / exponent.denominator).exp()
            assert (series.left(k) + series.right(k)).overlaps(whole)


def test_terms_in_their_order_are_those_asked_one_by_one() -> None:
    series = HalfLines(Fraction(3, 10), Fraction(2), Fraction(27, 10))
    with precision(120):
        for k, term in zip(range(6), series.terms(), strict=False):
            assert term.overlaps(series.term(k))
            assert not term.overlaps(series.term(k + 1))
            assert term.rel_accuracy_bits() > 90


def test_accelerated_series_is_the_integral() -> None:
    series = HalfLines(Fraction(1, 10), Fraction(2), Fraction(37, 10))
    exact = log_moment(Fraction(1, 10), Fraction(2), Fraction(37, 10), 60)
    with precision(500):
        value = series.accelerated_sum(60) + series.error_bound(60) * arb(0, 1)
        assert value.overlaps(as_ball(exact).exp())
        assert not (value + series.error_bound(20)).overlaps(as_ball(exact).exp())


@pytest.mark.parametrize("alpha", [Fraction(3, 2), Fraction(7)])
def test_divergences_are_those_of_the_public_interface(alpha: Fraction) -> None:
    q, sigma = Fraction(1, 10), Fraction(2)
    for mine, public in ((divergence, rdp), (reverse_divergence, rdp_reverse)):
        value, other = mine(q, sigma, alpha), public(q, sigma, alpha, digits=30)
        assert value.lo <= other.hi
        assert other.lo <= value.hi


def test_divergence_of_order_one_is_kullback_leibler() -> None:
    value, other = divergence(Fraction(1, 5), Fraction(1), Fraction(1)), rdp("0.2", 1, 1, digits=30)
    assert value.lo <= other.hi
    assert other.lo <= value.hi
