"""Few steps with little noise: the hyperbola, its moments and the bounds of its errors."""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from verify.accounting.bend import bend
from verify.accounting.closed import single
from verify.accounting.convolution import Bracket
from verify.accounting.history import Phase
from verify.accounting.hyperbola import Hyperbola
from verify.accounting.line import BadPlan, Line, Step
from verify.accounting.pair import pair
from verify.accounting.planner import Planner
from verify.accounting.routes import Contour
from verify.accounting.sector import Moments, WallCells
from verify.accounting.tight import Bracketed, Curve
from verify.balls import ball, precision
from verify.budget import Deadline
from verify.errors import OutOfReach

PHASE = Phase(Fraction(1, 1000), Fraction(7, 10), 3)
NEAR = Line(1.0, 0.0625, -200, 600, 0.75)
RAY = Line(1.0, 0.0625, -200, 96, 0.5)  # ends where X = 2 p or so
ORDERS = [(1.5, 0.0), (2.0, 5.0), (5.0, 30.0)]


@functools.cache
def moment(a, y):
    """M(a + iy) by mpmath, on the real line."""
    with mpmath.workdps(45):
        q, s = mpmath.mpf(1) / 1000, mpmath.mpf(7) / 10
        w = mpmath.mpc(a, y)

        def integrand(t):
            return mpmath.npdf(t) * (1 - q + q * mpmath.exp(t / s - 1 / (2 * s * s))) ** w

        return mpmath.quad(integrand, mpmath.linspace(-14, 30, 60))


def plan(q, sigma, steps, eps, delta, digits=12.0):
    phase = Phase(Fraction(q), Fraction(sigma), steps)
    found = bend(Planner((phase,), "remove"), eps, digits, math.log(delta), Deadline())
    return phase, found


FEW = plan("1e-5", "0.6", 5, 1.0, 1e-9)


def table(change=None, case=FEW):
    phase, found = case
    return Hyperbola(phase, dataclasses.replace(found, **(change or {})), Deadline())


def middle(hyperbola, eps):
    """The sum alone, without its errors."""
    with precision(hyperbola.bend.bits):
        terms = [v * (-ball(eps) * z).exp() for z, v in hyperbola.rows]
        return float((sum(terms, acb(0)).imag * hyperbola.h / arb.pi()).mid())


@pytest.mark.parametrize("line", [NEAR, RAY])
@pytest.mark.parametrize(("a", "y"), ORDERS)
def test_moments_contain_the_integral(a, y, line):
    with precision(160):
        found = Moments(PHASE, line, 200).at(acb(a, y))
        truth = moment(a, y)
        with mpmath.workdps(45):
            parts = [arb(mpmath.nstr(x, 42)) + arb(0, 1e-35) for x in (truth.real, truth.imag)]
        assert found.contains(acb(*parts))


@pytest.mark.parametrize("line", [dataclasses.replace(NEAR, step=0.5, low=-25, high=75), RAY])
def test_the_error_of_a_moment_is_needed(line):
    with precision(160):
        moments = Moments(PHASE, line, 400)
        found = moments.at(acb(2, 5))
        truth = moment(2, 5)
        off = abs(complex(found.real.mid(), found.imag.mid()) - complex(truth))
        assert off > 1e-13
        assert off <= float(moments.error(arb(2), arb(5)))


@pytest.mark.parametrize("eta", [0.4, 0.9])
@pytest.mark.parametrize(("a", "y"), [(1.5, 10.0), (3.0, 20.0), (5.0, 30.0)])
def test_a_box_bounds_the_moment(a, y, eta):
    with precision(64):
        cells = WallCells(Step(PHASE), arb(eta), arb(-12), arb(7), 300)
        bound = float(cells.box(arb(a) - 0.25, arb(a) + 0.25, arb(y)))
    assert abs(moment(a, y)) <= bound < 5


@pytest.mark.parametrize(("ratio", "y"), [(0.0, 8.0), (0.1, 20.0), (0.2, 40.0)])
def test_a_sector_bounds_the_moment(ratio, y):
    with precision(64):
        cells = WallCells(Step(PHASE), arb(0.8), arb(-12), arb(7), 300)
        bound = float(cells.sector(arb(1.5), arb(0.2), arb(8)))
    assert abs(moment(1.5 + ratio * y, y)) <= bound < 3


def test_a_sector_too_wide_for_its_line_is_refused():
    with precision(64), pytest.raises(BadPlan):
        WallCells(Step(PHASE), arb(0.1), arb(-12), arb(7), 300).sector(arb(1.5), arb(0.4), arb(50))


@pytest.mark.parametrize(
    "broken",
    [{"step": 0.0}, {"shift": 0.0}, {"shift": 1.5}, {"eta": 2.0, "shift": 0.5}, {"high": 10}],
)
def test_lines_that_break_a_hypothesis_are_refused(broken):
    with precision(64), pytest.raises(BadPlan):
        Moments(PHASE, dataclasses.replace(NEAR, **broken), 50)


@pytest.mark.parametrize(
    "broken",
    [{"c": 1.0}, {"kappa": -1.0}, {"h": 0.0}, {"alpha": 0.5}, {"gamma": 0.8}, {"terms": 10**6}],
)
def test_hyperbolas_that_break_a_hypothesis_are_refused(broken):
    with pytest.raises(BadPlan):
        table(broken)


def test_a_negative_epsilon_is_refused():
    with pytest.raises(BadPlan):
        table().delta(Fraction(-1, 10))


@pytest.mark.parametrize(
    ("q", "sigma", "eps", "delta"), [("1e-5", "0.5", 2.0, 1e-9), ("1e-3", "0.4", 1.0, 1e-4)]
)
@pytest.mark.parametrize(("steps", "exact"), [(1, single), (2, pair)])
def test_one_and_two_steps_contain_the_truth_and_not_what_is_a_millionth_off(
    q, sigma, eps, delta, steps, exact
):
    phase, found = plan(q, sigma, steps, eps, delta)
    value = Hyperbola(phase, found, Deadline()).delta(Fraction(eps))
    truth = exact(phase, "remove").at(Fraction(eps), 25.0, 25.0, Deadline())
    assert value.lo <= truth.lo
    assert truth.hi <= value.hi
    assert value.relative_width() < 1e-9
    assert not value.lo <= truth.lo * (1 + Fraction(1, 10**6)) <= value.hi


def test_more_digits_lie_inside_fewer():
    eps = Fraction(1)
    fine = table(case=plan("1e-5", "0.6", 5, 1.0, 1e-9, 32.0)).delta(eps)
    rough = table().delta(eps)
    assert rough.lo <= fine.lo <= fine.hi <= rough.hi


def coarse(bent):
    return {
        "h": 3 * bent.h,
        "terms": bent.terms // 3,
        "groups": regrouped(bent, bent.terms // 3, 3),
    }


def short(bent):
    return {"terms": 3 * bent.terms // 4, "cut_eta": 0.9}


@pytest.mark.parametrize("change", [coarse, short])
def test_a_coarse_or_short_sum_is_off_and_its_errors_say_so(change):
    broken = table(change(FEW[1]))
    truth = table().delta(Fraction(1))
    value = broken.delta(Fraction(1))
    assert abs(middle(broken, Fraction(1)) / float(truth.lo) - 1) > 1e-9
    assert value.lo <= truth.lo
    assert truth.hi <= value.hi


def regrouped(bent, terms, factor):
    """The same lines for nodes that are so much farther apart."""
    return tuple(
        dataclasses.replace(g, last=terms if g is bent.groups[-1] else g.last // factor)
        for g in bent.groups
    )


def test_the_bracket_of_the_convolution_contains_it():
    value = table().delta(Fraction(1))
    low, high = Bracket((FEW[0],), "remove", math.log(1e-9), Deadline(), 2048).delta(Fraction(1))
    assert low <= value.lo
    assert value.hi <= high


def test_it_agrees_with_the_vertical_line():
    phase, found = plan("1e-3", "1", 30, 0.3, 1e-5)
    value = Hyperbola(phase, found, Deadline()).delta(Fraction("0.3"))
    line = Contour((phase,), "remove").at(Fraction("0.3"), 20.0, 20.0, Deadline())
    assert value.lo <= line.lo
    assert line.hi <= value.hi


def test_few_steps_with_little_noise_have_all_digits():
    history = (Phase(Fraction("1e-6"), Fraction("0.3"), 3),)
    found = Curve(history, "remove", Deadline(60)).epsilon(Fraction(1, 10**12), 15)
    assert not isinstance(found, Bracketed)
    assert found.lo < Fraction("7.7000636326") * (1 + Fraction(1, 10**10))
    assert float((found.hi - found.lo) / found.lo) < 1e-15


def test_where_no_hyperbola_serves_the_plan_says_so():
    with pytest.raises(OutOfReach):
        plan("1e-6", "0.705", 10**6, 0.01, 1e-6)
