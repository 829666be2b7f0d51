"""The independent route: brackets that contain, on grids fine and coarse."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import verify
from tests.patience import PATIENCE
from verify.accounting.exact.convolution import Bracket, Grid, Weights, convolve
from verify.accounting.history import history
from verify.accounting.questions import Account
from verify.accounting.routes import Contour
from verify.accounting.tight import Bracketed
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach


def bracket(run, direction, delta, points=1024):
    return Bracket(history([run]), direction, math.log(delta), Deadline(), points)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("run", [("0.3", 2, 2), ("0.1", 2, 7), (1, 3, 4), ("0.02", 1, 50)])
def test_the_bracket_contains_the_tight_epsilon(run, direction):
    low, high = bracket(run, direction, 1e-5).epsilon(Fraction(1, 10**5))
    tight = verify.epsilon(*run, "1e-5", 12, direction=direction)
    assert low <= tight.lo
    assert tight.hi <= high


def test_a_loss_whose_exponential_no_double_holds_is_bracketed():
    run = ("0.5", "0.1", 30)
    low, high = bracket(run, "remove", 1e-3).epsilon(Fraction(1, 10**3))
    tight = verify.epsilon(*run, "1e-3", 12, direction="remove", max_seconds=PATIENCE)
    assert 710 < low <= tight.lo
    assert tight.hi <= high


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_tiny_rates_have_all_their_digits_and_the_bracket_contains_them(direction):
    """There RDP's epsilon is a hundred times too large, and no guess to begin with."""
    run = ("1e-5", 3, 100)
    low, high = bracket(run, direction, 1e-12).epsilon(Fraction(1, 10**12))
    tight = verify.epsilon(*run, "1e-12", 15, direction=direction, max_seconds=PATIENCE)
    assert tight.certain_digits() >= 15
    assert low <= tight.lo
    assert tight.hi <= high < 2 * low


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_bracket_contains_the_tight_delta(direction):
    low, high = bracket(("0.1", 2, 7), direction, 1e-4).delta(Fraction(1, 4))
    tight = verify.delta("0.1", 2, 7, "0.25", 12, direction=direction)
    assert 0 < low <= tight.lo <= tight.hi <= high < 1


def test_a_finer_grid_gives_a_narrower_bracket_of_second_order():
    widths = []
    for points in (512, 1024, 2048):
        low, high = bracket(("0.1", 2, 7), "remove", 1e-5, points).epsilon(Fraction(1, 10**5))
        widths.append(high - low)
    assert widths[0] > 2.5 * widths[1] > 6 * widths[2]


def test_rounding_has_a_direction():
    grid = Grid(0.5, -1, 1, 4)
    one = Weights(-1, [3, 5, 8], 0)
    up, down = convolve(one, one, grid, True), convolve(one, one, grid, False)
    assert sum(up.values) + up.infinite >= 16
    assert sum(down.values) <= 16
    # the square is 9, 30, 73, 80, 64 in 256ths; the last place lies above the window
    assert (up.values, up.infinite) == ([3, 5, 5], 4)
    assert down.values == [1, 4, 9]


def test_the_bracket_contains_the_certified_epsilon_of_few_steps_of_two_kinds():
    run = history([("0.1", "0.3", 2), ("0.05", "0.3", 1)])
    low, high = Bracket(run, "remove", math.log(1e-5), Deadline(), 2048).epsilon(Fraction(1, 10**5))
    found = Account(run, PATIENCE).epsilon(Fraction(1, 10**5), 15, "remove")
    assert not isinstance(found, Bracketed)
    assert high is not None
    assert low <= found.lo <= found.hi <= high


def test_a_run_that_no_contour_serves_has_a_bracket_and_says_so(monkeypatch):
    def unreached(*_):
        raise OutOfReach("no contour")

    monkeypatch.setattr(Contour, "at", unreached)
    run = history([("0.1", "0.3", 2), ("0.05", "0.3", 1)])
    found = Account(run, PATIENCE).epsilon(Fraction(1, 10**5), 20, "remove")
    assert isinstance(found, Bracketed)
    assert 0 < found.lo < found.hi < found.lo * Fraction(1001, 1000)


def test_the_bracket_contains_the_certified_epsilon_of_few_steps_with_little_noise():
    run = history([("0.1", "0.3", 3)])
    low, high = Bracket(run, "remove", math.log(1e-5), Deadline(), 2048).epsilon(Fraction(1, 10**5))
    found = Account(run, PATIENCE).epsilon(Fraction(1, 10**5), 15, "remove")
    assert not isinstance(found, Bracketed)
    assert high is not None
    assert low <= found.lo <= found.hi <= high


SMALL = [  # q, sigma, steps, ln delta: runs whose grid is shifted
    ("1e-4", "0.5", 1, -15),
    ("2e-5", "0.8", 1, -30),
    ("1e-4", "0.5", 2, -15),
    ("3e-5", "0.8", 2, -35),
]


@pytest.mark.parametrize(("q", "sigma", "steps", "log_delta"), SMALL)
def test_a_shifted_grid_brackets_the_exact_forms_of_one_and_two_steps(q, sigma, steps, log_delta):
    run = history([(q, sigma, steps)])
    bracket = Bracket(run, "remove", log_delta, Deadline(), 2048)
    assert bracket.shift < 0
    target = Fraction(round(Fraction(math.exp(log_delta)) * 10**40), 10**40)
    low, high = bracket.epsilon(target)
    exact = Account(run).epsilon(target, 12, "remove")
    assert low <= exact.lo
    assert exact.hi <= high
    assert high - low < high / 300


@pytest.mark.parametrize(
    ("q", "sigma", "steps", "log_delta"),
    [("1.7e-6", "0.304", 317, -46), ("4.6e-5", "0.78", 19, -36)],
)
def test_rare_jumps_leave_digits_in_the_bracket(q, sigma, steps, log_delta):
    """Many steps at almost no loss are not put down by a mesh each."""
    bracket = Bracket(history([(q, sigma, steps)]), "remove", log_delta, Deadline(), 4096)
    low, high = bracket.epsilon(Fraction(math.exp(log_delta)))
    assert high - low < high / 300
