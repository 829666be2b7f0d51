"""The minimum over all real orders: certified everywhere, attained, and undercut by no order."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from verify.accounting import best_order
from verify.accounting.best_order import over_all
from verify.accounting.conversions import CONVERSIONS
from verify.accounting.history import history
from verify.accounting.renyi import RenyiCurve
from verify.accounting.tight import Bracketed
from verify.moments.agreement import engine
from verify.moments.engines import Moment
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import PrecisionExhausted

CONVERTED = list(CONVERSIONS)
DIGITS = 15

# Where K takes off within a billionth of the order, at orders of thousands to millions
STEEP = [
    ([("5.694e-05", "14.42", 74520)], "1.356e-06"),
    ([("0.0004657", "12.12", 8)], "1.354e-06"),
    ([("0.002572", "18.91", 6)], "3.637e-11"),
    ([("1.116e-05", "22.31", 6)], "1.626e-11"),
    ([("1e-6", 1000, 1)], "1e-30"),
    ([("1e-6", 1000, 1)], "0.1"),
    ([("1e-12", 10**6, 1)], "1e-30"),
    ([("1e-6", 300, 40), ("1e-5", 4, 63), ("1e-4", 100, 592)], "1e-28"),
]
EXTREME = [
    ([(1, "0.3", 10**8)], "0.1"),
    ([(1, 1000, 1)], "1e-30"),
    ([("1e-6", "0.3", 1)], "1e-30"),
    ([("0.5", "0.3", 10**8)], "0.999999999"),
    ([("0.9999", 1000, 10**8)], "1e-30"),
    ([(1, "0.05", 10**12)], "1e-5"),
    ([(1 - 2.0**-53, "0.3", 1)], "0.1"),
    ([("0.01", 1, 1000), (1, 20, 3), ("1e-6", "0.3", 10**6)], "1e-9"),
]


def found(phases, delta, conversion, digits=DIGITS):
    curve = RenyiCurve(history(phases), 2 * digits + 12, Deadline())
    return over_all(curve, Fraction(delta), conversion, digits)


def by_another_engine(phases, delta, conversion, alpha):
    """What a conversion gives at an order, from a second engine; None where it does not reach."""
    k = Fraction(0)
    for phase in history(phases):
        moment = Moment(phase.q, phase.sigma, alpha)
        if phase.q == 1:
            k += phase.steps * alpha * (alpha - 1) / (2 * phase.sigma**2)
            continue
        value = engine("rigorous")(moment, DIGITS + 8, Deadline())
        k += phase.steps * (value.lo + value.hi) / 2
    with precision(160):
        inverse = -ball(Fraction(delta)).log()
        value = CONVERSIONS[conversion](ball(alpha), ball(k), inverse)
        return Fraction(value.mid().str(40, radius=False))


def faults(phases, delta, conversion, value, order):
    """What is wrong with an interval for the minimum, judged at orders near and far by another engine."""
    seen, best = [], (order.lo + order.hi) / 2
    shifts = [s * x for s in (-1, 1) for x in (1e-9, 1e-7, 1e-5, 1e-3, 0.1, 0.7, 2)]
    tolerance = 1 + Fraction(1, 10 ** (DIGITS - 1))
    for shift in (0, *shifts):
        alpha = 1 + (best - 1) * Fraction(math.exp(shift))
        there = by_another_engine(phases, delta, conversion, alpha)
        if max(there, 0) * tolerance < value.lo:
            seen.append(f"below at {float(alpha)}")
        if shift == 0 and there > value.hi * tolerance:
            seen.append(f"not attained at {float(alpha)}")
    return seen


@pytest.mark.parametrize("conversion", CONVERTED)
@pytest.mark.parametrize(("phases", "delta"), STEEP + EXTREME)
def test_every_run_has_a_certified_minimum(phases, delta, conversion):
    one = found(phases, delta, conversion)
    assert not isinstance(one.epsilon, Bracketed)
    assert (one.epsilon.hi - one.epsilon.lo) * 10**DIGITS <= one.epsilon.hi


@pytest.mark.parametrize("seed", range(40))
def test_random_runs_have_a_minimum_that_is_attained_and_undercut_by_no_order(seed):
    chance = random.Random(seed)
    phases = [
        (
            10 ** chance.uniform(-6, 0),
            10 ** chance.uniform(-0.5, 1),
            int(10 ** chance.uniform(0, 8)),
        )
        for _ in range(chance.choice((1, 1, 2)))
    ]
    delta = Fraction(10 ** chance.uniform(-30, -1))
    conversion = CONVERTED[seed % 3]
    one = found(phases, delta, conversion)
    assert faults(phases, delta, conversion, one.epsilon, one.order) == []


@pytest.mark.parametrize("off", [1 + Fraction(1, 10**6), 1 - Fraction(1, 10**6)])
@pytest.mark.parametrize("conversion", CONVERTED)
def test_a_minimum_that_is_off_by_a_millionth_is_caught(conversion, off):
    run = [("0.01", 1, 1000)], "1e-5"
    one = found(*run, conversion)
    wrong = Certified(one.epsilon.lo * off, one.epsilon.hi * off)
    assert faults(*run, conversion, one.epsilon, one.order) == []
    assert faults(*run, conversion, wrong, one.order)


@pytest.mark.parametrize("conversion", CONVERTED)
def test_a_slope_that_is_off_by_a_millionth_is_caught(monkeypatch, conversion):
    """The order found is then wrong, and orders beside it are better."""
    run = [("0.01", 1, 1000)], "1e-5"
    healthy = best_order._chord

    def steeper(curve, inverse, x, y, m):
        chord = healthy(curve, inverse, x, y, m)
        slope = chord.slope * ball(1 + Fraction(1, 10**6))
        return best_order._Chord(slope, curve.at(m) - slope * ball(m - 1) + inverse)

    monkeypatch.setattr(best_order, "_chord", steeper)
    one = found(*run, conversion)
    assert faults(*run, conversion, one.epsilon, one.order)


def test_a_rényi_curve_that_is_off_by_a_millionth_is_caught(monkeypatch):
    run = [("0.01", 1, 1000)], "1e-5"
    healthy = RenyiCurve.at
    monkeypatch.setattr(
        RenyiCurve, "at", lambda self, alpha: healthy(self, alpha) * (1 + ball(Fraction(1, 10**6)))
    )
    one = found(*run, "cks")
    assert faults(*run, "cks", one.epsilon, one.order)


@pytest.mark.parametrize(("sigma", "steps"), [(1, 1), ("0.3", 10**8), (1000, 1), (20, 100)])
def test_full_batches_have_the_minimum_that_calculus_gives(sigma, steps):
    """K = mu^2 alpha (alpha-1)/2: the least (K + L)/(alpha-1) is mu^2/2 + mu sqrt(2 L), at 1 + sqrt(2 L)/mu."""
    one = found([(1, sigma, steps)], "1e-5", "mironov")
    with precision(200):
        mu = ball(steps / Fraction(sigma) ** 2).sqrt()
        size = -ball(Fraction(1, 10**5)).log()
        least, order = mu**2 / 2 + mu * (2 * size).sqrt(), 1 + (2 * size).sqrt() / mu
        assert ball(one.epsilon.lo) <= least <= ball(one.epsilon.hi)
        assert ball(one.order.lo) <= order <= ball(one.order.hi)


@pytest.mark.parametrize("conversion", ["cks", "balle"])
def test_an_epsilon_that_would_be_negative_is_0_and_its_order_says_so(conversion):
    run = [("1e-5", 5, 10)], "0.01"
    one = found(*run, conversion)
    assert one.epsilon.lo == one.epsilon.hi == 0
    assert by_another_engine(*run, conversion, one.order.lo) <= 0


def test_an_epsilon_of_almost_0_has_its_digits():
    """delta just below the one at which the minimum is 0: all terms cancel to 30 digits."""
    phases, low, high = [("0.1", 5, 10)], Fraction(1, 1000), Fraction(1, 2)
    for _ in range(100):
        middle = Fraction(((low + high) / 2).limit_denominator(10**40))
        if found(phases, middle, "cks", 5).epsilon.hi == 0:
            high = middle
        else:
            low = middle
    one = found(phases, low, "cks")
    assert 0 < one.epsilon.hi < Fraction(1, 10**25)
    assert (one.epsilon.hi - one.epsilon.lo) * 10**DIGITS <= one.epsilon.hi


def test_a_curve_that_stays_blurred_gives_what_it_has(monkeypatch):
    monkeypatch.setattr(best_order, "_FINER", 1)
    healthy = RenyiCurve.at
    monkeypatch.setattr(
        RenyiCurve,
        "at",
        lambda self, alpha: (
            healthy(self, alpha) * (1 + ball(Fraction(1, 10**20)).union(ball(Fraction(0))))
        ),
    )
    one = found([("0.01", 1, 1000)], "1e-5", "cks")
    assert isinstance(one.epsilon, Bracketed)
    assert one.epsilon.lo < Fraction("2.101322131234626315") < one.epsilon.hi
    assert one.epsilon.hi - one.epsilon.lo < Fraction(1, 10**6)


def test_a_curve_of_which_nothing_is_known_is_an_error_that_says_so(monkeypatch):
    monkeypatch.setattr(
        RenyiCurve, "at", lambda self, alpha: ball(Fraction(0)).union(ball(Fraction(10**6)))
    )
    with pytest.raises(PrecisionExhausted, match="could not be enclosed"):
        found([("0.01", 1, 1000)], "1e-5", "mironov")
