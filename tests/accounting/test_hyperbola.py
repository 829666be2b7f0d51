"""Few steps with little noise: the hyperbola, its moments and the bounds of its errors."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import pytest
from flint import acb, arb

from tests.patience import PATIENCE
from verify.accounting import routes
from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.plan import plan as plan_contour
from verify.accounting.contour.planner import Planner
from verify.accounting.contour.vertical import Table
from verify.accounting.exact.closed import single
from verify.accounting.exact.convolution import Bracket
from verify.accounting.exact.two_steps import pair
from verify.accounting.history import Phase, history
from verify.accounting.hyperbola.bend import bend
from verify.accounting.hyperbola.bent import Bend, Hyperbola
from verify.accounting.tight import Bracketed, Curve
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach


@dataclasses.dataclass(frozen=True)
class Case:
    history: tuple[Phase, ...]
    direction: str
    eps: Fraction
    bent: Bend


def plan(phases, direction, eps, delta, digits=12.0):
    history = tuple(Phase(Fraction(q), Fraction(sigma), steps) for q, sigma, steps in phases)
    eps = Fraction(eps)
    planner = Planner(history, direction)
    bent = bend(planner, float(eps), digits, math.log(delta), Deadline())
    return Case(history, direction, eps, bent)


MIXED = [("1e-5", "0.5", 3), ("1e-4", "0.6", 2)]
FEW = plan([("1e-5", "0.6", 5)], "remove", "1", 1e-9)
ADDED = plan([("1e-3", "0.4", 5)], "add", "0.004", 2e-4)
TWO = plan(MIXED, "remove", "0.5", 1e-9)
TWO_ADDED = plan(MIXED, "add", "0.0002", 1e-5)
CASES = [FEW, ADDED, TWO, TWO_ADDED]


def table(case, **change):
    bent = dataclasses.replace(case.bent, **change)
    return Hyperbola(case.history, case.direction, bent, Deadline())


def middle(hyperbola, eps):
    """The sum alone, without its errors."""
    with precision(hyperbola.bend.bits):
        rho, shift = hyperbola._drift(ball(eps))
        terms = [v * (shift - rho * w).exp() for w, v in hyperbola.rows]
        return float((sum(terms, acb(0)).imag * hyperbola.h / arb.pi()).mid())


@pytest.mark.parametrize(
    "broken",
    [{"c": 1.0}, {"kappa": -1.0}, {"h": 0.0}, {"alpha": 0.55}, {"gamma": 0.8}, {"terms": 10**6}],
)
def test_hyperbolas_that_break_a_hypothesis_are_refused(broken):
    with pytest.raises(BadPlan):
        table(FEW, **broken)


def test_a_hyperbola_that_passes_a_pole_is_refused():
    with pytest.raises(BadPlan):
        table(ADDED, c=ADDED.bent.c / 2)


def test_orders_on_the_wrong_side_of_the_poles_are_refused():
    with pytest.raises(BadPlan):
        Hyperbola(FEW.history, "add", FEW.bent, Deadline())


def test_an_epsilon_beyond_the_end_of_the_loss_is_refused():
    with pytest.raises(BadPlan):
        table(ADDED).delta(Fraction(1, 100))


def test_full_batches_are_refused():
    history = (Phase(Fraction(1), Fraction(6, 10), 5),)
    with pytest.raises(BadPlan):
        Hyperbola(history, "remove", FEW.bent, Deadline())


@pytest.mark.parametrize(
    ("q", "sigma", "direction", "eps", "delta"),
    [
        ("1e-5", "0.5", "remove", "2", 1e-9),
        ("1e-3", "0.4", "remove", "1", 1e-4),
        ("1e-3", "0.5", "add", "0.0005", 3e-4),
        ("0.1", "0.3", "add", "0.05", 0.06),
        ("1e-6", "0.3", "add", "0.0000009", 1e-8),
    ],
)
@pytest.mark.parametrize(("steps", "exact"), [(1, single), (2, pair)])
def test_one_and_two_steps_contain_the_truth_and_not_what_is_a_millionth_off(
    q, sigma, direction, eps, delta, steps, exact
):
    case = plan([(q, sigma, steps)], direction, eps, delta)
    value = table(case).delta(case.eps)
    truth = exact(case.history[0], direction).at(case.eps, 25.0, 25.0, Deadline())
    assert value.lo <= truth.lo
    assert truth.hi <= value.hi
    assert value.relative_width() < 1e-9
    assert not value.lo <= truth.lo * (1 + Fraction(1, 10**6)) <= value.hi
    assert value.slope == pytest.approx(truth.slope, rel=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_more_digits_lie_inside_fewer(case):
    log_delta = math.log(table(case).delta(case.eps).lo)
    planner = Planner(case.history, case.direction)
    fine = bend(planner, float(case.eps), 32.0, log_delta, Deadline())
    inner = Hyperbola(case.history, case.direction, fine, Deadline()).delta(case.eps)
    outer = table(case).delta(case.eps)
    assert outer.lo <= inner.lo <= inner.hi <= outer.hi
    assert inner.relative_width() < 1e-6 * outer.relative_width()


def coarse(bent):
    """The same lines for nodes that are three times as far apart."""
    terms = bent.terms // 3
    groups = [dataclasses.replace(g, last=g.last // 3) for g in bent.groups]
    groups[-1] = dataclasses.replace(groups[-1], last=terms)
    return {"h": 3 * bent.h, "terms": terms, "groups": tuple(groups)}


def short(bent):
    return {"terms": 2 * bent.terms // 3}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("change", [coarse, short])
def test_a_coarse_or_short_sum_is_off_and_its_errors_say_so(change, case):
    broken = table(case, **change(case.bent))
    truth, value = table(case).delta(case.eps), broken.delta(case.eps)
    assert abs(middle(broken, case.eps) / float(truth.lo) - 1) > 1e-9
    assert value.lo <= truth.lo
    assert truth.hi <= value.hi


@pytest.mark.parametrize("case", CASES)
def test_the_bracket_of_the_convolution_contains_it(case):
    value = table(case).delta(case.eps)
    bracket = Bracket(case.history, case.direction, math.log(value.lo), Deadline(), 2048)
    low, high = bracket.delta(case.eps)
    assert low <= value.lo
    assert value.hi <= high


@pytest.mark.parametrize(
    ("phases", "direction", "eps", "delta"),
    [
        ([("1e-3", "1", 30)], "remove", "0.3", 1e-5),
        ([("1e-3", "0.8", 20)], "add", "0.015", 1e-5),
        ([("1e-3", "1", 20), ("0.01", "1.2", 5)], "remove", "0.5", 1e-5),
    ],
)
def test_it_agrees_with_the_vertical_line(phases, direction, eps, delta):
    case = plan(phases, direction, eps, delta)
    value = table(case).delta(case.eps)
    upright = plan_contour(Planner(case.history, direction), float(eps), 20.0)
    line = Table(case.history, direction, upright, Deadline()).delta(case.eps)
    assert value.lo <= line.lo
    assert line.hi <= value.hi


@pytest.mark.parametrize(
    ("run", "direction", "delta", "epsilon"),
    [
        (("1e-6", "0.3", 3), "remove", "1e-12", 7.7000636326),
        (("1e-6", "0.3", 3), "remove", "1e-6", 0.000430644137801593),
        (("1e-6", "0.3", 3), "add", "1e-6", 0.0000016942647794),
    ],
)
def test_few_steps_with_little_noise_have_all_digits(run, direction, delta, epsilon):
    found = Curve(history([run]), direction, Deadline(60)).epsilon(Fraction(delta), 15)
    assert not isinstance(found, Bracketed)
    assert float(found.lo) == pytest.approx(epsilon, rel=1e-4)
    assert float((found.hi - found.lo) / found.lo) < 1e-15


def test_many_steps_with_rare_jumps_are_bent_too():
    """A million steps: paths that stay low where most outcomes are."""
    phases = [("1e-6", "0.35", 10**6)]
    case = plan(phases, "remove", "14", 1e-20, 6.0)
    value = table(case).delta(case.eps)
    upright = plan_contour(Planner(case.history, "remove"), 14.0, 5.0, math.log(value.lo))
    line = Table(case.history, "remove", upright, Deadline()).delta(case.eps)
    assert value.relative_width() < 0.1 * line.relative_width() < 1e-4
    assert line.lo <= value.lo
    assert value.hi <= line.hi


def test_where_no_hyperbola_serves_the_plan_says_so():
    with pytest.raises(OutOfReach):
        plan([(1, "1", 10)], "remove", "0.01", 1e-6)


def test_a_line_that_costs_less_than_planning_a_hyperbola_is_not_compared(monkeypatch):
    """Six phases: a hyperbola took a hundred times an ordinary run, most of it to plan."""
    planned = []
    monkeypatch.setattr(routes, "plan_bend", lambda *given: planned.append(given))
    phases = [
        ("3.8936e-05", "3.899", 682603), ("2.694e-06", "0.6324", 3), ("2.2365e-06", "0.7047", 370),
        ("1.8509e-06", "4.357", 297939), ("0.0011313", "2.461", 3), ("7.2747e-05", "0.5106", 1),
    ]  # fmt: skip
    curve = Curve(history(phases), "remove", Deadline(PATIENCE))
    assert curve.epsilon(Fraction("8.61e-13"), 10).text(10).startswith("2.9079435")
    assert not planned
