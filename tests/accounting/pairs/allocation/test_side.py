"""Random allocation against references that share nothing with it: quadrature, closed forms, limits, simulation."""

from __future__ import annotations

import math
import pickle
import random
from fractions import Fraction as Q

import pytest

from tests.patience import PATIENCE
from verify.accounting.exact.closed import gaussian
from verify.accounting.history import Phase
from verify.accounting.pairs.allocation import Allocation, Allotted
from verify.accounting.pairs.allocation.outcomes import by_outcomes
from verify.accounting.tight import Bracketed, Curve
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain


def side(batches, sigma, epochs, direction, idle=0, poisson=()):
    part = Allotted(batches, Q(sigma), epochs, Q(idle))
    return Allocation((part,), poisson, direction, Deadline(PATIENCE))


def limit(epochs, batches, sigma, epsilon):
    """delta of the Gaussian that many batches and epochs come close to."""
    square = epochs * math.expm1(sigma**-2) / batches
    mu = math.sqrt(square)
    upper = 0.5 * math.erfc((epsilon / mu - mu / 2) / math.sqrt(2))
    return upper - math.exp(epsilon) * 0.5 * math.erfc((epsilon / mu + mu / 2) / math.sqrt(2))


@pytest.mark.parametrize(
    ("batches", "sigma", "epochs", "epsilon", "direction", "known"),
    [
        (3, 1, 1, 1, "add", "0.0238387090047"),
        (3, 1, 1, 1, "remove", "0.0335007729777"),
        (2, 2, 2, "0.5", "remove", "0.05716522975637"),
        (2, 2, 2, "0.5", "add", "0.05612068330691"),
    ],
)
def test_nested_quadrature_in_doubles(batches, sigma, epochs, epsilon, direction, known):
    """Values of nested Gauss-Legendre quadrature over the outcomes, without any transform; they have 12 digits."""
    found = side(batches, sigma, epochs, direction).delta(Q(epsilon), 14)
    assert abs(float(found) / float(known) - 1) < 2e-12


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("batches", "sigma", "idle", "epsilon"),
    [(2, "1", "0", 1), (2, "0.3", "0", 3), (3, "2", "0", "0.5"), (2, "2", "0.1", "0.5")],
)
def test_sums_over_outcomes_bracket_it(direction, batches, sigma, idle, epsilon):
    """The bracket by Jensen and chords contains the certified value."""
    low, high = by_outcomes(Allotted(batches, Q(sigma), 1, Q(idle)), direction, Q(epsilon))
    found = side(batches, sigma, 1, direction, idle).delta(Q(epsilon), 8)
    assert not isinstance(found, Bracketed)
    assert low <= found.lo <= found.hi <= high
    assert high < low * Q(11, 10)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_one_batch_is_the_gaussian(direction):
    """T = 1 has the closed form of mu = sqrt(epochs)/sigma."""
    exact = gaussian((Phase(Q(1), Q(2), 3),)).at(Q(1, 2), 30, 30, Deadline())
    found = side(1, 2, 3, direction).delta(Q(1, 2), 20)
    assert found.lo <= exact.hi
    assert exact.lo <= found.hi


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_one_batch_with_idle_records_is_the_poisson_pair(direction):
    """T = 1 with idle = 1 - q is the Poisson run of rate q."""
    there = Curve((Phase(Q(1, 10), Q(1), 50),), direction, Deadline(PATIENCE))
    found = side(1, 1, 50, direction, "0.9").epsilon(Q(1, 10**5), 12)
    known = there.epsilon(Q(1, 10**5), 20)
    assert found.lo <= known.lo <= known.hi <= found.hi


def test_many_batches_come_close_to_a_gaussian():
    """mu^2 = epochs (e^{1/sigma^2} - 1)/T: both directions are around it."""
    for direction in ("remove", "add"):
        found = side(10_000, 100, 1, direction).delta(Q(1, 10_000), 8)
        assert abs(float(found) / limit(1, 10_000, 100, 1e-4) - 1) < 1e-6
        found = side(10_000, 4, 30, direction).delta(Q(1, 25), 8)
        assert abs(float(found) / limit(30, 10_000, 4, 0.04) - 1) < 1e-3


@pytest.mark.parametrize(
    ("batches", "sigma", "epochs", "epsilon", "direction"),
    [(10, 1, 5, 1, "remove"), (10, 1, 5, 1, "add"), (50, 1, 2, "0.3", "remove")],
)
def test_simulation(batches, sigma, epochs, epsilon, direction):
    """The mean of the hockey stick over 40,000 simulated runs of fixed seed is within four standard errors."""
    rng, runs, level = random.Random(20), 40_000, math.exp(float(Q(epsilon)))
    total = square = 0.0
    for _ in range(runs):
        ratio = 1.0
        for _ in range(epochs):
            own = rng.randrange(batches) if direction == "remove" else -1
            logs = (
                (rng.gauss(0, 1) + (i == own) / sigma) / sigma - 0.5 / sigma**2
                for i in range(batches)
            )
            ratio *= sum(map(math.exp, logs)) / batches
        if direction == "remove":  # under P: 1 - e^eps/R
            value = max(0.0, 1 - level / ratio)
        else:
            value = max(0.0, 1 - level * ratio)
        total += value
        square += value * value
    mean = total / runs
    error = math.sqrt((square / runs - mean * mean) / runs)
    found = float(side(batches, sigma, epochs, direction).delta(Q(epsilon), 8))
    assert abs(mean - found) < 4 * error
    assert error < 0.05 * found


def test_two_parts_are_the_sum_of_their_epochs():
    """3 epochs and 4 epochs of one kind are 7."""
    parts = (Allotted(20, Q(1), 3), Allotted(20, Q(1), 4))
    one = Allocation(parts, (), "remove", Deadline(PATIENCE)).delta(Q(2), 12)
    other = side(20, 1, 7, "remove").delta(Q(2), 20)
    assert one.lo <= other.lo <= other.hi <= one.hi


def test_poisson_phases_beside_epochs():
    """A Gaussian phase beside the epochs gives what an epoch of one batch beside them gives, and more than without."""
    phase = (Phase(Q(1), Q(5), 2),)
    parts = (Allotted(20, Q(1), 3), Allotted(1, Q(5), 2))
    one = Allocation(parts, (), "add", Deadline(PATIENCE)).delta(Q(1), 12)
    other = Allocation(parts[:1], phase, "add", Deadline(PATIENCE)).delta(Q(1), 20)
    alone = side(20, 1, 3, "add").delta(Q(1), 12)
    assert one.lo <= other.lo <= other.hi <= one.hi
    assert alone.hi < one.lo


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_delta_is_monotone_in_every_parameter(direction):
    """More noise, more batches, more idle records: less; more epochs: more."""
    base = side(50, 1, 4, direction).delta(Q(1), 8)
    for less in (
        side(50, "1.01", 4, direction),
        side(51, 1, 4, direction),
        side(50, 1, 4, direction, "0.01"),
        side(50, 1, 3, direction),
    ):
        assert less.delta(Q(1), 8).hi < base.lo


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_delta_at_the_ends_of_epsilon(direction):
    """delta at the lower end of epsilon(1e-7) is above 1e-7, at the upper end below."""
    run = side(1000, "0.8", 20, direction)
    found = run.epsilon(Q(1, 10**7), 10)
    assert found.hi - found.lo < found.lo / 10**9
    assert run.delta(found.lo, 15).lo > Q(1, 10**7) > run.delta(found.hi, 15).hi


def test_exact_answers():
    """delta = 1, delta = 0, an infinite epsilon, records that never take part, a bounded loss."""
    run = side(10, 1, 2, "add")
    assert run.epsilon(Q(1), 10).hi == 0
    assert run.epsilon(Q(0), 10).lo == math.inf
    assert run.delta(None, 10).hi == 0
    assert side(10, 1, 2, "add", 1).delta(Q(1, 2), 10).hi == 0
    bounded = side(10, 1, 2, "add", "0.5")
    assert float(bounded.epsilon(Q(0), 12)) == pytest.approx(2 * math.log(2), rel=1e-11)
    assert bounded.delta(Q(2), 10).hi == 0
    assert side(10, 1, 2, "remove", "0.5").epsilon(Q(0), 12).lo == math.inf


def test_above_the_total_variation_epsilon_is_zero():
    assert side(10_000, 10, 1, "remove").epsilon(Q(1, 100), 10).hi == 0
    assert side(2, 1, 1, "remove").epsilon(Q(9, 10), 10).hi == 0


def test_surely_below_is_never_wrong():
    """True only where delta is below."""
    run = side(100, 1, 1, "remove")
    value = run.delta(Q(1, 2), 12)
    assert run.surely_below(Q(1, 2), value.hi * 2)
    assert not run.surely_below(Q(1, 2), value.lo)
    assert not run.surely_below(Q(1, 2), Q(0))


def test_more_digits_later_and_in_another_process():
    """A certified answer can be pickled and refined."""
    found = pickle.loads(pickle.dumps(side(30, 1, 2, "remove").delta(Q(1), 6)))
    finer = found.refine(18, Deadline(PATIENCE))
    assert found.lo <= finer.lo <= finer.hi <= found.hi
    assert finer.certain_digits() >= 17


@pytest.mark.parametrize(
    "given", [(0, 1, 1), (2.5, 1, 1), (True, 1, 1), (3, "0.01", 1), (3, 1, 0), (3, 1, 1, 2)]
)
def test_bad_input_is_one_clear_error(given):
    batches, sigma, epochs, *idle = given
    with pytest.raises(OutOfDomain, match="must be"):
        Allotted(batches, Q(sigma), epochs, *map(Q, idle))
