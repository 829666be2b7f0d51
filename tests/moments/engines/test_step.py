"""The discretisation error: its bound holds against the real sum, on every kind of contour."""

from __future__ import annotations

import math
from fractions import Fraction as Q

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.patience import patient
from verify.moments.engines import Moment
from verify.moments.engines.integrand import Integrand, Parameters
from verify.moments.engines.step import Plan, error, plan
from verify.moments.engines.trapezoid import Nodes, evaluate, moment_enclosure
from verify.numbers.balls import fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach


def whole_sum(integrand: Integrand, h: float) -> arb:
    """h/sqrt(2 pi) times the sum over so many nodes that what is missing is below 1e-80."""
    nodes = Nodes(integrand, Parameters(integrand), h)
    far = float(integrand.moment.order / integrand.moment.sigma)
    first, stop = int((min(far, 0) - 30) / h) - 1, int((max(far, 0) + 30) / h) + 2
    total = nodes.logarithmic(first, stop) if integrand.log else nodes.power(first, stop)
    return total * arb(h) / (2 * arb.pi()).sqrt()


CASES = [
    ("whole", Moment(Q(1, 10), Q(1), Q(3))),
    ("fractional", Moment(Q(1, 10), Q(2), Q(5, 2))),
    ("slit", Moment(Q(1, 1000), Q(1, 2), Q(5, 2))),
    ("slit with mass around it", Moment(Q(1, 3), Q(3, 10), Q(3, 2))),
    ("negative", Moment(Q(1, 3), Q(1), Q(-4))),
    ("bridge", Moment(Q(1, 10**9), Q(1, 2), Q(-1, 2))),
    ("bridge, large order", Moment(Q(1, 10**30), Q(1, 2), Q(-400))),
    ("logarithm", Moment(Q(1, 3), Q(1), Q(1), log=True)),
    ("logarithm, order zero", Moment(Q(1, 3), Q(1), Q(0), log=True)),
]


@pytest.mark.parametrize("bits", [6, 12, 25, 50])
@pytest.mark.parametrize("moment", [m for _, m in CASES], ids=[name for name, _ in CASES])
def test_the_sum_is_as_close_as_was_proved(moment, bits):
    integrand = Integrand(moment)
    chosen = plan(integrand, bits)
    truth = moment_enclosure(moment, 200, Deadline())
    with precision(300):
        proved = error(integrand, chosen, Parameters(integrand))
        allowed = fraction(proved.relative.upper()) * truth.hi
        allowed += fraction(proved.absolute.upper())
        found = whole_sum(integrand, chosen.h)
        apart = max(
            abs(fraction(found.lower()) - truth.lo), abs(fraction(found.upper()) - truth.hi)
        )
    assert apart <= allowed
    assert allowed < abs(truth.hi) * Q(4, 2**bits) or moment.log


@st.composite
def contours(draw):
    """A moment, and any contour that suits it: not only those that the engine would choose."""
    q = draw(st.sampled_from([Q(1, 10**6), Q(1, 100), Q(1, 3), Q(9, 10)]))
    sigma = draw(st.integers(20, 300).map(lambda n: Q(n, 100)))
    order = draw(st.integers(-60, 60).map(lambda n: Q(n, 8)))
    h = draw(st.integers(8, 64)) / 32
    edge = float(sigma) * math.pi
    kind = draw(st.sampled_from(["strip", "beyond", "log"]))
    if kind == "log":
        return Moment(q, sigma, Q(draw(st.integers(0, 1))), log=True), Plan(h, 0.9 * edge)
    moment = Moment(q, sigma, order)
    if kind == "strip" or order == 0:
        part = draw(st.integers(1, 19)) / 20
        return moment, Plan(h, part * edge, draw(st.integers(0, 10)) / 20 * part * math.pi)
    d = edge * draw(st.integers(21, 80)) / 20
    if order > 0:
        return moment, Plan(h, d, slit=True)
    rho, y0 = draw(st.integers(1, 60)) / 10, draw(st.integers(1, 19)) / 20 * edge
    return moment, Plan(h, d, rho=rho, y0=y0)


def used_up(moment, chosen):
    """The real error as a share of the proved one; None where nothing can be learned."""
    integrand = Integrand(moment)
    with precision(200):
        proved = error(integrand, chosen, Parameters(integrand))
        if not (proved.relative < 1 and proved.absolute.is_finite()):
            return None
        truth = moment_enclosure(moment, 160, patient())
        allowed = fraction(proved.relative.upper()) * truth.hi if not moment.log else Q(0)
        allowed += fraction(proved.absolute.upper())
        if allowed < abs(truth.hi) / 2**120:  # the sum itself has too few bits
            return None
        apart = abs(fraction(whole_sum(integrand, chosen.h).mid()) - truth.lo)
    return apart / allowed


@settings(max_examples=5 * settings().max_examples)
@given(contours())
def test_no_contour_proves_too_small_an_error(case):
    """An interval hides much of its discretisation error behind the rest; here it stands alone."""
    share = used_up(*case)
    assert share is None or share <= 1


@pytest.mark.parametrize(
    ("least", "moment", "chosen"),
    [(0.98, Moment(Q(1, 100), Q(3), Q(5, 2)), Plan(2.0, 3.1)),
     (0.99, Moment(Q(1, 10), Q(1, 2), Q(7, 2)), Plan(2.0, math.pi, slit=True)),
     (0.85, Moment(Q(1, 3), Q(2), Q(-1, 2)), Plan(1.5, 4.0)),
     (0.7, Moment(Q(1, 10), Q(17, 20), Q(-1, 8)), Plan(2.40625, 2.5635, rho=1.1, y0=2.5368))],
)  # fmt: skip
def test_bounds_are_nearly_used_up(least, moment, chosen):
    """Strip, slit, strip at a negative order, bridge: bounds so close that they could fail."""
    assert least < used_up(moment, chosen) <= 1


def test_at_whole_orders_the_bound_is_almost_attained():
    """So there is no slack: one node counted twice would show."""
    integrand = Integrand(Moment(Q(1, 10**4), Q("1.63"), Q(42)))
    chosen = plan(integrand, 20)
    truth = moment_enclosure(integrand.moment, 200, Deadline())
    with precision(300):
        proved = error(integrand, chosen, Parameters(integrand)).relative
        apart = abs(fraction(whole_sum(integrand, chosen.h).mid()) - truth.lo) / truth.lo
        assert apart > Q(9, 10) * fraction(proved.lower())


def test_a_slit_pays_where_little_mass_lies_around_it():
    rare, common = (Integrand(Moment(q, Q(1, 2), Q(5, 2))) for q in (Q(1, 10**6), Q(99, 100)))
    assert plan(rare, 60).slit
    assert plan(rare, 60).h > 1.5 * plan(common, 60).h


def test_a_bridge_pays_at_small_sigma_and_rate():
    integrand = Integrand(Moment(Q(1, 10**30), Q(1, 5), Q(-1, 2)))
    assert plan(integrand, 200).rho > 0
    assert plan(integrand, 200).h > 2 * plan(integrand, 200, bridges=False).h


def test_a_bridge_next_to_the_mass_is_right_and_wide():
    """Walls and crossing in the middle of the mass: the proved error says so."""
    integrand = Integrand(Moment(Q(1, 3), Q(1, 2), Q(-3, 2)))
    truth = moment_enclosure(integrand.moment, 100, Deadline())
    chosen = Plan(0.5, 6.0, rho=0.5, y0=1.2)
    with precision(200):
        proved = error(integrand, chosen, Parameters(integrand))
        apart = abs(fraction(whole_sum(integrand, 0.5).mid()) - truth.lo)
        assert apart <= fraction(proved.absolute.upper()) + truth.hi * fraction(
            proved.relative.upper()
        )


@pytest.mark.parametrize(
    ("moment", "chosen"),
    [(Moment(Q(1, 2), Q(1), Q(-2)), Plan(0.1, 5.0, slit=True)),
     (Moment(Q(1, 2), Q(1), Q(5, 2)), Plan(0.1, 5.0, rho=1.0, y0=1.0)),
     (Moment(Q(1, 2), Q(1), Q(-2)), Plan(0.1, 5.0, rho=1.0, y0=3.2)),
     (Moment(Q(1, 2), Q(1), Q(-2)), Plan(0.1, 2.0, rho=1.0, y0=2.5)),
     (Moment(Q(1, 2), Q(1), Q(-2)), Plan(0.1, 5.0, rho=1.0, y0=-1.0)),
     (Moment(Q(1, 2), Q(1), Q(1), log=True), Plan(0.1, 5.0, slit=True)),
     (Moment(Q(1, 2), Q(1), Q(5, 2)), Plan(0.1, 3.0, slit=True)),
     (Moment(Q(1, 2), Q(1), Q(5, 2)), Plan(0.1, 3.15)),
     (Moment(Q(1, 2), Q(1), Q(5, 2)), Plan(-0.1, 3.0)),
     (Moment(Q(1, 2), Q(1), Q(2)), Plan(0.1, -3.0))],
)  # fmt: skip
def test_a_plan_that_proves_nothing_is_refused(moment, chosen):
    """Contours for other orders, heights beyond or below the branch point, wrong signs."""
    integrand = Integrand(moment)
    with precision(100), pytest.raises(OutOfReach):
        error(integrand, chosen, Parameters(integrand))


def test_a_sigma_at_which_the_slit_would_have_no_length():
    """sigma chosen so that the best height is pi sigma to the last bit: answered on a strip."""
    sigma = Q(float.fromhex("0x1.44f4d3e964152p+1"))
    value = evaluate(Moment(Q("0.001"), sigma, Q("2.5")), 5, patient())
    assert value.relative_width() < Q(1, 10**5)
