"""An UNSAFE answer gets its theorem, or one line that says why there is none."""

from __future__ import annotations

import shlex
from fractions import Fraction

import pytest

from proofs_checks.kernel import FormalError
from proofs_checks.verdicts import library
from tests.judge.test_causes import RUN, SOME, found
from verify.judge.causes import grouping, theorems
from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.inprocess import ask
from verify.judge.show.record import document
from verify.judge.show.render import cluster_lines
from verify.judge.verdict.grading import Direction
from verify.judge.verdict.judged import judge_answers
from verify.results.conformance import Conformance, as_text
from verify.results.document import from_text
from verify.results.verdicts import KernelVerdict

THEOREM = KernelVerdict(
    "answer of mine", "not-valid", "1/10", "4", "2", False, "-0.5", None,
    "X = -0.5 is too small", "forall", ("classic",), 12, "0" * 64, "1" * 64,
)  # fmt: skip


def made(prove):
    return document(RUN, found("asymptotic"), prove=prove)


def test_without_being_asked_there_is_no_theorem_and_no_trace_of_one():
    assert "not_proved" not in as_text(document(RUN, found("asymptotic")))


def test_the_smallest_unsafe_answer_of_a_cause_is_proved():
    asked = []
    made(lambda case: asked.append(case) or THEOREM)
    assert [case.judgement.direction for case in asked] == [Direction.UNSAFE]
    assert asked[0] == grouping.clusters(found("asymptotic"))[0].smallest_unsafe


def test_a_cause_that_only_overstates_is_not_proved():
    asked = []
    document(RUN, found("no-amplification"), prove=lambda case: asked.append(case) or THEOREM)
    assert asked == []


def test_a_theorem_is_read_back_from_the_file():
    file = as_text(made(lambda _: THEOREM))
    assert from_text(file, Conformance).clusters[0].theorem == THEOREM


def test_a_theorem_is_shown():
    shown = "\n".join(cluster_lines(made(lambda _: THEOREM).clusters[0]))
    assert "THEOREM (Coq, 1 axioms): X = -0.5 is too small" in shown


def test_why_there_is_none_is_shown():
    shown = "\n".join(cluster_lines(made(lambda _: "no Coq here").clusters[0]))
    assert "no theorem: no Coq here" in shown


def test_the_command_means_the_same_numbers():
    words = shlex.split(theorems.again(THEOREM))
    assert words[-2:] == ["--not-valid=-0.5", "--doubles"]
    assert Fraction(float(words[words.index("--q") + 1])) == Fraction(0.1)


def test_other_quantities_have_no_theorems():
    answers = judge_answers(SOME, "log_a", ask(REGISTRY["asymptotic"].rdp, SOME))
    prove = theorems.proving("mine", lambda _: None)
    assert prove(answers.cases[0]) == "there are theorems on epsilon only, not on log_a"


def test_the_kernel_accepts_a_real_one():
    try:
        library.ready(lambda _: None)
    except (FormalError, OSError) as error:
        pytest.skip(str(error))
    said = []
    unsafe = grouping.clusters(found("asymptotic"))[0].smallest_unsafe
    proved = theorems.proving("mine", said.append)(unsafe)
    assert isinstance(proved, KernelVerdict), proved
    assert Fraction(proved.x) == Fraction(unsafe.answer.value)
    assert len(said) == 1
