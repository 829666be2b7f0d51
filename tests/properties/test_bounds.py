"""Properties of the rows of Table 1, where they are true, and of the pointwise lemma."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb
from hypothesis import strategies as st

from proofs_checks.tools.balls import rational
from tests.properties.counting import VACUOUS, holds
from tests.strategies import log_uniform, noises, orders, rates
from verify import log_a, rdp
from verify.bounds.table import Truth, table
from verify.numbers.balls import precision
from verify.numbers.point import Point

FIFTH, TENTH = Fraction(1, 5), Fraction(1, 10)
SHARES = st.one_of(
    st.fractions(Fraction(1, 1000), Fraction(1), max_denominator=1000),
    st.sampled_from([Fraction(1), Fraction(999_999, 10**6), Fraction(101, 100)]),
)


def small_rates(largest: Fraction) -> st.SearchStrategy[Fraction]:
    """q up to its largest value, which is drawn often."""
    scaled = log_uniform(-8, 0).map(lambda x: x * largest / 10)
    return st.one_of(scaled, st.sampled_from([largest, largest - Fraction(1, 10**9)]))


def large_noises(least: Fraction) -> st.SearchStrategy[Fraction]:
    return st.one_of(log_uniform(0, 2).map(lambda x: x * least), st.just(least))


def _largest_allowed(q: float, sigma: float) -> float:
    """About the largest order both conditions of the theorem allow; only a guess for drawing."""
    low, high = 1.0, 2.0 * sigma**2 * math.log(1 + 1 / q) + 2
    for _ in range(60):
        alpha = (low + high) / 2
        big_l = math.log1p(1 / (q * (alpha - 1)))
        first = sigma**2 * big_l / 2 - 2 * math.log(sigma) - alpha
        second = sigma**2 * big_l**2 / 2 - math.log(5) - 2 * math.log(sigma)
        second -= alpha * (big_l + math.log(q * alpha) + 1 / (2 * sigma**2))
        low, high = (alpha, high) if min(first, second) >= 0 else (low, alpha)
    return low


@holds(q=small_rates(FIFTH), sigma=large_noises(Fraction(4)), share=SHARES)
def test_main_theorem(q: Fraction, sigma: Fraction, share: Fraction) -> object:
    """epsilon <= 2 q^2 alpha/sigma^2 wherever the theorem's conditions hold, its largest orders
    included."""
    limit = Fraction(_largest_allowed(float(q), float(sigma))).limit_denominator(10**9)
    row = table(Point.of(q, sigma, 1 + (limit - 1) * share), ["this-work"])[0]
    if row.applies is not Truth.TRUE:
        return VACUOUS
    assert row.holds is Truth.TRUE
    return None


@holds(q=small_rates(FIFTH), sigma=large_noises(Fraction(4)), alpha=orders(30))
def test_no_condition_up_to_order_30(q: Fraction, sigma: Fraction, alpha: Fraction) -> object:
    """The same bound up to order 30 without the conditions on alpha."""
    if alpha > 30:
        return VACUOUS
    assert rdp(q, sigma, alpha, digits=15).hi <= 2 * q**2 * alpha / sigma**2
    return None


@holds(q=st.one_of(rates(), rates().map(lambda x: (1 + x) / 2)), sigma=noises(), alpha=orders())
def test_from_half_on_every_order(q: Fraction, sigma: Fraction, alpha: Fraction) -> object:
    """The same bound for q >= 1/2 at every order and noise."""
    if q < Fraction(1, 2):
        return VACUOUS
    assert rdp(q, sigma, alpha, digits=30).hi <= 2 * q**2 * alpha / sigma**2
    return None


@holds(q=small_rates(TENTH), sigma=large_noises(Fraction(9, 4)), share=SHARES)
def test_bun_row(q: Fraction, sigma: Fraction, share: Fraction) -> object:
    """The row of Bun et al., compared with Poisson sampling: epsilon <= 6 q^2 alpha/sigma^2."""
    limit = sigma**2 * Fraction(math.log(1 / q) / 2).limit_denominator(10**9)
    row = table(Point.of(q, sigma, 1 + (limit - 1) * share), ["bun"])[0]
    if row.applies is not Truth.TRUE:
        return VACUOUS
    assert row.holds is Truth.TRUE
    return None


@holds(part=small_rates(Fraction(1)), sigma=large_noises(Fraction(1)), share=SHARES)
def test_abadi_row_with_its_missing_condition(
    part: Fraction, sigma: Fraction, share: Fraction
) -> object:
    """The asymptotic row of Abadi et al., with sigma >= 1, whole orders and 1/10 as its O-constant."""
    q = part / (16 * sigma)
    limit = 1 + float(sigma) ** 2 * math.log(1 / (q * sigma))
    alpha = max(2, min(400, int(limit * float(share))))
    row = table(Point.of(q, sigma, alpha), ["abadi-asymptotic"])[0]
    if row.applies is not Truth.TRUE:
        return VACUOUS
    lead = q**2 * alpha / ((1 - q) * sigma**2)
    rest = q**3 * alpha**3 / (10 * sigma**3)
    assert rdp(q, sigma, alpha, digits=15).hi <= lead + rest
    return None


@holds(q=rates(), sigma=noises(), n=st.integers(2, 24))
def test_whole_orders_are_a_finite_sum(q: Fraction, sigma: Fraction, n: int) -> None:
    """The numerical row of Abadi et al.: at whole orders A is the binomial sum."""
    with precision(4000):
        total = arb(0)
        for k in range(n + 1):
            weight = math.comb(n, k) * (1 - q) ** (n - k) * q**k
            total += rational(weight) * rational(Fraction(k * k - k) / (2 * sigma**2)).exp()
        value = log_a(q, sigma, n, digits=25)
        log_total = total.log()
        assert rational(Fraction(value.lo)) <= log_total
        assert log_total <= rational(Fraction(value.hi))


@holds(
    u=log_uniform(-6, 6),
    v=st.one_of(log_uniform(-6, 6), st.none()),
    q=st.one_of(rates(), st.sampled_from([Fraction(0), Fraction(1)])),
    alpha=orders(),
)
def test_pointwise_lemma(u: Fraction, v: Fraction | None, q: Fraction, alpha: Fraction) -> None:
    """v y^alpha + u z^alpha >= v y^{1-alpha} + u z^{1-alpha} with y = 1-q+q u/v, z = 1-q+q v/u;
    equality is exact."""
    v = u if v is None else v
    y, z = 1 - q + q * u / v, 1 - q + q * v / u
    assert pointwise_gap(u, v, y, z, alpha) >= 0


def pointwise_gap(u: Fraction, v: Fraction, y: Fraction, z: Fraction, alpha: Fraction) -> int:
    """The sign of left minus right, certified; 0 only where both sides are the same numbers."""
    if y == 1 == z or (y * u == v * y * y and z == v / u):  # q = 0 or u = v; q = 1
        return 0
    for bits in (200, 800, 3000):
        with precision(bits):
            powers = [
                rational(w) * (rational(x) ** rational(alpha) - rational(x) ** rational(1 - alpha))
                for w, x in ((v, y), (u, z))
            ]
            gap = powers[0] + powers[1]
            if gap > 0 or gap < 0:
                return 1 if gap > 0 else -1
    raise AssertionError(f"undecided: u = {u}, v = {v}, y = {y}, z = {z}, alpha = {alpha}")
