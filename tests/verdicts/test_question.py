"""What is asked, in words and in Coq, from the numbers alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_checks.verdicts.generate import check_file
from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion, literal, pair
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point

POINT = Point.of("0.01", "1.1", 8)
ASKED = VerdictQuestion(POINT, VerdictKind.NOT_VALID, Fraction(1, 2000))


def test_a_double_enters_as_its_exact_binary_value():
    assert literal(Fraction(0.1)) == "(3602879701896397 / 36028797018963968)"


def test_a_decimal_is_what_is_written():
    assert literal(Fraction("0.1")) == "(1 / 10)"


def test_words_tell_a_double_by_its_bits():
    asked = replace(ASKED, x=Fraction(0.0005))
    assert "X = 0.0005 (the double 0x1.0624dd2f1a9fcp-11) is" in asked.words()


def test_the_ends_of_an_enclosure_of_many_digits_are_told_in_full():
    ends = Fraction(10**40 + 1, 10**44), Fraction(10**40 + 2, 10**44)
    words = VerdictQuestion(POINT, VerdictKind.ENCLOSURE, *ends).words()
    assert all(f"0.0001{'0' * 39}{last}" in words for last in (1, 2))


def test_negative_numbers_stand_in_parentheses():
    assert literal(Fraction(-2)) == "(-2)"


@pytest.mark.parametrize("change", [
    {"point": Point.of("0.02", "1.1", 8)}, {"point": Point.of("0.01", "1.2", 8)},
    {"point": Point.of("0.01", "1.1", "8.000001")}, {"x": Fraction(500001, 10**9)},
    {"kind": VerdictKind.VALID}, {"reverse": True},
])  # fmt: skip
def test_every_number_shows_in_the_statement(change):
    assert replace(ASKED, **change).statement() != ASKED.statement()


def test_an_enclosure_shows_its_upper_end():
    one, other = (
        VerdictQuestion(POINT, VerdictKind.ENCLOSURE, Fraction(0), Fraction(n)) for n in (1, 2)
    )
    assert one.statement() != other.statement()


def test_the_check_file_imports_the_statements_only():
    imports = [line for line in check_file(ASKED).splitlines() if "Import" in line]
    assert imports == [
        "From Coq Require Import Reals.",
        "From SGM Require Import Statements StatementsBeyond.",
    ]


def test_the_check_file_is_short_enough_to_be_read():
    assert len(check_file(ASKED).splitlines()) <= 12


@pytest.mark.parametrize("alpha", [1, "inf"])
def test_orders_without_a_theorem_are_refused(alpha):
    with pytest.raises(OutOfDomain, match="must be a finite number > 1"):
        VerdictQuestion(POINT.at_order(alpha), VerdictKind.VALID, Fraction(1))


def test_a_pair_is_in_lowest_terms():
    assert pair(Fraction(2, 4)) == "(1, 2)%Z"
