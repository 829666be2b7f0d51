"""A run that grows: every answer is the one that a fresh account gives, and broken tables are not believed."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tests.patience import PATIENCE
from verify.accounting.contour import vertical
from verify.accounting.contour.line import BadPlan
from verify.accounting.contour.vertical import Table
from verify.accounting.growing import Growing
from verify.accounting.history import history
from verify.accounting.hyperbola import bent
from verify.accounting.questions import Account
from verify.accounting.routes import Contour
from verify.numbers.budget import Deadline

RUNS = [  # a line from the start, a hyperbola that becomes a line, a hyperbola
    (Fraction(1, 100), Fraction(1), Fraction(1, 10**5), (998, 999, 1000, 1001, 1003, 1010, 1300)),
    (Fraction(1, 100), Fraction(1), Fraction(1, 10**5), (*range(1, 12), 30, 31)),
    (Fraction(1, 1000), Fraction(7, 10), Fraction(1, 10**6), (5, 6, 7)),
]


@pytest.mark.parametrize(("q", "sigma", "delta", "steps"), RUNS)
def test_every_answer_is_that_of_a_fresh_account(q, sigma, delta, steps):
    growing = Growing(delta, PATIENCE)
    for n in steps:
        run = history([(q, sigma, n)])
        assert growing.epsilon(run) == Account(run, PATIENCE).epsilon(delta).to_double_up()


def test_answers_after_the_first_ones_use_what_is_there():
    growing = Growing(Fraction(1, 10**5))
    for n in range(500, 520):
        growing.epsilon(history([("0.01", 1, n)]))
    assert growing.from_nothing == 1


def test_one_phase_of_several_may_grow():
    growing = Growing(Fraction(1, 10**5))
    for n in (100, 101, 102):
        run = history([("0.01", 1, 500), ("0.02", 2, n)])
        assert growing.epsilon(run) == Account(run).epsilon(Fraction(1, 10**5)).to_double_up()
    assert growing.from_nothing == 1


def test_a_shorter_run_and_another_run_are_answered_afresh():
    growing = Growing(Fraction(1, 10**5))
    for run in (history([("0.01", 1, n)]) for n in (200, 100)):
        assert growing.epsilon(run) == Account(run).epsilon(Fraction(1, 10**5)).to_double_up()
    other = history([("0.02", 1, 100)])
    assert growing.epsilon(other) == Account(other).epsilon(Fraction(1, 10**5)).to_double_up()


@pytest.mark.parametrize(("delta", "epsilon"), [(0, math.inf), (1, 0.0)])
def test_the_ends_of_delta_are_exact(delta, epsilon):
    growing = Growing(Fraction(delta))
    assert [growing.epsilon(history([("0.01", 1, n)])) for n in (3, 4)] == [epsilon, epsilon]


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("q", "steps"), [("0.02", 400), ("0.001", 12)])
def test_a_raised_table_contains_what_a_table_of_its_own_gives(q, steps, direction):
    """Raised by one step, by some, and down again: the two intervals of delta meet, and both have digits."""
    epsilon = Account(history([(q, "0.7", steps)])).epsilon("1e-6", 5, direction).lo / 2
    made = _table(q, steps, epsilon, direction)
    for n in (steps + 1, steps + 2, steps + steps // 8, steps - 1):
        run = history([(q, "0.7", n)])
        raised = made.with_steps(run, Deadline()).delta(epsilon)
        own = _table(q, n, epsilon, direction).delta(epsilon)
        assert max(raised.lo, own.lo) <= min(raised.hi, own.hi)
        assert raised.relative_width() < 1e-8


def _table(q, steps, epsilon, direction="remove"):
    route = Contour(history([(q, "0.7", steps)]), direction)
    route.at(epsilon, 12.0, 12.0, Deadline())
    return route.tables[-1]


@pytest.mark.parametrize("q", ["0.02", "0.001"])
def test_a_table_is_not_raised_to_other_phases(q):
    made = _table(q, 12, Fraction(1, 2))
    with pytest.raises(BadPlan, match="not other phases"):
        made.with_steps(history([(q, "0.8", 12)]), Deadline())


@pytest.mark.parametrize("wrong", [2, 1 + 1e-6, 1 - 1e-6])
def test_a_chain_of_products_that_goes_wrong_is_noticed(monkeypatch, wrong):
    """Each product is off by a factor, gross or a millionth: no sign is certified, or it is not that of the truth."""
    healthy = vertical.Table._next_row

    def broken(self, run, deadline):
        return [x * vertical.arb(wrong) for x in healthy(self, run, deadline)]

    monkeypatch.setattr(vertical.Table, "_next_row", broken)
    made = _table("0.02", 400, Fraction(3))
    assert isinstance(made, Table)
    run = history([("0.02", "0.7", 401)])
    raised = made.with_steps(run, Deadline()).delta(Fraction(3))
    own = _table("0.02", 401, Fraction(3)).delta(Fraction(3))
    assert raised.lo > own.hi or raised.hi < own.lo


def test_bounds_that_stay_behind_are_noticed(monkeypatch):
    """The error of a hyperbola that was raised must grow with the steps: with that of fewer steps it is too small."""
    made = _table("0.001", 5, Fraction(1, 4))
    assert isinstance(made, bent.Hyperbola)
    far = history([("0.001", "0.7", 400)])
    honest = made.with_steps(far, Deadline()).delta(Fraction(1, 4))
    own = _table("0.001", 400, Fraction(1, 4)).delta(Fraction(1, 4))
    assert honest.lo <= own.lo
    assert own.hi <= honest.hi
    assert honest.relative_width() > own.relative_width()
