"""Real libraries by name. Environments need pip and a package index: set SGM_VERIFY_LIBRARIES=1."""

import ast
import os
import sys

import pytest

from verify.conformance.harness import Harness, HarnessFailed, Limits, run
from verify.conformance.judge import Verdict
from verify.conformance.libraries import ADAPTERS, LIBRARIES, parse, target
from verify.conformance.outcome import outcome, questions
from verify.vectors import load
from verify.vectors.recompute import sample

needs_network = pytest.mark.skipif(
    "SGM_VERIFY_LIBRARIES" not in os.environ,
    reason="installs packages with pip; set SGM_VERIFY_LIBRARIES=1 to run",
)


@pytest.mark.parametrize("name", LIBRARIES)
def test_adapters_stand_alone(name):
    """An adapter runs where this project is not installed."""
    source = (ADAPTERS / f"{LIBRARIES[name].adapter}_adapter.py").read_text()
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    own = LIBRARIES[name].adapter
    assert imported <= set(sys.stdlib_module_names) | {own}


@pytest.mark.parametrize(
    "spec", ["no-such-library", "opacus>=1", "opacus==1; rm", "--help", "", "opacus=="]
)
def test_unknown_specifications_are_one_clear_error(spec):
    with pytest.raises(HarnessFailed, match="no library known here"):
        parse(spec)


def test_names_are_normalised():
    assert parse("Dp_Accounting==0.4.3") == (LIBRARIES["dp-accounting"], "0.4.3")


def test_an_interpreter_without_the_library_is_one_clear_error():
    with pytest.raises(HarnessFailed, match="not installed"):
        target("deepee", python=sys.executable)


def test_an_interpreter_that_does_not_exist_is_one_clear_error():
    with pytest.raises(HarnessFailed, match="cannot run"):
        target("opacus", python="/no/such/python")


@needs_network
@pytest.mark.parametrize("name", LIBRARIES)
def test_every_library_answers(name):
    found = target(name)
    vectors = sample(load(), 60, seed=4)
    with Harness(list(found.command), Limits()) as harness:
        answers = run(harness, questions(vectors, "rdp"), seed=0)
    judged = outcome(vectors, "rdp", answers)
    assert judged.judged
    assert harness.violations == []
    assert judged.counts[Verdict.CORRECT] + judged.counts[Verdict.NO_ANSWER] < len(vectors)
