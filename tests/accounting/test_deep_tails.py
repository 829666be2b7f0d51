"""Two steps in the deepest tail: an answer, and an integral that can be stopped."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import verify
from tests.patience import PATIENCE
from verify.accounting.contour.jump_plan import proposals
from verify.accounting.contour.planner import Planner
from verify.accounting.contour.sketch import Sketch
from verify.accounting.exact.closed import Closed
from verify.accounting.exact.two_steps import TwoSteps
from verify.accounting.history import Phase, history
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded

RATE, NOISE, EPSILON = Fraction(42407, 412294), Fraction(721673, 60935), Fraction(1574917, 318590)


def test_a_delta_of_a_thousand_zeros_has_its_digits():
    found = verify.delta(RATE, NOISE, 2, EPSILON, 9, direction="remove", max_seconds=PATIENCE)
    assert found.text(9).startswith("1.178170216")
    more = verify.delta(RATE, NOISE, 2, EPSILON, 30, direction="remove", max_seconds=PATIENCE)
    assert found.lo <= more.lo <= more.hi <= found.hi


def tails():
    rng = random.Random(4)
    for _ in range(10):
        q, sigma = round(10 ** rng.uniform(-6, -0.05), 7), round(10 ** rng.uniform(-0.5, 1.3), 3)
        direction = rng.choice(("remove", "add"))
        planner = Planner(history([(q, sigma, 2)]), direction)
        yield q, sigma, planner.guess(-(10 ** rng.uniform(1, 3.5))), direction


@pytest.mark.parametrize(("q", "sigma", "epsilon", "direction"), list(tails()))
def test_random_deep_tails_take_few_calls_of_the_integrand(
    monkeypatch, q, sigma, epsilon, direction
):
    """The tolerance is a share of the integrand: no precision is raised to reach its zeros."""
    bits = []
    healthy = Closed.at

    def seen(self, *given):
        formula = self.formula
        self.formula = lambda eps, n: bits.append(n) or formula(eps, n)
        return healthy(self, *given)

    monkeypatch.setattr(Closed, "at", seen)
    found = verify.delta(q, sigma, 2, epsilon, 9, direction=direction, max_seconds=PATIENCE)
    assert found.certain_digits() >= 9
    assert max(bits) <= 400


def test_the_integral_hears_its_deadline():
    """Time that runs out between two looks ends the integration, not the integrator's patience."""
    ticks = iter(range(10**9))
    deadline = Deadline(6.0, 0.0, lambda: float(next(ticks)))
    route = TwoSteps(Phase(RATE, NOISE, 2), "remove")
    with pytest.raises(BudgetExceeded):
        route.at(EPSILON, 9.0, 9.0, deadline)
    assert next(ticks) < 20


def test_an_interrupt_inside_the_integrand_is_heard(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    route = TwoSteps(Phase(RATE, NOISE, 2), "remove")
    monkeypatch.setattr(Deadline, "check", lambda self: None)
    monkeypatch.setattr("verify.accounting.exact.two_steps._phi", interrupted)
    with pytest.raises(KeyboardInterrupt), precision(64):
        route.at(EPSILON, 9.0, 9.0, Deadline())


def test_planning_for_rare_jumps_takes_few_nodes(monkeypatch):
    """Where the estimate of delta is far too small, the cut lies thousands of deviations away: 10^8
    nodes were summed up to it.
    """
    counted = []
    healthy = Sketch.log_g
    monkeypatch.setattr(Sketch, "log_g", lambda self, t: counted.append(t) or healthy(self, t))
    planner = Planner(history([("0.0010493", "20.064", 1000)]), "remove")
    found = proposals(planner, 0.2178, -1e7, Deadline(PATIENCE))
    assert max(p.jumps.cells[0].cut for p in found) > 1000
    assert len(counted) < 2_000_000


def test_planning_for_rare_jumps_hears_its_deadline():
    ticks = iter(range(10**9))
    deadline = Deadline(6.0, 0.0, lambda: float(next(ticks)))
    planner = Planner(history([("0.0010493", "20.064", 1000)]), "remove")
    with pytest.raises(BudgetExceeded):
        proposals(planner, 0.2178, -1e7, deadline)
    assert next(ticks) < 20
