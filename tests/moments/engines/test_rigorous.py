"""acb.integral with tails of its own: against closed forms, the binomial sum and the reference."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest
from flint import acb, arb
from hypothesis import given

from tests.patience import patient
from tests.strategies import noises, orders, rates
from verify.moments.engines import Moment, rigorous, trapezoid, whole
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted


def found(moment, digits):
    return rigorous.evaluate(moment, digits, patient())


def meet(a, b):
    return a.lo <= b.hi and b.lo <= a.hi


@given(rates(), noises(-2), orders(64))
def test_it_meets_the_trapezoid_in_both_directions(q, sigma, alpha):
    for order in (alpha, 1 - alpha):
        moment = Moment(q, sigma, order)
        other = trapezoid.evaluate(moment, 25, patient())
        assert meet(found(moment, 15), other)


@given(rates(), noises(-1))
def test_it_meets_the_trapezoid_at_order_one(q, sigma):
    for order in (Q(0), Q(1)):
        moment = Moment(q, sigma, order, log=True)
        assert meet(found(moment, 15), trapezoid.evaluate(moment, 25, patient()))


@pytest.mark.parametrize(
    ("q", "sigma", "n"),
    [("1e-4", "1.63", 42), ("0.5", "0.01", 10_000), ("1e-12", "2", 1024), ("0.3", "1000", 9999),
     ("1e-300", "1", 2), ("0.01", "0.01", 1_000_000), ("0.99999999999999999995", "0.9", 301)],
)  # fmt: skip
def test_it_contains_the_binomial_sum(q, sigma, n):
    moment = Moment(Q(q), Q(sigma), Q(n))
    truth = whole.evaluate(moment, 60, patient())
    interval = found(moment, 20)
    assert interval.lo < truth.lo <= truth.hi < interval.hi
    assert interval.relative_width() <= Q(1, 10**20)


def test_order_minus_one_is_known_in_closed_form_at_no_sampling():
    assert found(Moment(Q(1), Q(1, 2), Q(-1)), 20).lo == 4


@pytest.mark.parametrize(
    ("q", "sigma", "order", "log"),
    [("0.2", "0.01", "1", True), ("0.2", "0.01", "0", True), ("0.5", "0.01", "-99999", False),
     ("0.2", "0.01", "1.999999999999", False), ("1e-40", "1", "1.5", False), ("0.2", "4", "1.000000000001", False),
     ("0.2", "4", "-0.000000000001", False), ("0.01", "1e8", "3.5", False), ("1e-200", "1e8", "1000000", False)],
)  # fmt: skip
def test_extremes_are_answered_to_the_digits_asked(q, sigma, order, log):
    moment = Moment(Q(q), Q(sigma), Q(order), log)
    interval = found(moment, 12)
    assert interval.proved
    assert interval.relative_width() <= Q(1, 10**12)
    assert meet(interval, trapezoid.evaluate(moment, 20, patient()))


def _function(moment):
    return rigorous.Integrand(moment, arb(0), patient())


BOXES = [
    Moment(Q(1, 100), Q(1, 2), Q(5, 2)), Moment(Q(1, 2), Q(1), Q(-7, 2)), Moment(Q(1, 2), Q(1), Q(1, 3)),
    Moment(Q(1, 10), Q(1), 1 + Q(1, 10**9)), Moment(Q(1, 10), Q(1), Q(1), log=True),
    Moment(Q(9, 10), Q(1, 2), Q(0), log=True), Moment(Q(1, 10**6), Q(3), Q(40)),
]  # fmt: skip


@pytest.mark.parametrize("moment", BOXES, ids=str)
@pytest.mark.parametrize("width", ["1e-5", "0.01", "0.3", "2"])
def test_a_box_encloses_the_function_on_its_real_line(moment, width):
    """Points and boxes go by different formulas; on overlapping ground they must not contradict."""
    with precision(120):
        function = _function(moment)
        for k in range(-12, 13):
            t = arb(Q(k, 2).numerator) / 2
            for inside in (-1, 0, 1):
                point = function.point(t + inside * arb(width) / 2)
                for analytic in (False, True):
                    box = function.box(acb(arb(t, arb(width)), arb(0, arb(width))), analytic)
                    assert not box.is_finite() or box.real.overlaps(point)


@pytest.mark.parametrize("moment", BOXES, ids=str)
def test_the_function_is_what_its_docstring_says(moment):
    """e^{-t^2/2} times g^s - 1 - s (g-1), g ln g - (g-1) or (g-1) - ln g, written down once more."""
    with precision(300):
        q, sigma, s = ball(moment.q), ball(moment.sigma), ball(moment.order)
        function = _function(moment)
        for t in (arb(-3), arb(0), arb("0.7"), arb(5)):
            g = 1 - q + q * (t / sigma - 1 / (2 * sigma**2)).exp()
            if moment.log:
                f = g * g.log() - (g - 1) if moment.order == 1 else (g - 1) - g.log()
            else:
                f = g**s - 1 - s * (g - 1)
            assert function.point(t).overlaps(f * (-t * t / 2).exp())


def test_a_box_over_a_branch_point_is_refused():
    moment = Moment(Q(1, 2), Q(1, 10), Q(1, 2))
    with precision(100):
        function = _function(moment)
        around = acb(function.t1 + arb(0, 1), arb(0, 1))
        assert not function.box(around, True).is_finite()


@pytest.mark.parametrize("moment", BOXES, ids=str)
def test_tails_bound_what_they_stand_for(moment):
    """The tail beyond an end exceeds the integral from there to a further end, and by little."""
    with precision(100):
        function = _function(moment)
        right = float(max(moment.order, 1) / moment.sigma) + 3
        for sign, start, bound in ((-1, 8.0, function.left_tail), (1, right, function.right_tail)):
            a, b = sorted((sign * start, sign * (start + 6)))
            part = acb.integral(function, acb(a), acb(b), rel_tol=arb("1e-6"), abs_tol=arb("1e-60"))
            tail = bound(arb(start)) * function.c.abs_upper()
            assert abs(part.real) < tail


def test_the_deadline_is_kept_inside_the_callback():
    with pytest.raises(BudgetExceeded):
        rigorous.evaluate(Moment(Q(1, 2), Q(1), Q(5, 2)), 200, Deadline(0.0))


def test_an_interrupt_inside_the_callback_is_not_lost(monkeypatch):
    def interrupted(self, t):
        raise KeyboardInterrupt

    monkeypatch.setattr(rigorous.Integrand, "point", interrupted)
    with pytest.raises(KeyboardInterrupt):
        found(Moment(Q(1, 2), Q(1), Q(5, 2)), 10)


def test_a_wide_ball_is_no_answer(monkeypatch):
    """Non-convergence is reported by the radius alone."""
    monkeypatch.setattr(rigorous, "_MAX_EVALUATIONS", 10)
    with pytest.raises(PrecisionExhausted):
        found(Moment(Q(1, 2), Q(1), Q(5, 2)), 20)


def test_other_logarithmic_moments_are_out_of_reach():
    with pytest.raises(OutOfReach):
        found(Moment(Q(1, 2), Q(1), Q(2), log=True), 10)


def test_beyond_doubles_is_out_of_reach():
    with pytest.raises(OutOfReach):
        found(Moment(Q(1, 2), Q(10) ** -400, Q(5, 2)), 10)
