"""The bounds for much noise and for multiples, against moments that are known exactly."""

import random
from fractions import Fraction
from math import comb, exp, expm1, factorial, log

import pytest

from proofs_checks.quantities import much_noise, whole_multiples
from proofs_checks.quantities.graphs import by_inversion, pairs
from verify import log_a, rdp
from verify.claims import Undecided

SIXTEENTH = Fraction(1, 16)


def moment(k: int, t: Fraction) -> Fraction:
    return sum((c * t**i for i, c in enumerate(by_inversion(k))), Fraction(0))


def majorants(last: int, t: Fraction) -> list[Fraction]:
    """g_0 to g_last by their recursion."""
    g = [Fraction(1), Fraction(0)]
    for k in range(2, last + 1):
        rest = sum(comb(k - 1, j) * t ** (k - 1 - j) * g[j] for j in range(k - 1))
        g.append((k - 1) * t * g[k - 1] + rest)
    return g


@pytest.mark.parametrize("t", [Fraction(1, 1000), Fraction(1, 10), Fraction(2)])
def test_central_moments_follow_the_recursion(t):
    for k in range(2, 9):
        rest = sum(
            comb(k - 1, j) * (1 + t) ** j * t ** (k - 1 - j) * moment(j, t) for j in range(k - 1)
        )
        assert moment(k, t) == ((1 + t) ** (k - 1) - 1) * moment(k - 1, t) + rest


@pytest.mark.parametrize("t", [Fraction(1, 1000), Fraction(1, 10), Fraction(2)])
def test_central_moments_are_below_their_majorants(t):
    for k, g in enumerate(majorants(10, t)):
        assert moment(k, t) <= (1 + t) ** pairs(k) * g


def test_the_majorants_sum_up_to_less_than_the_generating_function():
    t, z = Fraction(1, 100), Fraction(5)
    total = sum(g * z**k / factorial(k) for k, g in enumerate(majorants(60, t)))
    w = float(t * z)
    bound = exp(float(t * z**2) / 2 * exp(w) / (1 - w))
    assert 0.99 * bound < float(total) < bound


@pytest.mark.parametrize("sigma", [15, 40, 300])
@pytest.mark.parametrize("x", [SIXTEENTH, Fraction(1, 100), Fraction(1, 10**6)])
@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_r_is_below_the_bound(sigma, x, share):
    order = max(2, int(share * (2 + sigma**2 * log(1 / x))))
    q = x / sigma
    lead = q**2 * order * (order - 1) / sigma**2
    r = expm1(log_a(q, sigma, order).hi) / float(lead)
    assert r <= much_noise.excess(Fraction(1, sigma**2), SIXTEENTH)


def test_the_bound_is_not_far_from_the_truth():
    r = expm1(log_a(Fraction(1, 16 * 40), 40, 1 + int(1600 * log(16))).lo)
    r *= 40**2 * (16 * 40) ** 2 / float((1 + int(1600 * log(16))) * int(1600 * log(16)))
    assert float(much_noise.excess(Fraction(1, 1600), SIXTEENTH)) < 1.1 * r


def test_rates_for_which_the_largest_is_not_the_worst_are_not_bounded():
    with pytest.raises(Undecided, match="smaller rates"):
        much_noise.excess(Fraction(1, 1600), Fraction(1, 10))


NINTH, NINE = Fraction(1, 9), Fraction(9)


@pytest.mark.parametrize("sigma", [30, 100, 1000])
@pytest.mark.parametrize("q", [NINTH, Fraction(1, 100), Fraction(1, 800), Fraction(1, 10**5)])
@pytest.mark.parametrize("share", [0.01, 0.4, 1.0])
def test_r_is_below_the_bound_at_a_given_mean(sigma, q, share):
    order = max(2, int(share * min(NINE / q, 2 + sigma**2 * log(1 / q))))
    lead = q**2 * order * (order - 1) / sigma**2
    r = expm1(log_a(q, sigma, order).hi) / float(lead)
    assert r <= much_noise.excess_at_mean(Fraction(1, 900), NINE, NINTH)


def test_too_little_noise_is_not_bounded_at_a_given_mean():
    with pytest.raises(Undecided):
        much_noise.excess_at_mean(Fraction(1, 25), NINE, NINTH)


@pytest.mark.parametrize(("n", "m", "sigma"), [(3, 2, 2), (40, 3, 5), (80, 7, 6), (200, 11, 9)])
def test_a_multiple_of_an_order_is_bounded_by_its_part(n, m, sigma):
    q, v = 4.0 / n if n > 30 else 0.1, 1 / sigma**2
    c = v * (1 - 1 / m) / 2
    trial = 1 - q + q * exp(c)
    part = float(log_a(q * exp(c) / trial, sigma, n).hi)
    whole = log_a(q, (sigma**2 * m) ** 0.5, m * n).lo
    assert float(whole) <= m * (n * log(trial) + part) * (1 + 1e-12)


def test_the_constant_of_large_orders_is_what_it_is_made_of():
    found = whole_multiples.base(Fraction(1, 10), Fraction(4), Fraction(6, 100), Fraction(99, 100))
    v, q = 0.06, 0.1
    bracket = expm1(v / 2) / v / (4 - q / 2) + 0.99 * exp(v)
    assert float(found.constant) == pytest.approx(bracket * (1 + q / (4 - q)), rel=1e-12)


def test_parts_with_less_noise_than_expected_are_refused():
    with pytest.raises(Undecided, match="larger than"):
        whole_multiples.base(Fraction(1, 10), Fraction(4), Fraction(59, 1000), Fraction(99, 100))


def test_the_divergence_of_the_row_is_below_its_share_at_any_noise():
    draw = random.Random(5)
    for _ in range(40):
        q = Fraction(exp(draw.uniform(log(1e-6), log(0.1))))
        sigma = Fraction(exp(draw.uniform(log(5**0.5 + 0.001), log(1e4))))
        top = float(sigma) ** 2 * log(1 / q)
        beta = Fraction(10, 3) + Fraction(draw.random() ** 2 * (top - 10 / 3))
        if 10 / 3 < beta < top:
            assert rdp(q, sigma, beta).hi <= Fraction(122, 100) * q**2 * beta / sigma**2
