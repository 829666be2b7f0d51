"""Which side is true comes from the certified engine; a proof of the other side is never begun."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import verify
from proofs_checks.verdicts.decide import DIGITS, Undecided, WrongSide, decide, log2
from proofs_checks.verdicts.question import VerdictKind
from tests.patience import patient
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point

POINT = Point.of("0.01", "1.1", "8.5")


def truth(digits):
    return verify.rdp("0.01", "1.1", "8.5", digits=digits)


def test_a_millionth_below_is_too_small():
    x = truth(20).lo * (1 - Fraction(1, 10**6))
    assert decide(POINT, patient(), not_valid=x).question.kind is VerdictKind.NOT_VALID


def test_a_millionth_above_is_valid():
    x = truth(20).hi * (1 + Fraction(1, 10**6))
    assert decide(POINT, patient(), valid=x).question.kind is VerdictKind.VALID


@pytest.mark.parametrize("factor", [-1, 1])
def test_the_wrong_side_is_refused(factor):
    x = truth(20).lo * (1 + factor * Fraction(1, 10**6))
    asked = {"valid": x} if factor < 0 else {"not_valid": x}
    with pytest.raises(WrongSide, match="ask for"):
        decide(POINT, patient(), **asked)


@pytest.mark.parametrize("kind", ["valid", "not_valid"])
def test_inside_the_enclosure_is_undecided_at_so_many_digits(kind):
    x = truth(60).lo
    with pytest.raises(Undecided, match=f"undecided at {DIGITS[-1]} digits"):
        decide(POINT, patient(), **{kind: x})


def test_closer_answers_need_more_bits():
    far, near = (truth(25).hi * (1 + Fraction(1, 10**n)) for n in (3, 9))
    assert decide(POINT, patient(), valid=near).bits > decide(POINT, patient(), valid=far).bits + 15


def test_the_double_nearest_to_the_truth_is_decided():
    x = Fraction(truth(30).to_double())
    kind = "valid" if x > truth(30).hi else "not_valid"
    assert decide(POINT, patient(), **{kind: x}).question.x == x


@pytest.mark.parametrize("digits", [1, 10, 40])
def test_an_enclosure_contains_the_divergence_with_room(digits):
    found = decide(POINT, patient(), digits=digits)
    assert found.question.x < truth(60).lo
    assert found.question.upper > truth(60).hi
    assert found.question.upper - found.question.x <= 3 * truth(60).lo / 10 ** (digits - 1)


def test_the_end_points_of_q_are_exact():
    found = decide(Point.of(1, 2, 3), patient(), digits=5)
    assert found.question.x == found.question.upper == Fraction(3, 8)
    assert decide(Point.of(0, 2, 3), patient(), valid=Fraction(0)).exact


def test_at_an_end_point_equality_is_valid_and_not_too_small():
    with pytest.raises(WrongSide, match="is valid here"):
        decide(Point.of(1, 2, 3), patient(), not_valid=Fraction(3, 8))


@pytest.mark.parametrize("asked", [{}, {"valid": Fraction(1), "digits": 3}, {"digits": 0}])
def test_bad_questions_are_one_clear_error(asked):
    with pytest.raises(OutOfDomain):
        decide(POINT, patient(), **asked)


def test_the_reverse_divergence_is_the_smaller():
    forward, reverse = (decide(POINT, patient(), digits=8, reverse=r) for r in (False, True))
    assert reverse.question.upper < forward.question.x


def test_log2_of_numbers_beyond_all_doubles():
    assert log2(Fraction(3, 2**5001)) == pytest.approx(-4999.415, abs=1e-3)


def test_undecided_prints_an_x_that_lies_where_it_says():
    """X as printed, read again, lies inside the printed interval."""
    x = Fraction(truth(60).lo)
    with pytest.raises(Undecided) as caught:
        decide(POINT, patient(), valid=x)
    found = re.search(
        r"X = (\S+) lies inside the certified interval \[(\S+), (\S+)\]", str(caught.value)
    )
    assert found is not None
    assert Fraction(found[2]) <= Fraction(found[1]) <= Fraction(found[3])
