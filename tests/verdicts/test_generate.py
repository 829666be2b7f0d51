"""Which way a proof takes; whether the ways lead there is seen where they are compiled."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_checks.verdicts.check import allowed_commands
from proofs_checks.verdicts.decide import decide
from proofs_checks.verdicts.generate import MOST_TERMS, proof_file
from tests.patience import patient
from verify.numbers.point import Point


def text(*point, fast=False, **asked):
    return proof_file(decide(Point.of(*point), patient(), **asked), patient(), fast=fast)[0]


WAYS = [
    ((0, 1, 2.5), {"digits": 3}, "renyi_never"),
    ((1, 1, 2.5), {"digits": 3}, "renyi_always"),
    (("0.01", "1.1", 8), {"digits": 10}, "Whole.divergence"),
    (("0.01", "1.1", "8.5"), {"digits": 3}, "AnyOrder.divergence_in"),
    (("0.01", 50, MOST_TERMS + 1), {"digits": 3}, "AnyOrder.divergence_in"),
    (("0.01", "1.1", 8), {"digits": 3, "reverse": True}, "apply (reverse"),
    (("0.01", "1.1", 8), {"valid": Fraction(1), "reverse": True}, "reverse_at_most"),
    (("0.01", "1.1", "8.5"), {"not_valid": Fraction(-1)}, "Crude.above_negative;"),
    (
        ("0.01", "1.1", 8),
        {"not_valid": Fraction(-1), "reverse": True},
        "Crude.above_negative_reverse",
    ),
    (("0.01", "1.1", "8.5"), {"valid": Fraction(4)}, "Crude.unsampled"),
    (("1e-300", "1.1", "8.5"), {"not_valid": Fraction(0)}, "Crude.above_leading"),
    (("0.001", "0.02", 300), {"not_valid": Fraction(1)}, "Crude.shifted_sound"),
]


@pytest.mark.parametrize(("point", "asked", "way"), WAYS)
def test_the_way_a_proof_takes(point, asked, way):
    assert way in text(*point, **asked)


@pytest.mark.parametrize(("point", "asked", "way"), WAYS)
def test_only_allowed_commands(point, asked, way):
    allowed_commands(text(*point, **asked))


def test_machine_integers_only_when_asked_for():
    assert "OverBigInt" not in text("0.01", "1.1", 8, digits=5)
    assert "OverZ" not in text("0.01", "1.1", 8, digits=5, fast=True)


def test_the_proof_of_one_question_is_the_same_each_time():
    assert text("0.01", "1.1", "8.5", digits=4) == text("0.01", "1.1", "8.5", digits=4)
