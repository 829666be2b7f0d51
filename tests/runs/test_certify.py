"""Orders come from the certified engine; what RDP cannot show is refused with the numbers that say why."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_checks.runs.certify import NotByRdp, certificate, certificate_proof
from proofs_checks.verdicts.decide import WrongSide
from tests.patience import patient
from verify.accounting.history import phase
from verify.numbers.errors import OutOfDomain

RUN = (phase("0.01", "1.1", 1000),)
DELTA = Fraction(1, 10**5)


def test_an_epsilon_just_above_the_least_has_an_order():
    made = certificate(RUN, DELTA, patient(), epsilon=Fraction("1.71172"))
    assert 0 < made.room < Fraction(1, 10**5)
    assert 9 < made.order < 10


def test_an_epsilon_a_millionth_below_the_least_is_refused_with_both_numbers():
    with pytest.raises(
        NotByRdp, match=r"least that an order proves is 1\.7117143\d*.*exact epsilon .* 1\.51536"
    ):
        certificate(RUN, DELTA, patient(), epsilon=Fraction("1.711713"))


def test_an_epsilon_below_the_exact_one_is_false():
    with pytest.raises(WrongSide, match=r"not valid .* 1\.5153619166644847; ask for --not-valid"):
        certificate(RUN, DELTA, patient(), epsilon=Fraction("1.515"))


@pytest.mark.parametrize("digits", [2, 5, 9])
def test_digits_round_up_with_room(digits):
    made = certificate(RUN, DELTA, patient(), digits=digits)
    above = made.question.epsilon - Fraction(made.least.hi)
    assert 0 < above < Fraction(2, 10 ** (digits - 1))


@pytest.mark.parametrize("digits", [0, 13])
def test_digits_out_of_range_are_refused(digits):
    with pytest.raises(OutOfDomain):
        certificate(RUN, DELTA, patient(), digits=digits)


def test_a_whole_order_is_taken_where_it_serves():
    made = certificate(RUN, DELTA, patient(), epsilon=Fraction(2))
    assert made.order.denominator == 1
    assert "Whole.divergence" in certificate_proof(made, patient())[0]


def test_idle_and_full_phases_have_closed_forms():
    """The rates 0 and 1 need no integral."""
    phases = (phase(0, 1, 10), phase(1, 20, 3), phase("0.01", 2, 50))
    made = certificate(phases, DELTA, patient(), digits=3)
    text, _ = certificate_proof(made, patient())
    assert "apply (never" in text
    assert "apply (always" in text
    assert text.count("apply (total_phase") == 3


def test_a_run_that_releases_nothing_needs_no_certificate():
    with pytest.raises(OutOfDomain, match="nothing is released"):
        certificate((phase(0, 1, 10),), DELTA, patient(), epsilon=Fraction(1))
