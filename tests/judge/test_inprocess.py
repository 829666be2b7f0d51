"""Checking a Python function in a test suite."""

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.inprocess import complaints, judged
from verify.judge.selftest import healthy
from verify.judge.verdict.exceptions import Known
from verify.judge.verdict.judged import asked
from verify.vectors import load, select

VECTORS = asked(select(load(), ("OrderOne", "TwoModes")), "rdp")
TRUNCATED = REGISTRY["truncated-order"].rdp
FLAG = Known("ada", "fractions are truncated", flag="TwoModes")


def test_a_healthy_function_has_no_complaints():
    assert complaints(judged(healthy.rdp, VECTORS)) == []


def test_a_broken_one_has():
    assert "points fail" in complaints(judged(TRUNCATED, VECTORS))[0]


def test_a_known_failure_is_no_complaint():
    found = judged(TRUNCATED, VECTORS, known=[FLAG])
    assert complaints(found) == []
    assert found.used == (str(FLAG),)


def test_a_stale_exception_is_listed():
    found = judged(healthy.rdp, VECTORS, known=[FLAG])
    assert found.stale == (f"nothing fails there any more: {FLAG}",)
    assert found.used == ()


def test_an_exception_raised_is_an_answer():
    def refuses(q, sigma, alpha):
        raise RuntimeError("no\x1b")

    told = complaints(judged(refuses, VECTORS))
    assert "no answer" in told[1]
    assert "\x1b" not in "".join(told)
