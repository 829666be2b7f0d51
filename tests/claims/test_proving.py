"""Finding a prover: what a judge of libraries calls never fails it."""

import math

from verify.accounting.history import phase
from verify.claims import proving
from verify.results.verdicts import KernelVerdict


def test_the_prover_is_found_without_its_name():
    assert proving.prover().__module__ == "proofs_checks.verdicts.proving"


def test_without_a_prover_there_is_a_reason(monkeypatch):
    monkeypatch.setattr(proving, "papers", lambda: iter(()))
    found = proving.verdict_on("x", 0.01, 1.1, 8, 0.0001, 60)
    assert found == "OutOfReach: no installed package of claims has a prover"


def test_an_answer_that_is_valid_is_no_theorem():
    found = proving.verdict_on("x", 0.01, 1.1, 8, 1.0, 60)
    assert isinstance(found, str)
    assert found.startswith("WrongSide: X = 1 is valid here")


def test_no_number_is_no_theorem():
    assert "no number" in str(proving.verdict_on("x", 0.01, 1.1, 8, math.nan, 60))


def test_a_point_out_of_range_is_a_reason():
    assert "must be a number in [0, 1]" in str(proving.verdict_on("x", 2.0, 1.1, 8, 0.1, 60))


def test_without_coq_there_is_a_reason(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    found = proving.verdict_on("x", 0.01, 1.1, 8, 0.0001, 60)
    assert not isinstance(found, KernelVerdict)
    assert "apt-get install" in found


def test_a_valid_epsilon_of_a_run_has_no_refutation_and_no_error():
    """The reason comes as text, for a judge that goes on with the next answer."""
    said = proving.refutation_of_run((phase("0.01", 1, 100),), 1e-5, 50.0, 60.0)
    assert said.startswith("no theorem: WrongSide: epsilon = 50 is valid for this run")
