"""First guesses of epsilon, in doubles."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from verify.accounting.contour.nodes import best_eta
from verify.accounting.contour.planner import Planner
from verify.accounting.contour.sketch import Sketch
from verify.accounting.history import history

RUNS = [  # q, sigma, steps, delta, epsilon (certified)
    ("2e-6", "0.588", 910, 1e-6, 0.00133074952436728),
    ("1.6e-5", "0.503", 2584, 1e-6, 0.196322570166926),
    ("2.8e-6", "0.719", 64, 1e-8, 0.000990999080838741),
    ("1e-6", "0.705", 5752, 1e-14, 0.0361163110267486),
    ("1e-6", "0.3", 3, 1e-6, 0.000430644137801593),
    ("1e-6", "0.3", 3, 1e-12, 7.70006363),
    ("4.33e-6", "402", 2, 1.16e-20, 1.0415230942742e-07),
    ("0.01", "1", 1000, 1e-5, 1.82823666651658),
]


@pytest.mark.parametrize(("q", "sigma", "steps", "delta", "epsilon"), RUNS)
def test_the_first_guess_is_within_a_tenth(q, sigma, steps, delta, epsilon):
    planner = Planner(history([(q, sigma, steps)]), "remove")
    assert planner.guess(math.log(delta)) == pytest.approx(epsilon, rel=0.1)


@pytest.mark.parametrize(("q", "sigma", "steps", "delta", "epsilon"), RUNS[:-2])
def test_delta_of_rare_jumps_is_guessed_to_a_seventh(q, sigma, steps, delta, epsilon):
    planner = Planner(history([(q, sigma, steps)]), "remove")
    assert planner.log_delta(epsilon) == pytest.approx(math.log(delta), abs=0.15)


@pytest.mark.parametrize(
    ("q", "sigma", "steps", "epsilon", "delta"),
    [
        # The saddle point's epsilon jumps here from 0.04 to 5.5: its own estimate was 500 nats too small.
        ("0.000296601780670795", "2.4177", 40206, 0.14903, 1.88861561e-11),
        ("0.0002", "2.4177", 40206, 0.14903, 1.72171858e-20),
        # Dozens of huge steps are expected: that one of them happens alone is e^-735 of the truth.
        ("0.072828", "0.76908", 300, 0.1196, 0.699549322),
        ("0.072828", "0.76908", 400, 0.1196, 0.771517160),
    ],
)
def test_delta_is_guessed_where_a_simple_picture_fails(q, sigma, steps, epsilon, delta):
    planner = Planner(history([(q, sigma, steps)]), "remove")
    assert planner.log_delta(epsilon) == pytest.approx(math.log(delta), abs=1)


def test_a_phase_that_never_jumps_changes_nothing():
    idle = (Fraction(1, 10**9), 50, 3)
    run = ("2.8e-6", "0.719", 64)
    guesses = [Planner(history(h), "remove").guess(math.log(1e-8)) for h in ([run], [run, idle])]
    assert guesses[0] == pytest.approx(guesses[1], rel=1e-2)


def test_above_the_total_variation_the_guess_is_not_positive():
    assert Planner(history([("0.01", 1, 10)]), "remove").guess(math.log(0.9)) <= 0


def test_the_best_line_is_found_soon_where_its_height_does_not_matter():
    """Below some eta the bound is the same double for every eta: the search once went on to the least
    double, 1800 bounds later.
    """
    asked = []

    class Counted(Sketch):
        def log_height(self, a, eta, y, reach):
            asked.append(eta)
            return super().log_height(a, eta, y, reach)

    sketch = Counted(1e-6, 0.025)
    best_eta(sketch, -1.6104736328125, 3.8724441528320312, 9.00554749311169)
    assert len(asked) < 100
