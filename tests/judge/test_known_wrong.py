"""Every known-wrong implementation is rejected, by name; every healthy one is accepted."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.harness import Harness, Limits, run
from verify.judge.protocol.inprocess import ask
from verify.judge.selftest import healthy
from verify.judge.verdict.grading import Grade
from verify.judge.verdict.judged import judge_answers, questions
from verify.vectors import load
from verify.vectors.recompute import sample

VECTORS = load()
SOME = sample(VECTORS, 500, seed=7)
EXAMPLES = Path(__file__).parents[2] / "examples"


def by_protocol(command, vectors, strict):
    with Harness(command, Limits()) as harness:
        answers = run(harness, questions(vectors, "rdp"), seed=3)
    return judge_answers(vectors, "rdp", answers, protocol=harness.violations, strict=strict)


def test_there_are_enough():
    assert len(REGISTRY) >= 15


@pytest.mark.parametrize("name", REGISTRY)
def test_known_wrong_is_rejected(name):
    wrong = REGISTRY[name]
    found = judge_answers(SOME, "rdp", ask(wrong.rdp, SOME), strict=wrong.strict)
    assert found.exit_code == 1
    assert found.failures


@pytest.mark.parametrize("name", [name for name in REGISTRY if REGISTRY[name].strict])
def test_what_only_a_strict_check_rejects(name):
    """What moves no epsilon of a million steps is not punished, unless asked for."""
    found = judge_answers(SOME, "rdp", ask(REGISTRY[name].rdp, SOME))
    assert found.failures == []
    assert found.counts[Grade.ADEQUATE] > 0


def test_known_wrong_is_rejected_through_the_protocol():
    command = [sys.executable, "-m", "verify.judge.causes.known_wrong", "dropped-sign"]
    assert by_protocol(command, SOME[:200], strict=False).exit_code == 1


def test_healthy_python_function_is_accepted():
    found = judge_answers(VECTORS, "rdp", ask(healthy.rdp, VECTORS), strict=True)
    assert found.conforms


def test_healthy_python_client():
    found = by_protocol([sys.executable, str(EXAMPLES / "client.py")], VECTORS, strict=True)
    assert found.conforms


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_healthy_javascript_client():
    found = by_protocol(["node", str(EXAMPLES / "client.mjs")], VECTORS, strict=True)
    assert found.conforms


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_healthy_c_client(tmp_path):
    program = tmp_path / "client"
    source = EXAMPLES / "client.c"
    subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source, "-lm"], check=True
    )
    found = by_protocol([str(program)], VECTORS, strict=True)
    assert found.conforms
