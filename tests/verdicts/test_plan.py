"""Windows and panels: they cover what they should, and cost what they must."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import verify
from proofs_checks.verdicts.plan import ProofPlan, _Window, plan
from tests.patience import patient
from verify.numbers.balls import precision

POINTS = [("1/100", "11/10", "17/2"), ("1/2", "50", "127/2"), ("1/100", "1/2", "5/2")]


def made(point, bits=30):
    q, sigma, s = (Fraction(v) for v in point)
    return plan(q, sigma, s, float(verify.log_a(q, sigma, s)), bits, patient())


def ends(found: ProofPlan) -> tuple[float, float]:
    width = sum(2 * p.half for p in found.panels)
    return found.left / found.unit, (found.left + width) / found.unit


@pytest.mark.parametrize("point", POINTS)
def test_the_window_holds_both_centres_of_mass(point):
    left, right = ends(made(point))
    assert left < 0 < float(Fraction(point[2])) < right


@pytest.mark.parametrize("point", POINTS)
def test_what_is_cut_off_is_small(point):
    q, sigma, s = (float(Fraction(v)) for v in point)
    left, right = ends(made(point))
    first = math.exp(-min(left**2, right**2) / (2 * sigma**2))
    tilt = (s * s - s) / (2 * sigma**2)
    second = math.exp(tilt - min((left - s) ** 2, (right - s) ** 2) / (2 * sigma**2))
    moment = math.exp(float(verify.log_a(*point)))
    assert ((1 - q) * first + q * second) / moment < 2**-30


def test_more_bits_cost_more():
    assert made(POINTS[0], 60).cost > made(POINTS[0], 30).cost


def test_the_remainder_shrinks_with_the_panel():
    with precision(53):
        window = _Window(Fraction(1, 100), Fraction(11, 10), Fraction(17, 2), 0.0047, 30)
        assert window.log_remainder(2.0, 0.125, 7) < window.log_remainder(2.0, 0.25, 7) - 10


def test_the_reverse_exponent_has_a_window_to_the_left():
    q, sigma = Fraction(1, 100), Fraction(11, 10)
    found = plan(q, sigma, Fraction(-15, 2), float(verify.log_b(q, sigma, "17/2")), 20, patient())
    assert ends(found)[0] < -7.5
