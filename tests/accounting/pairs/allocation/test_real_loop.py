"""Training loops as they are: real permutations and real bins, sums of gradients, noise. A sanity
test of delta by sampling."""

from __future__ import annotations

import math
import random
from fractions import Fraction as Q

import pytest

import verify

RECORDS, BATCHES, EPOCHS = 24, 6, 2
SAMPLES = 20_000
EPSILON = Q(1)


def shuffled_epoch(rng):
    """The batch of each record, by a permutation that is cut into equal batches."""
    order = rng.sample(range(RECORDS), RECORDS)
    places = {record: i * BATCHES // RECORDS for i, record in enumerate(order)}
    return [places[record] for record in range(RECORDS)]


def allotted_epoch(rng):
    """The batch of each record, each drawn by itself."""
    return [rng.randrange(BATCHES) for _ in range(RECORDS)]


def sampled(epoch, gradients, sigma, centre, move):
    """The mean and standard error of (1 - e^eps/R)_+ under the world of these gradients; the record
    in question is the first."""
    rng, values = random.Random(11), []
    for _ in range(SAMPLES):
        loss = 0.0
        for _ in range(EPOCHS):
            sums = [0.0] * BATCHES
            for gradient, batch in zip(gradients, epoch(rng), strict=True):
                sums[batch] += gradient
            outputs = [x + centre + rng.gauss(0, sigma) for x in sums]
            ratios = [math.exp((2 * move * o - move * move) / (2 * sigma**2)) for o in outputs]
            loss += math.log(sum(ratios) / BATCHES)
        values.append(max(0.0, -math.expm1(float(EPSILON) - loss)))
    mean = sum(values) / SAMPLES
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values)) / SAMPLES


def test_real_permutations_meet_the_lower_end_of_a_shuffled_run():
    """All others -1, the record +1 against -1: its batch moves by 2. Either direction is the same
    number or a larger one."""
    gradients = [1.0] + [-1.0] * (RECORDS - 1)
    mean, error = sampled(shuffled_epoch, gradients, 2.0, RECORDS // BATCHES, 2)
    exact = verify.delta(
        None, 1, BATCHES, EPSILON, 8, sampling="allocation", epochs=EPOCHS, direction="remove"
    )
    assert abs(mean - float(exact)) < 4 * error < 0.1 * mean
    given = {"sampling": "shuffle", "relation": "replace-one", "epochs": EPOCHS}
    run = verify.delta(None, 2, BATCHES, EPSILON, 8, **given)
    assert exact.lo * (1 - Q(1, 10**6)) < run.lo < run.hi


def test_real_bins_meet_allocation():
    """All others 0, the record 1 against 0."""
    gradients = [1.0] + [0.0] * (RECORDS - 1)
    mean, error = sampled(allotted_epoch, gradients, 1.0, 0, 1)
    exact = verify.delta(
        None, 1, BATCHES, EPSILON, 8, sampling="allocation", epochs=EPOCHS, direction="remove"
    )
    assert abs(mean - float(exact)) < 4 * error < 0.1 * mean


@pytest.mark.parametrize("sigma", [0.95, 1.05])
def test_another_noise_would_be_seen(sigma):
    gradients = [1.0] + [0.0] * (RECORDS - 1)
    mean, error = sampled(allotted_epoch, gradients, sigma, 0, 1)
    exact = verify.delta(
        None, 1, BATCHES, EPSILON, 8, sampling="allocation", epochs=EPOCHS, direction="remove"
    )
    assert abs(mean - float(exact)) > 4 * error
