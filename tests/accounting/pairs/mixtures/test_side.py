"""One direction of a run with records added, removed or replaced: values, order, time, errors."""

from __future__ import annotations

import itertools
import math
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest

import verify
from tests.patience import patient
from verify.accounting.history import Phase, history
from verify.accounting.pairs.mixtures import Mixture
from verify.accounting.pairs.mixtures.renyi import log_moment
from verify.accounting.tight import Bracketed
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain

SMALL = Fraction(1, 10**5)


def side(*run, change="replace", group=1):
    return Mixture(history([run]), change, group, patient())


@pytest.mark.parametrize("change", ["remove", "add"])
@pytest.mark.parametrize("run", [("0.01", 1, 1000), ("0.1", 3, 40), ("0.3", 2, 1), ("0.3", 2, 2)])
def test_one_record_added_or_removed_is_the_known_curve(run, change):
    """The curve of the Poisson pair has other bounds, nodes and plans."""
    known = verify.delta(*run, "0.3", 25, direction=change)
    found = side(*run, change=change).delta(Fraction(3, 10), 15)
    assert found.lo <= known.lo <= known.hi <= found.hi
    assert found.certain_digits() >= 15


@pytest.mark.parametrize("group", [1, 4])
@pytest.mark.parametrize("change", ["remove", "add", "replace"])
def test_epsilon_and_delta_are_inverse_to_each_other(change, group):
    one = side("0.02", 2, 200, change=change, group=group)
    found = one.epsilon(SMALL, 15)
    assert found.certain_digits() >= 15
    assert one.delta(found.hi, 25).hi < SMALL < one.delta(found.lo, 25).lo


def test_replacing_is_worse_than_removing_and_several_are_worse_than_one():
    run = ("0.02", 2, 200)
    assert side(*run, change="remove").epsilon(SMALL, 8).hi < side(*run).epsilon(SMALL, 8).lo
    for change in ("remove", "add", "replace"):
        values = [side(*run, change=change, group=k).epsilon(SMALL, 8) for k in (1, 2, 5, 16)]
        assert all(a.hi < b.lo for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("change", ["remove", "add", "replace"])
def test_delta_rises_with_q_and_steps_and_falls_with_sigma(change):
    rows = (
        [("0.01", 2, 5), ("0.02", 2, 5), ("0.1", 2, 5), ("0.9", 2, 5), (1, 2, 5)],
        [("0.1", 4, 50), ("0.1", 3, 50), ("0.1", 2, 50), ("0.1", 1, 50)],
        [("0.1", 2, 1), ("0.1", 2, 5), ("0.1", 2, 50), ("0.1", 2, 500)],
    )
    for runs in rows:
        values = [side(*run, change=change, group=3).delta(Fraction(1, 10), 8) for run in runs]
        assert all(a.hi < b.lo for a, b in itertools.pairwise(values))


def test_full_batches_are_the_limit_of_almost_full_ones():
    near = side("0.9999999999", 3, 20, group=2).delta(Fraction(2), 12)
    full = side(1, 3, 20, group=2).delta(Fraction(2), 12)
    assert near.hi < full.lo < near.hi * (1 + Fraction(1, 10**6))


def test_phases_multiply():
    """Two equal phases are one, and a phase of full batches can stand beside one of small ones."""
    apart = (Phase(Fraction(1, 50), Fraction(2), 30), Phase(Fraction(1, 50), Fraction(2), 70))
    one = Mixture(apart, "replace", 2, patient()).delta(Fraction(1), 15)
    other = side("0.02", 2, 100, group=2).delta(Fraction(1), 25)
    assert one.lo <= other.lo <= other.hi <= one.hi
    mixed = history([("0.02", 2, 100), (1, 10, 2)])
    assert Mixture(mixed, "replace", 2, patient()).delta(Fraction(1), 12).lo > other.hi


def test_a_simulation_sees_the_same_delta():
    """delta = E_P[(1 - e^{eps - L})_+] over 400,000 runs; fixed seed, five standard errors."""
    rng, (q, s, steps, k, eps) = np.random.default_rng(7), (0.2, 2.0, 5, 3, 1.0)
    size = 400_000
    total = np.zeros(size)
    weights = [math.comb(k, j) * q**j * (1 - q) ** (k - j) for j in range(k + 1)]
    for _ in range(steps):
        x = rng.binomial(k, q, size) + s * rng.standard_normal(size)
        density = [
            sum(w * np.exp(-((x - sign * j) ** 2) / (2 * s * s)) for j, w in enumerate(weights))
            for sign in (1, -1)
        ]
        total += np.log(density[0] / density[1])
    values = np.maximum(0.0, -np.expm1(eps - total))
    found = float(side("0.2", 2, 5, group=3).delta(Fraction(1), 10))
    assert abs(values.mean() - found) < 5 * values.std() / math.sqrt(size)


def test_the_ends_of_the_loss():
    """Added records have one; replaced and removed ones have none."""
    assert side("0.5", 2, 10, group=3).epsilon(Fraction(0), 10).lo == math.inf
    assert side("0.5", 2, 10, change="remove", group=3).epsilon(Fraction(0), 10).lo == math.inf
    end = side("0.5", 2, 10, change="add", group=3)
    assert float(end.epsilon(Fraction(0), 15)) == pytest.approx(30 * math.log(2))
    assert end.delta(Fraction(21), 10).hi == 0
    assert side("0.5", 2, 10, group=3).delta(None, 10).hi == 0


def test_epsilon_is_zero_from_the_total_variation_on():
    one = side("0.1", 2, 1, group=2)
    variation = one.delta(Fraction(0), 20)
    assert one.epsilon(variation.hi + Fraction(1, 10**6), 10).hi == 0
    assert one.epsilon(variation.lo - Fraction(1, 10**6), 10).lo > 0


def test_surely_below_is_sure():
    one = side("0.02", 2, 200)
    value = one.delta(Fraction(1), 10)
    assert one.surely_below(Fraction(1), 2 * value.hi)
    assert not one.surely_below(Fraction(1), value.lo / 2)


def test_an_answer_can_be_pickled_and_refined():
    found = pickle.loads(pickle.dumps(side("0.02", 2, 200, group=2).epsilon(SMALL, 8)))
    assert found.certain_digits() < 12
    more = found.refine(30, Deadline())
    assert more.certain_digits() >= 30
    assert found.lo <= more.lo <= more.hi <= found.hi


@pytest.mark.parametrize("group", [0, 65, -3])
def test_other_groups_are_refused(group):
    with pytest.raises(OutOfDomain, match="group"):
        side("0.1", 1, 10, group=group)


def test_other_directions_are_refused():
    with pytest.raises(OutOfDomain, match="direction"):
        side("0.1", 1, 10, change="swap")


CORNERS = [
    (q, sigma, steps)
    for q in ("1e-12", "1e-6", "0.01", "0.999999", 1)
    for sigma in ("0.05", "0.5", 20, 10**6)
    for steps in (1, 2, 3, 50, 10**12)
]


@pytest.mark.parametrize("seed", range(6))
def test_every_corner_is_answered_in_time(seed):
    """Two seconds of work: a certified interval, never an error, never a hang."""
    rng = random.Random(seed)
    for _ in range(4):
        run, group = rng.choice(CORNERS), rng.choice((1, 2, 64))
        change = rng.choice(("add", "remove", "replace"))
        deadline = Deadline.of_work(2.0)
        found = Mixture(history([run]), change, group, deadline).epsilon(SMALL, 15)
        assert found.lo <= found.hi
        assert deadline.clock() - deadline.start < 8, (run, group, change)
        again = Mixture(history([run]), change, group, Deadline.of_work(2.0))
        assert 0 <= again.delta(Fraction(1), 15).lo <= 1


def test_where_no_contour_serves_a_bracket_is_given_and_says_so():
    run = history([("0.01", 1, 3)])
    found = Mixture(run, "add", 4, Deadline.of_work(20)).epsilon(SMALL, 15)
    assert isinstance(found, Bracketed)
    assert 0 < found.lo < found.hi < found.lo * Fraction(11, 10)


@pytest.mark.parametrize("alpha", ["1.5", "2", "8", "33.25"])
def test_moments_of_a_removed_record_are_those_of_the_paper(alpha):
    found = log_moment(Phase(Fraction(1, 100), Fraction(1), 1), "remove", 1, Fraction(alpha), 20)
    known = verify.rdp("0.01", 1, alpha, digits=20)
    assert float(found) / (float(alpha) - 1) == pytest.approx(float(known), rel=1e-14)


def test_the_second_moment_of_a_group_is_a_double_sum():
    """E_Q r^2 = sum w_i w_j e^{ij/s^2} for k removed records."""
    q, s, k = 0.1, 2.0, 5
    weights = [math.comb(k, j) * q**j * (1 - q) ** (k - j) for j in range(k + 1)]
    known = sum(
        a * b * math.exp(i * j / s**2) for i, a in enumerate(weights) for j, b in enumerate(weights)
    )
    found = log_moment(Phase(Fraction(1, 10), Fraction(2), 1), "remove", k, Fraction(2), 20)
    assert float(found) == pytest.approx(math.log(known), rel=1e-12)


def test_an_order_below_one_is_refused():
    with pytest.raises(OutOfDomain, match="alpha"):
        log_moment(Phase(Fraction(1, 10), Fraction(2), 1), "remove", 1, Fraction(1), 20)
