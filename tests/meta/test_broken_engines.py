"""The suite can fail: engines broken on purpose are caught by the comparison with the others.

Each break is one that somebody has made somewhere; each is applied to the real engine, and the same
cross-check that publishes numbers must refuse it with every engine's value in the message.
"""

from __future__ import annotations

import math
from dataclasses import replace as changed
from fractions import Fraction as Q

import pytest
from flint import acb, arb

from tests.patience import patient
from verify.moments import agreement
from verify.moments.engines import Moment, remainder, series, step, trapezoid
from verify.moments.engines.integrand import Integrand, Parameters
from verify.numbers.balls import ball, enclosure, fraction, precision
from verify.numbers.certified import Enclosure
from verify.numbers.errors import EnginesDisagree, SgmError

POINT = Moment(Q(1, 10), Q(1, 2), Q(5, 2))
DIGITS = 30


def caught(moment: Moment = POINT, digits: int = DIGITS) -> str:
    with pytest.raises(EnginesDisagree) as error:
        agreement.cross_check(moment, digits, patient())
    return str(error.value)


def replace(monkeypatch: pytest.MonkeyPatch, name: str, broken: object) -> None:
    original = agreement.engine
    monkeypatch.setattr(agreement, "engine", lambda n: broken if n == name else original(n))


def test_the_unbroken_engines_pass():
    assert agreement.cross_check(POINT, DIGITS, patient()).agreement >= DIGITS


def test_the_message_names_every_value(monkeypatch):
    replace(monkeypatch, "series", lambda m, d, t: Enclosure(Q(1), Q(1), proved=False))
    message = caught()
    assert all(name in message for name in ("trapezoid in [", "series in [1", "quadrature in ["))


def test_strip_wider_than_the_domain_of_analyticity(monkeypatch):
    """Taking a fractional power for entire makes the step far too large."""
    original = Integrand.__init__

    def too_wide(self, moment):
        original(self, moment)
        self.entire = True

    monkeypatch.setattr(Integrand, "__init__", too_wide)
    caught()


def proved_without_a_strip(monkeypatch: pytest.MonkeyPatch, height: float) -> None:
    """The step and error of a line at that height, as if nothing were in the way."""

    def careless_plan(integrand, bits):
        nats = bits * math.log(2) + 2 + height**2 / 2
        return step.Plan(2 * math.pi * height / nats, height)

    def careless_error(integrand, chosen, balls):
        turns = 2 * math.pi * height / chosen.h
        return step.Error(2 * arb(height**2 / 2 - turns).exp(), arb(0))

    monkeypatch.setattr(trapezoid, "plan", careless_plan)
    monkeypatch.setattr(trapezoid, "error", careless_error)


def test_strip_twice_as_wide(monkeypatch):
    proved_without_a_strip(monkeypatch, 2 * math.pi * float(POINT.sigma))
    caught()


def test_wrong_strip_for_a_negative_order(monkeypatch):
    """Forgetting the factor (cos f)^s and the move that s < 0 costs."""
    proved_without_a_strip(monkeypatch, 0.999 * math.pi / 2)
    caught(Moment(Q(1, 2), Q(1, 2), Q(-199)))


def test_slit_forgotten(monkeypatch):
    """The line beyond the branch points, without what the slit down to them adds."""
    monkeypatch.setattr(step, "_slit", lambda *_: arb(0))

    def as_if_entire(integrand, bits):
        d = math.sqrt(2 * bits * math.log(2) + 4)
        return step.Plan(2 * math.pi / d, d, slit=True)

    monkeypatch.setattr(trapezoid, "plan", as_if_entire)
    caught(Moment(Q(1, 3), Q(3, 10), Q(3, 2)))


def test_bridge_through_the_branch_points(monkeypatch):
    """Crossing the column of branch points above the first one, taken for below."""
    original = step._bridge

    def too_high(integrand, chosen, turns, line, balls):
        found = original(integrand, changed(chosen, y0=chosen.y0 / 8), turns, line, balls)
        return step.Error(found.relative, found.absolute * 0)

    def careless_plan(integrand, bits):
        d = math.sqrt(2 * bits * math.log(2) + 8)
        return step.Plan(2 * math.pi / d, d, rho=3.0, y0=1.0)

    monkeypatch.setattr(step, "_bridge", too_high)
    monkeypatch.setattr(trapezoid, "plan", careless_plan)
    caught(Moment(Q(1, 3), Q(3, 10), Q(-3, 2)))


def test_dropped_tail(monkeypatch):
    original = trapezoid.sketch
    monkeypatch.setattr(
        trapezoid,
        "sketch",
        lambda profile, depth, keep_all=False: original(profile, depth / 3, keep_all=keep_all),
    )
    monkeypatch.setattr(remainder.Remainder, "bound", lambda self, cover, drawn: arb(0))
    caught()


def test_dropped_mode(monkeypatch):
    """Summing around 0 only, as a quadrature centred there does."""

    def left_only(profile, depth, keep_all=False):
        width = math.sqrt(2 * depth)
        return trapezoid.Sketch(
            ((-width, min(width, profile.right / 2)),), None, None, profile.level(profile.left)
        )

    monkeypatch.setattr(trapezoid, "sketch", left_only)
    monkeypatch.setattr(remainder.Remainder, "bound", lambda self, cover, drawn: arb(0))
    caught(Moment(Q(1, 1000), Q(1), Q(41, 2)))


def test_undersized_precision(monkeypatch):
    """Rounding errors show up as wide balls: more precision is asked for, never a wrong digit."""
    monkeypatch.setattr(trapezoid, "argument_bits", lambda profile, drawn: 1)
    found = agreement.cross_check(Moment(Q(1, 2), Q(1, 20), Q(401, 2)), DIGITS, patient())
    assert found.agreement >= DIGITS


def test_sign_of_the_order(monkeypatch):
    replace(
        monkeypatch,
        "trapezoid",
        lambda m, d, t: trapezoid.evaluate(Moment(m.q, m.sigma, -m.order), d, t),
    )
    caught()


def test_sign_in_the_exponent(monkeypatch):
    original = Parameters.__init__

    def flipped(self, integrand):
        original(self, integrand)
        self.half = -self.half

    monkeypatch.setattr(Parameters, "__init__", flipped)
    caught()


def test_q_and_one_minus_q_swapped(monkeypatch):
    replace(
        monkeypatch,
        "trapezoid",
        lambda m, d, t: trapezoid.evaluate(Moment(1 - m.q, m.sigma, m.order), d, t),
    )
    caught()


def test_order_off_by_one(monkeypatch):
    replace(
        monkeypatch,
        "series",
        lambda m, d, t: series.evaluate(Moment(m.q, m.sigma, m.order + 1), d, t),
    )
    caught()


def test_sigma_for_sigma_squared(monkeypatch):
    replace(
        monkeypatch,
        "quadrature",
        lambda m, d, t: trapezoid.evaluate(Moment(m.q, m.sigma**2, m.order), d, t),
    )
    caught()


def test_fifteen_digits_sold_as_thirty(monkeypatch):
    def rounded(m, d, t):
        value = Q(float(trapezoid.evaluate(m, d, t).lo))
        return Enclosure(value, value, proved=False)

    replace(monkeypatch, "quadrature", rounded)
    caught()


def test_dropped_sign_of_the_generalised_binomial(monkeypatch):
    """Adding all terms of the fractional series with a plus: an upper bound, not the value."""

    def unsigned(mp, moment, dps, deadline):
        half, s = series._HalfLines(mp, moment), series.mpf(mp, moment.order)
        total = mp.fsum(
            abs(mp.binomial(s, k))
            * ((1 - half.q) ** (s - k) * half.q**k * half.left(mp.mpf(k))
               + half.q ** (s - k) * (1 - half.q) ** k * half.right(s - k))
            for k in range(200)
        )  # fmt: skip
        return total, mp.mpf(0)

    monkeypatch.setattr(series, "_accelerated", unsigned)
    caught(digits=6)


def _integral(moment: Moment, bits: int, honour: bool) -> Enclosure:
    """E[g^s] by acb.integral; rigorous only if the integrand honours the ``analytic`` flag."""
    with precision(bits):
        q, sigma, s = (ball(x) for x in (moment.q, moment.sigma, moment.order))

        def integrand(t, analytic):
            g = (1 - q) + q * (t / sigma - 1 / (2 * sigma**2)).exp()
            on_the_cut = g.imag.contains(0) and not g.real > 0
            if honour and analytic and on_the_cut:
                return acb("nan")
            return (-t * t / 2).exp() * g ** acb(s)

        right = float(moment.order / moment.sigma) + 30
        value = acb.integral(integrand, acb(-30), acb(right), rel_tol=arb(2) ** (10 - bits))
        result = (value / (2 * arb.pi()).sqrt()).real
    with precision(bits + 64):
        return enclosure(result)


CUT = Moment(Q(1, 2), Q(1, 10), Q(1, 2))


def test_ignoring_the_analytic_flag_gives_a_false_enclosure():
    truth = trapezoid.moment_enclosure(CUT, 120, patient())
    false = _integral(CUT, 90, honour=False)
    assert false.hi < truth.lo or truth.hi < false.lo


def test_honouring_the_analytic_flag_confirms_the_trapezoid():
    truth = trapezoid.moment_enclosure(CUT, 120, patient())
    other = _integral(CUT, 90, honour=True)
    assert other.lo <= truth.lo <= truth.hi <= other.hi


def test_an_engine_that_ignores_the_flag_is_caught(monkeypatch):
    def ignoring(moment, digits, deadline):
        found = _integral(moment, 90, honour=False)
        with precision(200):
            low, high = ball(found.lo).log(), ball(found.hi).log()
            return Enclosure(fraction(low.mid()), fraction(high.mid()), proved=True)

    replace(monkeypatch, "trapezoid", ignoring)
    caught(CUT, digits=20)


def test_an_error_is_never_turned_into_a_value(monkeypatch):
    def broken(moment, digits, deadline):
        raise ZeroDivisionError

    replace(monkeypatch, "series", broken)
    with pytest.raises(ZeroDivisionError):
        agreement.cross_check(POINT, DIGITS, patient())


def test_no_witness_is_no_confirmation(monkeypatch):
    def away(moment, digits, deadline):
        raise trapezoid.OutOfReach("not here")

    original = agreement.engine
    monkeypatch.setattr(agreement, "engine", lambda n: original(n) if n == "trapezoid" else away)
    with pytest.raises(SgmError, match="no independent engine"):
        agreement.cross_check(POINT, DIGITS, patient())
