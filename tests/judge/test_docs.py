"""What the documentation shows is what is there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.harness import Harness, Limits, run
from verify.judge.protocol.libraries import known_libraries
from verify.judge.show import tables
from verify.judge.verdict import effect
from verify.judge.verdict.grading import Grade
from verify.judge.verdict.judged import judge_answers, questions
from verify.numbers.errors import OutOfDomain
from verify.results.matrix import RECORDS
from verify.vectors import load, select

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports" / "conformance"
DOCS = (ROOT / "docs" / "conformance.md").read_text()


@pytest.fixture(scope="module")
def recorded():
    return tables.read_checks(REPORTS)


def test_the_shell_example_is_the_file():
    assert (ROOT / "examples" / "client.sh").read_text() in (
        ROOT / "docs" / "protocol.md"
    ).read_text()


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_shell_example_conforms_where_it_answers():
    vectors = select(load(), ("NoSampling",))
    with Harness(["sh", str(ROOT / "examples" / "client.sh")], Limits()) as harness:
        answers = run(harness, questions(vectors, "rdp"), seed=0)
    found = judge_answers(
        vectors, "rdp", answers, protocol=harness.violations, allowed=[Grade.NO_ANSWER]
    )
    assert found.conforms
    assert found.counts[Grade.EXACT] >= 10


def test_the_tables_of_libraries_are_up_to_date():
    """Else: python -m verify.judge.show.tables."""
    assert tables.renew(ROOT, write=False) == []


def pages(root):
    """A project that has only what the tables are made from and stand in."""
    for name in (*tables.PAGES, tables.RECORDED):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
    for name in tables.PAGES:
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(REPORTS, root / tables.RECORDED)
    for name in RECORDS:
        shutil.copy(ROOT / tables.REPORTS / name, root / tables.REPORTS / name)
    return root


@pytest.mark.parametrize(
    ("old", "new"),
    [("| cause (points) |", "| cause |"), (" overstated, worst ", " overstated, best ")],
)
def test_a_table_that_is_off_by_little_is_found_and_put_right(tmp_path, old, new):
    page = pages(tmp_path) / "README.md"
    good = page.read_text()
    page.write_text(good.replace(old, new, 1))
    assert tables.renew(tmp_path, write=False) == ["README.md"]
    assert tables.renew(tmp_path) == ["README.md"]
    assert page.read_text() == good


def test_every_table_has_a_place():
    assert re.findall(r"<!-- table: (\w+)", DOCS) == ["known", "judged", "effects"]
    assert re.findall(r"<!-- table: (\w+)", (ROOT / "README.md").read_text()) == [
        "accountants",
        "gain",
        "judged",
        "proved",
    ]


def test_results_are_of_the_vectors_that_ship(recorded):
    for data in recorded:
        assert data.points >= len(load()) + len(effect.training_points())
        assert sum(data.verdicts.values()) == data.points
        library = f"{data.target}=={data.version}"
        assert data.reproduce.startswith(f"sgm-verify check {library} ")


def test_the_date_in_the_text_is_that_of_the_results(recorded):
    (date,) = {data.date for data in recorded}
    assert f"From real runs on {date}," in DOCS
    assert f"--seed 0`, {date};" in (ROOT / "README.md").read_text()


def test_the_results_asked_for_are_there(recorded):
    names = {data.target for data in recorded}
    assert {
        "dp-accounting",
        "opacus",
        "autodp",
        "prv-accountant",
        "tensorflow-privacy",
        "pyvacy",
        "objax",
    } <= names
    assert names <= set(known_libraries())


def test_counts_in_the_text():
    assert f"{len(load())} points" in DOCS
    assert f"{len(REGISTRY)} implementations" in DOCS


@pytest.mark.parametrize("cut", [0, 5, 100_000])
def test_an_incomplete_file_is_refused(tmp_path, cut):
    page = pages(tmp_path)
    path = next((page / tables.RECORDED).iterdir())
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(OutOfDomain, match="not a whole 'sgm-verify conformance 3' file"):
        tables.renew(tmp_path)


def test_the_command_says_what_is_wrong_in_one_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "verify.judge.show.tables", "--root", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
