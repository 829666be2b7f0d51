"""Moments at complex orders on lines and ramps, and the bounds of arcs and sectors of orders."""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from verify.accounting.contour.line import BadPlan, Line, Step, normal
from verify.accounting.history import Phase
from verify.accounting.hyperbola.sector import Moments, Ramp, WallCells, density, mass_above
from verify.numbers.balls import precision

PHASE = Phase(Fraction(1, 1000), Fraction(7, 10), 3)
NEAR = Line(1.0, 0.0625, -200, 600, 0.75)
RAY = Line(1.0, 0.0625, -200, 96, 0.5)  # ends where X = 2 p or so
STEEP = Line(0.5, 0.0625, -200, 96, 0.4)  # serves negative orders
ORDERS = [(1.5, 0.0), (2.0, 5.0), (5.0, 30.0)]
NEGATIVE = [(-3.0, 0.0), (-2000.0, 0.0), (-800.0, 3000.0)]
LEVEL, RISING = Ramp(0.5, 0.5, 0.0, 1.0), Ramp(0.125, 0.9, 1.0, 5.0)


@functools.cache
def moment(a, y):
    """H(a + iy) by mpmath, on the real line."""
    with mpmath.workdps(45):
        q, s = mpmath.mpf(1) / 1000, mpmath.mpf(7) / 10
        w = mpmath.mpc(a, y)

        def integrand(t):
            return mpmath.npdf(t) * (1 + q / (1 - q) * mpmath.exp(t / s - 1 / (2 * s * s))) ** w

        return mpmath.quad(integrand, mpmath.linspace(-14, 30, 60))


def node(line, a, y, cells=200):
    """H at one order, and the bound of its error."""
    moments = Moments(PHASE, line, cells)
    w = acb(a, y)
    error = moments.error(w, w)
    return moments.at([w], error)[0], error


@pytest.mark.parametrize(
    ("line", "a", "y"),
    [(line, *o) for line in (NEAR, RAY) for o in ORDERS] + [(STEEP, *o) for o in NEGATIVE],
)
def test_moments_contain_the_integral(a, y, line):
    with precision(160):
        found, _ = node(line, a, y)
        truth = moment(a, y)
        with mpmath.workdps(45):
            parts = [arb(mpmath.nstr(x, 42)) + arb(0, 1e-32) for x in (truth.real, truth.imag)]
        assert found.contains(acb(*parts))


@pytest.mark.parametrize(
    ("line", "a", "y"),
    [
        (dataclasses.replace(NEAR, step=0.5, low=-25, high=75), 2, 5),
        (RAY, 2, 5),
        (dataclasses.replace(NEAR, low=-40), 2, 5),
        (dataclasses.replace(STEEP, step=0.25, low=-50, high=24), -800, 3000),
        (dataclasses.replace(STEEP, high=20), -3, 0),
        (dataclasses.replace(STEEP, low=-60), -800, 3000),
    ],
)
def test_the_error_of_a_moment_is_needed(line, a, y):
    with precision(160):
        found, error = node(line, a, y, 400)
        truth = moment(a, y)
        off = abs(complex(found.real.mid(), found.imag.mid()) - complex(truth))
        assert 1e-13 < off <= float(error)


@pytest.mark.parametrize("ramp", [LEVEL, RISING])
@pytest.mark.parametrize(
    ("a", "y"), [(1.5, 10.0), (3.0, 20.0), (5.0, 30.0), (-800.0, 3000.0), (-3.0, 0.0)]
)
def test_a_path_bounds_the_moment(a, y, ramp):
    with precision(64):
        bound = float(WallCells(Step(PHASE), ramp, arb(-12), arb(7), 300).arc((arb(a), arb(y)))[0])
    assert abs(moment(a, y)) <= bound < 5


def test_a_path_that_is_level_and_low_is_sharp():
    """At a = y = 0 the bound is that of a mass of 1."""
    with precision(64):
        path = WallCells(Step(PHASE), Ramp(0.0, 0.0, 0.0, 1.0), arb(-9), arb(7), 400, True)
        assert 1 <= float(path.arc((arb(0), arb(0)))[0]) < 1 + 1e-6


@pytest.mark.parametrize("c", [1.25, -2.0])
def test_an_arc_is_bounded_by_its_ends(c):
    """All orders between two of a hyperbola, on the same path."""
    kappa, angle = (
        arb(8.0),
        acb(0, arb(-0.25)),
    )  # of larger orders mpmath's integral is cancelled away

    def order(u):
        return c + acb(0, kappa) * (u + angle).sinh()

    with precision(64):
        path = WallCells(Step(PHASE), RISING, arb(-12), arb(7), 300)
        ends = float(sum(path.arc(*((w.real, w.imag) for w in (order(0.5), order(1.5)))), arb(0)))
        between = [order(0.5 + k / 10) for k in (0, 3, 7, 10)]
    assert all(abs(moment(float(w.real), float(w.imag))) <= ends for w in between)


@pytest.mark.parametrize("ramp", [Ramp(0.8, 0.8, 0.0, 1.0), Ramp(0.2, 0.9, 1.0, 5.0)])
@pytest.mark.parametrize(("c", "ratio", "y"), [(1.5, 0.0, 8.0), (1.5, 0.1, 20.0), (1.5, 0.2, 40.0),
                                               (-5.0, 0.0, 8.0), (-5.0, 0.2, 40.0)])  # fmt: skip
def test_a_sector_bounds_the_moment(c, ratio, y, ramp):
    with precision(64):
        cells = WallCells(Step(PHASE), ramp, arb(-12), arb(7), 300)
        bound = float(cells.sector(arb(c), arb(0.2), arb(8)))
    assert abs(moment(c + ratio * y, y)) <= bound < 3


def test_a_sector_too_wide_for_its_path_is_refused():
    path = Ramp(0.1, 0.1, 0.0, 1.0)
    with precision(64), pytest.raises(BadPlan):
        WallCells(Step(PHASE), path, arb(-12), arb(7), 300).sector(arb(1.5), arb(0.4), arb(50))


@pytest.mark.parametrize(
    "broken",
    [Ramp(-0.1, 0.5, 0.0, 1.0), Ramp(0.5, 0.4, 0.0, 1.0), Ramp(0.1, 1.5, 0.0, 1.0),
     Ramp(0.1, 0.5, 1.0, 1.0), Ramp(0.1, 0.5, 1.0, 8.0), Ramp(0.1, 0.5, -13.0, 1.0), Ramp(2.3, 2.3, 0.0, 1.0)],
)  # fmt: skip
def test_paths_that_break_a_hypothesis_are_refused(broken):
    with precision(64), pytest.raises(BadPlan):
        WallCells(Step(PHASE), broken, arb(-12), arb(7), 50)


@pytest.mark.parametrize(("question", "where"), [("inside", (-2, 5)), ("sector", (-2, 0.125, 5))])
def test_a_negative_order_on_a_high_path_is_refused(question, where):
    with precision(64):
        path = WallCells(Step(PHASE), Ramp(1.3, 1.3, 0.0, 1.0), arb(-12), arb(7), 50)
        with pytest.raises(BadPlan):
            getattr(path, question)(*map(arb, where))


@pytest.mark.parametrize(
    "broken",
    [{"step": 0.0}, {"shift": 0.0}, {"shift": 1.5}, {"eta": 2.0, "shift": 0.5}, {"high": 10}],
)
def test_lines_that_break_a_hypothesis_are_refused(broken):
    with precision(64), pytest.raises(BadPlan):
        Moments(PHASE, dataclasses.replace(NEAR, **broken), 50)


def test_a_line_too_high_for_a_negative_order_is_refused():
    with precision(64), pytest.raises(BadPlan):
        Moments(PHASE, NEAR, 50).error(acb(-2, 5), acb(-1, 6))


@pytest.mark.parametrize(("x", "y"), [(-9, -8.75), (-1.125, -0.875), (-0.5, 0.25), (0.75, 1.5), (3, 3.5)])  # fmt: skip
def test_the_mass_of_a_cell_is_bounded_closely(x, y):
    with precision(96):
        x, y = arb(x), arb(y)
        truth = float(normal(-x) - normal(-y) if x > 0 else normal(y) - normal(x))
        found = float(mass_above(x, y, density(x), density(y)))
    assert truth * (1 - 1e-15) <= found < 1.5 * truth
