"""Shuffled epochs, zero-out: the event, many epochs, and real permutations."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from verify.accounting.pairs.fixed.shuffled import Event, Largest, above_root, shuffled_zeroed
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline


def event(batches, sigma, eps, c):
    """P(M > c) - e^eps Q(M > c) by mpmath."""
    s, c = mpmath.mpf(sigma), mpmath.mpf(c)
    others = mpmath.ncdf(c / s) ** (batches - 1)
    first, second = (1 - mpmath.ncdf((c - mean) / s) * others for mean in (2, 1))
    return float(first - mpmath.exp(eps) * second)


@pytest.mark.parametrize(
    ("batches", "sigma", "eps", "c", "value"),
    [(100, "1", "0.5", 3.3, 0.04509808051), (10000, "0.5", "1", 2.255, 0.2246146080)],
)
def test_known_values_and_no_place_is_better(batches, sigma, eps, c, value):
    found = float(Event(batches, Fraction(sigma)).delta(Fraction(eps), 10, Deadline()))
    assert event(batches, sigma, eps, c) == pytest.approx(value, rel=1e-9)
    places = [event(batches, sigma, eps, c + i / 50) for i in range(-50, 51)]
    assert max(places) <= found <= max(places) * 1.001


def test_epsilon_and_delta_of_the_event_agree():
    one = Event(100, Fraction(1))
    epsilon = one.epsilon(Fraction(1, 100), 10, Deadline())
    assert float(one.delta(epsilon, 10, Deadline())) == pytest.approx(0.01, rel=1e-6)


@pytest.mark.parametrize(("sigma", "means"), [("0.06", (2, 1)), ("0.045", (2, 0))])
def test_little_noise_does_not_lose_the_event(sigma, means):
    """Probabilities that are 0 as doubles have logarithms, and the best event is found by these."""
    batches, idle = 97, Fraction(1, 100)
    one = Event(batches, Fraction(sigma), idle, means)
    found = one.epsilon(Fraction(1, 10**5), 8, Deadline.of_work(60))
    with mpmath.workdps(600):
        s, r = mpmath.mpf(sigma), mpmath.mpf(1) / 100

        def left(c, mean):
            here = r * mpmath.ncdf(c / s) + (1 - r) * mpmath.ncdf((c - mean) / s)
            return 1 - here * mpmath.ncdf(c / s) ** (batches - 1)

        def worth(c):
            power = left(c, means[0]) - mpmath.mpf("1e-5")
            return mpmath.log(power / left(c, means[1])) if power > 0 else -c

        low, high = 2 + 3 * s, 2 + 5 * s  # one summit
        for _ in range(26):
            left_third, right_third = low + (high - low) / 3, high - (high - low) / 3
            if worth(left_third) < worth(right_third):
                low = left_third
            else:
                high = right_third
        best = worth(low)
        low, high = best * (1 - mpmath.mpf("1e-7")), best * (1 + mpmath.mpf("1e-7"))
        assert low <= mpmath.mpf(found.numerator) / found.denominator <= high


def test_one_shuffle_with_little_noise_has_a_lower_end():
    """20 epochs with noise 0.2: about that of one epoch with noise 0.0447."""
    side = shuffled_zeroed(97, Fraction(1, 5), 20, True, Deadline.of_work(60))
    found = side.epsilon(Fraction(1, 10**5), 8)
    assert 343 < found.lo < found.hi < 345


def test_the_loss_of_the_largest_is_that_of_its_densities():
    outcome, width = Largest(7, Fraction(1)), 1e-4
    for z in (-0.5, 1.0, 3.0):
        with precision(100):
            low, high = (outcome.below(arb(z + side)) for side in (-width, width))
            ratio = float((high[0] - low[0]) / (high[1] - low[1]))
        assert math.log(ratio) == pytest.approx(outcome.loss(z), abs=1e-6)


def test_one_batch_is_gaussian_and_more_epochs_lose_more():
    assert (
        shuffled_zeroed(1, Fraction(2), 3, False, Deadline())
        .delta(Fraction(1), 20)
        .certain_digits()
        > 18
    )
    one, four = (
        shuffled_zeroed(30, Fraction(1), epochs, False, Deadline.of_work(60)).delta(Fraction(1), 4)
        for epochs in (1, 4)
    )
    assert one.lo < four.lo < four.hi
    assert one.hi < four.hi


def test_one_permutation_for_all_epochs_has_less_noise():
    once = shuffled_zeroed(30, Fraction(3), 4, True, Deadline.of_work(60)).delta(Fraction(1), 4)
    assert float(once.lo) == pytest.approx(
        float(Event(30, Fraction(3, 2)).delta(Fraction(1), 4, Deadline())), rel=1e-12
    )
    assert above_root(Fraction(2)) > Fraction("1.41421356237309504880168872420969807856967")


def test_real_permutations_meet_the_event():
    """24 records in 6 batches, one epoch, real permutations; the event at a fixed place."""
    records, batches, sigma, eps, c, runs = 24, 6, 1.0, 0.5, 2.5, 40_000
    size = records // batches
    rng = random.Random(7)

    def largest(gradient):
        order = rng.sample(range(records), records)
        sums = (
            sum(gradient if i == 0 else -1 for i in order[b : b + size]) + size
            for b in range(0, records, size)
        )
        return max(s + rng.gauss(0, sigma) for s in sums)

    first, second = (sum(largest(g) > c for _ in range(runs)) / runs for g in (1, 0))
    error = math.sqrt((first + math.exp(2 * eps) * second) / runs)
    assert abs(first - math.exp(eps) * second - event(batches, sigma, eps, c)) < 4 * error < 0.03
    found = shuffled_zeroed(batches, Fraction(1), 1, False, Deadline()).delta(Fraction("0.5"), 5)
    assert event(batches, sigma, eps, c) <= found.lo <= found.hi
