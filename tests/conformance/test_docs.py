"""What the documentation shows is what is there."""

import json
import re
import shutil
from pathlib import Path

import pytest

from verify.conformance.harness import Harness, Limits, run
from verify.conformance.judge import Verdict
from verify.conformance.known_wrong import REGISTRY
from verify.conformance.libraries import known
from verify.conformance.outcome import outcome, questions
from verify.conformance.section import BadOutcome, markdown, outcomes
from verify.vectors import load, select

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports" / "conformance"
DOCS = (ROOT / "docs" / "conformance.md").read_text()


def test_the_shell_example_is_the_file():
    assert (ROOT / "examples" / "client.sh").read_text() in (
        ROOT / "docs" / "protocol.md"
    ).read_text()


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_shell_example_conforms_where_it_answers():
    vectors = select(load(), ("NoSampling",))
    with Harness(["sh", str(ROOT / "examples" / "client.sh")], Limits()) as harness:
        answers = run(harness, questions(vectors, "rdp"), seed=0)
    found = outcome(
        vectors, "rdp", answers, protocol=harness.violations, allowed=[Verdict.NO_ANSWER]
    )
    assert found.conforms
    assert found.counts[Verdict.CORRECT] >= 10


def test_the_table_of_results_is_generated():
    table = re.search(r"<!-- table:.*?-->\n(.*)<!-- end -->", DOCS, re.DOTALL)[1]
    assert table == markdown(outcomes(REPORTS))


def test_results_are_of_the_vectors_that_ship():
    for data in outcomes(REPORTS):
        assert data["points"] == len(load())
        assert sum(data["verdicts"].values()) == data["points"]
        library = f"{data['target']}=={data['version']}"
        assert data["reproduce"].startswith(f"sgm-verify check {library} ")


def test_the_date_in_the_text_is_that_of_the_results():
    (date,) = {data["date"] for data in outcomes(REPORTS)}
    assert f"From real runs on {date}," in DOCS
    assert f"--seed 0`, {date};" in (ROOT / "README.md").read_text()


def test_the_results_asked_for_are_there():
    names = {data["target"] for data in outcomes(REPORTS)}
    assert {
        "dp-accounting",
        "opacus",
        "autodp",
        "prv-accountant",
        "tensorflow-privacy",
        "pyvacy",
        "objax",
    } <= names
    assert names <= set(known())


def test_counts_in_the_text():
    assert f"{len(load())} points" in DOCS
    assert f"{len(REGISTRY)} implementations" in DOCS


def test_an_incomplete_outcome_is_refused(tmp_path):
    data = outcomes(REPORTS)[0]
    del data["complete"]
    (tmp_path / "cut.json").write_text(json.dumps(data))
    with pytest.raises(BadOutcome):
        outcomes(tmp_path)


def test_the_readme_shows_the_same_table():
    assert markdown(outcomes(REPORTS)) in (ROOT / "README.md").read_text()
