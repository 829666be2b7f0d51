"""Checking a Python function in a test suite."""

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.inprocess import complaints, judge_function
from verify.judge.selftest import healthy
from verify.judge.verdict.exceptions import Known
from verify.judge.verdict.judged import points_of_vectors
from verify.vectors import load, select

VECTORS = points_of_vectors(select(load(), ("OrderOne", "TwoModes")), "rdp")
TRUNCATED = REGISTRY["truncated-order"].rdp
FLAG = Known("ada", "fractions are truncated", flag="TwoModes")


def test_a_healthy_function_has_no_complaints():
    assert complaints(judge_function(healthy.rdp, VECTORS)) == []


def test_a_broken_one_has():
    assert "points fail" in complaints(judge_function(TRUNCATED, VECTORS))[0]


def test_a_known_failure_is_no_complaint():
    found = judge_function(TRUNCATED, VECTORS, known=[FLAG])
    assert complaints(found) == []
    assert found.used == (str(FLAG),)


def test_a_stale_exception_is_listed():
    found = judge_function(healthy.rdp, VECTORS, known=[FLAG])
    assert found.stale == (f"nothing fails there any more: {FLAG}",)
    assert found.used == ()


def test_an_exception_raised_is_an_answer():
    def refuses(q, sigma, alpha):
        raise RuntimeError("no\x1b")

    told = complaints(judge_function(refuses, VECTORS))
    assert "no answer" in told[1]
    assert "\x1b" not in "".join(told)
