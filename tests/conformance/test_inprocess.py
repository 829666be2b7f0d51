"""Checking a Python function in a test suite."""

from verify.conformance import healthy
from verify.conformance.exceptions import Known
from verify.conformance.inprocess import check
from verify.conformance.judged import asked
from verify.conformance.known_wrong import REGISTRY
from verify.vectors import load, select

VECTORS = asked(select(load(), ("OrderOne", "TwoModes")), "rdp")
TRUNCATED = REGISTRY["truncated-order"].rdp
FLAG = Known("ada", "fractions are truncated", flag="TwoModes")


def test_a_healthy_function_has_no_complaints():
    assert check(healthy.rdp, VECTORS) == []


def test_a_broken_one_has():
    assert "points fail" in check(TRUNCATED, VECTORS)[0]


def test_a_known_failure_is_no_complaint():
    assert check(TRUNCATED, VECTORS, known=[FLAG]) == []


def test_a_stale_exception_is_a_complaint():
    (complaint,) = check(healthy.rdp, VECTORS, known=[FLAG])
    assert complaint.startswith("stale exception, nothing fails there any more: TwoModes (ada")


def test_an_exception_raised_is_an_answer():
    def refuses(q, sigma, alpha):
        raise RuntimeError("no\x1b")

    complaints = check(refuses, VECTORS)
    assert "no answer" in complaints[1]
    assert "\x1b" not in "".join(complaints)
