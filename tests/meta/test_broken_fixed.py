"""The audit of fixed-size, shuffled and truncated runs sees broken versions of them, gross ones and small ones."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from tests.accounting.pairs.fixed.test_shuffled import event
from verify.accounting.exact import convolution
from verify.accounting.pairs.fixed import (
    allocated,
    layout,
    merged,
    policies,
    shuffled,
    truncated,
)
from verify.audit.pairs import fixed, fixed_case, fixed_states
from verify.audit.pairs.fixed import draw
from verify.audit.pairs.fixed import test as audited
from verify.numbers.budget import Deadline


def caught(*kinds, seeds=range(4)):
    """Names of the kinds of case that fail."""
    results = [audited(draw(seed, kind)) for kind in kinds for seed in seeds]
    return {result.case.kind for result in results if result.ok is False}


SINGLE = ("above single", "below single")


def test_the_healthy_ones_pass():
    assert not caught(*SINGLE, "walked", "binomial", "revealed", "two", "opposite")


@pytest.mark.parametrize("factor", [Fraction(2), 1 + Fraction(1, 10**6)])
def test_a_lower_end_that_is_raised_is_caught(monkeypatch, factor):
    healthy = policies.Tests.delta
    monkeypatch.setattr(policies.Tests, "delta", lambda *given: healthy(*given) * factor)
    assert caught("below single") == {"below single"}


@pytest.mark.parametrize("factor", [Fraction(1, 2), 1 - Fraction(1, 10**6)])
def test_an_upper_end_that_is_lowered_is_caught(monkeypatch, factor):
    healthy = convolution.Total.delta
    monkeypatch.setattr(convolution.Total, "delta", lambda *given: healthy(*given) * factor)
    assert caught("above single") == {"above single"}


def test_floor_and_ceiling_exchanged_in_an_adversary_are_caught(monkeypatch):
    def exchanged(step, tests):
        bits = tests.grid.bits
        power = policies._weigh_values(step.shifted(), step.power, tests.power, bits)
        size = policies._weigh_values(step.shifted(), step.size, tests.size, bits)
        return policies.Tests(tests.grid, [-(-v >> bits) for v in power], [v >> bits for v in size])

    monkeypatch.setattr(policies, "before", exchanged)
    assert caught("walked") == {"walked"}


def test_floor_and_ceiling_exchanged_in_a_composition_are_caught(monkeypatch):
    """With few bits, so that one unit shows."""
    monkeypatch.setattr(convolution, "_up", convolution._down)
    coarse = fixed.grid_of
    monkeypatch.setattr(
        fixed, "grid_of", lambda *given: dataclasses.replace(coarse(*given), bits=24)
    )
    assert "above single" in caught("above single", seeds=range(8))


@pytest.mark.parametrize("part", [Fraction(1, 100), Fraction(1, 10**6)])
def test_mass_that_is_lost_above_is_caught(monkeypatch, part):
    healthy = convolution.from_above

    def less(*given):
        weights = healthy(*given)
        values = [v - int(v * part) for v in weights.values]
        return dataclasses.replace(weights, values=values)

    monkeypatch.setattr(fixed_case, "from_above", less)
    assert caught("above single") == {"above single"}


def test_an_infinite_loss_that_is_dropped_is_caught(monkeypatch):
    """What lies above the grid is forgotten, on a grid that is too short."""
    healthy, whole = convolution.from_above, layout.window

    def short(*given):
        grid = whole(*given)
        return dataclasses.replace(grid, high=grid.high // 3)

    monkeypatch.setattr(layout, "window", short)
    monkeypatch.setattr(
        fixed_case, "from_above", lambda *g: dataclasses.replace(healthy(*g), infinite=0)
    )
    assert caught("above contour", "two") != set()


@pytest.mark.parametrize("part", [1e-2, 1e-6])
def test_a_size_that_is_too_small_is_caught(monkeypatch, part):
    healthy = policies.move

    def less(*given):
        found = healthy(*given)
        return dataclasses.replace(found, size=[b - int(b * part) for b in found.size])

    monkeypatch.setattr(policies, "move", less)
    assert caught("below single") == {"below single"}


def test_interpolation_instead_of_tangents_is_caught(monkeypatch):
    """Between two states the chord of the values lies above a convex function."""

    def chord(self, epsilon):
        grid, one = self.grid, Fraction(1, 1 << self.grid.bits)
        place = epsilon / Fraction(grid.mesh) - grid.low
        i = int(place)

        def value(k):
            e = Fraction(2.718281828459045 ** float((grid.low + k) * grid.mesh))
            return one * self.power[k] - e * one * self.size[k]

        return value(i) + (place - i) * (value(i + 1) - value(i))

    monkeypatch.setattr(policies.Tests, "delta", chord)
    assert caught("below single") == {"below single"}


def test_the_atom_that_is_left_out_is_caught(monkeypatch):
    healthy = convolution.from_above

    def without(*given):
        weights = healthy(*given)
        values = list(weights.values)
        values[-weights.low] = 0
        return dataclasses.replace(weights, values=values)

    monkeypatch.setattr(fixed_case, "from_above", without)
    assert caught("two") == {"two"}


def test_the_others_half_alone_is_caught(monkeypatch):
    """Losses below 0 taken from the same direction: P(L > x) of "remove", no merging."""
    monkeypatch.setattr(merged.Merged, "above", lambda self, x: self.forward.above(x.max(0 * x)))
    assert caught("two", seeds=range(6)) == {"two"}


@pytest.mark.parametrize("mean", ["0.9999", "0.5"])
def test_a_wrong_mean_of_the_largest_is_above_the_known_event(monkeypatch, mean):
    """The audit's sums use the same law; the event's formula in mpmath does not."""
    healthy = shuffled.Largest.below

    def shifted(self, z):
        first, _ = healthy(self, z)
        s = shuffled.ball(self.sigma)
        others = shuffled.normal(z / s) ** (self.batches - 1)
        return first, shuffled.normal((z - shuffled.ball(Fraction(mean))) / s) * others

    best = max(event(100, 1, 0.5, 3.3 + i / 500) for i in range(-50, 51))
    one = shuffled.Event(100, Fraction(1))
    limit = best * (1 + 1e-6)
    assert best <= float(one.delta(Fraction("0.5"), 10, Deadline())) < limit
    monkeypatch.setattr(shuffled.Largest, "below", shifted)
    assert float(one.delta(Fraction("0.5"), 10, Deadline())) > limit


@pytest.mark.parametrize("off", [1, -1])
def test_a_binomial_tail_off_by_one_is_caught(monkeypatch, off):
    healthy = truncated.at_least
    monkeypatch.setattr(fixed_states, "at_least", lambda n, q, k: healthy(n, q, k + off))
    assert "binomial" in caught("binomial")


def test_the_rate_of_the_largest_size_in_a_group_is_caught(monkeypatch):
    """r_m falls with m: the last one of a group is too small."""
    healthy = truncated.step

    def last(q, sigma, n, most, direction):
        pair = healthy(q, sigma, n, most, direction)
        parts = [pair.parts[0], *(p for p in pair.parts[2:]), pair.parts[-1]]
        return dataclasses.replace(pair, parts=tuple(parts))

    monkeypatch.setattr(fixed_states, "step", last)
    assert "revealed" in caught("revealed", seeds=range(8))


def test_a_way_to_zero_that_costs_nothing_is_caught(monkeypatch):
    """The upper end without the second way."""
    monkeypatch.setattr(
        allocated.ThroughZero,
        "delta",
        lambda self, x, digits, deadline: self.remove.delta(x, digits).hi,
    )
    assert caught("opposite") == {"opposite"}


def test_a_split_that_forgets_its_factor_is_caught(monkeypatch):
    """d1 + d2 instead of d1 + e^e1 d2."""

    def less(self, x, digits, deadline):
        first = x * self._share(float(x))
        one, two = self.remove.delta(first, digits).hi, self.add.delta(x - first, digits).hi
        return one + two

    monkeypatch.setattr(allocated.ThroughZero, "delta", less)
    assert caught("opposite") == {"opposite"}


@pytest.mark.parametrize("by", ["0.05", "0.01"])
def test_a_record_that_moves_its_batch_further_is_caught(monkeypatch, by):
    healthy = allocated.OneOutput.below

    def moved(self, z):
        first, second = healthy(self, z)
        step = float(by) * self.mean
        return (healthy(self, z - step)[0], second) if self.mean else (first, second)

    monkeypatch.setattr(allocated.OneOutput, "below", moved)
    assert caught("opposite") == {"opposite"}
