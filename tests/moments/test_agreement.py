"""The cross-check asks for containment: right digits around a false interval are refused."""

from __future__ import annotations

import importlib
import time
from fractions import Fraction as Q

import pytest

from tests.patience import patient
from verify.moments import agreement
from verify.moments.engines import ENGINES, Moment, whole
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import BudgetExceeded, EnginesDisagree, OutOfReach, PrecisionExhausted
from verify.numbers.point import Point
from verify.vectors import generate

TOUCHING = Moment(Q(1, 10_000), Q("1.63"), Q(42))
ORDINARY = Moment(Q(1, 10), Q(1, 2), Q(5, 2))
DIGITS = 30


def check(moment=ORDINARY, digits=DIGITS, **options):
    return agreement.cross_check(moment, digits, patient(), **options)


def replace(monkeypatch, name, broken):
    original = agreement.engine
    monkeypatch.setattr(agreement, "engine", lambda n: broken if n == name else original(n))


def beside(moment, missed, above=True):
    """An interval as narrow as asked whose nearer end misses the truth by a share of its width."""
    truth = agreement.engine(agreement.second_route(moment))(moment, DIGITS + 30, patient())
    width = abs(truth.lo) / 10**DIGITS
    if above:
        low = truth.hi + missed * width
        return Enclosure(low, low + width, proved=True)
    high = truth.lo - missed * width
    return Enclosure(high - width, high, proved=True)


@pytest.mark.parametrize("moment", [TOUCHING, ORDINARY, Moment(Q(1, 10), Q(1, 2), Q(-3))], ids=str)
@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("missed", [Q(1, 1000), Q(1, 1_000_000)])
def test_an_interval_that_misses_the_truth_is_refused_though_its_digits_agree(
    monkeypatch, moment, above, missed
):
    false = beside(moment, missed, above)
    replace(monkeypatch, agreement.REFERENCE, lambda m, d, t: false)
    with pytest.raises(EnginesDisagree, match="outside the interval"):
        check(moment)
    middle = (false.lo + false.hi) / 2
    truth = whole.evaluate(moment, 60, Deadline()) if moment is TOUCHING else beside(moment, Q(0))
    assert abs(truth.lo - middle) < 2 * abs(middle) / 10**DIGITS  # what agreement used to ask


def test_either_witness_alone_refuses_it(monkeypatch):
    false = beside(ORDINARY, Q(1, 1000))

    def away(moment, digits, deadline):
        raise OutOfReach("not here")

    original = agreement.engine
    reaching = [name for name in agreement.WITNESSES if reaches(original(name), ORDINARY)]
    assert {"series", "quadrature"} <= set(reaching)  # another engine need not reach every point
    for alone in reaching:
        with monkeypatch.context() as patch:
            patch.setattr(
                agreement,
                "engine",
                lambda n, alone=alone: (
                    (lambda m, d, t: false)
                    if n == agreement.REFERENCE
                    else original(n)
                    if n == alone
                    else away
                ),
            )
            with pytest.raises(EnginesDisagree, match=f"{alone} lies outside"):
                check()


def reaches(evaluate, moment) -> bool:
    try:
        evaluate(moment, DIGITS, patient())
    except OutOfReach:
        return False
    return True


def test_a_barely_true_interval_passes(monkeypatch):
    true = beside(TOUCHING, Q(-1, 1000))
    replace(monkeypatch, agreement.REFERENCE, lambda m, d, t: true)
    assert set(check(TOUCHING).contained) >= {"whole", "series", "quadrature"}


def test_the_others_are_computed_with_ten_digits_more():
    found = check()
    wide = found.values[agreement.REFERENCE]
    assert set(found.contained) >= {"rigorous", "series", "quadrature"}
    for name in found.contained:
        narrow = found.values[name]
        assert narrow.hi - narrow.lo < (wide.hi - wide.lo) / 10**8


def test_a_vague_interval_confirms_nothing(monkeypatch):
    vague = Enclosure(Q(0), Q(100), proved=True)
    replace(monkeypatch, agreement.REFERENCE, lambda m, d, t: vague)
    with pytest.raises(EnginesDisagree, match="more than asked"):
        check()


def test_a_second_route_that_disagrees_is_named_with_every_value(monkeypatch):
    replace(monkeypatch, "rigorous", lambda m, d, t: Enclosure(Q(1), Q(1), proved=True))
    with pytest.raises(EnginesDisagree) as error:
        check()
    names = ("trapezoid in [", "rigorous in [1.000", "series in [", "quadrature in [")
    assert all(name in str(error.value) for name in names)


def test_the_second_route_alone_is_no_witness(monkeypatch):
    """It shares the ball arithmetic with the reference; what is published needs another arithmetic."""

    def away(moment, digits, deadline):
        raise OutOfReach("not here")

    original = agreement.engine
    monkeypatch.setattr(
        agreement, "engine", lambda n: away if n in agreement.WITNESSES else original(n)
    )
    found = check()
    assert found.witnesses == ()
    assert len(found.confirmed_by) == 1
    with pytest.raises(OutOfReach, match="no engine in another arithmetic"):
        generate.witnesses(Point.of("0.1", 1, "2.5"))


@pytest.mark.parametrize("error", [OutOfReach, PrecisionExhausted])
def test_a_second_route_that_gives_up_is_told_but_refutes_nothing(monkeypatch, error):
    def away(moment, digits, deadline):
        raise error("too far")

    replace(monkeypatch, "rigorous", away)
    assert check().unreachable["rigorous"] == "too far"


def test_running_out_of_time_is_an_error_unless_patience_is_limited(monkeypatch):
    def slow(moment, digits, deadline):
        Deadline(0.0).check()

    replace(monkeypatch, "quadrature", slow)
    with pytest.raises(BudgetExceeded):
        check()
    assert check(patience=60.0).witnesses == ("series",)


@pytest.mark.parametrize(
    ("order", "log", "route"),
    [("2", False, "whole"), ("2.5", False, "rigorous"), ("-2", False, "rigorous"), ("1", True, "rigorous"),
     ("100000", False, "rigorous")],
)  # fmt: skip
def test_whole_orders_have_a_route_of_their_own(order, log, route):
    assert agreement.second_route(Moment(Q(1, 2), Q(1), Q(order), log)) == route


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_is_what_the_list_says(name):
    evaluate = importlib.import_module(ENGINES[name].module).evaluate
    found = evaluate(Moment(Q(1, 10), Q(1), Q(3)), 10, patient())
    assert found.proved == ENGINES[name].proved
    assert found.relative_width() <= Q(1, 10**10)


def test_the_list_names_the_reference_first_and_the_witnesses_last():
    assert agreement.REFERENCE == "trapezoid"
    assert agreement.WITNESSES[:2] == ("series", "quadrature")


def test_patience_counts_work_not_waiting(monkeypatch):
    """An engine that has to wait (for a busy machine, say) is not given up."""
    healthy = agreement.engine

    def waiting(name):
        def evaluate(moment, digits, deadline):
            time.sleep(1.5)
            return healthy(name)(moment, digits, deadline)

        return evaluate if name == "series" else healthy(name)

    monkeypatch.setattr(agreement, "engine", waiting)
    assert "series" in check(digits=5, patience=1.4).witnesses


def test_patience_with_an_engine_that_works_has_an_end(monkeypatch):
    def working(moment, digits, deadline):
        while True:
            deadline.check()

    replace(monkeypatch, "quadrature", working)
    assert "quadrature" in check(digits=5, patience=0.05).unreachable


@pytest.mark.parametrize(
    ("order", "log", "name"),
    [(2, False, "whole"), (128, False, "whole"), (129, False, "trapezoid"), (Q(5, 2), False, "trapezoid"),
     (-3, False, "trapezoid"), (1, True, "trapezoid")],
)  # fmt: skip
def test_small_whole_orders_are_answered_by_a_sum(order, log, name):
    assert agreement.quickest(Moment(Q(1, 2), Q(1), Q(order), log)) == name
