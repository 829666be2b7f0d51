"""Two and three steps by sums over their outcomes: what the contours, the integral and the bracket say lies between."""

from __future__ import annotations

from fractions import Fraction

import pytest

import verify
from verify.accounting.exact.brute import brute
from verify.accounting.history import Phase
from verify.numbers.errors import OutOfDomain

# sampling rate, noise, steps, epsilon: the vertical line, the hyperbola, the integral for two steps
POINTS = [
    ("1/10", "2", 3, "1/4"),
    ("1/2", "1", 3, "2"),
    ("1/100", "3/5", 3, "1"),
    ("3/10", "5", 3, "3/10"),
    ("1/20", "4", 3, "1/100"),
    ("1/10", "2", 2, "1/4"),
    ("1/2", "1", 2, "1"),
    ("1/100", "3/5", 2, "1"),
]


def phase(q, sigma, steps):
    return Phase(Fraction(q), Fraction(sigma), steps)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("q", "sigma", "steps", "epsilon"), POINTS)
def test_the_certified_delta_lies_between_the_sums(q, sigma, steps, epsilon, direction):
    low, high = brute(phase(q, sigma, steps), direction, Fraction(epsilon))
    tight = verify.delta(q, sigma, steps, epsilon, 12, direction=direction)
    assert low <= tight.lo <= tight.hi <= high
    assert high - low <= high * Fraction(1, 15)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("steps", [2, 3])
def test_a_delta_that_is_off_by_a_hundredth_does_not(steps, direction):
    epsilon, cells = Fraction(1, 20), 320
    low, high = brute(phase("1/10", "2", steps), direction, epsilon, cells)
    tight = verify.delta("1/10", 2, steps, epsilon, 12, direction=direction)
    assert low <= tight.lo <= tight.hi <= high
    assert tight.lo * Fraction(101, 100) > high
    assert tight.hi * Fraction(99, 100) < low


def test_two_steps_are_known_to_one_part_in_ten_thousand():
    low, high = brute(phase("1/10", "2", 2), "remove", Fraction(1, 4), 2000)
    tight = verify.delta("1/10", 2, 2, "1/4", 12, direction="remove")
    assert low <= tight.lo <= tight.hi <= high <= low * Fraction(10_001, 10_000)


def test_the_error_is_of_second_order():
    widths = []
    for cells in (50, 100, 200):
        low, high = brute(phase("1/10", "2", 3), "remove", Fraction(1, 4), cells)
        widths.append(high - low)
    assert widths[0] > 3.5 * widths[1] > 12 * widths[2]


@pytest.mark.parametrize(("q", "steps"), [("1/2", 1), ("1/2", 4), ("1", 2), ("0", 2)])
def test_other_runs_are_refused(q, steps):
    with pytest.raises(OutOfDomain):
        brute(phase(q, "1", steps), "remove", Fraction(1))
