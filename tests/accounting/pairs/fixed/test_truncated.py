"""Truncated Poisson samples: weights, rates, ends, and real draws."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from flint import arb

from verify.accounting.history import Phase
from verify.accounting.pairs.fixed.truncated import at_least, kept_rate, step, truncated_curve
from verify.accounting.tight import Curve
from verify.numbers.balls import fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain


def binomial(n, q, m):
    return math.comb(n, m) * q**m * (1 - q) ** (n - m)


@pytest.mark.parametrize(("n", "most"), [(10, 3), (50, 5), (50, 1), (7, 7)])
def test_the_rate_is_that_of_the_sum_over_all_sizes(n, most):
    q = Fraction(1, 10)
    exact = sum(
        binomial(n, q, m) * q * min(Fraction(1), Fraction(most, m + 1)) for m in range(n + 1)
    )
    found = kept_rate(q, n, most)
    assert exact - Fraction(1, 2**200) < found <= exact


def test_the_rate_is_that_of_real_draws():
    """10 others with probability 0.3, at most 3 kept."""
    rng, runs, kept = random.Random(3), 60_000, 0
    for _ in range(runs):
        drawn = [i for i in range(11) if rng.random() < 0.3]
        kept += 0 in (rng.sample(drawn, 3) if len(drawn) > 3 else drawn)
    rate = float(kept_rate(Fraction("0.3"), 10, 3))
    assert abs(kept / runs - rate) < 4 * math.sqrt(rate / runs)


def test_binomial_tails_far_out():
    low = at_least(10**6, Fraction(1, 100), 12000)
    with precision(400):
        assert low > 0
        assert low < arb(10) ** -70
    assert at_least(5, Fraction(1, 2), 0) == 1
    assert at_least(5, Fraction(1, 2), 6) == 0


def test_weights_of_a_step_enclose_1_and_rates_fall():
    pair = step(Fraction(1, 10), Fraction(1), 100, 12, "remove")
    with precision(300):
        total = sum(pair.weights, arb(0))
        assert fraction(total.lower()) <= 1 <= fraction(total.upper())
    rates = [part.phase.q for part in pair.parts]
    assert rates[0] == Fraction(1, 10)
    assert rates == sorted(rates, reverse=True)


def test_rare_cuts_leave_the_poisson_value():
    run = (Phase(Fraction(1, 100), Fraction(1), 100),)
    found = truncated_curve(run, 60_000, 900, Deadline.of_work(60)).delta(Fraction(1), 6)
    exact = Curve(run, "remove", Deadline()).delta(Fraction(1), 12)
    assert found.lo <= exact.hi
    assert exact.lo <= found.hi < exact.lo * Fraction(10001, 10000)
    assert found.lo > exact.lo * Fraction(9999, 10000)


def test_cuts_that_happen_leave_a_bracket():
    run = (Phase(Fraction(1, 10), Fraction(2), 20),)
    side = truncated_curve(run, 100, 12, Deadline.of_work(60))
    found = side.delta(Fraction(1), 4)
    assert 0 < found.lo < found.hi < 1
    wide = Curve((Phase(Fraction(1, 10), Fraction(1), 20),), "remove", Deadline())
    assert found.hi < wide.delta(Fraction(1), 10).lo
    side.deadline = Deadline.of_work(60)
    epsilon = side.epsilon(Fraction(1, 10**5), 4)
    assert 0 < epsilon.lo < epsilon.hi < 4


def cut_law(gradients, q, most):
    """The law of the sum of a sample, of which a uniform subset of so many is kept, by all outcomes."""
    found: dict[int, float] = {}
    for drawn in itertools.product((0, 1), repeat=len(gradients)):
        chance = math.prod(q if d else 1 - q for d in drawn)
        sample = [g for g, d in zip(gradients, drawn, strict=True) if d]
        kept = list(itertools.combinations(sample, min(most, len(sample))))
        for part in kept:
            found[sum(part)] = found.get(sum(part), 0.0) + chance / len(kept)
    return found


def attained(others, q, sigma, most, eps):
    """delta of one step by a midpoint sum: the record's gradient 1, all others -1."""
    first, second = (cut_law((-1,) * others + more, q, most) for more in ((1,), ()))
    width, total = 0.004 * sigma, 0.0
    for i in range(-3000, 3000):
        z = width * (i + 0.5)
        one, two = (
            sum(w * math.exp(-(((z - x) / sigma) ** 2) / 2) for x, w in law.items())
            for law in (first, second)
        )
        total += max(0.0, one - math.exp(eps) * two)
    return total * width / sigma / math.sqrt(2 * math.pi)


@pytest.mark.parametrize(("others", "q", "eps"), [(1, "0.9", 1), (2, "0.5", 1), (5, "0.1", 2)])
def test_a_cut_is_charged(others, q, eps):
    """Others that are pushed out by the record help an attacker: more than Poisson sampling allows."""
    run = (Phase(Fraction(q), Fraction(1), 1),)
    worst = attained(others, float(q), 1.0, 1, eps)
    plain = Curve(run, "remove", Deadline()).delta(Fraction(eps), 10)
    side = truncated_curve(run, others, 1, Deadline.of_work(60))
    assert plain.hi < worst * 0.8
    for end in side.upper:
        assert worst * 0.9999 < end.delta(Fraction(eps), 6, Deadline.of_work(60))


def test_samples_that_cannot_be_cut_are_poisson():
    run = (Phase(Fraction(1, 10), Fraction(2), 20),)
    found = truncated_curve(run, 10, 11, Deadline.of_work(60)).delta(Fraction(1), 10)
    exact = Curve(run, "remove", Deadline()).delta(Fraction(1), 12)
    assert found.lo <= exact.hi
    assert exact.lo <= found.hi
    assert found.hi - found.lo < exact.lo / 10**9


def test_impossible_sizes_are_refused():
    with pytest.raises(OutOfDomain):
        truncated_curve((), 10, 0, Deadline())
