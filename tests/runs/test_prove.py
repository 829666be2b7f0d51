"""Real proofs about runs, real coqc: what is accepted, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_checks.kernel import ALLOWED
from proofs_checks.runs import attempts
from proofs_checks.runs.attempts import ATTEMPTS
from proofs_checks.runs.prove import prove_run
from proofs_checks.verdicts.attempts import holes
from proofs_checks.verdicts.proving import NotProved
from tests.patience import PATIENCE
from verify.accounting.history import phase

BY_NAME = {a.name: a for a in ATTEMPTS}
QUICK = ("an epsilon that the order does not show", "another meaning of DP under its name")


def test_a_history_with_rates_0_and_1_is_certified(coq, tmp_path):
    """Whole and closed forms in one run, the files kept where told."""
    phases = (phase(0, 1, 10), phase(1, 20, 3), phase("0.01", 2, 50))
    proved = prove_run(
        phases, Fraction(1, 10**5), epsilon=Fraction(3), out=tmp_path / "new", max_seconds=PATIENCE
    )
    assert set(proved.axioms) == ALLOWED
    assert (tmp_path / "new" / "Proof.v").read_text() == proved.proof
    assert (tmp_path / "new" / "Check.v").read_text() == proved.check
    with pytest.raises(NotProved):
        prove_run(
            phases,
            Fraction(1, 10**5),
            epsilon=Fraction(4),
            proof=proved.proof,
            max_seconds=PATIENCE,
        )


def test_a_threshold_refutes(coq):
    run = (phase("0.0002", "0.65", 5000),)
    proved = prove_run(run, Fraction(1, 10**13), not_valid=Fraction(3), max_seconds=PATIENCE)
    assert "not_dp_by_threshold" in proved.proof
    assert set(proved.axioms) == ALLOWED


def test_a_lattice_refutes(coq):
    """Three steps: what single outputs cannot show, their losses together do."""
    run = (phase("0.2", 2, 3),)
    proved = prove_run(run, Fraction(1, 100), not_valid=Fraction("0.25"), max_seconds=PATIENCE)
    assert "lattice_refutation" in proved.proof
    assert set(proved.axioms) == ALLOWED


def test_thresholds_refute_a_history(coq):
    """A phase at rate 0 releases nothing, and its steps are counted all the same."""
    run = (phase("0.0002", "0.65", 3000), phase(0, 1, 7), phase("0.0003", "0.7", 2000))
    proved = prove_run(run, Fraction(1, 10**13), not_valid=Fraction(3), max_seconds=PATIENCE)
    assert "not_dp_by_thresholds" in proved.proof
    assert set(proved.axioms) == ALLOWED


def test_a_lattice_refutes_a_history(coq):
    run = (phase("0.2", 2, 2), phase(0, 1, 7), phase("0.3", 3, 1))
    proved = prove_run(run, Fraction(1, 100), not_valid=Fraction("0.2"), max_seconds=PATIENCE)
    assert "history_refutation" in proved.proof
    assert set(proved.axioms) == ALLOWED


@pytest.mark.parametrize("name", QUICK)
def test_each_look_refuses_what_it_should_and_nothing_else(coq, name):
    question, proof = attempts.honest()
    said = attempts.refusals(BY_NAME[name], question, proof, PATIENCE)
    assert holes(BY_NAME[name], said) == [], said
