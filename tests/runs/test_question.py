"""What is asked of a run, in words and in Coq, comes from the numbers alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_checks.runs.question import RunKind, RunStatement, check_file
from verify.accounting.history import phase
from verify.numbers.errors import OutOfDomain

ONE = (phase("0.01", "1.1", 10**6),)
TWO = (phase("0.01", 1, 500), phase(0.02, "1.5", 700))


def asked(phases=ONE, kind=RunKind.VALID, epsilon=Fraction(2), delta=Fraction(1, 10**30)):
    return RunStatement(phases, kind, epsilon, delta)


def test_a_million_steps_are_a_binary_number():
    """Nothing in a statement is written in unary."""
    assert "Z.to_nat 1000000 * d" in asked().statement()


def test_phases_stand_in_the_order_in_which_they_are_run():
    said = asked(TWO).statement()
    assert (
        "(500%Z, (1 / 100), 1) :: (700%Z, (5764607523034235 / 288230376151711744), (3 / 2)) :: nil"
        in said
    )
    assert "steps_of" in said
    assert "500 steps at q = 0.01, sigma = 1, then 700 steps" in asked(TWO).words()


def test_a_refutation_is_about_tests_in_every_dimension():
    """Not DP by a test, so that it cannot be for want of an integral."""
    said = asked(kind=RunKind.NOT_VALID).statement()
    assert "~ is_DP_tests (Z.to_nat 1000000 * (S n))" in said
    assert "forall (U : Type) (u : U) (n : nat), exists f" in said


@pytest.mark.parametrize("kind", RunKind)
def test_the_check_file_imports_the_statements_only(kind):
    text = check_file(asked(kind=kind))
    assert "SGMV" not in text
    assert len(text.splitlines()) <= 14
    assert asked(kind=kind).statement() in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"phases": ()},
        {"delta": Fraction(0)},
        {"delta": Fraction(1)},
        {"epsilon": Fraction(-1)},
    ],
)
def test_numbers_that_no_theorem_is_about_are_refused(wrong):
    with pytest.raises(OutOfDomain):
        asked(**wrong)
