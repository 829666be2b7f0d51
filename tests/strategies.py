"""Exact rationals for Hypothesis: log-uniform, and heavy on the boundaries."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st


@st.composite
def log_uniform(draw: st.DrawFn, low: int, high: int) -> Fraction:
    """m * 10^e with three digits and low <= e < high."""
    exponent = draw(st.integers(low, high - 1))
    return Fraction(draw(st.integers(100, 999)), 100) * Fraction(10) ** exponent


def rates(smallest: int = -9) -> st.SearchStrategy[Fraction]:
    """q in (0, 1): small, ordinary, a half, near one."""
    tiny = log_uniform(smallest, -1).map(lambda x: x)
    return st.one_of(
        log_uniform(smallest, -1),
        st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=200),
        st.sampled_from([Fraction(1, 2), Fraction(1, 5), Fraction(1, 10)]),
        tiny.map(lambda x: 1 - x / 10),
    )


def noises(low: int = -1, high: int = 3) -> st.SearchStrategy[Fraction]:
    """sigma, log-uniform, with the paper's own thresholds."""
    return st.one_of(
        log_uniform(low, high), st.sampled_from([Fraction(1), Fraction(4), Fraction(1, 2)])
    )


def orders(largest: int = 64) -> st.SearchStrategy[Fraction]:
    """alpha > 1: whole, fractional, next to whole, next to one."""
    whole = st.integers(2, largest).map(Fraction)
    near = st.builds(
        lambda n, e, s: n + s * Fraction(10) ** e,
        st.integers(2, largest), st.integers(-14, -2), st.sampled_from([-1, 1]),
    )  # fmt: skip
    next_to_one = st.integers(-12, -1).map(lambda e: 1 + Fraction(10) ** e)
    between = st.fractions(Fraction(1), Fraction(largest), max_denominator=64)
    return st.one_of(whole, near, next_to_one, between.filter(lambda a: a > 1))
