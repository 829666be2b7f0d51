"""epsilon by way of RDP: minima that are minima, conversions that are what they say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verify.accounting import epsilon
from verify.accounting.best_order import ALL_ORDERS, over_all
from verify.accounting.conversions import CONVERSIONS, ORDERS
from verify.accounting.history import history
from verify.accounting.rdp import over_list, rdp_table
from verify.accounting.renyi import RenyiCurve
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain

DELTA = Fraction(1, 10**5)
RUNS = [("0.01", 1, 1000), ("0.5", 1, 2), ("0.001", 8, 10**5)]


def curve(run, digits=40):
    return RenyiCurve(history([run]), digits, Deadline())


def value(known, alpha, conversion):
    with precision(known.bits):
        inverse = -ball(DELTA).log()
        return CONVERSIONS[conversion](ball(alpha), known.at(alpha), inverse)


@pytest.mark.parametrize("conversion", ["cks", "mironov"])
@pytest.mark.parametrize("run", RUNS)
def test_the_minimum_over_a_list_is_the_minimum_of_all_its_orders(run, conversion):
    known = curve(run, 24)
    found = over_list(known, DELTA, conversion, "dp-accounting")
    with precision(known.bits):
        least = min(float(value(known, a, conversion).mid()) for a in ORDERS["dp-accounting"])
    assert float(found.epsilon.lo) == pytest.approx(least, rel=1e-15)


@pytest.mark.parametrize("conversion", ["cks", "mironov"])
@pytest.mark.parametrize("run", RUNS)
def test_no_order_is_below_the_minimum_over_all_real_orders(run, conversion):
    known = curve(run)
    found = over_all(known, DELTA, conversion, 18)
    assert found.epsilon.hi - found.epsilon.lo <= found.epsilon.hi / 10**18
    best = (found.order.lo + found.order.hi) / 2
    for shift in ("-0.3", "-1e-4", "0", "1e-4", "0.5"):
        alpha = 1 + (best - 1) * (1 + Fraction(shift))
        with precision(known.bits):
            assert value(known, alpha, conversion) >= ball(found.epsilon.lo)


def test_all_real_orders_are_never_worse_than_a_list():
    table = {
        (r.orders, r.conversion): r.epsilon
        for r in rdp_table(history([RUNS[0]]), DELTA, 15, Deadline())
    }
    for name in ORDERS:
        assert table[ALL_ORDERS, "cks"].hi < table[name, "cks"].lo


@pytest.mark.parametrize("run", RUNS)
def test_the_conversions_are_ordered_and_above_the_tight_epsilon(run):
    known = curve(run)
    tight = epsilon(*run, DELTA, 15)
    cks, mironov = (over_all(known, DELTA, name, 15).epsilon for name in ("cks", "mironov"))
    assert tight.hi < cks.lo < cks.hi < mironov.lo


@pytest.mark.parametrize("alpha", ["1.1", "2", "8.5", "300"])
def test_balle_and_canonne_are_the_same_number(alpha):
    known = curve(RUNS[0])
    assert value(known, Fraction(alpha), "cks").overlaps(value(known, Fraction(alpha), "balle"))


def test_epsilon_is_never_negative():
    table = rdp_table(history([("0.0001", 1, 10)]), Fraction(1, 2), 10, Deadline())
    assert all(row.epsilon.lo >= 0 for row in table)
    assert table[0].epsilon.hi == 0


def test_the_ends_of_a_list_may_be_best():
    known = curve(RUNS[0], 20)
    assert over_list(known, DELTA, "cks", (Fraction(2), Fraction(3))).order.lo == 3
    assert over_list(known, DELTA, "cks", (Fraction(20), Fraction(30))).order.lo == 20


@pytest.mark.parametrize("delta", [0, 1])
def test_rdp_says_nothing_at_the_ends_of_delta(delta):
    with pytest.raises(OutOfDomain):
        rdp_table(history([RUNS[0]]), Fraction(delta), 10, Deadline())
